// All rows: the table, filtered, and the figures of all of them.
import { at, make } from './dom.js';
import { askFor, showError } from './engine.js';
import { address, register } from './tabs.js';
import { brief } from './numbers.js';
import { putFigure } from './figure.js';
import { LongTable } from './table.js';

const list = { rows: [], shown: [], tsv: '', to: undefined };

async function askRows() {
    const to = Number(at('rows-to').value);
    const summary = at('rows-summary');
    at('rows-answer').hidden = false;
    if (at('rows-to').value === '' || !Number.isSafeInteger(to) || to < 0) {
        return showError(summary, new Error('Rows have numbers from 0 on.'));
    }
    try {
        const found = await askFor('rows', { ask: 'rows', to });
        Object.assign(list, { rows: rowsOf(found.rows), tsv: found.tsv, to });
        putFigure(at('rows-figure'), found.svg, 'Which rows have which period');
        at('rows-caption').textContent = found.caption;
        at('rows-strips').replaceChildren();
        if (found.strips) putFigure(at('rows-strips'), found.strips.svg, 'Four sequences near their lines');
        at('rows-strips-caption').textContent = found.strips?.caption ?? '';
        count();
        filter();
    } catch (error) {
        showError(summary, error);
    }
}

// The answer has the rows in columns.
function rowsOf({ periods, ends, patterns }) {
    return periods.map((period, row) => {
        return { row, period, end: ends[row], pattern: patterns[row] ?? (period ? [0] : []) };
    });
}

function count() {
    const numbers = new Map();
    for (const { period } of list.rows) numbers.set(period, (numbers.get(period) ?? 0) + 1);
    const finite = numbers.get(0) ?? 0;
    const all = list.rows.length;
    const others = all - finite - (numbers.get(1) ?? 0);
    at('rows-summary').textContent = `Rows 0 to ${brief(String(list.to))}: ${brief(String(finite))} finite and `
        + `${brief(String(all - finite))} periodic, of which ${brief(String(others))} with a period other than 1.`;
    const option = (value, text) => make('option', { value }, text);
    const kind = at('rows-kind');
    const before = kind.dataset.wanted ?? kind.value;
    const periods = [...numbers.keys()].filter((period) => period > 0).sort((a, b) => a - b);
    kind.replaceChildren(option('other', `period 2 or more (${others})`), option('all', `all (${all})`),
        option('0', `finite (${finite})`), ...periods.map((period) => option(String(period), `period ${period} (${numbers.get(period)})`)));
    if ([...kind.options].some(({ value }) => value === before)) kind.value = before;
    delete kind.dataset.wanted;
}

function filter() {
    const kind = at('rows-kind').value;
    const from = Number(at('rows-from').value);
    const pattern = at('rows-pattern').value;
    const wanted = pattern.replace(/[−–]/g, '-').match(/-?\d+/g)?.join(' ');
    list.shown = list.rows.filter((line) => {
        const fits = kind === 'all' || (kind === 'other' ? line.period > 1 : line.period === Number(kind));
        // A pattern may begin anywhere.
        const has = !wanted || ` ${line.pattern.concat(line.pattern).join(' ')} `.includes(` ${wanted} `);
        return fits && has && line.row >= from;
    });
    const { length } = list.shown;
    at('rows-count').textContent = length === 0 ? 'No row is so.' : length === 1 ? 'One row.' : `${brief(String(length))} rows.`;
    table.show(length);
    address('rows', list.to, { kind: kind === 'other' ? '' : kind, from: from || '', pattern });
}

function line(index) {
    const { row, period, end, pattern } = list.shown[index];
    const link = make('a', { href: `#row=${row}` }, String(row));
    const cells = [period ? 'periodic' : 'finite', String(end), period ? String(period) : '–',
        pattern.join(' ').replace(/-/g, '−') || '–'];
    return make('tr', { 'aria-rowindex': index + 2 }, make('th', { scope: 'row' }, link),
        ...cells.map((text) => make('td', { title: text }, text)));
}

const table = new LongTable(at('rows-scroll'), at('rows-table'), line);

at('rows-filters').oninput = filter;
at('ask-rows').onsubmit = (event) => {
    event.preventDefault();
    askRows();
};

function save(name, text) {
    const link = make('a', { download: name, href: URL.createObjectURL(new Blob([text])) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

at('save-tsv').onclick = () => save(`periods-${list.to}.tsv`, list.tsv);
at('save-data').onclick = async () => {
    try {
        const { files } = await askFor('rows', { ask: 'files', to: list.to });
        for (const [name, text] of files) save(name, text);
    } catch (error) {
        showError(at('rows-summary'), error);
    }
};

register('rows', (what, { kind = 'other', from = '0', pattern = '' } = {}) => {
    const isNew = what !== undefined && Number(what) !== list.to;
    if (what !== undefined) {
        at('rows-to').value = what;
        at('rows-from').value = from;
        at('rows-pattern').value = pattern;
        at('rows-kind').dataset.wanted = kind;
    }
    if (isNew || list.to === undefined) askRows();
    else if (what !== undefined) {
        at('rows-kind').value = kind;
        filter();
    }
});
