// The rows of a sequence: those of the atlas, if the page is beside one; else of lists beside the
// page, and of rows that it computes.
import { ATLAS } from './atlas.js';
import { at, make } from './dom.js';
import { askFor, showError } from './engine.js';
import { fromScript } from './module.js';
import { say } from './say.js';
import { address, register } from './tabs.js';
import { atlasIndex, showRows } from './sequence.js';

/** The last row that is computed. */
const LAST_FOUND = 10000;

async function offsetsFound(offsets) {
    const { found } = await askFor('find', { ask: 'find', offsets, to: LAST_FOUND });
    return { last: LAST_FOUND, found };
}

const ownIndex = {
    patterns: () => fromScript('patterns'),
    offsets: offsetsFound,
    async near() {
        const { rows } = await askFor('find', { ask: 'rows', to: LAST_FOUND });
        return { last: LAST_FOUND, parts: [rows] };
    },
};

let searches = 0;

async function findRows(text, isStep) {
    const mine = ++searches;
    address('find', text, {}, isStep);
    at('find-said').textContent = say('searching');
    try {
        const index = ATLAS ? atlasIndex(ATLAS, offsetsFound) : ownIndex;
        const number = await showRows(at('found'), text, index, (row) => `#row=${row}`, () => mine === searches);
        if (mine === searches) at('find-said').textContent = number;
    } catch (error) {
        if (mine !== searches) return;
        at('find-said').textContent = '';
        const why = make('div', {});
        showError(why, error);
        at('found').append(why);
    }
}

at('ask-find').onsubmit = (event) => {
    event.preventDefault();
    findRows(at('sequence').value.trim(), true);
};

register('find', (what) => {
    if (what !== undefined) at('sequence').value = what;
    if (what !== undefined || !at('found').firstChild) findRows(at('sequence').value, false);
});
