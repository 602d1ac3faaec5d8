// A row in words.
import { askFor, showError } from './engine.js';
import { at, make } from './dom.js';
import { address, register } from './tabs.js';
import { drawSheet } from './sheet.js';
import { explain } from './why.js';
import { withTerms } from './terms.js';

async function askRow(isStep = true) {
    const answer = at('row-answer');
    const row = Number(at('row-number').value);
    for (const id of ['sheet-area', 'why-area']) at(id).hidden = true;
    if (at('row-number').value === '' || !Number.isSafeInteger(row) || row < 0) {
        return showError(answer, new Error('A row has a number from 0 on, such as 120.'));
    }
    address('row', row, {}, isStep);
    try {
        const found = await askFor('row', { ask: 'row', row });
        sayRow(answer, found);
        if (found.period > 0) await explain(row);
    } catch (error) {
        return showError(answer, error);
    }
    try {
        await drawSheet({ row, part: null });
    } catch (error) {
        const why = make('div', {});
        showError(why, error);
        answer.append(why);
    }
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
        const text = prose ? lines.join(' ') : first;
        const more = prose ? '' : rest.join('\n');
        const what = make('dd', {});
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

register('row', (what) => {
    if (what) at('row-number').value = what;
    if (what || !at('row-answer').firstChild) askRow(false);
});
