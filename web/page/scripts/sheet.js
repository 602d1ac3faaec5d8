// The sheet of a row, with what is under the pointer.
import { askFor, engines, showError } from './engine.js';
import { at } from './dom.js';
import { putFigure } from './figure.js';
import { say } from './say.js';
import { amend } from './tabs.js';

const sheet = { drawn: null, frame: null, cross: null };

/** The fewest positions that are drawn each way. */
const LEAST_SPAN = 4;

/** The part that an address names: the least y and z, and the number of each. The whole sheet is
 * `null`. */
export function partOf(text = '') {
    const part = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(text) ? text.split('.').map(Number) : null;
    return part?.[2] >= LEAST_SPAN ? part : null;
}

/** The largest row whose sheet is drawn. */
const LARGEST = 20000;

/** Takes the sheet away, and leaves room for that of another row, if it is drawn. */
export function clearSheet(row, isDrawn) {
    sheet.drawn = null;
    at('sheet').replaceChildren();
    at('sheet').hidden = !isDrawn || row > LARGEST;
    at('sheet-area').hidden = true;
}

export async function drawSheet({ row, part, keepCross = false }) {
    const drawn = await askFor('row', { ask: 'sheet', row, part });
    at('sheet-area').hidden = false;
    const figure = putFigure(at('sheet'), drawn.svg, say('sheet-of', { row }));
    at('sheet-caption').textContent = drawn.caption;
    Object.assign(sheet, { drawn: { ...drawn, row }, figure });
    sheet.frame = figure.querySelector('.frame').getBBox();
    sheet.marker = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    sheet.marker.setAttribute('class', 'cross');
    figure.append(sheet.marker);
    if (!keepCross) sheet.cross = null;
    drawCross();
    const { y, z, span, length } = drawn;
    amend('row', { part: span < length ? [y, z, span].join('.') : '' });
}

/** What the pointer points at. */
function pointed(event) {
    const place = new DOMPoint(event.clientX, event.clientY)
        .matrixTransform(sheet.figure.getScreenCTM().inverse());
    const { frame, drawn } = sheet;
    const y = drawn.y + Math.floor(((place.x - frame.x) / frame.width) * drawn.span);
    const z = drawn.z + Math.floor(((frame.y + frame.height - place.y) / frame.height) * drawn.span);
    return { y, z };
}

function isShown({ y, z }) {
    const { drawn } = sheet;
    return y >= drawn.y && z >= drawn.z && y < drawn.y + drawn.span && z < drawn.z + drawn.span;
}

let pointing = false;

async function pointAt(point) {
    if (!sheet.drawn || !isShown(point)) return;
    sheet.cross = point;
    drawCross();
    // One question at a time: the last one counts.
    if (pointing || engines.row.busy) return;
    pointing = true;
    try {
        let told;
        do {
            told = sheet.cross;
            sayPoint(await engines.row.ask({ ask: 'point', ...told }));
        } while (sheet.cross && told !== sheet.cross);
    } catch {
        // Another row is being computed.
    } finally {
        pointing = false;
    }
}

function sayPoint({ name, kind, q, offset, p_position: found }) {
    const column = say(offset === null ? 'point-ended' : 'point', { q, offset, position: found });
    const here = name === found ? '' : say(kind === 'instant winner' ? 'point-instant' : 'point-here', { name, kind });
    at('readout').textContent = column + here;
}

function drawCross() {
    if (!sheet.cross || !isShown(sheet.cross)) return sheet.marker.setAttribute('d', '');
    const { frame, drawn } = sheet;
    const width = frame.width / drawn.span;
    const height = frame.height / drawn.span;
    const x = frame.x + (sheet.cross.y - drawn.y) * width;
    const y = frame.y + frame.height - (sheet.cross.z - drawn.z + 1) * height;
    const middle = [x + width / 2, y + height / 2];
    sheet.marker.setAttribute('d', `M${middle[0]} ${frame.y}v${frame.height}M${frame.x} ${middle[1]}h${frame.width}`);
}

/** Draws the part from (y,z) on. */
function look(y, z, size) {
    const { drawn } = sheet;
    const wanted = Math.round(Math.min(drawn.length, Math.max(LEAST_SPAN, size)));
    const inside = (least) => Math.max(0, Math.min(drawn.length - wanted, Math.round(least)));
    const part = wanted === drawn.length ? null : [inside(y), inside(z), wanted];
    if (engines.row.busy) return;
    drawSheet({ row: drawn.row, part, keepCross: true }).catch((error) => showError(at('row-said'), error));
}

/** Zooms by a factor; what is at `point` stays there. */
function zoom(factor, point) {
    const { y, z, span, length } = sheet.drawn;
    const centre = point ?? sheet.cross ?? { y: y + span / 2, z: z + span / 2 };
    const size = Math.min(length, Math.max(LEAST_SPAN, span * factor));
    look(centre.y - ((centre.y - y) * size) / span, centre.z - ((centre.z - z) * size) / span, size);
}

function steer(what) {
    const { y, z, span, length } = sheet.drawn;
    const step = Math.max(1, span / 4);
    const moves = {
        in: () => zoom(0.5), out: () => zoom(2), whole: () => look(0, 0, length),
        left: () => look(y - step, z, span), right: () => look(y + step, z, span),
        down: () => look(y, z - step, span), up: () => look(y, z + step, span),
    };
    moves[what]();
}

for (const button of document.querySelectorAll('[data-zoom]')) {
    button.onclick = () => steer(button.dataset.zoom);
}

const sheetElement = at('sheet');
let held = null;

sheetElement.onpointerdown = (event) => {
    if (!sheet.drawn) return;
    held = { x: event.clientX, y: event.clientY, from: sheet.drawn };
    pointAt(pointed(event));
};
sheetElement.onpointermove = (event) => {
    if (!sheet.drawn) return;
    if (!held || event.buttons === 0) return pointAt(pointed(event));
    const scale = sheet.figure.getScreenCTM().a;
    const { from } = held;
    const right = ((event.clientX - held.x) / scale / sheet.frame.width) * from.span;
    const up = ((held.y - event.clientY) / scale / sheet.frame.height) * from.span;
    if (Math.abs(right) + Math.abs(up) > from.span / 50) look(from.y - right, from.z - up, from.span);
};
sheetElement.onpointerup = sheetElement.onpointercancel = () => { held = null; };
sheetElement.ondblclick = (event) => { if (sheet.drawn) zoom(0.5, pointed(event)); };
sheetElement.addEventListener('wheel', (event) => {
    if (!sheet.drawn || (!event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.7 : 1.4, pointed(event));
}, { passive: false });
sheetElement.onkeydown = (event) => {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (!sheet.drawn) return;
    const words = { '+': 'in', '=': 'in', '-': 'out', 0: 'whole' };
    if (event.key in words) {
        steer(words[event.key]);
    } else if (event.key in steps) {
        event.preventDefault();
        const { drawn } = sheet;
        const middle = { y: drawn.y + Math.floor(drawn.span / 2), z: drawn.z + Math.floor(drawn.span / 2) };
        const from = sheet.cross && isShown(sheet.cross) ? sheet.cross : middle;
        const [right, up] = steps[event.key];
        pointAt({ y: from.y + right, z: from.z + up });
    }
};
