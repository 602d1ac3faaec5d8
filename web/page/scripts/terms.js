// Technical terms link to short explanations: a dialog that the keyboard can close.
import { at, make } from './dom.js';
import { TEXTS } from './texts.js';

const TERMS = TEXTS.terms;

/** A link that explains a term. */
function link(text, { title, says }) {
    const button = make('button', { type: 'button', className: 'term' }, text);
    button.setAttribute('aria-haspopup', 'dialog');
    button.onclick = () => {
        at('term-title').textContent = title;
        at('term-says').textContent = says;
        at('term').showModal();
    };
    return button;
}

const names = TERMS.flatMap((term) => term.names.map((name) => [name, term]));
const byName = new Map(names);
const escaped = [...byName.keys()].sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
const pattern = new RegExp(`(?<![\\w-])(${escaped.join('|')})(?![\\w-])`);

/** The parts of a text; the first use of each term in it is a link. */
export function withTerms(text, seen = new Set()) {
    const parts = [];
    let rest = text;
    while (rest) {
        const found = pattern.exec(rest);
        if (!found) break;
        const [name] = found;
        const term = byName.get(name);
        parts.push(rest.slice(0, found.index), seen.has(term) ? name : link(name, term));
        seen.add(term);
        rest = rest.slice(found.index + name.length);
    }
    return [...parts, rest];
}

/** Makes links in the initial text of the page. */
export function linkTerms() {
    for (const element of document.querySelectorAll('[data-terms]')) {
        const seen = new Set();
        for (const node of [...element.childNodes]) {
            if (node.nodeType === Node.TEXT_NODE) node.replaceWith(...withTerms(node.data, seen));
        }
    }
}

at('term-close').onclick = () => at('term').close();
