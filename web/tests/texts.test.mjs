// All that a visitor reads is in web/page/texts.json: index.html and the scripts have names of texts. Run
// by .ci/web; MODULES has acorn, which parses the scripts.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const require = createRequire(join(resolve(process.env.MODULES), 'package.json'));
const acorn = require('acorn');

const page = fileURLToPath(new URL('../page/', import.meta.url));
const read = (name) => readFileSync(join(page, name), 'utf8');
const { page: ofPage, says } = JSON.parse(read('texts.json'));

/** The nodes of a syntax tree, each after those that it is within. */
function* nodesIn(node, path = []) {
    yield { node, path };
    for (const inner of Object.values(node).flat()) {
        if (typeof inner?.type === 'string') yield* nodesIn(inner, [...path, node]);
    }
}

// The texts of questions.js are those of the crate ask.
const scripts = readdirSync(join(page, 'scripts')).filter((name) => name !== 'questions.js').map((name) => {
    const tree = acorn.parse(read(`scripts/${name}`), { ecmaVersion: 'latest', sourceType: 'module' });
    return { name, nodes: [...nodesIn(tree)] };
});

/** Keys of the keyboard, parts of dates and commands, and words of the module: no texts of the page. */
const NO_TEXTS = new Set([
    'ArrowRight', 'ArrowLeft', 'ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', 'P', 'M',
    'Content-Type', 'DOMContentLoaded', 'T00:00:00.000Z', 'chomp query ', '--all ', '(prefers-reduced-motion: reduce)',
    'a P-', 'a theorem', 'instant winner',
]);

const keyOf = ({ key }) => key.name ?? key.value;

/** Where a string is code: the names of classes and modules, drawings, and what is looked for in the page. */
function isCode(path) {
    const parent = path.at(-1);
    return parent.type === 'ImportDeclaration'
        || path.some((outer) => outer.type === 'Property' && ['className', 'class', 'viewBox'].includes(keyOf(outer)))
        || ['querySelector', 'querySelectorAll', 'closest', 'replace'].includes(parent.callee?.property?.name);
}

/** Where a string is shown: the content of an element, its title and its name. */
function isShown(node, path) {
    const parent = path.at(-1);
    const shown = ['textContent', 'title', 'placeholder', 'aria-label'];
    return (parent.callee?.name === 'make' && parent.arguments.indexOf(node) > 1)
        || (parent.type === 'Property' && parent.value === node && shown.includes(keyOf(parent)))
        || (parent.type === 'AssignmentExpression' && shown.includes(parent.left.property?.name));
}

/** Two words, or one that begins with a capital letter or ends like a sentence. */
const isSentence = (text) => /\p{L}\p{P}?\s+\p{P}?\p{L}/u.test(text) || /^\s*\p{Lu}/u.test(text) || /\p{L}[.:?!]?\s$/u.test(text);

test('the scripts have no texts of their own', () => {
    const found = scripts.flatMap(({ name, nodes }) => nodes.flatMap(({ node, path }) => {
        const isPart = node.type === 'TemplateElement';
        const text = isPart ? node.value.cooked : node.value;
        if (typeof text !== 'string' || NO_TEXTS.has(text) || !/\p{L}/u.test(text)) return [];
        const [string, place] = isPart ? [path.at(-1), path.slice(0, -1)] : [node, path];
        return isShown(string, place) || (isSentence(text) && !isCode(place)) ? [`${name}: ${JSON.stringify(text)}`] : [];
    }));
    assert.deepEqual(found, []);
});

/** The slots of a text, which may have two forms. */
const slots = (text) => [...[text].flat().join().matchAll(/\{(\w+)\}/g)].map(([, slot]) => slot);

/** The values that an expression chooses from. */
const choices = (node) => (node.type === 'ConditionalExpression' ? [node.consequent, node.alternate].flatMap(choices) : [node]);

test('each text of the scripts is there, with its slots, and is used', () => {
    const used = new Set(scripts.flatMap(({ nodes }) => nodes.map(({ node }) => node.value)));
    const beginnings = [];
    const faults = [];
    for (const { name, nodes } of scripts) {
        for (const { node } of nodes) {
            const called = node.type === 'CallExpression' && node.callee.name;
            if (called !== 'say' && called !== 'sayOf') continue;
            const [asked, told] = node.arguments;
            const keys = told?.properties?.every(({ key }) => key) ? told.properties.map(keyOf) : null;
            for (const part of choices(asked)) {
                if (part.type === 'TemplateLiteral') beginnings.push(part.quasis[0].value.cooked);
                if (part.type !== 'Literal') continue;
                if (called === 'sayOf') beginnings.push(`${part.value}-`);
                else if (!says[part.value]) faults.push(`${name}: ${part.value}`);
                else if (keys) faults.push(...slots(says[part.value]).filter((slot) => !keys.includes(slot)).map((slot) => `${part.value}: {${slot}}`));
            }
        }
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(Object.keys(says).filter((name) => !used.has(name) && !beginnings.some((part) => part && name.startsWith(part))), []);
});

test('index.html has names of texts, and no texts', () => {
    const html = read('index.html');
    const named = [...html.matchAll(/\{\{(.*?)\}\}/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(named)].sort(), Object.keys(ofPage).sort());
    const shown = html.replace(/<a [^>]*>.*?<\/a>/g, '').replace(/<style.*?<\/style>/gs, '')
        .replace(/\{\{.*?\}\}/g, '').replace(/<[^>]*>/g, '').match(/\p{L}+/gu);
    // The title of the window and the heading.
    assert.deepEqual(shown, ['Chomp', 'Chomp']);
    const attributes = [...html.matchAll(/ (?:aria-label|title|placeholder|alt)="([^"]*)"/g)].map(([, value]) => value);
    assert.deepEqual(attributes.filter((value) => !/^\{\{.*\}\}$/.test(value)), []);
});
