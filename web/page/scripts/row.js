// The page of a row: its picture, the row in a sentence, why, what proves it, and the row to be kept and cited.
import { ATLAS, inAtlas } from './atlas.js';
import { citation } from './cite.js';
import { askFor, showError } from './engine.js';
import { at, make, save } from './dom.js';
import { address, register } from './tabs.js';
import { clearSheet, drawSheet, partOf } from './sheet.js';
import { explain, stopFilm } from './why.js';
import { minus } from './numbers.js';
import { say } from './say.js';
import { withTerms } from './terms.js';

/** The number in a text; `null` if it is none. */
function number(text) {
    const found = Number(text);
    return text !== '' && Number.isSafeInteger(found) && found >= 0 ? found : null;
}

/** Shows a row, the column of its explanation and the part of its sheet. Only rows of level 0 have
 * explanations and sheets. */
async function askRow(isStep = true, { column, part, what, level: typedLevel } = {}) {
    const typed = [what ?? at('row-number').value, typedLevel ?? at('row-level').value];
    const [row, level] = typed.map(number);
    stopFilm();
    clearSheet(row, row !== null && level === 0);
    at('why-area').hidden = true;
    at('row-more').replaceChildren();
    if (row === null || level === null) {
        address('row', typed[0], { level: typed[1] === '0' ? '' : typed[1] }, isStep);
        const wrong = row === null ? typed[0] : typed[1];
        return showError(at('row-said'), new Error(say('no-row', { typed: wrong })));
    }
    address('row', row, level > 0 ? { level } : { column, part }, isStep);
    at('row-said').replaceChildren();
    try {
        const found = await askFor('row', level > 0 ? { ask: 'level', level, row } : { ask: 'row', row });
        sayRow(row, found);
        if (level > 0) return undefined;
        if (found.period > 0) await explain(row, Number(column));
    } catch (error) {
        return showError(at('row-said'), error);
    }
    try {
        await drawSheet({ row, part: partOf(part) });
    } catch (error) {
        clearSheet(row, false);
        const why = make('div', {});
        showError(why, error);
        at('row-said').append(why);
    }
    return undefined;
}

/** More text than this is shortened, to its first and last letters of these numbers. */
const LONG = 300;
const FIRST = 120;
const LAST = 60;

/** A text that a button shows in full, if it is long. */
function shortened(text, seen) {
    if (text.length <= LONG) return withTerms(text, seen);
    const [first, last] = [text.slice(0, FIRST).replace(/[^,\s]*$/, ''), text.slice(-LAST).replace(/^[^,]*,/, '')];
    const shown = make('span', {}, `${first}… , ${last} `);
    const all = make('button', { type: 'button' }, say('show-all-text'));
    all.onclick = () => {
        shown.textContent = text;
        all.remove();
    };
    return [shown, all];
}

const PROOF = ['certificate', 'classical'];

/** A list of entries: names, and lines of text. */
function listOf(entries, seen) {
    const list = make('dl', {});
    for (const [name, lines] of entries) {
        const [first, ...rest] = lines.map(minus);
        const what = make('dd', {});
        if (PROOF.includes(name)) what.append(...withTerms(first, seen), make('br'), ...withTerms(rest.join(' '), seen));
        else if (rest.length > 0) what.append(make('details', {}, make('summary', {}, first), make('pre', {}, rest.join('\n'))));
        else what.append(...shortened(first, seen));
        list.append(make('dt', {}, ...withTerms(name, seen)), what);
    }
    return list;
}

const capital = (text) => text.replace(/^./, (letter) => letter.toUpperCase());

function sayRow(row, found) {
    const { period, entries, line, hash, json } = found;
    const seen = new Set();
    const title = capital(found.title);
    const isOfLevel = title.includes('level');
    const name = title.replace(/ is .*/, '');
    const headline = say(period > 0 ? 'headline-period' : 'headline', { title, period });
    const entry = (wanted) => entries.find(([other]) => other === wanted)?.[1][0];
    const about = period > 0 ? say('row-repeats', { start: found.start, values: minus(entry('values')).replace(/, the offsets.*/, '') })
        : entry('last') ? say('row-ends', { last: entry('last') }) : say('row-empty', { by: entry('by') ?? '' });
    at('row-said').replaceChildren(make('p', { className: 'verdict' }, make('strong', {}, headline), ' ', ...shortened(about, seen)));
    const proof = entries.filter(([other]) => PROOF.includes(other));
    const facts = entries.filter(([other]) => !PROOF.includes(other));
    const file = name.toLowerCase().replace(/\W+/g, '-');
    const button = (text, ending, content) => {
        const made = make('button', { type: 'button' }, text);
        made.onclick = () => save(`${file}.${ending}`, content);
        return made;
    };
    at('row-more').replaceChildren(
        ...(proof.length > 0 ? [make('h2', {}, say('proved-by')), listOf(proof, seen)] : []),
        make('h2', {}, say('keep')),
        make('p', { className: 'buttons' }, button(say('save-record'), 'ron', `${line}\n`), button(say('save-json'), 'json', `${json}\n`)),
        ...(ATLAS && !isOfLevel ? [make('p', {}, make('a', { href: inAtlas(row), id: 'in-atlas' }, say('in-atlas', { row: name })))] : []),
        ...(isOfLevel ? [] : [textsOf(row)]),
        make('h2', {}, say('cite')),
        ...citation(say('cited-row', { row: name }), say('cited-hash', { hash }), ATLAS && !isOfLevel ? inAtlas(row) : undefined),
        make('h2', {}, say('facts')), listOf(facts, seen),
        make('p', { className: 'note' }, say('record')), make('p', {}, make('code', {}, line)),
        make('details', {}, make('summary', {}, say('json')), make('pre', { className: 'broken' }, json)));
}

/** f(q,r) for other programs, computed when it is opened. */
function textsOf(row) {
    const area = make('details', {}, make('summary', {}, say('texts', { row })));
    area.ontoggle = async () => {
        if (!area.open || area.children.length > 1) return;
        const said = make('div', {});
        area.append(said);
        try {
            const { texts } = await askFor('row', { ask: 'full', row });
            said.replaceChildren(...texts.map(([language, text]) =>
                make('details', {}, make('summary', {}, language), make('pre', { className: 'broken' }, text.trimEnd()))));
        } catch (error) {
            showError(said, error);
        }
    };
    return area;
}

for (const [id, step] of [['row-before', -1], ['row-after', 1]]) {
    at(id).onclick = () => {
        at('row-number').value = Math.max(0, Number(at('row-number').value) + step);
        askRow();
    };
}
at('ask-row').onsubmit = (event) => {
    event.preventDefault();
    askRow();
};

register('row', (what, { level = '0', ...view } = {}) => {
    if (what) {
        at('row-number').value = what;
        at('row-level').value = level;
    }
    if (what) askRow(false, { ...view, what, level });
    else if (!at('row-said').firstChild) askRow(false);
});
