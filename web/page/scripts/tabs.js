// Tabs and addresses. The address behind the # names the tab, what it shows, and the rest of its
// state: #play=7,7,7&bites=3.5,2.1&with=fair. So reload and Back work, and a link can be copied.
import { at } from './dom.js';
import { say } from './say.js';

const tabs = [...document.querySelectorAll('[role=tab]')];
const nameOf = (tab) => tab.id.replace('tab-', '');

/** How each name of an address is shown: what, and the rest by name. */
const openers = new Map();
/** The functions that run after every change of tab. */
const listeners = [];

let tabShown = 'play';
/** The last address of each tab, and the state that it names. */
const last = new Map();
const states = new Map();

/** Names of addresses that share the tab of another. */
const SHARED = { position: 'play', daily: 'play', ask: 'find' };
const tabOf = (name) => SHARED[name] ?? name;

/** The name of the tab that is shown. */
export const current = () => tabShown;

export function register(name, open) {
    openers.set(name, open);
}

export function onShow(listener) {
    listeners.push(listener);
}

/** Names what a tab shows, in the title of the window. */
function entitle(tab) {
    const { name, what, rest } = states.get(tab) ?? {};
    const told = { what: String(what).slice(0, 60), level: rest?.level };
    const title = what === undefined || what === '' ? at(`tab-${tab}`).textContent
        : say(told.level ? 'title-row-of-level' : `title-${name}`, told);
    document.title = say('title', { title });
}

/** Text for an address, in which readable characters are not escaped. */
const encoded = (text) => encodeURIComponent(text).replace(/%(2C|5E|5B|5D|28|29|3A|40|2F|CF%89)/g, decodeURIComponent);

function unescaped(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

function addressOf(name, what, rest) {
    const more = Object.entries(rest).filter(([, value]) => value !== undefined && value !== '');
    const first = what === undefined || what === '' ? name : `${name}=${encoded(String(what))}`;
    return `#${[first, ...more.map(([key, value]) => `${key}=${encoded(String(value))}`)].join('&')}`;
}

/** Puts the state of a tab into the address: a new entry of the history, if Back should undo it. */
export function address(name, what, rest = {}, isStep = false) {
    const text = addressOf(name, what, rest);
    const tab = tabOf(name);
    last.set(tab, text);
    states.set(tab, { name, what, rest });
    if (tab === tabShown) entitle(tab);
    if (tab !== tabShown || text === location.hash) return;
    if (isStep) history.pushState(null, '', text);
    else history.replaceState(null, '', text);
}

let later;

/** Changes a part of the state of a tab, which Back does not undo. Browsers refuse an address that
 * changes too often, so it changes when the state has rested. */
export function amend(name, part) {
    const { what, rest } = states.get(name);
    Object.assign(rest, part);
    last.set(name, addressOf(name, what, rest));
    clearTimeout(later);
    later = setTimeout(() => {
        if (name === tabShown) history.replaceState(null, '', last.get(name));
    }, 300);
}

/** Goes to a state, as a link to it does. */
export function go(name, what, rest = {}) {
    history.pushState(null, '', addressOf(name, what, rest));
    follow();
}

/** Old names of tabs, in links that people have kept. */
const RENAMED = { boards: 'position' };

/** Shows what the address names. */
export function follow() {
    const [first, ...rest] = location.hash.slice(1).split('&');
    const [typed, what] = first.split(/=(.*)/s);
    const asked = RENAMED[typed] ?? typed;
    const name = openers.has(asked) ? asked : 'play';
    const pairs = rest.map((part) => part.split(/=(.*)/s).slice(0, 2).map((text = '') => unescaped(text)));
    last.set(tabOf(name), location.hash || `#${name}`);
    show(tabOf(name));
    openers.get(name)(what === undefined ? undefined : unescaped(what), Object.fromEntries(pairs));
}

function show(name) {
    tabShown = name;
    for (const tab of tabs) {
        const chosen = nameOf(tab) === name;
        tab.setAttribute('aria-selected', chosen);
        tab.tabIndex = chosen ? 0 : -1;
        at(tab.getAttribute('aria-controls')).hidden = !chosen;
        if (chosen) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
    // Hidden when the page is loaded: the first tab is not laid out in vain.
    document.querySelector('main').hidden = false;
    entitle(name);
    for (const listener of listeners) listener();
}

for (const tab of tabs) {
    tab.onclick = () => {
        const name = nameOf(tab);
        history.pushState(null, '', last.get(name) ?? `#${name}`);
        follow();
    };
    tab.onkeydown = (event) => {
        const here = tabs.indexOf(tab);
        const goal = { ArrowRight: here + 1, ArrowLeft: here - 1, Home: 0, End: -1 }[event.key];
        if (goal === undefined) return;
        event.preventDefault();
        const next = tabs.at(goal % tabs.length);
        next.focus();
        next.click();
    };
}

// A link within the page, too, fires popstate.
window.addEventListener('popstate', follow);

/** Copies a text, or shows it: some browsers refuse pages that were opened from a folder. */
export async function copy(text, said) {
    try {
        await navigator.clipboard.writeText(text);
        said.textContent = say('copied');
    } catch {
        said.textContent = text;
    }
    setTimeout(() => { said.textContent = ''; }, 8000);
}

at('copy-link').onclick = () => copy(location.href, at('copied'));
