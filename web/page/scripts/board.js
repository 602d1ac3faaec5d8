// Positions as boards, with squares, on which one bites. Rows and columns are counted from 1.
import { make } from './dom.js';
import { say } from './say.js';

/** (7,5,3); with rows of length 0 if there are fewer than `rows`. */
export const written = (lengths, rows = 0) => `(${padded(lengths, rows).join(',')})`;

/** The name of a row of a position with these lengths. */
export const called = (row, lengths) => say(lengths.length > 3 ? 'row-n' : `row-${row}`, { row });

/** The same in a sentence. */
export const rowInWords = (row, lengths) => say(lengths.length > 3 ? 'the-row-n' : `the-row-${row}`, { row });

/** Whether an answer says P. */
export const isP = ({ outcome }) => outcome === 'P';

/** The length of row `row`; rows that are gone have the length 0. */
export const lengthOf = (lengths, row) => lengths[row - 1] ?? '0';

/** The position that a bite leaves. */
export function bitten(lengths, row, column) {
    return lengths.map((length, index) => (index + 1 < row ? length : Math.min(length, column - 1)));
}

/** Whether this square is there, and not the poison. */
export const isBite = (lengths, { row, column }) => column >= 1 && column <= (lengths[row - 1] ?? 0) && row + column > 2;

/** Whether only the poison is left. */
export const isOver = (lengths) => lengths.reduce((sum, length) => sum + Number(length), 0) === 1;

/** The square of a bite. */
export function squareOf({ square: [row, column] }) {
    return { row: Number(row), column: Number(column) };
}

/** At least this number of rows; those that are missing have the length 0. */
export const padded = (lengths, rows = 3) => [...lengths, ...Array(Math.max(0, rows - lengths.length)).fill('0')];

/** Marks the squares that a bite at `square` would take. */
export function mark(board, square, name) {
    for (const element of board.querySelectorAll('[data-column]')) {
        const taken = square && Number(element.dataset.row) >= square.row
            && Number(element.dataset.column) >= square.column
            && element.classList.contains('there');
        element.classList.toggle(name, Boolean(taken));
    }
}

/** The squares of one row, to a column; those up to its length are there. */
export function squares(element, row, length, columns) {
    return Array.from({ length: columns }, (_, index) => {
        const square = make(element, { className: 'square' });
        square.dataset.row = row;
        square.dataset.column = index + 1;
        if (index < length) square.classList.add('there');
        if (row === 1 && index === 0) square.classList.add('poison');
        return square;
    });
}

/** As large as the page and the window have room for. */
export function fit(board, rows, columns) {
    board.style.setProperty('--rows', rows);
    board.style.setProperty('--columns', columns);
}

/** A board on which a person bites; `onBite` is told the square. Gives the function that draws on it a position of a
 * bar: the squares that win have a mark, and with `isJudged` all others are known to lose. */
export function playable(board, onBite) {
    let focus = null;
    const squareAt = ({ target }) => target.closest('button:not(:disabled)');
    const placeOf = ({ dataset: { row, column } }) => ({ row: Number(row), column: Number(column) });

    board.onclick = (event) => {
        const square = squareAt(event);
        if (square) onBite(placeOf(square));
    };
    for (const [type, on] of [['pointerover', true], ['focusin', true], ['pointerout', false], ['focusout', false]]) {
        board.addEventListener(type, (event) => {
            // After a tap the focus comes back to a square at which nobody aims.
            const isAimed = on && (type !== 'focusin' || event.target.matches(':focus-visible'));
            const square = isAimed && squareAt(event);
            mark(board, square && placeOf(square), 'aimed');
        });
    }
    board.onkeydown = (event) => {
        const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
        const square = squareAt(event);
        if (!step || !square) return;
        event.preventDefault();
        const { row, column } = placeOf(square);
        const next = squareOn(board, { row: row + step[0], column: column + step[1] });
        if (!next || next.disabled) return;
        square.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
    };

    // While the program thinks, no square can have the focus. Afterwards it goes to the square that had it, or to the
    // last one that is left in its row.
    const keepFocus = () => {
        const left = [...board.querySelectorAll('button:not(:disabled)')];
        const next = left.findLast(({ dataset }) => dataset.row === focus?.row && Number(dataset.column) <= Number(focus.column)) ?? left[0];
        if (next) next.tabIndex = 0;
        if (focus) next?.focus();
    };

    return (lengths, { bar = lengths, isOpen = true, wins = [], isJudged = false }) => {
        const { activeElement } = document;
        if (board.contains(activeElement)) focus = { ...activeElement.dataset };
        else if (activeElement !== document.body) focus = null;
        board.classList.remove('bars');
        fit(board, bar.length, bar[0]);
        board.replaceChildren(...lengths.map((length, index) => (bar[index] === 0 ? ''
            : make('div', { className: 'line' }, ...squares('button', index + 1, length, bar[index])))));
        for (const square of wins) squareOn(board, square)?.classList.add('wins');
        for (const square of board.querySelectorAll('.square')) {
            const { row, column } = placeOf(square);
            const left = written(bitten(lengths, row, column), bar.length);
            nameSquare(square, { row, column, left, isOpen, isJudged });
        }
        keepFocus();
    };
}

export const squareOn = (board, { row, column }) => board.querySelector(`[data-row="${row}"][data-column="${column}"]`);

function nameSquare(square, { row, column, left, isOpen, isJudged }) {
    const has = (name) => square.classList.contains(name);
    const [isThere, isPoison] = [has('there'), has('poison')];
    if (isJudged && isThere && !isPoison) square.classList.toggle('loses', !has('wins'));
    const leaves = say(has('wins') ? 'leaves-and-wins' : has('loses') ? 'leaves-and-loses' : 'leaves', { left });
    const what = isPoison ? say('square-poison') : isThere ? leaves : say('square-bitten');
    Object.assign(square, { type: 'button', tabIndex: -1, disabled: !isOpen || !isThere || isPoison });
    square.setAttribute('aria-label', say('square', { row, column, what }));
    if (!square.disabled) square.title = leaves;
}
