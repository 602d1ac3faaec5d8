// A game as a tree of positions. One goes back and bites elsewhere: that is another branch, and the first one stays.
import { bitten, isBite } from './board.js';

/** A position, with the bite that left it and the position before. `chosen` is the branch that was visited last; `found`
 * is what the module says of the position, once it was asked. */
const node = (lengths, before = null, bite = null) =>
    ({ lengths, before, bite, number: before ? before.number + 1 : 0, branches: [], chosen: null, found: null });

/** The whole bar. */
export const rootOf = (lengths) => node(lengths);

/** The position that a bite leaves: the branch that is there, or a new one. */
export function after(here, { row, column }) {
    const known = here.branches.find(({ bite }) => bite.row === row && bite.column === column);
    const next = known ?? node(bitten(here.lengths, row, column), here, { row, column });
    if (!known) here.branches.push(next);
    here.chosen = next;
    return next;
}

/** The positions from the bar to this one. */
export const pathTo = (here) => (here.before ? [...pathTo(here.before), here] : [here]);

/** The positions of the line through this one, to its end. */
export function lineThrough(here) {
    const line = pathTo(here);
    while (line.at(-1).chosen) line.push(line.at(-1).chosen);
    return line;
}

/** Makes the branches that lead here the chosen ones. */
export function choose(here) {
    for (let at = here; at.before; at = at.before) at.before.chosen = at;
}

/** The bites as addresses have them: 3.5(2.1,1.4),2.2 is row 3, square 5 and then row 2, square 2. The line in parentheses
 * is the branch that begins instead of the bite before it. */
export function bitesOf({ chosen, branches }) {
    if (!chosen) return '';
    const from = (branch) => `${branch.bite.row}.${branch.bite.column}`;
    const line = (branch, others = '') => [from(branch) + others, bitesOf(branch)].filter(Boolean).join(',');
    const others = branches.filter((branch) => branch !== chosen).map((branch) => `(${line(branch)})`);
    return line(chosen, others.join(''));
}

/** Adds bites to a bar, up to the first that cannot be taken. */
export function addBites(root, text) {
    const left = [];
    let here = root;
    for (const [token, ...square] of text.matchAll(/(\d+)\.(\d+)|[()]/g)) {
        const [row, column] = square.map(Number);
        if (token === '(') {
            left.push(here);
            here = here.before ?? root;
        } else if (token === ')') {
            here = left.pop() ?? here;
            choose(here);
        } else if (isBite(here.lengths, { row, column })) {
            here = after(here, { row, column });
        } else {
            break;
        }
    }
}
