// The board: games against the program, between two people or by oneself, with the verdicts of all bites; and puzzles.
// The address has the bar and the bites, so that every position can be reached by a link.
import { askFor, engines } from './engine.js';
import { Stopped } from './session.js';
import { address, copy, go, register } from './tabs.js';
import { at, make, pause } from './dom.js';
import { isOver, isP, mark, playable, rowInWords, squareOf, written } from './board.js';
import { addBites, after, bitesOf, choose, lineThrough, pathTo, rootOf } from './tree.js';
import { MOST_COLUMNS, MOST_ROWS, isDrawn, shapeable } from './shape.js';
import { drawBars, sayInfinite, sayPosition } from './position.js';
import { beginScore, drawScore, score } from './score.js';
import { pose, poseDaily, resultInWords, today } from './puzzles.js';
import { keep, kept } from './storage.js';
import { withTerms } from './terms.js';

const game = {
    /** The tree of positions, and the one that is shown; `null` if none is. */
    root: null, here: null,
    /** The bar as the address has it. */
    text: '',
    /** easy, fair, perfect or two, who are both in front of the screen; you or program. */
    opponent: 'perfect', first: 'you',
    /** The grade of a puzzle, and the date of the puzzle of a day. */
    puzzle: undefined, daily: undefined,
    /** Whether the verdicts are switched on, and the position for which a hint was asked. */
    verdicts: false, hinted: null,
    /** Why the line that ends here is lost, and the position before the bite that lost it, if there is one. */
    review: { end: null, error: null, words: '' },
    isShaped: false, waiting: false,
    /** Counts what is shown, so that a late answer is known. */
    number: 0,
};

const board = at('play-board');
const drawSquares = playable(board, (square) => bite(square));
const drawShape = shapeable(board, (lengths) => reshape(lengths));

/** Whose bite it is in a position. */
function turn({ number }) {
    const isFirst = number % 2 === 0;
    if (game.opponent === 'two') return isFirst ? 'Player 1' : 'Player 2';
    return isFirst === (game.first === 'you') ? 'you' : 'program';
}

const isProgram = (position) => !game.puzzle && turn(position) === 'program';
const lineEnd = () => lineThrough(game.here).at(-1);
const isPlaying = () => game.opponent !== 'two' && !isOver(lineEnd().lengths);
const isError = (position) => position === game.review.error && lineEnd() === game.review.end;
const hasVerdicts = () => game.verdicts && !game.puzzle && !isPlaying();

/** A position with as many rows as the bar. */
const inBar = (lengths) => written(lengths, game.root.lengths.length);
const gameName = () => [game.puzzle, game.root.lengths, game.opponent, game.first].join(' ');

function say(text) {
    at('play-status').textContent = text;
}

/** Says why something failed, unless a newer question was asked. */
function sayError(error) {
    if (!(error instanceof Stopped)) say(error.message);
}

/** What the module says of a position. */
async function judged(position) {
    position.found ??= await askFor('play', { ask: 'position', text: written(position.lengths) });
    return position.found;
}

function writeAddress(isStep) {
    const { root, here, text, opponent, first, puzzle, daily, verdicts } = game;
    const bites = { bites: bitesOf(root), at: here.chosen ? here.number : undefined };
    if (daily) return address('daily', daily, bites, isStep);
    if (opponent === 'two' && verdicts) return address('position', text, bites, isStep);
    return address('play', text, {
        ...bites, with: opponent === 'perfect' ? '' : opponent, first: first === 'you' ? '' : first, puzzle,
    }, isStep);
}

function draw() {
    const { root, here, waiting, puzzle } = game;
    const found = hasVerdicts() || game.hinted === here || isError(here) ? here.found : null;
    const wins = found?.winning_bites.map(squareOf) ?? [];
    const isJudged = hasVerdicts() && Boolean(found) && (isP(found) || found.all_bites);
    const isOpen = !waiting && !isOver(here.lengths) && !isProgram(here) && !(puzzle && here !== root);
    if (!isDrawn(here.lengths)) drawBars(board, here.found);
    else if (game.isShaped) drawShape(here.lengths, wins);
    else drawSquares(here.lengths, { bar: root.lengths, isOpen, wins, isJudged });
    if (here.chosen && !isPlaying() && !puzzle && !game.isShaped) {
        mark(board, here.chosen.bite, isError(here) ? 'blunder' : 'reply');
    }
    const hasWon = puzzle ? here.found && isP(here.found) : turn(here) !== 'you';
    const hasEnded = puzzle ? here !== root && here.found : isOver(here.lengths) && here !== root;
    board.classList.toggle('won', Boolean(hasEnded && hasWon));
    board.classList.toggle('lost', Boolean(hasEnded && !hasWon));
    drawControls();
    drawMoves();
}

function drawControls() {
    const { here, waiting, puzzle, opponent } = game;
    const isDrawable = isDrawn(here.lengths);
    at('bite-first').disabled = at('bite-back').disabled = waiting || !here.before;
    at('bite-last').disabled = at('bite-on').disabled = waiting || !here.chosen;
    at('undo').disabled = waiting || !lastOwn();
    at('hint').disabled = waiting || isOver(here.lengths) || isProgram(here) || hasVerdicts();
    // At an end of the line the focus stays among these buttons.
    const { activeElement } = document;
    if (activeElement.disabled) activeElement.closest('.steps')?.querySelector('button:not(:disabled)')?.focus();
    at('verdicts').disabled = Boolean(puzzle) || isPlaying();
    at('verdicts').checked = hasVerdicts();
    at('verdicts').parentElement.title = isPlaying() ? 'Off while you play against the program' : '';
    at('shape').hidden = opponent !== 'two' || !isDrawable;
    at('shape').setAttribute('aria-pressed', game.isShaped);
    at('shape-note').hidden = !game.isShaped;
    const { end, error, words } = game.review;
    at('lost').hidden = end !== lineEnd();
    at('lost-why').replaceChildren(...withTerms(words));
    at('lost-show').hidden = !error;
    if (!hasVerdicts() || !here.found) at('position-answer').replaceChildren();
    at('daily-result').hidden = !(game.daily && here.found && isP(here.found));
}

/** The line through the position that is shown, and beside each bite those that were tried instead of it. */
function drawMoves() {
    const link = (position, words) => make('button', { type: 'button', className: 'link', onclick: () => visit(position) }, words);
    const entry = (position) => {
        const { before } = position;
        const names = [position === game.here ? 'shown' : '', isError(before) ? 'blunder' : ''];
        const others = before.branches.filter((other) => other !== position)
            .flatMap((other) => [' or ', link(other, `${rowInWords(other.bite.row, game.root.lengths)}, leaving ${inBar(other.lengths)}`)]);
        return make('li', { className: names.join(' ').trim() }, link(position, biteInWords(position)), ...others);
    };
    at('moves').replaceChildren(...lineThrough(game.here).slice(1).map(entry));
}

function biteInWords({ before, lengths, bite: { row } }) {
    const who = turn(before);
    const [name, bites, leaves] = who === 'you' ? ['You', 'bite', 'leave']
        : [who === 'program' ? 'The program' : who, 'bites', 'leaves'];
    return `${name} ${bites} in ${rowInWords(row, game.root.lengths)} and ${leaves} ${inBar(lengths)}`;
}

/** What there is to say of the position that is shown. */
function stateInWords() {
    const { root, here, opponent } = game;
    const who = turn(here);
    if (here.chosen && !isPlaying()) {
        return `Before bite ${here.number + 1} of ${lineEnd().number}.${isError(here) ? ' ✗ lost the game; ✓ would have won.' : ''}`;
    }
    if (isOver(here.lengths)) {
        if (here === root) return 'There is only the poison: take a larger bar.';
        const end = `Only the poison is left, and ${who === 'program' ? 'the program' : who} must take it.`;
        if (opponent === 'two') return `${end} ${turn(here.before)} wins!`;
        return who === 'program' ? `${end} You win!`
            : 'Only the poison is left, and it is your turn. The program wins; Undo takes your last bite back.';
    }
    if (hasVerdicts()) return `${who} bites${verdictInWords(here.found)}.`;
    if (opponent === 'two') return `${who}: bite where you like.`;
    if (isProgram(here)) return 'The program bit here. Go on, or back to a bite of yours.';
    return here === root ? 'Your turn: bite where you like.' : `${biteInWords(here)}. Your turn.`;
}

function verdictInWords(found) {
    if (!found) return '';
    if (isP(found)) return ', and every bite loses';
    return found.all_bites ? ': ✓ wins, and every other bite loses' : ' and wins';
}

/** Shows a position of the tree. `isNew` says that a bite has led there, and not an address. */
function visit(here, { isStep = false, isNew = false } = {}) {
    game.number += 1;
    Object.assign(game, { here, waiting: false, hinted: null });
    choose(here);
    // The program may bite elsewhere than before.
    if (isNew && isProgram(here)) here.chosen = null;
    // While a row is dragged, the address waits for the verdict: browsers refuse one that changes too often.
    if (!game.isShaped || !hasVerdicts()) writeAddress(isStep);
    draw();
    if (game.puzzle) return checkPuzzle(isNew).catch(sayError);
    say(stateInWords());
    if (hasVerdicts()) return sayVerdict();
    if (isOver(here.lengths)) return finish(isNew);
    if (isProgram(here) && !here.chosen) return programMoves();
    return undefined;
}

async function sayVerdict() {
    const { number, here } = game;
    const answer = at('position-answer');
    try {
        await judged(here);
        if (number !== game.number) return;
        writeAddress(false);
        draw();
        say(stateInWords());
        const hash = `#position=${here.before ? here.lengths.join(',') : game.text}`;
        sayPosition(answer, here.found, { hash, mark: markBite, take: takeBite });
    } catch (error) {
        if (number !== game.number || error instanceof Stopped) return;
        answer.replaceChildren(make('p', { className: 'error' }, error.message));
    }
}

/** Shows what a bite takes. */
function markBite(found) {
    if (isDrawn(game.here.lengths) && !game.isShaped) mark(board, found && squareOf(found), 'aimed');
}

/** Takes a bite of a list; on a bar that is too long to be drawn, goes to the position that it leaves. */
function takeBite(found) {
    if (isDrawn(game.here.lengths)) bite(squareOf(found));
    else go('position', found.leaves.join(','));
}

/** The end of a game. It counts for the score, unless the game comes from an address. */
function finish(isNew) {
    const { here, root, opponent } = game;
    if (here === root) return;
    const loser = turn(here);
    if (opponent !== 'two') score(loser === 'you' ? 'program' : 'you', gameName(), isNew);
    if (loser !== 'program') findError(here, loser);
}

/** Finds the last bite of the loser that gave a win away. */
async function findError(end, loser) {
    const own = pathTo(end.before).filter((position) => turn(position) === loser);
    try {
        let error;
        do error = own.pop(); while (error && isP(await judged(error)));
        if (error) await judged(error.chosen);
        if (end !== lineEnd()) return;
        const words = error ? errorInWords(error, loser) : neverInWords(loser, inBar(game.root.lengths));
        game.review = { end, error: error ?? null, words };
        draw();
        say(stateInWords());
    } catch {
        // The bar is too large to be judged, but one can go back.
    }
}

const neverInWords = (loser, bar) => `${loser === 'you' ? 'You' : loser} never had a winning position: ${bar} was lost from the start, if the other player errs nowhere.`;

function errorInWords({ lengths, found, chosen, number }, loser) {
    const better = found.winning_bites.map(({ leaves }) => inBar(leaves));
    return `Bite ${number + 1} lost the game. Before it ${loser === 'you' ? 'you' : loser} had ${inBar(lengths)}, `
        + `an N-position: a bite that leaves ${better.join(' or ')} wins. It left ${inBar(chosen.lengths)}, `
        + `an N-position again, from which the other player can leave the P-position ${inBar(chosen.found.winning_bites[0].leaves)}.`;
}

/** A random number of 32 bits. */
const chance = () => crypto.getRandomValues(new Uint32Array(1))[0];

async function programMoves() {
    const { number, here, opponent } = game;
    game.waiting = true;
    draw();
    say('The program thinks.');
    try {
        const question = { ask: 'reply', text: written(here.lengths), strength: opponent, chance: chance() };
        const [reply] = await Promise.all([engines.opponent.ask(question), pause(500)]);
        if (number !== game.number) return;
        mark(board, squareOf(reply), 'eaten');
        await pause(400);
        if (number === game.number) visit(after(here, squareOf(reply)), { isNew: true });
    } catch (error) {
        if (number !== game.number) return;
        game.waiting = false;
        sayError(error);
    }
}

function bite(square) {
    keep('localStorage', 'chomp-played', true);
    visit(after(game.here, square), { isStep: true, isNew: true });
}

/** Whether the bite of a puzzle wins. */
async function checkPuzzle(isNew) {
    const { number, root, here, puzzle, daily } = game;
    if (here === root) {
        const name = daily ? `Puzzle of ${daily}, ${puzzle}. ` : '';
        return say(`${name}Which bite wins? After it, every bite of the other player must lose.`);
    }
    const found = await judged(here);
    if (number !== game.number) return;
    draw();
    if (isP(found)) {
        say(`Right: ${inBar(here.lengths)} is a P-position. You win after every bite of the other player.`);
        score('puzzles', gameName(), isNew);
        if (daily) at('daily-text').textContent = resultOfDay();
    } else {
        const [reply] = found.winning_bites;
        mark(board, squareOf(reply), 'reply');
        say(`No: the other player wins from ${inBar(here.lengths)}. The reply takes the orange squares and leaves ${inBar(reply.leaves)}. Undo, and try another bite.`);
    }
}

const resultOfDay = () => resultInWords({
    date: game.daily, grade: game.puzzle, refused: game.root.branches.length - 1,
    link: `${location.href.split('#')[0]}#daily=${game.daily}`,
});

/** The lengths of a bar that is written as addresses have it, the longest first; else `null`. */
function plainLengths(text) {
    if (!/^[1-9]\d?([ ,][1-9]\d?)*$/.test(text)) return null;
    const lengths = text.split(/[ ,]/).map(Number);
    return lengths.every((length, index) => index === 0 || length <= lengths[index - 1]) ? lengths : null;
}

/** Shows no board, but this. */
function showNone(element, ...children) {
    game.number += 1;
    Object.assign(game, { root: null, here: null });
    for (const id of ['play-board', 'moves', 'position-answer']) at(id).replaceChildren();
    board.classList.remove('won', 'lost');
    for (const id of ['hint', 'undo', 'verdicts', 'bite-first', 'bite-back', 'bite-on', 'bite-last']) at(id).disabled = true;
    for (const id of ['lost', 'shape', 'shape-note', 'daily-result']) at(id).hidden = true;
    say('');
    element.replaceChildren(...children);
}

/** Shows what an address or the form names. A plain bar is drawn before the module is there, which says whether the
 * program can play on it. */
async function open(name, text, rest) {
    game.number += 1;
    const { number } = game;
    const isPosition = name === 'position';
    drawSettings(text, isPosition ? { with: 'two' } : rest);
    const plain = plainLengths(text);
    const early = plain && isDrawn(plain);
    if (early) begin(plain, name, plain.join(','), rest);
    if (early && isPosition) return;
    const { root } = game;
    const isLate = () => (early ? root !== game.root : number !== game.number);
    try {
        const asked = { ask: isPosition ? 'position' : 'bar', text };
        const found = await (isPosition ? askFor('play', asked) : engines.opponent.ask(asked));
        if (isLate()) return;
        if (found.infinite) {
            address(name, text);
            return showNone(at('position-answer'), ...sayInfinite(found.infinite));
        }
        if (!isPosition) requirePlayable(found, rest);
        if (!early) begin(found.position, name, text, rest, isPosition ? found : null);
    } catch (error) {
        if (error instanceof Stopped || isLate()) return;
        address(name, text, rest);
        showNone(at(isPosition ? 'position-answer' : 'play-status'), isPosition ? make('p', { className: 'error' }, error.message) : error.message);
    }
}

function requirePlayable({ position, can_be_played: canBePlayed }, { with: opponent }) {
    if (!isDrawn(position)) throw new Error(`Bars of up to ${MOST_ROWS} rows and ${MOST_COLUMNS} columns are played on here. If nobody plays against you, the board shows who wins on larger ones.`);
    if (!canBePlayed && opponent !== 'two') throw new Error('The program cannot see the end of this bar: take one of up to 14 × 14 squares, three rows, or two players.');
}

/** The choices as an address makes them. */
function drawSettings(text, { with: opponent, first, puzzle }) {
    at('position-text').value = text;
    at('bar').value = '';
    game.opponent = at('opponent').value = ['easy', 'fair', 'two'].includes(opponent) ? opponent : 'perfect';
    game.first = at('first').value = first === 'program' ? 'program' : 'you';
    at('first-choice').hidden = game.opponent === 'two';
    game.puzzle = puzzle || undefined;
    for (const option of at('grade').options) option.selected ||= option.value === game.puzzle;
}

/** Shows a game on this bar. */
function begin(lengths, name, text, { bites = '', at: shown, date }, found = null) {
    const root = rootOf(isDrawn(lengths) ? lengths.map(Number) : lengths);
    root.found = found;
    addBites(root, bites);
    const line = lineThrough(root);
    Object.assign(game, { root, text, daily: date, verdicts: name === 'position', isShaped: false });
    at('rules').hidden = Boolean(kept('localStorage', 'chomp-played'));
    if (line.length === 1) beginScore();
    const end = line.at(-1);
    visit(end);
    if (shown !== undefined && line[Number(shown)]) visit(line[Number(shown)]);
}

/** Shows another bar, whose rows were dragged. */
function reshape(lengths) {
    const left = lengths.filter((length) => length > 0);
    const text = left.join(',');
    Object.assign(game, { root: rootOf(left), text });
    at('position-text').value = text;
    visit(game.root);
}

/** Opens what the form says, on this bar. */
function openBar(text, rest = {}) {
    const opponent = at('opponent').value;
    if (opponent === 'two' && (game.verdicts || !game.root)) return go('position', text, rest);
    return go('play', text, { with: opponent === 'perfect' ? '' : opponent, first: at('first').value === 'you' ? '' : 'program', ...rest });
}

const random = (least, most) => least + Math.floor(Math.random() * (most - least + 1));

const randomBar = () => Array.from({ length: random(3, 6) }, () => random(2, 10)).sort((a, b) => b - a).join(' ');

at('bar').onchange = () => {
    const chosen = at('bar').value;
    at('position-text').value = chosen === 'random' ? randomBar() : chosen;
};

at('new-game').onsubmit = (event) => {
    event.preventDefault();
    openBar(at('position-text').value.trim());
};

// The game goes on against another player. It is your turn, if there is a turn.
at('opponent').onchange = () => {
    const { root, here, text } = game;
    if (!root) return openBar(at('position-text').value.trim());
    at('first').value = here.number % 2 === 0 ? 'you' : 'program';
    return openBar(text, { bites: bitesOf(root), at: here.chosen ? here.number : undefined });
};

at('verdicts').onchange = () => {
    game.verdicts = at('verdicts').checked;
    visit(game.here);
};

at('shape').onclick = () => {
    game.isShaped = !game.isShaped;
    visit(game.here);
};

async function openDaily(date, rest) {
    const { number } = game;
    say('');
    try {
        const { grade, position } = await poseDaily(date);
        if (number !== game.number) return;
        drawSettings(position.join(','), { puzzle: grade });
        begin(position, 'play', position.join(','), { ...rest, date });
    } catch (error) {
        if (number !== game.number || error instanceof Stopped) return;
        address('daily', date);
        showNone(at('play-status'), error.message);
    }
}

at('daily').onclick = () => go('daily', today());
at('daily-copy').onclick = () => copy(resultOfDay(), at('daily-copied'));

at('new-puzzle').onclick = async () => {
    const grade = at('grade').value;
    try {
        const shown = game.root?.lengths.join();
        let position;
        do position = (await pose(grade, chance())).join(); while (position === shown);
        go('play', position, { puzzle: grade });
    } catch (error) {
        sayError(error);
    }
};

at('hint').onclick = async () => {
    const { number, here, opponent } = game;
    try {
        const found = await judged(here);
        if (number !== game.number) return;
        game.hinted = here;
        draw();
        const names = found.winning_bites.map(({ leaves, ...bite }) =>
            `in ${rowInWords(squareOf(bite).row, game.root.lengths)}, leaving ${inBar(leaves)}`);
        const other = opponent === 'perfect' ? 'the program wins' : 'the other player can win';
        say(isP(found) ? `${inBar(here.lengths)} is a P-position: after every bite ${other}.`
            : `You win with a bite ${names.join('; or ')}.`);
    } catch (error) {
        sayError(error);
    }
};

/** The last position before this one in which a bite of one's own was taken. */
const lastOwn = () => pathTo(game.here).slice(0, -1).findLast((position) => !isProgram(position));

at('undo').onclick = () => visit(lastOwn(), { isStep: true });
at('bite-first').onclick = () => visit(game.root);
at('bite-back').onclick = () => visit(game.here.before);
at('bite-on').onclick = () => visit(game.here.chosen);
at('bite-last').onclick = () => visit(lineThrough(game.here).at(-1));
at('lost-show').onclick = () => visit(game.review.error);

const FIRST_BAR = '7 7 7';

register('play', (what, rest) => {
    if (what === undefined && game.here) return draw();
    return open('play', what ?? FIRST_BAR, rest);
});
register('position', (what, rest) => {
    if (what === undefined && game.here && game.verdicts) return draw();
    return open('position', what ?? '7 5 3', rest);
});
register('daily', (what, rest) => {
    game.number += 1;
    return openDaily(what || today(), rest);
});
drawScore();
