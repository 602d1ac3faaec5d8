// The module of the page, in workers: questions and answers.
import { at, make } from './dom.js';
import { current } from './tabs.js';

const decoded = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const workerAddress = URL.createObjectURL(
    new Blob([decoded(ENGINE.worker)], { type: 'text/javascript' }));

/** The module. If the browser cannot run it, the first question fails with the reason. */
const moduleBytes = (async () => {
    if (!window.WebAssembly || !window.DecompressionStream || !window.Worker) {
        throw new Error('This browser cannot compute here: the page needs WebAssembly, workers and DecompressionStream, which Firefox 113, Chrome 80 and Safari 16.4 have. Your browser is older.');
    }
    const packed = new Blob([decoded(ENGINE.module)]);
    const unpacked = packed.stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(unpacked).arrayBuffer();
})();
moduleBytes.catch(() => {});

export class Stopped extends Error {}

/** A worker with a session of its own: one question after the other. */
export class Engine {
    #worker = null;
    #waiting = new Map();
    #number = 0;

    /** The answer to a question. An answer with `error` is thrown. */
    async ask(question, onShare = () => {}) {
        const message = { number: ++this.#number, question };
        const answer = new Promise((resolve, reject) => {
            this.#waiting.set(message.number, { resolve, reject, onShare });
        });
        let bytes;
        try {
            bytes = await moduleBytes;
        } catch (error) {
            this.#waiting.delete(message.number);
            throw error;
        }
        if (this.#waiting.has(message.number)) {
            if (!this.#worker) {
                this.#worker = new Worker(workerAddress);
                this.#worker.onmessage = ({ data }) => this.#hear(data);
                message.module = bytes;
            }
            this.#worker.postMessage(message);
        }
        const found = await answer;
        if (found.error) throw new Error(found.error);
        return found;
    }

    /** Ends the computation, and drops the session. */
    stop(reason = new Stopped()) {
        this.#worker?.terminate();
        this.#worker = null;
        for (const { reject } of this.#waiting.values()) reject(reason);
        this.#waiting.clear();
    }

    get busy() {
        return this.#waiting.size > 0;
    }

    #hear({ number, share, answer, failed }) {
        const waiting = this.#waiting.get(number);
        if (!waiting) return;
        if (share !== undefined) {
            waiting.onShare(share);
        } else if (failed) {
            this.stop(new Error(`The computation has failed: ${failed}. Try something smaller.`));
        } else {
            this.#waiting.delete(number);
            waiting.resolve(answer);
        }
    }
}

/** An engine for each tab that asks. */
export const engines = {};
for (const name of ['play', 'position', 'row', 'overlay', 'rows', 'verify']) {
    engines[name] = new Engine();
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

at('stop').onclick = () => engines[current()].stop(new Error('Stopped.'));

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
