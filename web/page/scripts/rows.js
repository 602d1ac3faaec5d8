// All rows: the table, filtered, and the figures of all of them.
import { at, make, save } from './dom.js';
import { askFor, showError, StoppedByUser } from './engine.js';
import { Stopped } from './session.js';
import { address, register } from './tabs.js';
import { brief } from './numbers.js';
import { putFigure } from './figure.js';
import { say } from './say.js';
import { repeats, rowsOf, sequenceOf } from './sequence.js';
import { LongTable } from './table.js';

const list = { rows: [], shown: [], tsv: '', to: undefined, usual: 'other' };

/** Shows no rows, and says why: the address has what was asked. */
function refuseRows(typed, error) {
    Object.assign(list, { rows: [], to: undefined });
    at('rows-answer').hidden = true;
    address('rows', typed);
    showError(at('rows-summary'), error);
}

/** After Stop everything is as it was before the question. */
function stay() {
    at('rows-to').value = list.to;
    delete at('rows-kind').dataset.wanted;
    count();
    filter();
    at('rows-summary').prepend(say('rows-stopped'));
}

async function askRows(typed = at('rows-to').value) {
    const to = Number(typed);
    if (typed === '' || !Number.isSafeInteger(to) || to < 0) {
        return refuseRows(typed, new Error(say('no-rows', { typed })));
    }
    try {
        const found = await askFor('rows', { ask: 'rows', to });
        Object.assign(list, { rows: rowsOf(found.rows), tsv: found.tsv, to });
        // A figure that is hidden has no size.
        at('rows-answer').hidden = false;
        putFigure(at('rows-figure'), found.svg, say('rows-figure'));
        at('rows-caption').textContent = found.caption;
        at('rows-strips').replaceChildren();
        if (found.strips) putFigure(at('rows-strips'), found.strips.svg, say('strips-figure'));
        at('rows-strips-caption').textContent = found.strips?.caption ?? '';
        at('strips-title').hidden = !found.strips;
        count();
        filter();
    } catch (error) {
        if (error instanceof Stopped) return;
        if (error instanceof StoppedByUser && list.to !== undefined) stay();
        else refuseRows(to, error);
    }
}

function count() {
    const numbers = new Map();
    for (const { period } of list.rows) numbers.set(period, (numbers.get(period) ?? 0) + 1);
    const finite = numbers.get(0) ?? 0;
    const all = list.rows.length;
    const others = all - finite - (numbers.get(1) ?? 0);
    const shown = (number) => brief(String(number));
    at('rows-summary').textContent = say('rows-summary', {
        to: shown(list.to), finite: shown(finite), periodic: shown(all - finite), others: shown(others),
    });
    const option = (value, text) => make('option', { value }, text);
    const kind = at('rows-kind');
    const before = kind.dataset.wanted ?? kind.value;
    const periods = [...numbers.keys()].filter((period) => period > 0).sort((a, b) => a - b);
    kind.replaceChildren(option('other', say('kind-other', { n: others })), option('all', say('kind-all', { n: all })),
        option('0', say('kind-finite', { n: finite })),
        ...periods.map((period) => option(String(period), say('kind-period', { period, n: numbers.get(period) }))));
    const isThere = [...kind.options].some(({ value }) => value === before);
    // Below row 120 every period is 1.
    list.usual = others > 0 ? 'other' : 'all';
    kind.value = isThere && (before !== 'other' || others > 0) ? before : list.usual;
    delete kind.dataset.wanted;
}

function filter() {
    const kind = at('rows-kind').value;
    const from = Number(at('rows-from').value);
    const pattern = at('rows-pattern').value;
    const wanted = pattern.trim() ? sequenceOf(pattern) : [];
    if (!wanted) {
        list.shown = [];
        at('rows-count').textContent = say('no-pattern', { typed: pattern });
        table.show(0);
        return remember(kind, from, pattern);
    }
    list.shown = list.rows.filter((line) => {
        const fits = kind === 'all' || (kind === 'other' ? line.period > 1 : line.period === Number(kind));
        return fits && line.row >= from && (wanted.length === 0 || repeats(line.pattern, wanted));
    });
    const { length } = list.shown;
    at('rows-count').textContent = say(length === 0 ? 'rows-none' : 'rows-shown', { n: length, shown: brief(String(length)) });
    table.show(length);
    remember(kind, from, pattern);
}

function remember(kind, from, pattern) {
    address('rows', list.to, { kind: kind === list.usual ? '' : kind, from: from || '', pattern });
}

function line(index) {
    const { row, period, end, pattern } = list.shown[index];
    const link = make('a', { href: `#row=${row}` }, String(row));
    const cells = [say(period ? 'periodic' : 'finite'), String(end), period ? String(period) : '–',
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
    if (isNew || list.to === undefined) askRows(what);
    else if (what !== undefined) {
        at('rows-kind').value = kind === 'other' ? list.usual : kind;
        filter();
    }
});
