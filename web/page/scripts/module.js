// The module of the page, as scripts have it: a page that is opened from its folder may load scripts,
// but read no files. Each sets a part of MODULES.
import { make } from './dom.js';
import { say } from './say.js';
import { hasVectors } from './vectors.js';

/** What a script of this name has; the page that is one file has it in itself. */
export async function fromScript(name, folder = '') {
    if (!MODULES[name]) {
        const script = make('script', { src: `${folder}${name}.js` });
        await new Promise((resolve, reject) => {
            script.onload = resolve;
            script.onerror = () => reject(new Error(say('file-missing', { file: `${folder}${name}.js` })));
            document.head.append(script);
        });
    }
    return MODULES[name];
}

/** The module, compiled: with vector instructions, if the browser has them. The page that is one file has
 * the one without. */
export async function compile(folder = '') {
    const packed = await fromScript(MODULES.scalars || !hasVectors() ? 'scalars' : 'vectors', folder);
    const { body } = await fetch(`data:;base64,${packed}`);
    const unpacked = body.pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compileStreaming(new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } }));
}
