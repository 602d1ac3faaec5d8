// What is known of a position, in words; and rows that are too long for squares, as bars.
import { citation, permanent } from './cite.js';
import { askFor, showError } from './engine.js';
import { at, make } from './dom.js';
import { brief, briefly } from './numbers.js';
import { called, isP, lengthOf, padded, squareOf, written } from './board.js';
import { MOST_ROWS } from './shape.js';
import { putFigure } from './figure.js';
import { say } from './say.js';
import { withTerms } from './terms.js';

/** A position in full, if it has few rows. */
const inFull = (lengths) => (lengths.length <= MOST_ROWS ? written(lengths, 3) : briefly(lengths));

/** A product of chains that has no rows, and no picture. */
export function sayProduct({ product, lacks_bites: lacksBites }, text) {
    const [verdict, ...rest] = product.split('\n');
    return [make('p', { className: verdict.includes('a P-') ? 'verdict p' : 'verdict n' }, make('strong', {}, verdict)),
        ...rest.map((line) => make('p', {}, ...withTerms(line))),
        ...(lacksBites ? [command(say('decide-all'), text, '--all ')] : [])];
}

/** The command of the program that goes further than this page, after what it does. */
function command(does, text, option = '') {
    const typed = /^[\w,.^*]+$/.test(text) ? text : `'${text.replaceAll("'", '')}'`;
    return make('p', { className: 'note' }, `${does} `, make('code', {}, `chomp query ${option}${typed}`));
}

/** Says why a position is not decided here, and what decides it. */
export const sayUndecided = (element, error, text) => element.replaceChildren(
    make('p', { className: 'error' }, error.message), command(say('decide'), text));

/** Says who wins, how, and what that rests on. `text` is the position as addresses have it, `mark` shows a bite on the
 * board, and `take` takes it. */
export function sayPosition(element, found, { text, mark, take }) {
    const title = make('p', { className: isP(found) ? 'verdict p' : 'verdict n' },
        make('strong', {}, say(`is-${found.outcome}`, { position: briefly(padded(found.position)) })));
    const bites = found.winning_bites.map((bite) => {
        const name = make('button', { type: 'button', className: 'link', title: inFull(bite.leaves) }, briefly(padded(bite.leaves)));
        name.onclick = () => take(bite);
        const item = make('li', {}, say('bite-of', { row: called(squareOf(bite).row, padded(found.position)) }), name);
        item.onpointerenter = item.onfocusin = () => mark(bite);
        item.onpointerleave = item.onfocusout = () => mark(null);
        return item;
    });
    const basis = say(found.basis.startsWith('a theorem') ? 'basis-theorem' : 'basis', { basis: found.basis });
    const cab = found.cab ? say('cab', { cab: found.cab.map(brief).join(',') }) : '';
    element.replaceChildren(title, make('p', {}, ...withTerms(meaningOf(found))), make('ul', { className: 'bites' }, ...bites),
        make('p', { className: 'note' }, basis + cab));
    if (!isP(found) && !found.all_bites) element.append(command(say('decide-all'), text, '--all '));
    if (!found.position.includes('ω')) element.append(valuesOf(found));
    if (isP(found) && found.has_strategy) element.append(strategyOf(found));
    element.append(toCite(found, `#position=${text}`));
}

/** The answer to be cited, and as JSON. */
function toCite(found, hash) {
    const title = say('cited-position', { position: briefly(padded(found.position)) });
    return make('details', { id: 'kept' }, make('summary', {}, say('cite-position')),
        ...citation(title, say(`outcome-${found.outcome}`), permanent(hash)),
        make('pre', { className: 'broken' }, JSON.stringify(found)));
}

function meaningOf(found) {
    if (found.position.filter((length) => length !== '0').join() === '1') return say('means-over');
    if (isP(found)) return say('means-P');
    if (found.all_bites) return say('means-all');
    return say(found.winning_bites.length > 0 ? 'means-some' : 'means-N');
}

/** The Grundy value and the length of the game, computed when they are asked for. */
function valuesOf({ position }) {
    const said = make('span', { id: 'values' });
    const button = make('button', { type: 'button' }, say('values'));
    button.onclick = async () => {
        try {
            const { grundy, at_least: least, length } = await askFor('play', { ask: 'values', text: written(position) });
            const value = grundy === null ? say('grundy-least', { value: brief(least) }) : say('grundy', { value: grundy });
            said.replaceChildren(...withTerms(value + (length ? say('length', { n: Number(length) }) : '')));
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
        make('summary', {}, say('strategy')), figure, caption);
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

/** The runs of equal rows of a long position; each row of one that has no more rows than are drawn. */
function runsOf(lengths) {
    const runs = [];
    for (const [index, length] of lengths.entries()) {
        const last = runs.at(-1);
        if (lengths.length > MOST_ROWS && last?.length === length) last.last = index + 1;
        else runs.push({ length, first: index + 1, last: index + 1 });
    }
    return runs;
}

/** The name of the rows of a run. */
function runName({ first, last }, lengths) {
    if (lengths.length <= 3) return 'pqr'[first - 1];
    return first === last ? called(first, lengths) : say('rows-from-to', { first, last });
}

/** Draws long rows as bars: the lengths as shares of the top row. Many rows are drawn as runs of equal ones. */
export function drawBars(board, { position, winning_bites: bites }) {
    const lengths = padded(position);
    board.classList.add('bars');
    const whole = lengths[0] === 'ω' ? null : BigInt(lengths[0]);
    const finite = lengths.filter((length) => length !== 'ω').map(BigInt);
    const largest = finite.reduce((a, b) => (a > b ? a : b), 0n);
    // An infinite row is drawn a third longer than the longest finite one.
    const unit = whole ?? (largest === 0n ? 1n : largest + largest / 3n + 1n);
    const share = (length) => (length === 'ω' ? 100 : Number((BigInt(length) * 100000n) / unit) / 1000);
    const runs = runsOf(lengths);
    const lines = runs.slice(0, MOST_ROWS).map((run) => {
        const { length, first, last } = run;
        const bar = make('div', { className: length === 'ω' ? 'bar infinite' : 'bar' });
        bar.style.width = `${share(length)}%`;
        const line = make('div', { className: 'bar-line' }, bar,
            make('span', { className: 'bar-length' }, say('bar-length', { row: runName(run, lengths), length: brief(length) })));
        for (const { square, leaves } of bites) {
            const { row } = squareOf({ square });
            if (row < first || row > last) continue;
            const here = make('span', { className: 'bar-bite', title: say('leaves', { left: inFull(leaves) }) }, '✓');
            here.style.left = `${share(lengthOf(leaves, row))}%`;
            line.append(here);
        }
        return line;
    });
    const more = runs.length > MOST_ROWS ? [make('p', { className: 'note' }, say('bars-more', { n: lengths.length }))] : [];
    board.replaceChildren(...lines, ...more);
}
