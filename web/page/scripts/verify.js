// Data sets are verified here, and never leave this computer.
import { askFor, showError } from './engine.js';
import { bytes } from './bytes.js';
import { at, make } from './dom.js';
import { say } from './say.js';
import { register } from './tabs.js';

async function verify(files) {
    const verdict = at('verdict');
    verdict.replaceChildren(make('p', {}, say('verifying', { n: files.length })));
    try {
        const heads = at('heads').checked;
        const found = await askFor('verify', { ask: 'verify', files, heads });
        verdict.replaceChildren(make('p', { className: `verdict ${found.verdict}` }, make('strong', {}, say(`verdict-${found.verdict}`))),
            make('pre', { className: 'broken' }, found.words));
    } catch (error) {
        showError(verdict, error);
    }
}

/** The names and bytes of the files that can belong to a data set. */
function named(files) {
    const wanted = files.filter(({ name }) => name.endsWith('.ron'));
    return Promise.all(wanted.map(async (file) => [file.name, await bytes(file)]));
}

/** The files of a folder, and of the folders in it. */
async function* filesIn(handle) {
    if (handle.kind === 'file') {
        yield await handle.getFile();
    } else {
        for await (const inner of handle.values()) yield* filesIn(inner);
    }
}

/** The same for browsers that have no handles. */
async function* filesOf(entry) {
    if (entry.isFile) {
        yield await new Promise((resolve, reject) => { entry.file(resolve, reject); });
        return;
    }
    const reader = entry.createReader();
    for (;;) {
        const some = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
        if (some.length === 0) return;
        for (const inner of some) yield* filesOf(inner);
    }
}

/** All files that were dropped, including those in folders. In a page that was opened from a folder,
 * Chromium cannot read entries, but has handles. They are taken before the first `await`, after
 * which the items are gone. */
async function dropped(transfer) {
    const items = [...transfer.items].filter(({ kind }) => kind === 'file');
    const roots = items.map((item) => (item.getAsFileSystemHandle
        ? item.getAsFileSystemHandle().then(filesIn)
        : Promise.resolve(filesOf(item.webkitGetAsEntry()))));
    const files = [];
    for (const root of roots) for await (const file of await root) files.push(file);
    return files;
}

/** Verifies files that are yet to be read. */
async function take(files) {
    try {
        await verify(await named(await files));
    } catch (error) {
        showError(at('verdict'), new Error(say('files-unread', { why: error.message })));
    }
}

const drop = at('drop');
for (const type of ['dragenter', 'dragover']) {
    drop.addEventListener(type, (event) => {
        event.preventDefault();
        drop.classList.add('over');
    });
}
drop.addEventListener('dragleave', () => drop.classList.remove('over'));
drop.addEventListener('drop', (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    take(dropped(event.dataTransfer));
});
for (const id of ['files', 'folder']) {
    at(id).onchange = async () => {
        await take(Promise.resolve([...at(id).files]));
        at(id).value = '';
    };
}
at('own-data').onclick = async () => {
    try {
        verify((await askFor('verify', { ask: 'files', to: 200 })).files);
    } catch (error) {
        showError(at('verdict'), error);
    }
};

// A file that is dropped beside the place for it must not replace the page.
for (const type of ['dragover', 'drop']) window.addEventListener(type, (event) => event.preventDefault());

register('verify', () => {});
