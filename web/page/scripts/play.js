// The board: games against the program, between two people or by oneself, with the verdicts of all bites; and puzzles.
// The address has the bar and the bites, so that every position can be reached by a link.
import { askFor, engines } from './engine.js';
import { Stopped } from './session.js';
import { address, copy, go } from './tabs.js';
import { at, make, pause } from './dom.js';
import { isOver, isP, mark, playable, rowInWords, squareOf, written } from './board.js';
import { after, bitesOf, choose, lineThrough, pathTo, rootOf } from './tree.js';
import { game, gameName, hasVerdicts, inBar, isError, isPlaying, isProgram, lineEnd, turn } from './game.js';
import { isDrawn, shapeable } from './shape.js';
import { drawBars, sayPosition, sayUndecided } from './position.js';
import { score } from './score.js';
import { gradeInWords, resultInWords } from './puzzles.js';
import { say } from './say.js';
import { keep } from './storage.js';
import { withTerms } from './terms.js';
import { biteInWords, hintInWords, lossInWords, stateInWords } from './words.js';

export const board = at('play-board');
const drawSquares = playable(board, (square) => bite(square));
const drawShape = shapeable(board, (lengths) => reshape(lengths));

export function tell(text) {
    at('play-status').textContent = text;
}

/** Says why something failed, unless a newer question was asked. */
export function tellError(error) {
    if (!(error instanceof Stopped)) tell(error.message);
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

export function draw() {
    const { root, here, waiting, puzzle, refusal } = game;
    const found = hasVerdicts() || game.hinted === here || isError(here) ? here.found : null;
    const wins = found?.winning_bites.map(squareOf) ?? [];
    const isJudged = hasVerdicts() && Boolean(found) && (isP(found) || found.all_bites);
    const isOpen = !waiting && !refusal && !isOver(here.lengths) && !isProgram(here) && !(puzzle && here !== root);
    if (!isDrawn(here.lengths)) drawBars(board, here.found ?? { position: here.lengths, winning_bites: [] });
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
    const { here, waiting, puzzle, opponent, refusal } = game;
    const isDrawable = isDrawn(here.lengths);
    at('bite-first').disabled = at('bite-back').disabled = waiting || !here.before;
    at('bite-last').disabled = at('bite-on').disabled = waiting || !here.chosen;
    at('undo').disabled = waiting || !lastOwn();
    at('hint').disabled = waiting || Boolean(refusal) || isOver(here.lengths) || isProgram(here) || hasVerdicts();
    // At an end of the line the focus stays among these buttons.
    const { activeElement } = document;
    if (activeElement.disabled) activeElement.closest('.steps')?.querySelector('button:not(:disabled)')?.focus();
    at('verdicts').disabled = Boolean(puzzle) || isPlaying();
    at('verdicts').checked = hasVerdicts();
    at('verdicts').parentElement.title = isPlaying() ? say('verdicts-off') : '';
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
            .flatMap((other) => [say('bite-instead'), link(other, otherInWords(other))]);
        return make('li', { className: names.join(' ').trim() }, link(position, biteInWords(position)), ...others);
    };
    at('moves').replaceChildren(...lineThrough(game.here).slice(1).map(entry));
}

const otherInWords = ({ bite, lengths }) => say('bite-other', { row: rowInWords(bite.row, game.root.lengths), left: inBar(lengths) });

/** Shows a position of the tree. `isNew` says that a bite has led there, and not an address. */
export function visit(here, { isStep = false, isNew = false } = {}) {
    game.number += 1;
    Object.assign(game, { here, waiting: false, hinted: null });
    choose(here);
    // The program may bite elsewhere than before.
    if (isNew && isProgram(here)) here.chosen = null;
    // While a row is dragged, the address waits for the verdict: browsers refuse one that changes too often.
    if (!game.isShaped || !hasVerdicts()) writeAddress(isStep);
    draw();
    if (game.refusal && !hasVerdicts()) return tell(game.refusal);
    if (game.puzzle) return checkPuzzle(isNew).catch(tellError);
    tell(stateInWords());
    if (hasVerdicts()) return sayVerdict();
    if (isOver(here.lengths)) return finish(isNew);
    if (isProgram(here) && !here.chosen) return programMoves();
    return undefined;
}

async function sayVerdict() {
    const { number, here } = game;
    const answer = at('position-answer');
    const text = here.before ? here.lengths.join(',') : game.text;
    try {
        await judged(here);
        if (number !== game.number) return;
        writeAddress(false);
        draw();
        tell(stateInWords());
        sayPosition(answer, here.found, { text, mark: markBite, take: takeBite });
    } catch (error) {
        if (number !== game.number || error instanceof Stopped) return;
        sayUndecided(answer, error, text);
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
        game.review = { end, error: error ?? null, words: lossInWords(error, loser) };
        draw();
        tell(stateInWords());
    } catch {
        // The bar is too large to be judged, but one can go back.
    }
}

/** A random number of 32 bits. */
export const chance = () => crypto.getRandomValues(new Uint32Array(1))[0];

async function programMoves() {
    const { number, here, opponent } = game;
    game.waiting = true;
    draw();
    tell(say('program-thinks'));
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
        tellError(error);
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
        return tell(daily ? say('puzzle-daily', { date: daily, grade: gradeInWords(puzzle) }) : say('puzzle'));
    }
    const found = await judged(here);
    if (number !== game.number) return;
    draw();
    if (isP(found)) {
        tell(say('puzzle-right', { position: inBar(here.lengths) }));
        score('puzzles', gameName(), isNew);
        if (daily) at('daily-text').textContent = resultOfDay();
    } else {
        const [reply] = found.winning_bites;
        mark(board, squareOf(reply), 'reply');
        tell(say('puzzle-wrong', { position: inBar(here.lengths), reply: inBar(reply.leaves) }));
    }
}

const resultOfDay = () => resultInWords({
    date: game.daily, grade: game.puzzle, refused: game.root.branches.length - 1,
    link: `${location.href.split('#')[0]}#daily=${game.daily}`,
});

/** Shows another bar, whose rows were dragged. */
function reshape(lengths) {
    const left = lengths.filter((length) => length > 0);
    const text = left.join(',');
    Object.assign(game, { root: rootOf(left), text });
    at('position-text').value = text;
    visit(game.root);
}

at('verdicts').onchange = () => {
    game.verdicts = at('verdicts').checked;
    visit(game.here);
};

at('shape').onclick = () => {
    game.isShaped = !game.isShaped;
    visit(game.here);
};

at('daily-copy').onclick = () => copy(resultOfDay(), at('daily-copied'));
at('hint').onclick = async () => {
    const { number, here } = game;
    try {
        await judged(here);
        if (number !== game.number) return;
        game.hinted = here;
        draw();
        tell(hintInWords(here));
    } catch (error) {
        tellError(error);
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
