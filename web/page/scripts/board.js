// Positions as boards, with squares. Rows and columns are counted from 1.
import { make } from './dom.js';

const ROWS = ['top', 'middle', 'bottom'];
/** (7,5,3); with rows of length 0 if there are fewer than `rows`. */
export const written = (lengths, rows = 0) => `(${padded(lengths, rows).join(',')})`;

/** The name of a row of a position with these lengths. */
export const called = (row, lengths) => (lengths.length > 3 ? `row ${row}` : `${ROWS[row - 1]} row`);

/** The same in a sentence. */
export const rowInWords = (row, lengths) => (lengths.length > 3 ? called(row, lengths) : `the ${called(row, lengths)}`);

/** Whether an answer says P. */
export const isP = ({ outcome }) => outcome === 'P';

/** The length of row `row`; rows that are gone have the length 0. */
export const lengthOf = (lengths, row) => lengths[row - 1] ?? '0';

/** The position that a bite leaves. */
export function bitten(lengths, row, column) {
    return lengths.map((length, index) => (index + 1 < row ? length : Math.min(length, column - 1)));
}

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

/** As large as the board has room for. */
export function fit(board, columns) {
    board.style.setProperty('--columns', columns);
}
