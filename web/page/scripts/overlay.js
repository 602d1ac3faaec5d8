// Rows one over the other, in units of r, with a slider over r.
import { at } from './dom.js';
import { engines, showError } from './engine.js';
import { say } from './say.js';
import { Stopped } from './session.js';
import { address, register } from './tabs.js';
import { putFigure } from './figure.js';

/** The rows with this largest one: a choice of the form. */
const CHOICES = {
    halves: (row, index) => Math.floor(row / 2 ** index),
    below: (row, index) => row - index,
    hundreds: (row, index) => row - 100 * index,
};

function chosen() {
    const row = Number(at('overlay-row').value);
    const rows = Array.from({ length: Number(at('overlay-number').value) },
        (_, index) => CHOICES[at('overlay-with').value](row, index));
    return { row, rows: rows.filter((other) => other > 0) };
}

let drawing = false;

/** Draws nothing, and says why. */
function refuseOverlay(message) {
    for (const id of ['overlay-figure', 'overlay-rows']) at(id).replaceChildren();
    showError(at('overlay-caption'), new Error(message));
}

/** One question at a time: the last position of the slider counts. */
async function drawOverlay() {
    const wanted = chosen();
    at('overlay-rows').textContent = say('overlaid', { n: wanted.rows.length, rows: wanted.rows.join(', ') });
    at('overlay-number-said').textContent = wanted.row;
    address('overlay', wanted.row, { number: at('overlay-number').value, with: at('overlay-with').value });
    if (drawing) return;
    drawing = true;
    try {
        let now;
        do {
            now = chosen().rows;
            const drawn = await engines.overlay.ask({ ask: 'overlay', rows: now });
            putFigure(at('overlay-figure'), drawn.svg, say('overlay-figure', { rows: now.join(', ') }));
            at('overlay-caption').textContent = drawn.caption;
        } while (chosen().rows.join() !== now.join());
    } catch (error) {
        if (!(error instanceof Stopped)) showError(at('overlay-caption'), error);
    } finally {
        drawing = false;
    }
}

for (const id of ['overlay-row', 'overlay-number', 'overlay-with']) at(id).oninput = drawOverlay;

register('overlay', (what, { number, with: choice } = {}) => {
    if (what !== undefined) {
        at('overlay-row').value = what;
        const { value, min, max } = at('overlay-row');
        if (value !== what.trim()) {
            address('overlay', what, { number, with: choice });
            return refuseOverlay(say('no-sheet', { typed: what, min, max }));
        }
    }
    if ([...at('overlay-number').options].some(({ value }) => value === number)) at('overlay-number').value = number;
    if (choice in CHOICES) at('overlay-with').value = choice;
    drawOverlay();
});
