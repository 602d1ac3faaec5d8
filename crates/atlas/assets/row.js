// The page of a row: verifies rows 0 to this one, and draws all offsets, in the browser.
import { ask, fetched } from './compute.js';
import { bytes } from './bytes.js';
import { at, make } from './dom.js';
import { putFigure } from './figure.js';

const row = Number(document.querySelector('[data-row]').dataset.row);
const record = at('record').textContent;

/** Runs the work of a button, with its progress; shows in `said` why it failed. */
async function work(button, said, steps) {
    const progress = make('progress', { max: 1 });
    button.disabled = true;
    said.replaceChildren(make('label', {}, 'Working ', progress));
    try {
        await steps((share) => { progress.value = share; });
    } catch (error) {
        said.replaceChildren(make('span', { className: 'error' }, error.message));
    } finally {
        button.disabled = false;
    }
}

/** Names and bytes of the data set of this site. */
async function dataSet() {
    const folder = new URL('data/', import.meta.url);
    const read = async (name) => [name, await bytes(await (await fetched(new URL(name, folder))).blob())];
    const manifest = await read('MANIFEST.ron');
    const segments = [...manifest[1].matchAll(/first: (\d+), last: (\d+)/g)].map(([, ...ends]) =>
        `rows-${ends.map((end) => end.padStart(7, '0')).join('-')}.ron`);
    return [manifest, ...await Promise.all(segments.map(read))];
}

async function verify(onShare) {
    const files = await dataSet();
    if (!files.some(([, text]) => text.split('\n').includes(record))) {
        throw new Error('The record on this page is not that of the rows that this site has.');
    }
    const found = await ask({ ask: 'verify', files, heads: true, to: row }, onShare);
    const title = found.verdict === 'verified' ? `✓ Verified: rows 0 to ${row}, and the record on this page`
        : `✗ Not verified: ${found.verdict}`;
    at('verdict').replaceChildren(make('p', { className: `verdict ${found.verdict}` }, make('strong', {}, title)),
        make('pre', { className: 'broken' }, found.words));
}

async function drawFull(onShare) {
    const found = await ask({ ask: 'full', row }, onShare);
    if (found.line !== record) throw new Error(`Your browser has found another record: ${found.line}`);
    putFigure(at('full-figure'), found.svg, `All offsets of row ${row}`);
    at('full-caption').textContent = found.caption;
    at('texts').replaceChildren(make('p', {}, `f(q,${row}) for all q.`), ...found.texts.map(([name, text]) =>
        make('details', {}, make('summary', {}, name), make('pre', { className: 'broken' }, text.trimEnd()))));
    at('full-said').textContent = 'Your browser has found the same record.';
}

for (const [id, said, steps] of [['verify', 'verdict', verify], ['full', 'full-said', drawFull]]) {
    const button = at(id);
    if (!button) continue;
    button.onclick = () => work(button, at(said), steps);
    button.disabled = false;
}

// The picture of a periodic row has its legend below it. A row without one opens with that of all its
// offsets.
const why = at('why-figure');
if (why) {
    putFigure(why, new XMLSerializer().serializeToString(why.firstElementChild), `Why row ${row} has its period`);
} else {
    at('full')?.click();
}
