// The module of the page, in workers: questions and answers.
import { at, make } from './dom.js';
import { packed } from './module.js';
import { say } from './say.js';
import { Engine, Stopped } from './session.js';
import { current } from './tabs.js';

const workerText = Uint8Array.from(atob(ENGINE.worker), (letter) => letter.charCodeAt(0));
const workerAddress = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));

/** The module, packed. In the page that is one file it stands below this script. */
async function loaded() {
    if (ENGINE.isBelow) {
        await new Promise((resolve) => { document.addEventListener('DOMContentLoaded', resolve, { once: true }); });
    }
    if (!window.WebAssembly || !window.DecompressionStream || !window.Worker) throw new Error(say('old-browser'));
    return packed();
}

/** The module, for all workers. It is on its way while the page is drawn: a worker unpacks and compiles it. If the browser
 * cannot run it, the first question fails with the reason. */
const shared = { module: loaded() };
shared.module.catch(() => {});

/** An engine for each tab that asks, and one for the opponent on the boards. */
export const engines = {};
for (const name of ['play', 'opponent', 'row', 'overlay', 'rows', 'find', 'verify']) {
    engines[name] = new Engine(workerAddress, shared);
}

/** Long computations, by tab: the part that is done, if it is known. */
const working = new Map();

/** Shows the progress of what is computed for this tab, with a button that stops it. */
export function drawWork() {
    at('work').hidden = !working.has(current());
    const share = working.get(current());
    if (share) at('progress').value = share;
    else at('progress').removeAttribute('value');
}

/** A person has stopped the computation. */
export class StoppedByUser extends Error {}

at('stop').onclick = () => engines[current()].stop(new StoppedByUser(say('stopped')));

/** Asks a question for a tab, in place of the question that it asked before. */
export async function askFor(tab, question) {
    const engine = engines[tab];
    if (engine.busy) engine.stop();
    let share = null;
    const draw = () => {
        working.set(tab, share);
        drawWork();
    };
    const late = setTimeout(draw, 300);
    const onShare = (now) => {
        share = now;
        if (working.has(tab)) draw();
    };
    try {
        return await engine.ask(question, onShare);
    } finally {
        clearTimeout(late);
        if (!engine.busy) working.delete(tab);
        drawWork();
    }
}

/** Shows why there is no answer, unless a newer question has been asked. */
export function showError(element, error) {
    if (error instanceof Stopped) return;
    element.replaceChildren(make('p', { className: 'error' }, error.message));
}
