// A lesson of five steps. All texts are in texts.json, one object for each language.
import { at, make } from './dom.js';
import { address, register } from './tabs.js';
import { mark, squares, fit } from './board.js';

const LESSONS = TEXTS.lesson;

const lesson = { step: 0, language: null };

/** The language of the browser, if the lesson has it. */
function preferred() {
    const wanted = navigator.languages.map((language) => language.slice(0, 2));
    return wanted.find((language) => language in LESSONS) ?? 'en';
}

function drawLesson(isStep) {
    const { names, title, steps, language } = { ...LESSONS[lesson.language], language: lesson.language };
    const { heading, text, board, bite, link } = steps[lesson.step];
    at('lesson').lang = language;
    at('lesson-title').textContent = title;
    at('lesson-heading').textContent = `${lesson.step + 1}. ${heading}`;
    at('lesson-text').replaceChildren(...text.map((paragraph) => make('p', {}, paragraph)));
    at('lesson-link').replaceChildren(make('a', { href: link.to }, link.text));
    drawBoard(board, bite, names.board);
    at('lesson-back').textContent = `◀ ${names.back}`;
    at('lesson-on').textContent = `${names.on} ▶`;
    at('lesson-back').disabled = lesson.step === 0;
    at('lesson-on').disabled = lesson.step === steps.length - 1;
    at('lesson-count').textContent = `${lesson.step + 1} / ${steps.length}`;
    address('lesson', lesson.step + 1, { lang: language }, isStep);
}

function drawBoard(lengths, bite, label) {
    const board = at('lesson-board');
    board.setAttribute('aria-label', `${label}: ${lengths.join(', ')}`);
    fit(board, Math.max(8, lengths[0]));
    board.replaceChildren(...lengths.map((length, index) =>
        make('div', { className: 'line' }, ...squares('span', index + 1, length, lengths[0]))));
    if (bite) mark(board, { row: bite[0], column: bite[1] }, 'aimed');
}

function move(by) {
    lesson.step += by;
    drawLesson(true);
    at('lesson-heading').focus();
}

at('lesson-back').onclick = () => move(-1);
at('lesson-on').onclick = () => move(1);

const languages = at('lesson-language');
languages.replaceChildren(...Object.entries(LESSONS).map(([value, { name }]) => make('option', { value, lang: value }, name)));
languages.onchange = () => {
    lesson.language = languages.value;
    drawLesson(false);
};

register('lesson', (what, { lang } = {}) => {
    lesson.language = lang in LESSONS ? lang : lesson.language ?? preferred();
    const { length } = LESSONS[lesson.language].steps;
    if (what) lesson.step = Math.min(length, Math.max(1, Math.floor(Number(what)) || 1)) - 1;
    languages.value = lesson.language;
    drawLesson(false);
});
