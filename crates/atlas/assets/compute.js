// The module of the page, in a worker. It comes from the scripts of the page in this site.
import { packed } from './module.js';
import { Engine } from './session.js';

/** The scripts put the module here. */
globalThis.MODULES = {};

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
    engine ??= new Engine(file('worker.js'), { module: packed(file('page/')) });
    return engine.ask(question, onShare);
}
