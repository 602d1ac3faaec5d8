// Games: against the program or between two people, and puzzles. The address has the bar and the
// bites, so that every position of a game can be reached by a link.
import { engines } from './engine.js';
import { Stopped } from './session.js';
import { address, go, register } from './tabs.js';
import { at, make } from './dom.js';
import { bitten, fit, isP, mark, rowInWords, squareOf, squares, written } from './board.js';
import { drawReplay, hideReplay, judge, marksOfReplay, replayInWords } from './replay.js';
import { beginScore, drawScore, score, unscore } from './score.js';
import { pose } from './puzzles.js';

/** The largest bar that is drawn. */
const MOST_ROWS = 30;
const MOST_COLUMNS = 60;

const game = {
    /** The row lengths at the start, and the bites. */
    start: [7, 7, 7], bites: [],
    /** easy, fair, perfect or two; you or program. */
    opponent: 'perfect', first: 'you',
    /** The grade of a puzzle. */
    puzzle: undefined,
    /** The number of bites before the position that is shown, in a replay. */
    replay: undefined,
    waiting: false, number: 0, focus: null,
};

/** All positions so far. */
function positions() {
    const all = [game.start];
    for (const { row, column } of game.bites) all.push(bitten(all.at(-1), row, column));
    return all;
}

const lengthsNow = () => positions().at(-1);
const isOver = (lengths) => lengths.reduce((sum, length) => sum + length, 0) === 1;
const over = () => isOver(lengthsNow());

/** Whose bite it is, after a number of bites. */
function turn(number) {
    const isFirst = number % 2 === 0;
    if (game.opponent === 'two') return isFirst ? 'Player 1' : 'Player 2';
    return isFirst === (game.first === 'you') ? 'you' : 'program';
}

/** A position with as many rows as the bar. */
const inBar = (lengths) => written(lengths, game.start.length);

/** The name of this game up to its last bite. */
const gameName = () => [game.start, game.opponent, game.first, ...game.bites.map(({ row, column }) => `${row}.${column};`)].join(' ');

const isProgram = () => game.opponent !== 'two' && !game.puzzle && turn(game.bites.length) === 'program';

function say(text) {
    at('play-status').textContent = text;
}

function writeAddress(isStep) {
    const { start, bites, opponent, first, puzzle, replay } = game;
    address('play', start.filter((length) => length > 0).join(','), {
        bites: bites.map(({ row, column }) => `${row}.${column}`).join(','),
        with: opponent === 'perfect' ? '' : opponent,
        first: first === 'you' ? '' : first,
        puzzle, at: replay,
    }, isStep);
}

function drawGame() {
    const board = at('play-board');
    const focused = document.activeElement;
    if (board.contains(focused)) game.focus = { ...focused.dataset };
    else if (focused !== document.body) game.focus = null;
    const { start, replay } = game;
    const lengths = positions()[replay ?? game.bites.length];
    fit(board, start[0]);
    const lines = lengths.map((length, index) => {
        if (start[index] === 0) return '';
        const line = squares('button', index + 1, length, start[index]);
        line.forEach((square, column) => nameSquare(square, lengths, index + 1, column + 1));
        return make('div', { className: 'line' }, ...line);
    });
    board.replaceChildren(...lines);
    at('rules').hidden ||= game.bites.length > 0;
    keepFocus(board);
    const entry = ({ row }, number) => make('li', { className: replay === number ? 'shown' : '' },
        make('button', { type: 'button', className: 'link', onclick: () => showReplay(number) }, moveInWords(number, row)));
    at('moves').replaceChildren(...game.bites.map(entry));
    at('undo').disabled = game.waiting || game.bites.length === 0;
    at('hint').disabled = game.waiting || over() || replay !== undefined;
    if (replay !== undefined) marksOfReplay(board, game.bites[replay], replay);
}

// While the program thinks, no square can have the focus. Afterwards it goes to the square that had
// it, or to the last one that is left in its row.
function keepFocus(board) {
    const left = [...board.querySelectorAll('button:not(:disabled)')];
    const { row, column } = game.focus ?? {};
    const next = left.findLast(({ dataset }) => dataset.row === row && Number(dataset.column) <= Number(column)) ?? left[0];
    if (next) next.tabIndex = 0;
    if (game.focus) next?.focus();
}

function nameSquare(square, lengths, row, column) {
    const there = square.classList.contains('there');
    const poison = square.classList.contains('poison');
    square.tabIndex = -1;
    square.type = 'button';
    square.disabled = !there || poison || game.waiting || game.replay !== undefined || isProgram() || over()
        || (game.puzzle !== undefined && game.bites.length > 0);
    const left = inBar(bitten(lengths, row, column));
    const what = poison ? 'poisoned' : there ? `a bite here leaves ${left}` : 'bitten';
    square.setAttribute('aria-label', `row ${row}, square ${column}: ${what}`);
    if (!square.disabled) square.title = `leaves ${left}`;
}

function moveInWords(number, row) {
    const who = turn(number);
    const left = positions()[number + 1];
    const [name, bites, leaves] = who === 'you' ? ['You', 'bite', 'leave']
        : [who === 'program' ? 'The program' : who, 'bites', 'leaves'];
    return `${name} ${bites} in ${rowInWords(row, game.start)} and ${leaves} ${inBar(left)}`;
}

function endInWords(loser) {
    if (game.opponent === 'two') {
        return `Only the poison is left, and ${loser} must take it. ${turn(game.bites.length + 1)} wins!`;
    }
    return loser === 'program' ? 'Only the poison is left, and the program must take it. You win!'
        : 'Only the poison is left, and it is your turn. The program wins; Undo takes your last bite back.';
}

/** Says which position of a game that is over is shown. */
function sayShown() {
    const { bites: { length }, replay } = game;
    say(replay === undefined ? endInWords(turn(length)) : replayInWords(replay, length));
}

/** The end of a game. It counts for the score, unless the game comes from an address. */
function finish(isNew) {
    const loser = turn(game.bites.length);
    const board = at('play-board');
    drawGame();
    sayShown();
    if (game.opponent !== 'two') score(loser === 'you' ? 'program' : 'you', gameName(), isNew);
    board.classList.toggle('won', loser !== 'you');
    board.classList.toggle('lost', loser === 'you');
    if (loser !== 'program') findError(loser);
    else drawReplay(game, showReplay);
}

async function findError(loser) {
    const { number } = game;
    try {
        await judge(positions(), (bite) => turn(bite) === loser, loser);
    } catch {
        // The bar is too large to be judged, but the game can still be stepped through.
    }
    if (number !== game.number) return;
    sayShown();
    drawGame();
    drawReplay(game, showReplay);
}

/** Shows the position before a bite; without a bite, the position of the game. */
function showReplay(number) {
    if (!over()) return;
    game.replay = number !== undefined && number < game.bites.length ? number : undefined;
    sayShown();
    drawGame();
    drawReplay(game, showReplay);
    writeAddress(false);
}

/** A random number of 32 bits. */
const chance = () => crypto.getRandomValues(new Uint32Array(1))[0];

async function programMoves() {
    const { number } = game;
    game.waiting = true;
    drawGame();
    say('The program thinks.');
    try {
        const [reply] = await Promise.all([
            engines.play.ask({ ask: 'reply', text: written(lengthsNow()), strength: game.opponent, chance: chance() }),
            new Promise((resolve) => { setTimeout(resolve, 500); }),
        ]);
        if (number !== game.number) return;
        const square = squareOf(reply);
        mark(at('play-board'), square, 'eaten');
        await new Promise((resolve) => { setTimeout(resolve, 400); });
        if (number !== game.number) return;
        game.bites.push(square);
        game.waiting = false;
        writeAddress(false);
        if (over()) return finish(true);
        drawGame();
        say(`${moveInWords(game.bites.length - 1, square.row)}. Your turn.`);
    } catch (error) {
        if (number !== game.number) return;
        game.waiting = false;
        if (!(error instanceof Stopped)) say(error.message);
    }
}

function bite(row, column) {
    game.number += 1;
    game.bites.push({ row, column });
    writeAddress(true);
    if (game.puzzle) checkPuzzle(true);
    else resume(true);
}

/** Continues from the position of the game. */
function resume(isNew) {
    at('play-board').classList.remove('won', 'lost');
    hideReplay();
    if (over()) {
        if (game.bites.length > 0) return finish(isNew);
        drawGame();
        return say('There is only the poison: take a larger bar.');
    }
    if (isProgram()) return programMoves();
    drawGame();
    if (game.opponent === 'two') say(`${turn(game.bites.length)}: bite where you like.`);
    else say(game.bites.length === 0 ? 'Your turn: bite where you like.' : 'Your turn.');
}

/** Whether the bite of a puzzle wins. */
async function checkPuzzle(isNew) {
    const { number } = game;
    drawGame();
    if (game.bites.length === 0) return say('Which bite wins? After it, every bite of the other player must lose.');
    const found = await engines.play.ask({ ask: 'position', text: written(lengthsNow()) });
    if (number !== game.number) return;
    at('play-board').classList.toggle('won', isP(found));
    at('play-board').classList.toggle('lost', !isP(found));
    if (isP(found)) {
        say(`Right: ${inBar(found.position)} is a P-position. You win after every bite of the other player.`);
        if (isNew) score('puzzles', `puzzle ${game.start}`);
    } else {
        const [reply] = found.winning_bites;
        mark(at('play-board'), squareOf(reply), 'reply');
        say(`No: the other player wins from ${inBar(found.position)}. The reply takes the orange squares and leaves ${inBar(reply.leaves)}. Undo, and try another bite.`);
    }
}

/** The lengths of a bar that is written as addresses have it, the longest first; else `null`. */
function plainLengths(text) {
    if (!/^[1-9]\d?([ ,][1-9]\d?)*$/.test(text)) return null;
    const lengths = text.split(/[ ,]/).map(Number);
    return lengths.every((length, index) => index === 0 || length <= lengths[index - 1]) ? lengths : null;
}

/** Shows no game, and says why. */
function refuseGame(text, rest, message) {
    game.number += 1;
    Object.assign(game, { bites: [], waiting: false, replay: undefined });
    address('play', text, rest);
    hideReplay();
    for (const id of ['play-board', 'moves']) at(id).replaceChildren();
    at('play-board').classList.remove('won', 'lost');
    for (const id of ['hint', 'undo']) at(id).disabled = true;
    say(message);
}

/** Starts or continues a game, as an address or the form says. A plain bar is drawn before the module is
 * there, which says whether the program can play on it. */
async function open(text, rest = {}) {
    game.number += 1;
    const { number } = game;
    say('');
    const asked = engines.play.ask({ ask: 'bar', text });
    const early = plainLengths(text);
    if (early && isDrawn(early)) begin(early, rest);
    let found;
    try {
        found = await asked;
    } catch (error) {
        if (number === game.number && !(error instanceof Stopped)) refuseGame(text, rest, error.message);
        return;
    }
    if (number !== game.number) return;
    const lengths = found.position.map(Number);
    if (!isDrawn(lengths)) {
        refuseGame(text, rest, `Bars of up to ${MOST_ROWS} rows and ${MOST_COLUMNS} columns are drawn here; “Who wins?” takes larger ones.`);
    } else if (!found.can_be_played && rest.with !== 'two') {
        refuseGame(text, rest, 'The program cannot see the end of this bar: take one of up to 14 × 14 squares, three rows, or two players.');
    } else if (!early) {
        begin(lengths, rest);
    }
}

const isDrawn = (lengths) => lengths.length <= MOST_ROWS && lengths[0] <= MOST_COLUMNS;

/** Shows the game on this bar. */
function begin(lengths, { bites = '', with: opponent, first, puzzle, at: replay }) {
    const before = over() ? gameName() : '';
    Object.assign(game, {
        start: lengths, bites: [], waiting: false, replay: undefined, puzzle: puzzle || undefined,
        opponent: ['easy', 'fair', 'two'].includes(opponent) ? opponent : 'perfect',
        first: first === 'program' ? 'program' : 'you',
    });
    for (const [row, column] of bites.split(',').map((bite) => bite.split('.').map(Number))) {
        const length = lengthsNow()[row - 1] ?? 0;
        if (!(column >= 1 && column <= length) || (row === 1 && column === 1)) break;
        game.bites.push({ row, column });
    }
    if (game.bites.length === 0) beginScore();
    else if (before !== gameName() && before.startsWith(gameName())) unscore(before);
    at('opponent').value = game.opponent;
    at('first').value = game.first;
    for (const option of at('grade').options) option.selected ||= option.value === game.puzzle;
    at('bar').value = 'own';
    at('own-bar').hidden = false;
    at('own').value = lengths.join(' ');
    for (const option of at('bar').options) {
        if (option.value === lengths.join(' ')) {
            at('bar').value = option.value;
            at('own-bar').hidden = true;
        }
    }
    writeAddress(false);
    if (game.puzzle) {
        at('play-board').classList.remove('won', 'lost');
        hideReplay();
        return checkPuzzle(false);
    }
    resume(false);
    if (over() && replay !== undefined) showReplay(Number(replay));
}

function chosenBar() {
    const chosen = at('bar').value;
    if (chosen === 'own') return at('own').value;
    if (chosen !== 'random') return chosen;
    const random = (least, most) => least + Math.floor(Math.random() * (most - least + 1));
    const rows = random(3, 6);
    const lengths = Array.from({ length: rows }, () => random(2, 10)).sort((a, b) => b - a);
    return lengths.join(' ');
}

at('bar').onchange = () => { at('own-bar').hidden = at('bar').value !== 'own'; };

at('new-game').onsubmit = (event) => {
    event.preventDefault();
    say('');
    go('play', chosenBar(), { with: at('opponent').value, first: at('first').value });
};

at('new-puzzle').onclick = async () => {
    const grade = at('grade').value;
    try {
        const shown = game.puzzle && game.start.join();
        let position;
        do position = (await pose(grade, chance())).join(); while (position === shown);
        go('play', position, { puzzle: grade });
    } catch (error) {
        if (!(error instanceof Stopped)) say(error.message);
    }
};

const playBoard = at('play-board');
const squareAt = (event) => event.target.closest('button:not(:disabled)');

playBoard.onclick = (event) => {
    const square = squareAt(event);
    if (square) bite(Number(square.dataset.row), Number(square.dataset.column));
};
for (const [type, on] of [['pointerover', true], ['focusin', true], ['pointerout', false], ['focusout', false]]) {
    playBoard.addEventListener(type, (event) => {
        const square = on && squareAt(event);
        mark(playBoard, square && { row: Number(square.dataset.row), column: Number(square.dataset.column) }, 'aimed');
    });
}
playBoard.onkeydown = (event) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const square = squareAt(event);
    if (!step || !square) return;
    event.preventDefault();
    const row = Number(square.dataset.row) + step[0];
    const column = Number(square.dataset.column) + step[1];
    const next = playBoard.querySelector(`[data-row="${row}"][data-column="${column}"]:not(:disabled)`);
    if (!next) return;
    square.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
};

at('hint').onclick = async () => {
    const { number } = game;
    try {
        const answer = await engines.play.ask({ ask: 'position', text: written(lengthsNow()) });
        if (number !== game.number) return;
        for (const element of playBoard.querySelectorAll('.wins')) element.classList.remove('wins');
        for (const found of answer.winning_bites) {
            const { row, column } = squareOf(found);
            playBoard.querySelector(`[data-row="${row}"][data-column="${column}"]`)?.classList.add('wins');
        }
        const names = answer.winning_bites.map((found) =>
            `in ${rowInWords(squareOf(found).row, game.start)}, leaving ${inBar(found.leaves)}`);
        const other = game.opponent === 'perfect' ? 'the program wins' : 'the other player can win';
        say(isP(answer) ? `${inBar(answer.position)} is a P-position: after every bite ${other}.`
            : `You win with a bite ${names.join('; or ')}.`);
    } catch (error) {
        say(error.message);
    }
};

at('undo').onclick = () => {
    if (over()) unscore(gameName());
    game.number += 1;
    game.replay = undefined;
    const keep = (number) => game.opponent === 'two' || game.puzzle || turn(number) === 'you';
    let number = game.bites.length - 1;
    while (number > 0 && !keep(number)) number -= 1;
    game.bites.length = number;
    game.waiting = false;
    writeAddress(true);
    if (game.puzzle) {
        playBoard.classList.remove('won', 'lost');
        return checkPuzzle(false);
    }
    resume(false);
    if (!isProgram()) say('Taken back. Your turn.');
};

register('play', (what, rest) => {
    if (what === undefined && game.number > 0) return drawGame();
    open(what ?? '7 7 7', rest);
});
drawScore();
