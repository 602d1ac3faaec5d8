// The module of the page, as scripts have it: a page that is opened from its folder may load scripts,
// but read no files. Each sets a part of MODULES.
import { make } from './dom.js';
import { say } from './say.js';

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

/** The module, compressed and in base64. */
export const packed = (folder = '') => fromScript('module', folder);
