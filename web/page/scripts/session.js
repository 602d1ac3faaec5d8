// A worker that runs the module: questions and answers.
import { say } from './say.js';

export class Stopped extends Error {}

/** A message of a library as a sentence. If it begins with a formula, such as f(9,8), that stays. */
function sentence(message) {
    const begun = message.replace(/^[a-z](?=[a-z]+\b(?!\())/, (letter) => letter.toUpperCase());
    return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/** A worker with a session of its own: one question after the other. */
export class Engine {
    #address;
    #shared;
    #worker = null;
    /** Whether the worker has the module. */
    #isLoaded = false;
    #waiting = new Map();
    #number = 0;

    /** With the address of the worker. Engines share the module: it is packed, or a promise of that, until one of their
     * workers has compiled it. */
    constructor(address, shared) {
        this.#address = address;
        this.#shared = shared;
    }

    /** The answer to a question. An answer with `error` is thrown. */
    async ask(question, onShare = () => {}) {
        const message = { number: ++this.#number, question };
        const answer = new Promise((resolve, reject) => {
            this.#waiting.set(message.number, { resolve, reject, onShare });
        });
        // It starts while the module is on its way.
        if (globalThis.Worker) this.#worker ??= this.#begin();
        let module;
        try {
            module = await this.#shared.module;
        } catch (error) {
            this.#waiting.delete(message.number);
            throw error;
        }
        if (this.#waiting.has(message.number)) {
            if (!this.#isLoaded) message.module = module;
            this.#isLoaded = true;
            this.#worker.postMessage(message);
        }
        const found = await answer;
        if (found.error) throw new Error(sentence(found.error));
        return found;
    }

    #begin() {
        const worker = new Worker(this.#address);
        worker.onmessage = ({ data }) => this.#hear(data);
        return worker;
    }

    /** Ends what is being computed, and forgets the session. */
    stop(reason = new Stopped()) {
        this.#worker?.terminate();
        this.#worker = null;
        this.#isLoaded = false;
        for (const { reject } of this.#waiting.values()) reject(reason);
        this.#waiting.clear();
    }

    get busy() {
        return this.#waiting.size > 0;
    }

    #hear({ compiled, number, share, answer, failed }) {
        if (compiled) this.#shared.module = compiled;
        const waiting = this.#waiting.get(number);
        if (!waiting) return;
        if (share !== undefined) {
            waiting.onShare(share);
        } else if (failed) {
            this.stop(new Error(say('failed', { why: failed })));
        } else {
            this.#waiting.delete(number);
            waiting.resolve(answer);
        }
    }
}
