// Finds rows by what they are: by a pattern, a period, a start, an end, or by their offsets. The page
// and the atlas ask here. An index has three functions, each of which tells its last row as well:
//
//     patterns()         the rows of each pattern: the first one, then each less the one before
//     near(column, mean) the rows, in columns, among them all that end or start in this column, and
//                        all whose mean is in this range
//     offsets(run)       the rows with these offsets one after the other, and where they begin
import { make } from './dom.js';
import { brief, minus } from './numbers.js';
import { say } from './say.js';

/** The numbers that someone has pasted; `null` if it is something else. */
export function sequenceOf(text) {
    const plain = text.replace(/[−–]/g, '-').replace(/[[\](){},;]/g, ' ').trim();
    return /^-?\d+(\s+-?\d+)*$/.test(plain) ? plain.split(/\s+/).map(Number) : null;
}

/** Whether a period, repeated for ever, has these numbers one after the other. */
export const repeats = (period, run) => period.some((_, from) =>
    run.every((number, index) => number === period[(from + index) % period.length]));

/** Rows in columns, one by one. */
export const rowsOf = ({ first, periods, ends, means, patterns }) => periods.map((period, index) => {
    const row = first + index;
    return { row, period, end: ends[index], mean: means[index], pattern: patterns[row] ?? (period ? [0] : []) };
});

const patternText = (numbers) => minus(numbers.join(' '));

/** The rows of the patterns that `fits` wants. */
function ofPatterns(patterns, fits) {
    const found = [];
    for (const [name, steps] of Object.entries(patterns)) {
        const pattern = name.split(',').map(Number);
        if (!fits(pattern)) continue;
        let row = 0;
        for (const step of steps) found.push({ row: (row += step), note: patternText(pattern) });
    }
    return found.sort((one, other) => one.row - other.row);
}

/** The groups of rows that these numbers find, one after the other. */
export async function* searched(run, index) {
    const [number] = run;
    const { last, patterns } = await index.patterns();
    if (run.length === 1 && number > 1) {
        yield { title: say('found-period', { run: number }), last, rows: ofPatterns(patterns, ({ length }) => length === number) };
    }
    if (run.length > 1) {
        yield { title: say('found-pattern', { run: patternText(run) }), last, rows: ofPatterns(patterns, (pattern) => repeats(pattern, run)) };
    }
    if (Math.min(...run) < 0) return;
    const reach = Math.max(0, ...Object.keys(patterns).flatMap((name) => name.split(',').map(Math.abs)));
    const near = await index.near(run.length === 1 ? number : null, [number - reach, number + reach]);
    const rows = near.parts.flatMap(rowsOf);
    const group = (title, fits, note) => ({ title, last: near.last, rows: rows.filter(fits).map((row) => ({ row: row.row, note: note(row) })) });
    const period = (row) => (row.period > 1 ? say('found-around', { pattern: patternText(row.pattern), mean: row.mean }) : '');
    if (run.length === 1) {
        yield group(say('found-start', { run: number }), (row) => row.period && row.end === number, period);
        yield group(say('found-end', { run: number }), (row) => !row.period && row.end === number, () => '');
    }
    yield group(say('found-values', { n: run.length, run: patternText(run) }),
        (row) => repeats(row.pattern, run.map((offset) => offset - row.mean)), period);
    if (run.length === 1) return;
    const { last: lastInFull, found } = await index.offsets(run);
    yield { title: say('found-offsets', { run: patternText(run) }), last: lastInFull,
        rows: found.map(([row, column]) => ({ row, note: say('found-from', { column }) })) };
}

/** More rows are shown when they are asked for. */
const SHOWN_FIRST = 100;

/** A group: where it was searched, and its rows as links. */
function groupShown({ title, last, rows }, linkOf) {
    const told = { title, last: brief(String(last)), shown: brief(String(rows.length)) };
    if (rows.length === 0) return make('p', { className: 'note' }, say('found-none', told));
    const list = make('ul', { className: 'found' });
    const put = (some) => list.append(...some.map(({ row, note }) =>
        make('li', {}, make('a', { href: linkOf(row) }, String(row)), note ? ` ${note}` : '')));
    put(rows.slice(0, SHOWN_FIRST));
    const more = make('button', { type: 'button' }, say('show-all', told));
    more.hidden = rows.length <= SHOWN_FIRST;
    more.onclick = () => {
        put(rows.slice(SHOWN_FIRST));
        more.hidden = true;
    };
    return make('section', {}, make('h2', {}, title),
        make('p', { className: 'note' }, say('found-range', told)), list, more);
}

/** Searches for a text, and shows what is found as it comes, while it is still wanted. Tells the number
 * of rows. */
export async function showRows(element, text, index, linkOf, isWanted = () => true) {
    element.replaceChildren();
    const run = sequenceOf(text);
    if (!run) throw new Error(say('no-sequence', { typed: text }));
    if (run.length === 1 && run[0] >= 0) {
        element.append(make('p', {}, say('found-row'), make('a', { href: linkOf(run[0]) }, say('row-n', { row: run[0] }))));
    }
    const found = new Set();
    for await (const group of searched(run, index)) {
        if (!isWanted()) return '';
        element.append(groupShown(group, linkOf));
        for (const { row } of group.rows) found.add(row);
    }
    return say('found', { n: found.size, shown: brief(String(found.size)) });
}

/** The index of an atlas, in its folder: a directory, and parts of a few thousand rows. */
export function atlasIndex(folder, inFull) {
    const read = async (name) => {
        const response = await fetch(`${folder}${name}`);
        if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
        return response.json();
    };
    let directory;
    return {
        patterns: () => (directory ??= read('index.json')),
        offsets: inFull,
        async near(column, means) {
            const { last, ends, means: ranges } = await directory;
            const has = (range, [least, most]) => range && range[0] <= most && least <= range[1];
            const wanted = ends.flatMap((range, part) =>
                ((column !== null && has(range, [column, column])) || has(ranges[part], means) ? [part] : []));
            return { last, parts: await Promise.all(wanted.map((part) => read(`index/${part}.json`))) };
        },
    };
}
