// Finds a row: its page, or its record in the archive. The address has the row: index.html#row=123.
import { ask, fetched } from './compute.js';
import { at, make } from './dom.js';

const json = async (name) => (await fetched(new URL(name, import.meta.url))).json();

/** A row as people type it: 1 000 000, 1_000_000. */
function typed(text) {
    const digits = text.replace(/[\s_,]/g, '');
    if (!/^\d{1,15}$/.test(digits)) throw new Error('A row has a number from 0 on, such as 120.');
    return Number(digits);
}

function hasPage(row, { every, more }) {
    if (row <= every) return true;
    let other = every;
    return more.some((step) => (other += step) === row);
}

/** The record of a row: a line of a part of the archive. */
async function fromArchive(row, { url, last, step, lengths }) {
    if (row > last) throw new Error(`Row ${row} has no page, and the archive ends with row ${last}.`);
    const part = Math.floor(row / step);
    const from = lengths.slice(0, part + 1).reduce((sum, length) => sum + length, 0);
    const to = from + lengths[part + 1] - 1;
    const response = await fetched(new URL(url, import.meta.url), { headers: { Range: `bytes=${from}-${to}` } });
    if (response.status !== 206) {
        response.body?.cancel();
        throw new Error(`The server of ${url} sends no parts of files; get the archive itself.`);
    }
    const lines = (await response.text()).split('\n');
    const line = lines.find((text) => text.replace(/^\w+\(row: /, '').startsWith(`${row},`));
    if (!line) throw new Error(`${url} is not the archive that this site was made with.`);
    return line;
}

async function show(row) {
    const pages = await json('pages.json');
    if (hasPage(row, pages)) {
        location.replace(`rows/${row}.html`);
        return;
    }
    if (!pages.archive) throw new Error(`Row ${row} has no page, and this site has no archive.`);
    const archive = await json('archive.json');
    const line = await fromArchive(row, archive);
    const { title, entries } = await ask({ ask: 'record', line });
    const list = entries.flatMap(([name, lines]) => [make('dt', {}, name), make('dd', {}, lines.join(' '))]);
    at('found').replaceChildren(
        make('p', { className: 'verdict' }, make('strong', {}, `${title.replace(/^row/, 'Row')}.`)),
        make('pre', { className: 'broken', id: 'record' }, line), make('dl', {}, ...list),
        make('p', { className: 'note' }, 'From the archive of the data set ', make('code', {}, archive.data), '.'));
}

async function search() {
    const found = at('found');
    found.replaceChildren('Searching …');
    try {
        await show(typed(at('number').value));
    } catch (error) {
        found.replaceChildren(make('p', { className: 'error' }, error.message));
    }
}

function follow() {
    const [, row] = /^#row=(.+)$/.exec(location.hash) ?? [];
    if (row === undefined) return;
    at('number').value = decodeURIComponent(row);
    search();
}

at('search').onsubmit = (event) => {
    event.preventDefault();
    const address = `#row=${encodeURIComponent(at('number').value.trim())}`;
    if (address === location.hash) search();
    else location.hash = address;
};
window.addEventListener('hashchange', follow);
document.querySelector('#search button').disabled = false;
follow();
