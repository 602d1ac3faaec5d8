// A form for each question of the crate ask: names, arguments and texts are those of the crate.
import { at, make } from './dom.js';
import { askFor, showError } from './engine.js';
import { QUESTIONS } from './questions.js';
import { say } from './say.js';
import { address, register } from './tabs.js';

const asksFor = () => QUESTIONS.find(({ name }) => name === at('table-question').value);
const argumentInputs = () => [...at('table-fields').querySelectorAll('[name]')];

/** The field of an argument: a list if it has few values. */
function argumentField({ name, about, choices, example }) {
    const input = choices.length > 0
        ? make('select', { name }, ...['', ...choices].map((choice) => make('option', {}, choice)))
        : make('input', { name, size: 12, value: example ?? '', autocomplete: 'off', spellcheck: false });
    return make('label', { title: about }, `${name} `, input, ' ');
}

function showArguments() {
    const { about, fields } = asksFor();
    at('table-fields').replaceChildren(...fields.map(argumentField));
    const lines = fields.map(({ name, about: what }) => `${name}: ${what}`);
    at('table-note').replaceChildren(about, ...lines.flatMap((line) => [make('br'), line]));
    at('table-answer').replaceChildren();
}

/** The arguments that were typed. */
const typedArguments = () => Object.fromEntries(
    argumentInputs().map(({ name, value }) => [name, value.trim()]).filter(([, value]) => value));

/** The question as the module takes it. What should be a number and is none stays a text, which the module refuses. */
function typedQuestion() {
    const numbers = asksFor().fields.filter(({ isNumber }) => isNumber).map(({ name }) => name);
    const value = (name, text) => (numbers.includes(name) && /^\d{1,15}$/.test(text) ? Number(text) : text);
    const given = Object.entries(typedArguments()).map(([name, text]) => [name, value(name, text)]);
    return { ask: asksFor().name, ...Object.fromEntries(given) };
}

async function askTable(isStep) {
    address('ask', asksFor().name, typedArguments(), isStep);
    at('table-answer').replaceChildren(make('p', { className: 'note', role: 'status' }, say('searching')));
    try {
        const { words, lacks, answer: object } = await askFor('find', { ask: 'table', question: typedQuestion() });
        at('table-answer').replaceChildren(
            make('pre', { className: 'whole' }, words || lacks),
            make('details', {}, make('summary', {}, say('as-json')), make('pre', { className: 'broken' }, JSON.stringify(object, null, 2))));
        if (words && lacks) at('table-answer').prepend(make('p', { className: 'note' }, lacks));
    } catch (error) {
        showError(at('table-answer'), error);
    }
}

at('table-question').append(...QUESTIONS.map(({ name }) => make('option', {}, name)));
at('table-question').onchange = showArguments;
showArguments();

at('ask-table').onsubmit = (event) => {
    event.preventDefault();
    askTable(true);
};

register('ask', (what, given) => {
    if (QUESTIONS.some(({ name }) => name === what)) at('table-question').value = what;
    showArguments();
    for (const input of argumentInputs()) input.value = given[input.name] ?? '';
    askTable(false);
});
