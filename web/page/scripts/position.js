// Who wins? Any position.
import { citation } from './cite.js';
import { askFor, showError } from './engine.js';
import { Stopped } from './session.js';
import { at, make } from './dom.js';
import { address, go, register } from './tabs.js';
import { brief, briefly } from './numbers.js';
import { called, fit, isP, lengthOf, mark, padded, rowInWords, squareOf, squares, written } from './board.js';
import { putFigure } from './figure.js';
import { withTerms } from './terms.js';

/** A position in full, if it has few rows. */
const inFull = (lengths) => (lengths.length <= DRAWN_ROWS ? written(lengths) : briefly(lengths));

/** The most columns that are drawn as squares. */
const DRAWN = 60;
/** The most rows that are drawn. */
const DRAWN_ROWS = 30;

let asked = 0;

async function askPosition(silent = false, isStep = false) {
    const answer = at('position-answer');
    const mine = ++asked;
    const typed = at('position-text').value;
    try {
        const found = await askFor('position', { ask: 'position', text: typed });
        if (mine !== asked) return;
        address('position', typed.trim(), {}, isStep);
        if (found.infinite) return sayInfinite(answer, found.infinite);
        found.json = JSON.stringify(found);
        found.position = padded(found.position);
        for (const bite of found.winning_bites) bite.leaves = padded(bite.leaves);
        drawPosition(found, silent);
        sayPosition(answer, found);
    } catch (error) {
        if (mine !== asked || error instanceof Stopped) return;
        address('position', typed.trim(), {}, isStep);
        hideBoard();
        showError(answer, error);
    }
}

function hideBoard() {
    at('position-board').replaceChildren();
    at('drag-note').hidden = true;
}

/** A product of chains with an infinite one, which has no picture. */
function sayInfinite(element, words) {
    hideBoard();
    const [verdict, ...rest] = words.split('\n');
    element.replaceChildren(make('p', { className: verdict.includes('a P-') ? 'verdict p' : 'verdict n' }, make('strong', {}, verdict)),
        ...rest.map((line) => make('p', {}, ...withTerms(line))));
}

function sayPosition(element, found) {
    const verdict = isP(found) ? 'a P-position' : 'an N-position';
    const title = make('p', { className: isP(found) ? 'verdict p' : 'verdict n' },
        make('strong', {}, `${briefly(found.position)} is ${verdict}.`));
    const loses = found.position.join() === '1,0,0' ? 'Only the poison is left: the player who has to take it loses.'
        : 'The player who has to bite loses: every bite leaves an N-position.';
    const some = found.winning_bites.length > 0 ? 'The player who bites next wins, with this bite and perhaps others:'
        : 'The player who bites next wins. Which bites win is not computed here.';
    const wins = found.all_bites ? 'The player who bites next wins, with these bites and no others:' : some;
    const meaning = isP(found) ? loses : wins;
    const bites = found.winning_bites.map((bite) => {
        const name = make('button', { type: 'button', className: 'link', title: inFull(bite.leaves) }, briefly(bite.leaves));
        name.onclick = () => setPosition(bite.leaves, false, true);
        const item = make('li', {}, `${called(squareOf(bite).row, found.position)}: it leaves the P-position `, name);
        item.onpointerenter = item.onfocusin = () => markBite(bite);
        item.onpointerleave = item.onfocusout = () => markBite(null);
        return item;
    });
    const more = make('p', { className: 'note' },
        found.length > 1 ? `With best play the game takes ${found.length} turns. ` : '',
        found.cab ? `In Zeilberger’s notation [${found.cab.map(brief).join(',')}]. ` : '',
        found.basis.startsWith('a theorem') ? `The answer rests on ${found.basis}.` : `The answer rests on ${found.basis}, computed here.`);
    const play = make('button', { type: 'button' }, 'Play from here');
    play.onclick = () => go('play', found.position.join(','));
    const actions = make('p', { className: 'buttons' }, play);
    if (!found.position.every((length) => /^\d{1,2}$/.test(length))) actions.hidden = true;
    element.replaceChildren(title, make('p', {}, ...withTerms(meaning)), make('ul', { className: 'bites' }, ...bites), more, actions);
    if (isP(found) && found.has_strategy) element.append(strategyOf(found));
    element.append(kept(`The position ${briefly(found.position)} of Chomp`, verdict, found.json));
}

/** The answer to be cited, and as JSON. */
function kept(title, note, json) {
    return make('details', { id: 'kept' }, make('summary', {}, 'Cite, and the answer as JSON'),
        ...citation(title, note), make('pre', { className: 'broken' }, json));
}

/** The second player's strategy, solved when it is opened. */
function strategyOf({ position }) {
    const figure = make('figure', { className: 'figure' });
    const caption = make('p', { className: 'caption' });
    const details = make('details', { id: 'strategy' },
        make('summary', {}, 'A strategy for the second player'), figure, caption);
    details.ontoggle = async () => {
        if (!details.open || figure.firstChild) return;
        try {
            const drawn = await askFor('position', { ask: 'strategy', text: written(position) });
            putFigure(figure, drawn.svg, drawn.title);
            caption.textContent = drawn.caption;
        } catch (error) {
            showError(caption, error);
        }
    };
    return details;
}

function setPosition(lengths, silent = false, isStep = false) {
    at('position-text').value = lengths.join(' ');
    return askPosition(silent, isStep);
}

/** The answer that is shown. */
let shownAnswer = null;

function drawPosition(found, silent) {
    shownAnswer = found;
    const lengths = found.position;
    const small = lengths.every((length) => /^\d{1,2}$/.test(length)) && Number(lengths[0]) <= DRAWN && lengths.length <= DRAWN_ROWS;
    at('drag-note').hidden = !small;
    if (small) drawSquares(lengths.map(Number), silent);
    else if (lengths.length <= DRAWN_ROWS) drawBars(found);
    else at('position-board').replaceChildren();
}

/** The number of the smallest squares for which the page has room. */
const room = () => Math.floor((document.documentElement.clientWidth - 48) / 32);

/** Each row is a slider, from 0 to the longest that is drawn. */
function drawSquares(lengths, silent) {
    const board = at('position-board');
    board.classList.remove('bars');
    const held = silent && board.querySelectorAll('.line').length === lengths.length ? Number(board.dataset.columns) : 0;
    const columns = Math.max(held, Math.min(DRAWN, Math.max(Math.min(12, room()), lengths[0] + 2)));
    const focused = document.activeElement?.closest?.('#position-board .line')?.dataset.line;
    board.dataset.columns = columns;
    fit(board, columns);
    board.replaceChildren(...lengths.map((length, index) => {
        const line = make('div', {
            className: 'line', tabIndex: 0, role: 'slider',
            'aria-label': `length of ${rowInWords(index + 1, lengths)}`,
            'aria-valuemin': index === 0 ? 1 : 0, 'aria-valuemax': DRAWN, 'aria-valuenow': length,
        }, ...squares('span', index + 1, length, columns));
        line.dataset.line = index;
        line.onkeydown = (event) => slide(event, index);
        return line;
    }));
    for (const bite of shownAnswer.winning_bites) {
        const { row, column } = squareOf(bite);
        const square = board.querySelector(`[data-row="${row}"][data-column="${column}"]`);
        square?.classList.add('wins');
        if (square) square.title = `a bite here leaves ${inFull(bite.leaves)}`;
    }
    if (focused !== undefined) board.querySelector(`[data-line="${focused}"]`)?.focus();
}

/** The lengths with one row changed, and the others so that it is a position. */
function withLength(lengths, index, length) {
    const least = index === 0 ? 1 : 0;
    const wanted = Math.min(DRAWN, Math.max(least, length));
    return lengths.map((other, place) => {
        if (place === index) return wanted;
        return place < index ? Math.max(other, wanted) : Math.min(other, wanted);
    });
}

function slide(event, index) {
    const lengths = shownAnswer.position.map(Number);
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
    const goal = { Home: 0, End: DRAWN }[event.key] ?? lengths[index] + (steps[event.key] ?? 0);
    if (!(event.key in steps) && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    change(withLength(lengths, index, goal));
}

/** Shows new lengths at once, and asks for the rest. */
function change(lengths) {
    if (lengths.join() === shownAnswer.position.join()) return;
    drawPosition({ ...shownAnswer, position: lengths.map(String), winning_bites: [] }, true);
    setPosition(lengths, true);
}

const positionBoard = at('position-board');
let dragged = null;

/** The end of the dragged row, by the pointer: half a square decides. */
function drag(event) {
    const lineNow = () => positionBoard.querySelector(`[data-line="${dragged}"]`);
    const line = lineNow();
    if (!line) return;
    const first = line.firstElementChild.getBoundingClientRect();
    const second = line.children[1].getBoundingClientRect();
    const length = Math.round((event.clientX - first.left) / (second.left - first.left) + 0.35);
    change(withLength(shownAnswer.position.map(Number), dragged, length));
    // The board follows a finger that has come to its edge.
    lineNow().children[length + 1]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

positionBoard.onpointerdown = (event) => {
    const line = event.target.closest('.line');
    if (!line || positionBoard.classList.contains('bars')) return;
    dragged = Number(line.dataset.line);
    line.focus({ preventScroll: true });
    positionBoard.setPointerCapture(event.pointerId);
    drag(event);
};
positionBoard.onpointermove = (event) => { if (dragged !== null) drag(event); };
positionBoard.onpointerup = positionBoard.onpointercancel = () => { dragged = null; };

/** Long rows as bars: the lengths as shares of the top row. */
function drawBars({ position: lengths, winning_bites: bites }) {
    const board = at('position-board');
    board.classList.add('bars');
    const whole = lengths[0] === 'ω' ? null : BigInt(lengths[0]);
    const finite = lengths.filter((length) => length !== 'ω').map(BigInt);
    const largest = finite.reduce((a, b) => (a > b ? a : b), 0n);
    // An infinite row is drawn a third longer than the longest finite one.
    const unit = whole ?? (largest === 0n ? 1n : largest + largest / 3n + 1n);
    const share = (length) => (length === 'ω' ? 100 : Number((BigInt(length) * 100000n) / unit) / 1000);
    const names = lengths.length > 3 ? lengths.map((_, index) => called(index + 1, lengths)) : 'pqr';
    board.replaceChildren(...lengths.map((length, index) => {
        const bar = make('div', { className: length === 'ω' ? 'bar infinite' : 'bar' });
        bar.style.width = `${share(length)}%`;
        const line = make('div', { className: 'bar-line' }, bar,
            make('span', { className: 'bar-length' }, `${names[index]} = ${brief(length)}`));
        for (const { leaves } of bites.filter((bite) => squareOf(bite).row === index + 1)) {
            const here = make('span', { className: 'bar-bite', title: `a bite here leaves ${inFull(leaves)}` }, '✓');
            here.style.left = `${share(lengthOf(leaves, index + 1))}%`;
            line.append(here);
        }
        return line;
    }));
}

/** Shows what a bite takes. */
function markBite(bite) {
    if (!positionBoard.classList.contains('bars')) mark(positionBoard, bite && squareOf(bite), 'aimed');
}

at('ask-position').onsubmit = (event) => {
    event.preventDefault();
    askPosition(false, true);
};

register('position', (what) => {
    if (what) at('position-text').value = what;
    if (what || !at('position-answer').firstChild) askPosition();
});
