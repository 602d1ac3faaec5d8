// The module of the page, in a worker. Module and worker are files of the site.
import { Engine } from './session.js';

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
        const module = await (await fetched(file('module.wasm'))).arrayBuffer();
        engine ??= new Engine(file('worker.js'), module);
    }
    return engine.ask(question, onShare);
}
