// What is known of a position, in words; and rows that are too long for squares, as bars.
import { citation, permanent } from './cite.js';
import { askFor, showError } from './engine.js';
import { at, make } from './dom.js';
import { brief, briefly } from './numbers.js';
import { called, isP, lengthOf, padded, squareOf, written } from './board.js';
import { MOST_ROWS } from './shape.js';
import { putFigure } from './figure.js';
import { withTerms } from './terms.js';

/** A position in full, if it has few rows. */
const inFull = (lengths) => (lengths.length <= MOST_ROWS ? written(lengths, 3) : briefly(lengths));

/** A product of chains with an infinite one, which has no picture. */
export function sayInfinite(words) {
    const [verdict, ...rest] = words.split('\n');
    return [make('p', { className: verdict.includes('a P-') ? 'verdict p' : 'verdict n' }, make('strong', {}, verdict)),
        ...rest.map((line) => make('p', {}, ...withTerms(line)))];
}

/** Says who wins, how, and what that rests on. `hash` names the position in an address, `mark` shows a bite on the board,
 * and `take` takes it. */
export function sayPosition(element, found, { hash, mark, take }) {
    const verdict = isP(found) ? 'a P-position' : 'an N-position';
    const title = make('p', { className: isP(found) ? 'verdict p' : 'verdict n' },
        make('strong', {}, `${briefly(padded(found.position))} is ${verdict}.`));
    const bites = found.winning_bites.map((bite) => {
        const name = make('button', { type: 'button', className: 'link', title: inFull(bite.leaves) }, briefly(padded(bite.leaves)));
        name.onclick = () => take(bite);
        const item = make('li', {}, `${called(squareOf(bite).row, padded(found.position))}: it leaves the P-position `, name);
        item.onpointerenter = item.onfocusin = () => mark(bite);
        item.onpointerleave = item.onfocusout = () => mark(null);
        return item;
    });
    const basis = `The answer rests on ${found.basis}${found.basis.startsWith('a theorem') ? '' : ', computed here'}.`;
    const cab = found.cab ? ` In Zeilberger’s notation the position is [${found.cab.map(brief).join(',')}].` : '';
    element.replaceChildren(title, make('p', {}, ...withTerms(meaningOf(found))), make('ul', { className: 'bites' }, ...bites),
        make('p', { className: 'note' }, basis + cab));
    if (!found.position.includes('ω')) element.append(valuesOf(found));
    if (isP(found) && found.has_strategy) element.append(strategyOf(found));
    element.append(toCite(found, verdict, hash));
}

/** The answer to be cited, and as JSON. */
function toCite(found, verdict, hash) {
    return make('details', { id: 'kept' }, make('summary', {}, 'Cite, and the answer as JSON'),
        ...citation(`The position ${briefly(padded(found.position))} of Chomp`, verdict, permanent(hash)),
        make('pre', { className: 'broken' }, JSON.stringify(found)));
}

function meaningOf(found) {
    if (found.position.filter((length) => length !== '0').join() === '1') return 'Only the poison is left: the player who has to take it loses.';
    if (isP(found)) return 'The player who has to bite loses: every bite leaves an N-position.';
    if (found.all_bites) return 'The player who bites next wins, with these bites and no others:';
    return found.winning_bites.length > 0 ? 'The player who bites next wins, with this bite and perhaps others:'
        : 'The player who bites next wins. Which bites win is not computed here.';
}

/** The Grundy value and the length of the game, computed when they are asked for. */
function valuesOf({ position }) {
    const said = make('span', { id: 'values' });
    const button = make('button', { type: 'button' }, 'Grundy value and length of the game');
    button.onclick = async () => {
        try {
            const { grundy, at_least: least, length } = await askFor('play', { ask: 'values', text: written(position) });
            const value = grundy === null ? `The Grundy value is at least ${brief(least)}.` : `The Grundy value is ${grundy}.`;
            const turns = length ? ` With best play the game takes ${length} ${length === 1 ? 'turn' : 'turns'}; the last one takes the poison.` : '';
            said.replaceChildren(...withTerms(value + turns));
        } catch (error) {
            showError(said, error);
        }
    };
    return make('p', { className: 'buttons' }, button, said);
}

/** The second player's strategy, solved when it is opened. */
function strategyOf({ position }) {
    const figure = make('figure', { className: 'figure' });
    const caption = make('p', { className: 'caption' });
    const details = make('details', { id: 'strategy' },
        make('summary', {}, 'A strategy for the second player'), figure, caption);
    details.ontoggle = async () => {
        if (!details.open || figure.firstChild) return;
        try {
            const drawn = await askFor('play', { ask: 'strategy', text: written(position) });
            putFigure(figure, drawn.svg, drawn.title);
            caption.textContent = drawn.caption;
        } catch (error) {
            showError(caption, error);
        }
    };
    return details;
}

/** Draws long rows as bars: the lengths as shares of the top row. */
export function drawBars(board, { position, winning_bites: bites }) {
    const lengths = padded(position);
    board.classList.add('bars');
    if (lengths.length > MOST_ROWS) return board.replaceChildren();
    const whole = lengths[0] === 'ω' ? null : BigInt(lengths[0]);
    const finite = lengths.filter((length) => length !== 'ω').map(BigInt);
    const largest = finite.reduce((a, b) => (a > b ? a : b), 0n);
    // An infinite row is drawn a third longer than the longest finite one.
    const unit = whole ?? (largest === 0n ? 1n : largest + largest / 3n + 1n);
    const share = (length) => (length === 'ω' ? 100 : Number((BigInt(length) * 100000n) / unit) / 1000);
    const names = lengths.length > 3 ? lengths.map((_, index) => called(index + 1, lengths)) : 'pqr';
    return board.replaceChildren(...lengths.map((length, index) => {
        const bar = make('div', { className: length === 'ω' ? 'bar infinite' : 'bar' });
        bar.style.width = `${share(length)}%`;
        const line = make('div', { className: 'bar-line' }, bar,
            make('span', { className: 'bar-length' }, `${names[index]} = ${brief(length)}`));
        for (const { leaves } of bites.filter((bite) => squareOf(bite).row === index + 1)) {
            const here = make('span', { className: 'bar-bite', title: `a bite here leaves ${inFull(leaves)}` }, '✓');
            here.style.left = `${share(lengthOf(leaves, index + 1))}%`;
            line.append(here);
        }
        return line;
    }));
}
