// The module of the page, in a worker, with vector instructions if the browser has them. Modules and
// worker are files of the site.
import { Engine } from './session.js';
import { hasVectors } from './vectors.js';

const file = (name) => new URL(name, import.meta.url);

/** The answer of a server; an error if it has none. */
export async function fetched(url, options = {}) {
    const response = await fetch(url, options);
    if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
    return response;
}

let engine = null;

/** The answer to a question. */
export async function ask(question, onShare) {
    if (!engine) {
        const name = hasVectors() ? 'module-vectors.wasm' : 'module.wasm';
        const module = await (await fetched(file(name))).arrayBuffer();
        engine ??= new Engine(file('worker.js'), module);
    }
    return engine.ask(question, onShare);
}
