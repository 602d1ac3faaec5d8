// Runs the module, so that the page never waits. Told the module first, then questions, each with a
// number; answers with that number.
'use strict';

let functions;
let number;
let shown = 0;

// How much is done, told often; shown a few times in a second.
function progress(share) {
    const now = performance.now();
    if (now - shown > 100) {
        shown = now;
        postMessage({ number, share });
    }
}

function answer(question) {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const at = functions.room(bytes.length);
    new Uint8Array(functions.memory.buffer, at, bytes.length).set(bytes);
    const length = functions.answer();
    const text = new Uint8Array(functions.memory.buffer, functions.text(), length);
    return JSON.parse(new TextDecoder().decode(text));
}

onmessage = async ({ data }) => {
    number = data.number;
    try {
        if (data.module) {
            const instance = await WebAssembly.instantiate(data.module, { page: { progress } });
            functions = (instance.instance ?? instance).exports;
        }
        postMessage({ number, answer: answer(data.question) });
    } catch (error) {
        // The module is in no state to be asked again.
        postMessage({ number, failed: String(error) });
    }
};
