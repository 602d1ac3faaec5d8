// The module of the page, in workers: questions and answers.
import { at, make } from './dom.js';
import { compile } from './module.js';
import { say } from './say.js';
import { Engine, Stopped } from './session.js';
import { current } from './tabs.js';

const workerText = Uint8Array.from(atob(ENGINE.worker), (letter) => letter.charCodeAt(0));
const workerAddress = URL.createObjectURL(new Blob([workerText], { type: 'text/javascript' }));

/** Waits until the page has been drawn, or is in a tab that is not drawn. */
async function drawn() {
    if (document.readyState !== 'complete') {
        await new Promise((resolve) => { window.addEventListener('load', resolve, { once: true }); });
    }
    await new Promise((resolve) => {
        requestAnimationFrame(() => setTimeout(resolve));
        setTimeout(resolve, 300);
    });
}

/** The module, compiled once for all workers. If the browser cannot run it, the first question fails with
 * the reason. */
const compiled = (async () => {
    if (!window.WebAssembly || !window.DecompressionStream || !window.Worker) {
        throw new Error(say('old-browser'));
    }
    await drawn();
    return compile();
})();
compiled.catch(() => {});

/** An engine for each tab that asks, and one for the opponent on the boards. */
export const engines = {};
for (const name of ['play', 'opponent', 'row', 'overlay', 'rows', 'find', 'verify']) {
    engines[name] = new Engine(workerAddress, compiled);
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
