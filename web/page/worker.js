// Runs the module, so that the page never waits. Told the module first, then questions, each with a
// number; answers with that number. A module that comes packed is told compiled, for other workers.
'use strict';

/** A promise of the functions of the module. */
let loaded;
let functions;
let number;
let shown = 0;
let told = 0;

// The finished part, told for every row; shown a few times in a second. The clock is asked at most a
// thousand times, as it takes long beside a row.
function progress(share) {
    if (Math.abs(share - told) < 0.001) return;
    told = share;
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

const imports = { page: { progress } };

// Takes the module compiled, or compressed and in base64.
async function load(module) {
    if (module instanceof WebAssembly.Module) return (await WebAssembly.instantiate(module, imports)).exports;
    const { body } = await fetch(`data:;base64,${module}`);
    const unpacked = body.pipeThrough(new DecompressionStream('gzip'));
    const response = new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } });
    const compiled = await WebAssembly.instantiateStreaming(response, imports);
    postMessage({ compiled: compiled.module });
    return compiled.instance.exports;
}

onmessage = async ({ data }) => {
    try {
        if (data.module) loaded = load(data.module);
        // A second question may come before the module is loaded. Below this line nothing waits, so
        // that the questions are answered one after the other.
        functions = await loaded;
        number = data.number;
        postMessage({ number, answer: answer(data.question) });
    } catch (error) {
        // The module is in no state to be asked again.
        postMessage({ number: data.number, failed: String(error) });
    }
};
