// Finds a row: its page, or its record in the archive; and rows by a sequence. The address has what was
// asked: index.html#row=123, index.html#find=1,1,-2,0.
import { ask, fetched } from './compute.js';
import { at, make } from './dom.js';
import { minus } from './numbers.js';
import { atlasIndex, showRows } from './sequence.js';

const json = async (name) => (await fetched(new URL(name, import.meta.url))).json();

/** A row as people type it: 1 000 000, 1_000_000. */
function typed(text) {
    const digits = text.replace(/[\s_,]/g, '');
    if (!/^\d{1,15}$/.test(digits)) throw new Error('A row has a number from 0 on, such as 120.');
    return Number(digits);
}

/** Each row of a longer period than 2 has a page, too. */
function hasPage(row, { every, patterns }) {
    const longer = Object.entries(patterns).filter(([pattern]) => pattern.split(',').length > 2);
    return row <= every || longer.some(([, steps]) => {
        let other = 0;
        return steps.some((step) => (other += step) === row);
    });
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
    const index = await json('index.json');
    if (hasPage(row, index)) {
        location.replace(`rows/${row}.html`);
        return;
    }
    const archive = await json('archive.json');
    if (!archive) throw new Error(`Row ${row} has no page, and this site has no archive.`);
    const line = await fromArchive(row, archive);
    const { title, entries } = await ask({ ask: 'record', line });
    const list = entries.flatMap(([name, lines]) => [make('dt', {}, name), make('dd', {}, minus(lines.join(' ')))]);
    const inPage = make('p', {}, make('a', { href: `page/index.html#row=${row}` }, 'The page'), ' shows it, too.');
    inPage.hidden = row > LARGEST_IN_PAGE;
    at('found').replaceChildren(
        make('p', { className: 'verdict' }, make('strong', {}, `${title.replace(/^row/, 'Row')}.`)), inPage,
        make('dl', {}, ...list), make('pre', { className: 'broken', id: 'record' }, line),
        make('p', { className: 'note' }, 'From the archive of the data set ', make('code', {}, archive.data), '.'));
}

/** The largest row that the page computes. */
const LARGEST_IN_PAGE = 100000;

/** The last row in whose offsets a browser searches. */
const LAST_IN_FULL = 10000;

async function offsets(run) {
    const { found } = await ask({ ask: 'find', offsets: run, to: LAST_IN_FULL });
    return { last: LAST_IN_FULL, found };
}

const folder = new URL('.', import.meta.url).href;

let searches = 0;

async function search(kind, text) {
    const mine = ++searches;
    document.title = `${kind === 'row' ? 'Row' : 'Rows with'} ${text} · Atlas of three-rowed Chomp`;
    at('said').textContent = 'Searching …';
    at('found').replaceChildren();
    let said = '';
    try {
        if (kind === 'row') await show(typed(text));
        else said = await showRows(at('found'), text, atlasIndex(folder, offsets), (row) => `#row=${row}`, () => mine === searches);
    } catch (error) {
        if (mine === searches) at('found').replaceChildren(make('p', { className: 'error' }, error.message));
    }
    if (mine === searches) at('said').textContent = said;
}

function follow() {
    const [, kind, what] = /^#(row|find)=(.+)$/.exec(location.hash) ?? [];
    if (!kind) return;
    at('number').value = decodeURIComponent(what);
    search(kind, at('number').value);
}

at('search').onsubmit = (event) => {
    event.preventDefault();
    const address = `#${event.submitter?.value || 'row'}=${encodeURIComponent(at('number').value.trim())}`;
    if (address !== location.hash) history.pushState(null, '', address);
    follow();
};
window.addEventListener('hashchange', follow);
for (const button of document.querySelectorAll('#search button')) button.disabled = false;
follow();
