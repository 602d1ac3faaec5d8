// Numbers of any size, for people.
import { say } from './say.js';

/** A long number for people: its digits in groups, and in the middle of a very long one a gap. */
export function brief(digits) {
    const grouped = (text) => text.replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');
    if (digits.length <= 40) return digits.length > 4 ? grouped(digits) : digits;
    return say('digits', { first: digits.slice(0, 12), last: digits.slice(-12), n: digits.length });
}

/** Rows of more than this number are told as runs of equal ones. */
const MOST_LENGTHS = 30;
const MOST_RUNS = 6;

/** Row lengths for people: (7, 5, 3), (585 rows of 3, 415 rows of 2). */
export function briefly(lengths) {
    if (lengths.length <= MOST_LENGTHS) return `(${lengths.map(brief).join(', ')})`;
    const runs = [];
    for (const length of lengths) {
        if (runs.at(-1)?.length === length) runs.at(-1).rows += 1;
        else runs.push({ length, rows: 1 });
    }
    const told = runs.slice(0, MOST_RUNS).map(({ length, rows }) => say('run', { n: rows, length: brief(length) }));
    const more = runs.length > MOST_RUNS ? [say('runs-more', { n: lengths.length })] : [];
    return `(${[...told, ...more].join(', ')})`;
}

/** Text with real minus signs. */
export const minus = (text) => text.replace(/(?<![\w)])-(?=\d)/g, '−').replace(/ - /g, ' − ');
