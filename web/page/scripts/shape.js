// The shape of a bar, changed by hand: the end of each row is dragged, or moved with the keys.
import { make } from './dom.js';
import { say } from './say.js';
import { fit, padded, rowInWords, squareOn, squares } from './board.js';

/** The largest bar that is drawn. */
export const MOST_ROWS = 30;
export const MOST_COLUMNS = 60;

export const isDrawn = (lengths) => lengths.length <= MOST_ROWS
    && lengths.every((length) => /^\d{1,2}$/.test(length)) && Number(lengths[0]) <= MOST_COLUMNS;

/** The number of the smallest squares for which the page has room. */
const room = () => Math.floor((document.documentElement.clientWidth - 48) / 32);

/** The lengths with one row changed, and the others so that it is a position. */
function withLength(lengths, index, length) {
    const least = index === 0 ? 1 : 0;
    const wanted = Math.min(MOST_COLUMNS, Math.max(least, length));
    return lengths.map((other, place) => {
        if (place === index) return wanted;
        return place < index ? Math.max(other, wanted) : Math.min(other, wanted);
    });
}

/** A board whose shape is changed; `onChange` is told the lengths. Gives the function that draws a position on it. */
export function shapeable(board, onChange) {
    let shown = [];
    let dragged = null;
    const lineOf = (index) => board.querySelector(`[data-line="${index}"]`);
    const change = (index, length) => {
        const lengths = withLength(shown, index, length);
        if (lengths.join() !== shown.join()) onChange(lengths);
    };

    /** The end of the dragged row, by the pointer: half a square decides. */
    const drag = ({ clientX }) => {
        const line = lineOf(dragged);
        if (!line) return;
        const [first, second] = [0, 1].map((index) => line.children[index].getBoundingClientRect().left);
        const length = Math.round((clientX - first) / (second - first) + 0.35);
        change(dragged, length);
        // The board follows a finger that has come to its edge.
        lineOf(dragged).children[length + 1]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    };

    board.addEventListener('pointerdown', (event) => {
        const line = event.target.closest('[role=slider]');
        if (!line) return;
        dragged = Number(line.dataset.line);
        line.focus({ preventScroll: true });
        board.setPointerCapture(event.pointerId);
        drag(event);
    });
    board.addEventListener('pointermove', (event) => { if (dragged !== null) drag(event); });
    for (const type of ['pointerup', 'pointercancel']) board.addEventListener(type, () => { dragged = null; });
    board.addEventListener('keydown', (event) => {
        const line = event.target.closest('[role=slider]');
        const step = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 }[event.key];
        const index = Number(line?.dataset.line);
        const goal = { Home: 0, End: MOST_COLUMNS }[event.key] ?? shown[index] + step;
        if (!line || Number.isNaN(goal)) return;
        event.preventDefault();
        change(index, goal);
    });

    return (rows, wins) => {
        // An empty row below can be dragged as well.
        const lengths = padded([...rows, 0].slice(0, MOST_ROWS)).map(Number);
        const lines = board.querySelectorAll('[role=slider]');
        // While a row is dragged, the board keeps its width.
        const held = lines.length === lengths.length ? lines[0].children.length : 0;
        const columns = Math.max(held, Math.min(MOST_COLUMNS, Math.max(Math.min(12, room()), lengths[0] + 2)));
        const focused = document.activeElement?.closest('[role=slider]')?.dataset.line;
        shown = lengths;
        board.classList.remove('bars');
        fit(board, lengths.length, columns);
        board.replaceChildren(...lengths.map((length, index) => {
            const line = make('div', {
                className: 'line', tabIndex: 0, role: 'slider',
                'aria-label': say('length-of', { row: rowInWords(index + 1, lengths) }),
                'aria-valuemin': index === 0 ? 1 : 0, 'aria-valuemax': MOST_COLUMNS, 'aria-valuenow': length,
            }, ...squares('span', index + 1, length, columns));
            line.dataset.line = index;
            return line;
        }));
        for (const square of wins) squareOn(board, square)?.classList.add('wins');
        if (focused !== undefined) lineOf(focused)?.focus();
    };
}
