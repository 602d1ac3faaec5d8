// Why a row has its period: in words, drawn, and column by column.
import { askFor } from './engine.js';
import { at, make } from './dom.js';
import { putFigure } from './figure.js';
import { say } from './say.js';
import { amend } from './tabs.js';
import { withTerms } from './terms.js';

const SVG = 'http://www.w3.org/2000/svg';

function drawSvg(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
}

const film = { frames: [], next: 0, timer: null };

/** Explains a row, and shows this column; the first one of the period if the film has it not. */
export async function explain(row, column) {
    const area = at('why-area');
    const found = await askFor('row', { ask: 'why', row });
    area.hidden = false;
    const seen = new Set();
    at('why-title').textContent = found.title;
    at('why-summary').replaceChildren(...withTerms(summary(found.explanation), seen));
    putFigure(at('why-figure'), found.svg, found.title);
    at('why-caption').replaceChildren(...withTerms(found.caption, seen));
    at('why-words').textContent = found.words;
    const first = found.frames.findIndex((frame) => frame.column === column);
    Object.assign(film, { frames: found.frames, next: Math.max(0, first) });
    at('why-film').hidden = found.frames.length === 0 || Boolean(found.explanation.holes);
    drawColumn();
}

/** Word and cluster in a sentence each. */
function summary({ word, cluster, period, row, mean }) {
    const about = cluster.length === 0 ? say('cluster-none', { row }) : say('cluster', { row, n: cluster.length, first: cluster[0].row });
    const read = say(word === null ? 'word-none' : 'word', { word });
    return [about, read, say('hole-returns', { mean, n: period })].join(' ');
}

/** Goes to another column, and puts it into the address. */
function step(by) {
    const { length } = film.frames;
    film.next = (film.next + by + length) % length;
    amend('row', { column: film.next > 0 ? film.frames[film.next].column : '' });
    drawColumn();
}

/** Shows a column: what is blocked, the hole, and what the row takes. */
function drawColumn() {
    const { frames } = film;
    if (frames.length === 0) return;
    const { column, blocked, hole, height } = frames[film.next];
    const deepest = Math.min(-1, ...frames.map((frame) => frame.hole)) - 1;
    const levels = Array.from({ length: 2 - deepest }, (_, index) => 1 - index);
    const cell = (level) => {
        const y = (1 - level) * 30;
        const kind = ['level', blocked.includes(level) ? 'blocked' : '', level === hole ? 'hole' : '', level === height ? 'taken' : ''];
        const label = say(level === 0 ? 'mean' : level > 0 ? 'mean-above' : 'mean-below', { n: Math.abs(level) });
        return [drawSvg('rect', { x: 90, y, width: 120, height: 28, rx: 4, class: kind.join(' ').trim() }),
            drawSvg('text', { x: 82, y: y + 19, 'text-anchor': 'end' }, label),
            drawSvg('text', { x: 150, y: y + 20, 'text-anchor': 'middle', class: 'mark' },
                level === height ? '●' : level === hole ? '○' : '')];
    };
    const picture = drawSvg('svg', { viewBox: `0 -2 220 ${levels.length * 30 + 4}`, role: 'img',
        'aria-label': say('column', { column }) }, ...levels.flatMap(cell));
    at('why-column').replaceChildren(picture);
    at('why-said').textContent = say(blocked.includes(hole) ? 'column-blocked' : 'column-free', { column });
}

export function stopFilm() {
    clearInterval(film.timer);
    film.timer = null;
    at('why-play').textContent = say('film-play');
}

at('why-play').onclick = () => {
    if (film.timer) return stopFilm();
    // With reduced motion nothing moves by itself: a press is a column.
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return step(1);
    at('why-play').textContent = say('film-pause');
    film.timer = setInterval(() => step(1), 900);
    step(1);
};
at('why-back').onclick = () => { stopFilm(); step(-1); };
at('why-on').onclick = () => { stopFilm(); step(1); };
