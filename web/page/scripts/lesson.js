// A lesson that one plays: five steps, each with a bar on which the reader bites and the program answers, and says why.
// The texts are in texts.json. There [words](2.7) is a link that bites row 2, square 7.
import { at, make, pause } from './dom.js';
import { address, go, register } from './tabs.js';
import { bitten, isBite, isOver, isP, mark, playable, squareOf, written } from './board.js';
import { engines } from './engine.js';
import { filled } from './say.js';
import { Stopped } from './session.js';
import { TEXTS } from './texts.js';

const LESSON = TEXTS.lesson;

/** The step, what is left of its bar, and a reply of the program with which one could have begun. */
const lesson = { step: 0, lengths: [], stolen: null, number: 0 };

const lessonBoard = at('lesson-board');
const drawLesson = playable(lessonBoard, (square) => biteInLesson(square));

function teach(status, why = '') {
    at('lesson-status').textContent = status;
    at('lesson-why').textContent = why;
    // On a telephone they are below the text, which has links that bite.
    if (lesson.lengths !== LESSON.steps[lesson.step].board) at('lesson-status').parentElement.scrollIntoView({ block: 'nearest' });
}

/** A paragraph, whose links bite. */
function paragraph(text) {
    const parts = text.split(/\[([^\]]*)\]\((\d+)\.(\d+)\)/);
    const nodes = [];
    while (parts.length > 1) {
        const [before, words, row, column] = parts.splice(0, 4);
        const bite = `${row}.${column}`;
        const onclick = (event) => {
            event.preventDefault();
            go('lesson', lesson.step + 1, { bite });
        };
        nodes.push(before, make('a', { href: `#lesson=${lesson.step + 1}&bite=${bite}`, onclick }, words));
    }
    return make('p', {}, ...nodes, ...parts);
}

function drawStep(isStep, bite) {
    const { heading, text, link } = LESSON.steps[lesson.step];
    at('lesson-title').textContent = LESSON.title;
    at('lesson-heading').textContent = `${lesson.step + 1}. ${heading}`;
    at('lesson-text').replaceChildren(...text.map(paragraph));
    at('lesson-link').replaceChildren(make('a', { href: link.to }, link.text));
    at('lesson-back').disabled = lesson.step === 0;
    at('lesson-on').disabled = lesson.step === LESSON.steps.length - 1;
    at('lesson-count').textContent = `${lesson.step + 1} / ${LESSON.steps.length}`;
    address('lesson', lesson.step + 1, { bite }, isStep);
    lesson.stolen = null;
    beginStep();
    const [row, column] = (bite ?? '').split('.').map(Number);
    if (isBite(lesson.lengths, { row, column })) biteInLesson({ row, column });
}

/** Puts the whole bar back. */
function beginStep() {
    lesson.number += 1;
    lesson.lengths = LESSON.steps[lesson.step].board;
    drawBar(true);
    teach(lesson.stolen ? LESSON.says.steal : LESSON.says.begin);
    if (lesson.stolen) mark(lessonBoard, lesson.stolen, 'reply');
}

function drawBar(isOpen) {
    drawLesson(lesson.lengths, { bar: LESSON.steps[lesson.step].board, isOpen: isOpen && !isOver(lesson.lengths) });
    at('lesson-again').disabled = lesson.lengths === LESSON.steps[lesson.step].board;
}

async function biteInLesson({ row, column }) {
    const { board: bar, good, bad } = LESSON.steps[lesson.step];
    const number = ++lesson.number;
    lesson.lengths = bitten(lesson.lengths, row, column);
    drawBar(false);
    if (isOver(lesson.lengths)) return teach(LESSON.says.won);
    teach(LESSON.says.thinks);
    const text = written(lesson.lengths);
    try {
        const found = await engines.opponent.ask({ ask: 'position', text });
        const reply = await engines.opponent.ask({ ask: 'reply', text, strength: 'perfect', chance: 0 });
        if (number !== lesson.number) return undefined;
        const square = squareOf(reply);
        mark(lessonBoard, square, 'reply');
        await pause(700);
        if (number !== lesson.number) return undefined;
        const left = bitten(lesson.lengths, square.row, square.column);
        const isStolen = !isP(found) && bitten(bar, square.row, square.column).join() === left.join();
        lesson.stolen = isStolen ? square : null;
        const told = { left: written(lesson.lengths), reply: written(left) };
        lesson.lengths = left;
        drawBar(true);
        return teach(isOver(left) ? LESSON.says.lost : LESSON.says.turn, filled(isP(found) ? good : bad, told));
    } catch (error) {
        return error instanceof Stopped ? undefined : teach(error.message);
    }
}

function goStep(by) {
    lesson.step += by;
    drawStep(true);
    at('lesson-heading').focus();
}

at('lesson-back').onclick = () => goStep(-1);
at('lesson-on').onclick = () => goStep(1);
at('lesson-again').onclick = beginStep;

register('lesson', (what, { bite } = {}) => {
    if (what) lesson.step = Math.min(LESSON.steps.length, Math.max(1, Math.floor(Number(what)) || 1)) - 1;
    drawStep(false, bite);
});
