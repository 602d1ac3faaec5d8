// A row in words.
import { askFor, showError } from './engine.js';
import { at, make } from './dom.js';
import { address, register } from './tabs.js';
import { drawSheet, partOf } from './sheet.js';
import { explain, stopFilm } from './why.js';
import { withTerms } from './terms.js';

/** The number in a field; `null` if it has none. */
function number(id) {
    const found = Number(at(id).value);
    return at(id).value !== '' && Number.isSafeInteger(found) && found >= 0 ? found : null;
}

/** Shows a row, the column of its explanation and the part of its sheet. Only rows of level 0 have
 * explanations and sheets. */
async function askRow(isStep = true, { column, part } = {}) {
    const answer = at('row-answer');
    const [row, level] = ['row-number', 'row-level'].map(number);
    stopFilm();
    for (const id of ['sheet-area', 'why-area']) at(id).hidden = true;
    if (row === null || level === null) {
        return showError(answer, new Error('Rows and levels have numbers from 0 on, such as row 120 of level 0.'));
    }
    address('row', row, level > 0 ? { level } : { column, part }, isStep);
    try {
        const found = await askFor('row', level > 0 ? { ask: 'level', level, row } : { ask: 'row', row });
        sayRow(answer, found);
        if (level > 0) return undefined;
        if (found.period > 0) await explain(row, Number(column));
    } catch (error) {
        return showError(answer, error);
    }
    try {
        await drawSheet({ row, part: partOf(part) });
    } catch (error) {
        const why = make('div', {});
        showError(why, error);
        answer.append(why);
    }
    return undefined;
}

/** More text than this is folded. */
const FOLDED = 300;

function sayRow(element, { title, period, entries, line }) {
    const headline = title.replace(/^row/, 'Row') + (period > 0 ? `, with period ${period}.` : '.');
    const list = make('dl', {});
    const seen = new Set();
    for (const [name, lines] of [...entries, ['record', [line]]]) {
        const [first, ...rest] = lines;
        const prose = name === 'certificate' || name === 'classical';
        const text = prose ? rest.join(' ') : first;
        const more = prose ? '' : rest.join('\n');
        const what = make('dd', {});
        if (prose) what.append(...withTerms(first, seen), make('br'));
        if (more) what.append(make('details', {}, make('summary', {}, text), make('pre', {}, more)));
        else if (text.length > FOLDED && !prose) {
            const summary = make('summary', {}, `${text.slice(0, FOLDED)}…`);
            what.append(make('details', {}, summary, make('pre', { className: 'broken' }, text)));
        } else what.append(...(name === 'record' ? [make('code', {}, text)] : withTerms(text, seen)));
        list.append(make('dt', {}, ...withTerms(name, seen)), what);
    }
    element.replaceChildren(make('p', { className: 'verdict' }, make('strong', {}, headline)), list);
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
    if (what || !at('row-answer').firstChild) askRow(false, view);
});
