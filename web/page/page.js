// What the page does. It computes nothing about Chomp: it asks the module (engine.js, in a worker)
// and shows the answers.
'use strict';

const at = (id) => document.getElementById(id);

/** An element with properties and children. */
function make(name, properties = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
        if (key.includes('-') || key === 'role') element.setAttribute(key, value);
        else element[key] = value;
    }
    element.append(...children);
    return element;
}

// ---------------------------------------------------------------------------------------------
// The module, in workers.

const decoded = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

const workerAddress = URL.createObjectURL(
    new Blob([decoded(ENGINE.worker)], { type: 'text/javascript' }));

const moduleBytes = (async () => {
    const packed = new Blob([decoded(ENGINE.module)]);
    const unpacked = packed.stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(unpacked).arrayBuffer();
})();

class Stopped extends Error {}

/** A worker with a session of its own: one question after the other. */
class Engine {
    #worker = null;
    #waiting = new Map();
    #number = 0;

    /** The answer to a question. An answer with `error` is thrown. */
    async ask(question, onShare = () => {}) {
        const message = { number: ++this.#number, question };
        const answer = new Promise((resolve, reject) => {
            this.#waiting.set(message.number, { resolve, reject, onShare });
        });
        const bytes = await moduleBytes;
        if (this.#waiting.has(message.number)) {
            if (!this.#worker) {
                this.#worker = new Worker(workerAddress);
                this.#worker.onmessage = ({ data }) => this.#hear(data);
                message.module = bytes;
            }
            this.#worker.postMessage(message);
        }
        const found = await answer;
        if (found.error) throw new Error(found.error);
        return found;
    }

    /** Ends what is being computed, and forgets the session. */
    stop(reason = new Stopped()) {
        this.#worker?.terminate();
        this.#worker = null;
        for (const { reject } of this.#waiting.values()) reject(reason);
        this.#waiting.clear();
    }

    get busy() {
        return this.#waiting.size > 0;
    }

    #hear({ number, share, answer, failed }) {
        const waiting = this.#waiting.get(number);
        if (!waiting) return;
        if (share !== undefined) {
            waiting.onShare(share);
        } else if (failed) {
            this.stop(new Error(`The computation has failed: ${failed}. Try something smaller.`));
        } else {
            this.#waiting.delete(number);
            waiting.resolve(answer);
        }
    }
}

const engines = {};
for (const name of ['play', 'position', 'row', 'rows', 'boards', 'verify']) {
    engines[name] = new Engine();
}

/** The tab that is shown. */
let shown = 'play';

/** What takes long, by tab: how much of it is done, as far as that is known. */
const working = new Map();

/** Shows the progress of what is computed for this tab, with a button that stops it. */
function drawWork() {
    at('work').hidden = !working.has(shown);
    const share = working.get(shown);
    if (share) at('progress').value = share;
    else at('progress').removeAttribute('value');
}

at('stop').onclick = () => engines[shown].stop(new Error('Stopped.'));

/** Asks for what is to be shown in a tab, instead of what was asked for before. */
async function askFor(tab, question) {
    const engine = engines[tab];
    if (engine.busy) engine.stop();
    let share = null;
    const draw = () => {
        working.set(tab, share);
        drawWork();
    };
    const late = setTimeout(draw, 300);
    const onShare = (now) => {
        share = now;
        if (working.has(tab)) draw();
    };
    try {
        return await engine.ask(question, onShare);
    } finally {
        clearTimeout(late);
        if (!engine.busy) working.delete(tab);
        drawWork();
    }
}

/** Shows why there is no answer; nothing, if something newer was asked. */
function showError(element, error) {
    if (error instanceof Stopped) return;
    element.replaceChildren(make('p', { className: 'error' }, error.message));
}

// ---------------------------------------------------------------------------------------------
// Tabs. The address names the tab and what it shows: #row=120.

const tabs = [...document.querySelectorAll('[role=tab]')];
const nameOf = (tab) => tab.id.replace('tab-', '');

function show(name) {
    shown = name;
    drawWork();
    for (const tab of tabs) {
        const chosen = nameOf(tab) === name;
        tab.setAttribute('aria-selected', chosen);
        tab.tabIndex = chosen ? 0 : -1;
        at(tab.getAttribute('aria-controls')).hidden = !chosen;
        if (chosen) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    }
}

for (const tab of tabs) {
    tab.onclick = () => {
        history.pushState(null, '', `#${nameOf(tab)}`);
        follow();
    };
    tab.onkeydown = (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
        next.focus();
        next.click();
    };
}

/** Puts what a tab shows into the address, without asking for it again. */
function address(tab, what) {
    if (tab === shown) history.replaceState(null, '', `#${tab}=${what}`);
}

const open = {
    play() {},
    position(what) {
        if (what) at('position-text').value = what;
        if (what || !at('position-answer').firstChild) askPosition();
    },
    row(what) {
        if (what) at('row-number').value = what;
        if (what || !at('row-answer').firstChild) askRow();
    },
    rows() {
        if (at('rows-answer').hidden) askRows();
    },
    boards(what) {
        if (what) at('board-text').value = what;
        if (what || !at('board-figure').firstChild) askBoard();
    },
    verify() {},
};

function follow() {
    const [name, what] = place().split(/=(.*)/s);
    const known = name in open ? name : 'play';
    show(known);
    open[known](what);
}

/** The address behind the #. */
function place() {
    const text = location.hash.slice(1);
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

window.addEventListener('popstate', follow);

// ---------------------------------------------------------------------------------------------
// Positions as boards, with squares. Rows and columns are counted from 1.

const ROWS = ['top', 'middle', 'bottom'];
const written = (lengths) => `(${lengths.join(',')})`;

/** What a row of a position with these lengths is called. */
const called = (row, lengths) => (lengths.length > 3 ? `row ${row}` : `${ROWS[row - 1]} row`);

/** Whether an answer says P. */
const isP = ({ outcome }) => outcome === 'P';

/** Of row `row`; rows that are gone have the length 0. */
const lengthOf = (lengths, row) => lengths[row - 1] ?? '0';

/** What a bite leaves. */
function bitten(lengths, row, column) {
    return lengths.map((length, index) => (index + 1 < row ? length : Math.min(length, column - 1)));
}

/** The square in which a bite is. */
function squareOf({ bitten: row, leaves }) {
    return { row, column: Number(lengthOf(leaves, row)) + 1 };
}

/** Marks the squares that a bite at `square` would take. */
function mark(board, square, name) {
    for (const element of board.querySelectorAll('[data-column]')) {
        const taken = square && Number(element.dataset.row) >= square.row
            && Number(element.dataset.column) >= square.column
            && element.classList.contains('there');
        element.classList.toggle(name, Boolean(taken));
    }
}

/** The squares of one row, to a column; those up to its length are there. */
function squares(element, row, length, columns) {
    return Array.from({ length: columns }, (_, index) => {
        const square = make(element, { className: 'square' });
        square.dataset.row = row;
        square.dataset.column = index + 1;
        if (index < length) square.classList.add('there');
        if (row === 1 && index === 0) square.classList.add('poison');
        return square;
    });
}

/** As large as the board has room for. */
function fit(board, columns) {
    board.style.setProperty('--columns', columns);
}

// ---------------------------------------------------------------------------------------------
// Play.

const LONGEST = 60;

const game = { past: [], lengths: [7, 7, 7], start: [7, 7, 7], columns: 7, waiting: false, number: 0, focus: null };

const over = () => game.lengths.join() === '1,0,0';

function say(text) {
    at('play-status').textContent = text;
}

function drawGame() {
    const board = at('play-board');
    const focused = document.activeElement;
    if (board.contains(focused)) game.focus = { ...focused.dataset };
    else if (focused !== document.body) game.focus = null;
    fit(board, game.columns);
    const lines = game.lengths.map((length, index) => {
        if (index > 0 && game.start[index] === 0) return '';
        const line = squares('button', index + 1, length, game.start[index]);
        line.forEach((square, column) => nameSquare(square, index + 1, column + 1));
        return make('div', { className: 'line' }, ...line);
    });
    board.replaceChildren(...lines);
    // While the program thinks there is no square to focus; then the one from before, or the last
    // that is left in its row.
    const left = [...board.querySelectorAll('button:not(:disabled)')];
    const { row, column } = game.focus ?? {};
    const next = left.findLast(({ dataset }) => dataset.row === row && Number(dataset.column) <= Number(column)) ?? left[0];
    if (next) next.tabIndex = 0;
    if (game.focus) next?.focus();
    const entry = (move) => make('li', {}, move);
    at('moves').replaceChildren(...game.past.map(({ said }) => entry(said)));
    at('undo').disabled = game.waiting || !game.past.some(({ by }) => by === 'you');
    at('hint').disabled = game.waiting || over();
}

function nameSquare(square, row, column) {
    const there = square.classList.contains('there');
    const poison = square.classList.contains('poison');
    square.tabIndex = -1;
    square.type = 'button';
    square.disabled = !there || poison || game.waiting || over();
    const left = written(bitten(game.lengths, row, column));
    const what = poison ? 'poisoned' : there ? `a bite here leaves ${left}` : 'bitten';
    square.setAttribute('aria-label', `row ${row}, square ${column}: ${what}`);
    if (!square.disabled) square.title = `leaves ${left}`;
}

/** A move in a row, for the list of moves. */
function move(by, lengths, row) {
    const who = by === 'you' ? 'You bite' : 'The program bites';
    const said = `${who} in the ${called(row, lengths)} and ${by === 'you' ? 'leave' : 'leaves'} ${written(lengths)}`;
    game.past.push({ by, lengths: game.lengths, said });
    game.lengths = lengths;
}

function finish(loser) {
    drawGame();
    const last = 'Only the poison is left';
    say(loser === 'program' ? `${last}, and the program must take it. You win!`
        : `${last}, and it is your turn. The program wins; Undo takes your last bite back.`);
    at('play-board').classList.toggle('won', loser === 'program');
    at('play-board').classList.toggle('lost', loser === 'you');
}

async function programMoves() {
    const { number } = game;
    game.waiting = true;
    drawGame();
    say('The program thinks.');
    try {
        const [reply] = await Promise.all([
            engines.play.ask({ ask: 'reply', text: written(game.lengths) }),
            new Promise((resolve) => { setTimeout(resolve, 500); }),
        ]);
        if (number !== game.number) return;
        mark(at('play-board'), squareOf(reply), 'eaten');
        await new Promise((resolve) => { setTimeout(resolve, 400); });
        if (number !== game.number) return;
        move('program', reply.leaves.map(Number), reply.bitten);
        game.waiting = false;
        if (over()) return finish('you');
        drawGame();
        say(`${game.past.at(-1).said}. Your turn.`);
    } catch (error) {
        game.waiting = false;
        if (!(error instanceof Stopped)) say(error.message);
    }
}

function youBite(row, column) {
    game.number += 1;
    move('you', bitten(game.lengths, row, column), row);
    if (over()) return finish('program');
    programMoves();
}

function newGame(lengths, first) {
    Object.assign(game, { past: [], lengths, start: lengths, columns: lengths[0], waiting: false });
    game.number += 1;
    at('play-board').classList.remove('won', 'lost');
    drawGame();
    if (over()) {
        say('There is only the poison: take a larger bar.');
    } else if (first === 'program') {
        programMoves();
    } else {
        say('Your turn: bite where you like.');
    }
}

function chosenBar() {
    const chosen = at('bar').value;
    if (chosen === 'random') {
        const random = (least, most) => least + Math.floor(Math.random() * (most - least + 1));
        const p = random(5, 12);
        const q = random(2, p);
        return [p, q, random(0, q)];
    }
    const text = chosen === 'own' ? at('own').value : chosen;
    const lengths = (text.match(/\d+/g) ?? []).map(Number);
    const [p, q = 0, r = 0] = lengths;
    const fine = lengths.length > 0 && lengths.length < 4 && p >= q && q >= r && p >= 1 && p <= LONGEST;
    return fine ? [p, q, r] : null;
}

at('bar').onchange = () => { at('own-bar').hidden = at('bar').value !== 'own'; };

at('new-game').onsubmit = (event) => {
    event.preventDefault();
    const lengths = chosenBar();
    if (lengths) newGame(lengths, at('first').value);
    else say(`Name up to three lengths from the top row down, none longer than the one before: 9 6 5. The longest is ${LONGEST}.`);
};

const playBoard = at('play-board');
const squareAt = (event) => event.target.closest('button:not(:disabled)');

playBoard.onclick = (event) => {
    const square = squareAt(event);
    if (square) youBite(Number(square.dataset.row), Number(square.dataset.column));
};
for (const [type, on] of [['pointerover', true], ['focusin', true], ['pointerout', false], ['focusout', false]]) {
    playBoard.addEventListener(type, (event) => {
        const square = on && squareAt(event);
        mark(playBoard, square && { row: Number(square.dataset.row), column: Number(square.dataset.column) }, 'aimed');
    });
}
playBoard.onkeydown = (event) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const square = squareAt(event);
    if (!step || !square) return;
    event.preventDefault();
    const row = Number(square.dataset.row) + step[0];
    const column = Number(square.dataset.column) + step[1];
    const next = playBoard.querySelector(`[data-row="${row}"][data-column="${column}"]:not(:disabled)`);
    if (!next) return;
    square.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
};

at('hint').onclick = async () => {
    const { number } = game;
    try {
        const answer = await engines.play.ask({ ask: 'position', text: written(game.lengths) });
        if (number !== game.number) return;
        for (const element of playBoard.querySelectorAll('.wins')) element.classList.remove('wins');
        for (const bite of answer.winning_bites) {
            const { row, column } = squareOf(bite);
            playBoard.querySelector(`[data-row="${row}"][data-column="${column}"]`)?.classList.add('wins');
        }
        const names = answer.winning_bites.map(({ bitten: row, leaves }) =>
            `in the ${called(row, leaves)}, leaving ${written(leaves)}`);
        say(isP(answer) ? `${written(answer.position)} is a P-position: whatever you bite, the program wins.`
            : `You win with a bite ${names.join('; or ')}.`);
    } catch (error) {
        say(error.message);
    }
};

at('undo').onclick = () => {
    game.number += 1;
    let last;
    do {
        last = game.past.pop();
        game.lengths = last.lengths;
    } while (last.by !== 'you');
    playBoard.classList.remove('won', 'lost');
    game.waiting = false;
    drawGame();
    say('Taken back. Your turn.');
};

// ---------------------------------------------------------------------------------------------
// Who wins?

/** The most columns that are drawn as squares. */
const DRAWN = 60;
const DIGITS = 20000;

/** Numbers may be written as 5*10^29 + 1. */
function expanded(text) {
    const number = (value) => {
        const digits = value.toString();
        if (digits.length > DIGITS) throw new Error(`numbers of more than ${DIGITS} digits are too long here`);
        return digits;
    };
    const power = (_, base, exponent) => {
        if (base.length * Number(exponent) > DIGITS) throw new Error(`${base}^${exponent} is too long here`);
        return number(BigInt(base) ** BigInt(exponent));
    };
    let result = text.replace(/(\d)_(?=\d)/g, '$1').replace(/(\d+)\s*\^\s*(\d+)/g, power);
    const product = /(\d+)\s*[*·×]\s*(\d+)/;
    while (product.test(result)) result = result.replace(product, (_, a, b) => number(BigInt(a) * BigInt(b)));
    // A sign with a space on one side only is that of a negative number.
    const sum = /(\d+)(\s?)([+−-])\2(\d+)/;
    while (sum.test(result)) {
        result = result.replace(sum, (all, a, _, sign, b) => {
            const value = sign === '+' ? BigInt(a) + BigInt(b) : BigInt(a) - BigInt(b);
            if (value < 0n) throw new Error(`${all} is negative`);
            return number(value);
        });
    }
    return result;
}

/** A long number for people: its digits in groups, and in the middle of a very long one a gap. */
function brief(digits) {
    const grouped = (text) => text.replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');
    if (digits.length <= 40) return digits.length > 4 ? grouped(digits) : digits;
    return `${digits.slice(0, 12)}…${digits.slice(-12)} (${digits.length} digits)`;
}

const briefly = (lengths) => `(${lengths.map(brief).join(', ')})`;

/** The rows that an answer rests on. */
function restsOn({ row, tail }) {
    if (row === null) return `the rows of all tails within ${briefly(tail.map(String))}`;
    return row === 0 ? 'row 0' : `rows 0 to ${brief(String(row))}`;
}

let asked = 0;

async function askPosition(silent = false) {
    const answer = at('position-answer');
    const mine = ++asked;
    try {
        const typed = at('position-text').value;
        const found = await askFor('position', { ask: 'position', text: expanded(typed) });
        if (mine !== asked) return;
        address('position', typed.trim());
        drawPosition(found, silent);
        sayPosition(answer, found);
    } catch (error) {
        if (mine !== asked) return;
        at('position-board').replaceChildren();
        showError(answer, error);
    }
}

function sayPosition(element, found) {
    const verdict = isP(found) ? 'a P-position' : 'an N-position';
    const title = make('p', { className: isP(found) ? 'verdict p' : 'verdict n' },
        make('strong', {}, `${briefly(found.position)} is ${verdict}.`));
    const loses = found.position.join() === '1,0,0' ? 'Only the poison is left: whoever has to take it loses.'
        : 'Whoever has to bite loses: every bite leaves an N-position.';
    const meaning = isP(found) ? loses : 'Whoever bites next wins, with these bites and no others:';
    const bites = found.winning_bites.map((bite) => {
        const name = make('button', { type: 'button', className: 'link', title: written(bite.leaves) }, briefly(bite.leaves));
        name.onclick = () => setPosition(bite.leaves);
        const item = make('li', {}, `${called(bite.bitten, found.position)}: it leaves the P-position `, name);
        item.onpointerenter = item.onfocusin = () => markBite(bite);
        item.onpointerleave = item.onfocusout = () => markBite(null);
        return item;
    });
    const more = make('p', { className: 'note' },
        found.cab ? `In Zeilberger’s notation [${found.cab.map(brief).join(',')}]. ` : '',
        `The answer rests on ${restsOn(found.record)}, computed and proved here.`);
    element.replaceChildren(title, make('p', {}, meaning), make('ul', { className: 'bites' }, ...bites), more);
}

function setPosition(lengths, silent = false) {
    at('position-text').value = lengths.join(' ');
    return askPosition(silent);
}

/** The answer that is shown. */
let shownAnswer = null;

function drawPosition(found, silent) {
    shownAnswer = found;
    const lengths = found.position;
    const small = lengths.every((length) => /^\d{1,2}$/.test(length)) && Number(lengths[0]) <= DRAWN;
    at('drag-note').hidden = !small;
    if (small) drawSquares(lengths.map(Number), silent);
    else drawBars(found);
}

/** Each row is a slider, from 0 to the longest that is drawn. */
function drawSquares(lengths, silent) {
    const board = at('position-board');
    board.classList.remove('bars');
    const held = silent && board.querySelectorAll('.line').length === lengths.length ? Number(board.dataset.columns) : 0;
    const columns = Math.max(held, Math.min(DRAWN, Math.max(12, lengths[0] + 2)));
    const focused = document.activeElement?.closest?.('#position-board .line')?.dataset.line;
    board.dataset.columns = columns;
    fit(board, columns);
    board.replaceChildren(...lengths.map((length, index) => {
        const line = make('div', {
            className: 'line', tabIndex: 0, role: 'slider',
            'aria-label': `length of ${lengths.length > 3 ? '' : 'the '}${called(index + 1, lengths)}`,
            'aria-valuemin': index === 0 ? 1 : 0, 'aria-valuemax': DRAWN, 'aria-valuenow': length,
        }, ...squares('span', index + 1, length, columns));
        line.dataset.line = index;
        line.onkeydown = (event) => slide(event, index);
        return line;
    }));
    for (const bite of shownAnswer.winning_bites) {
        const { row, column } = squareOf(bite);
        const square = board.querySelector(`[data-row="${row}"][data-column="${column}"]`);
        square?.classList.add('wins');
        if (square) square.title = `a bite here leaves ${written(bite.leaves)}`;
    }
    if (focused !== undefined) board.querySelector(`[data-line="${focused}"]`)?.focus();
}

/** The lengths with one row changed, and the others so that it is a position. */
function withLength(lengths, index, length) {
    const least = index === 0 ? 1 : 0;
    const wanted = Math.min(DRAWN, Math.max(least, length));
    return lengths.map((other, place) => {
        if (place === index) return wanted;
        return place < index ? Math.max(other, wanted) : Math.min(other, wanted);
    });
}

function slide(event, index) {
    const lengths = shownAnswer.position.map(Number);
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: 1, ArrowDown: -1, PageUp: 5, PageDown: -5 };
    const goal = { Home: 0, End: DRAWN }[event.key] ?? lengths[index] + (steps[event.key] ?? 0);
    if (!(event.key in steps) && event.key !== 'Home' && event.key !== 'End') return;
    event.preventDefault();
    change(withLength(lengths, index, goal));
}

/** Shows new lengths at once, and asks for the rest. */
function change(lengths) {
    if (lengths.join() === shownAnswer.position.join()) return;
    drawPosition({ ...shownAnswer, position: lengths.map(String), winning_bites: [] }, true);
    setPosition(lengths, true);
}

const positionBoard = at('position-board');
let dragged = null;

/** The end of the dragged row, by the pointer: half a square decides. */
function drag(event) {
    const line = positionBoard.querySelector(`[data-line="${dragged}"]`);
    if (!line) return;
    const first = line.firstElementChild.getBoundingClientRect();
    const second = line.children[1].getBoundingClientRect();
    const length = Math.round((event.clientX - first.left) / (second.left - first.left) + 0.35);
    change(withLength(shownAnswer.position.map(Number), dragged, length));
}

positionBoard.onpointerdown = (event) => {
    const line = event.target.closest('.line');
    if (!line || positionBoard.classList.contains('bars')) return;
    dragged = Number(line.dataset.line);
    line.focus({ preventScroll: true });
    positionBoard.setPointerCapture(event.pointerId);
    drag(event);
};
positionBoard.onpointermove = (event) => { if (dragged !== null) drag(event); };
positionBoard.onpointerup = positionBoard.onpointercancel = () => { dragged = null; };

/** Long rows as bars: the lengths as shares of the top row. */
function drawBars({ position: lengths, winning_bites: bites }) {
    const board = at('position-board');
    board.classList.add('bars');
    const whole = lengths[0] === 'ω' ? null : BigInt(lengths[0]);
    const finite = lengths.filter((length) => length !== 'ω').map(BigInt);
    const largest = finite.reduce((a, b) => (a > b ? a : b), 0n);
    // An infinite row is drawn a third longer than the longest finite one.
    const unit = whole ?? (largest === 0n ? 1n : largest + largest / 3n + 1n);
    const share = (length) => (length === 'ω' ? 100 : Number((BigInt(length) * 100000n) / unit) / 1000);
    const names = lengths.length > 3 ? lengths.map((_, index) => called(index + 1, lengths)) : 'pqr';
    board.replaceChildren(...lengths.map((length, index) => {
        const bar = make('div', { className: length === 'ω' ? 'bar infinite' : 'bar' });
        bar.style.width = `${share(length)}%`;
        const line = make('div', { className: 'bar-line' }, bar,
            make('span', { className: 'bar-length' }, `${names[index]} = ${brief(length)}`));
        for (const { leaves } of bites.filter(({ bitten: row }) => row === index + 1)) {
            const here = make('span', { className: 'bar-bite', title: `a bite here leaves ${written(leaves)}` }, '✓');
            here.style.left = `${share(lengthOf(leaves, index + 1))}%`;
            line.append(here);
        }
        return line;
    }));
}

/** Shows what a bite takes. */
function markBite(bite) {
    if (!positionBoard.classList.contains('bars')) mark(positionBoard, bite && squareOf(bite), 'aimed');
}

at('ask-position').onsubmit = (event) => {
    event.preventDefault();
    askPosition();
};

// ---------------------------------------------------------------------------------------------
// A row and its sheet.

async function askRow() {
    const answer = at('row-answer');
    const row = Number(at('row-number').value);
    at('sheet-area').hidden = true;
    if (!Number.isSafeInteger(row) || row < 0) {
        return showError(answer, new Error('A row has a number from 0 on.'));
    }
    try {
        const found = await askFor('row', { ask: 'row', row });
        address('row', row);
        sayRow(answer, found);
    } catch (error) {
        return showError(answer, error);
    }
    try {
        await drawSheet({ row, part: null });
    } catch (error) {
        const why = make('div', {});
        showError(why, error);
        answer.append(why);
    }
}

/** More text than this is folded. */
const FOLDED = 300;

function sayRow(element, { title, period, entries, line }) {
    const headline = title.replace(/^row/, 'Row') + (period > 0 ? `, with period ${period}.` : '.');
    const list = make('dl', {});
    for (const [name, lines] of [...entries, ['record', [line]]]) {
        const [first, ...rest] = lines;
        const prose = name === 'certificate' || name === 'classical';
        const text = prose ? lines.join(' ') : first;
        const more = prose ? '' : rest.join('\n');
        const what = make('dd', {});
        if (more) what.append(make('details', {}, make('summary', {}, text), make('pre', {}, more)));
        else if (text.length > FOLDED && !prose) {
            const summary = make('summary', {}, `${text.slice(0, FOLDED)}…`);
            what.append(make('details', {}, summary, make('pre', { className: 'broken' }, text)));
        } else what.append(name === 'record' ? make('code', {}, text) : text);
        list.append(make('dt', {}, name), what);
    }
    element.replaceChildren(make('p', { className: 'verdict' }, make('strong', {}, headline)), list);
}

for (const [id, step] of [['row-before', -1], ['row-after', 1]]) {
    at(id).onclick = () => {
        at('row-number').value = Math.max(0, Number(at('row-number').value) + step);
        askRow();
    };
}
at('ask-row').onsubmit = (event) => {
    event.preventDefault();
    askRow();
};

const sheet = { drawn: null, frame: null, cross: null };

/** Puts a figure into an element: without title and caption, which the page has itself. */
function putFigure(element, svg, label) {
    const figure = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    for (const selector of ['.title', '.caption', '.paper', 'title', 'desc']) {
        for (const part of figure.querySelectorAll(selector)) part.remove();
    }
    figure.removeAttribute('width');
    figure.removeAttribute('height');
    figure.setAttribute('aria-label', label);
    element.replaceChildren(figure);
    const box = figure.getBBox();
    const edge = 60;
    figure.setAttribute('viewBox',
        [box.x - edge, box.y - edge, box.width + 2 * edge, box.height + 2 * edge].join(' '));
    return figure;
}

async function drawSheet({ row, part, keepCross = false }) {
    const drawn = await askFor('row', { ask: 'sheet', row, part });
    at('sheet-area').hidden = false;
    const figure = putFigure(at('sheet'), drawn.svg, `The sheet of row ${row}`);
    at('sheet-caption').textContent = drawn.caption;
    Object.assign(sheet, { drawn: { ...drawn, row }, figure });
    sheet.frame = figure.querySelector('.frame').getBBox();
    sheet.marker = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    sheet.marker.setAttribute('class', 'cross');
    figure.append(sheet.marker);
    if (!keepCross) sheet.cross = null;
    drawCross();
}

/** What the pointer points at. */
function pointed(event) {
    const place = new DOMPoint(event.clientX, event.clientY)
        .matrixTransform(sheet.figure.getScreenCTM().inverse());
    const { frame, drawn } = sheet;
    const y = drawn.y + Math.floor(((place.x - frame.x) / frame.width) * drawn.span);
    const z = drawn.z + Math.floor(((frame.y + frame.height - place.y) / frame.height) * drawn.span);
    return { y, z };
}

function isShown({ y, z }) {
    const { drawn } = sheet;
    return y >= drawn.y && z >= drawn.z && y < drawn.y + drawn.span && z < drawn.z + drawn.span;
}

let pointing = false;

async function pointAt(point) {
    if (!sheet.drawn || !isShown(point)) return;
    sheet.cross = point;
    drawCross();
    // One question at a time: the last one counts.
    if (pointing || engines.row.busy) return;
    pointing = true;
    try {
        let told;
        do {
            told = sheet.cross;
            sayPoint(await engines.row.ask({ ask: 'point', ...told }));
        } while (sheet.cross && told !== sheet.cross);
    } catch {
        // Another row is being computed.
    } finally {
        pointing = false;
    }
}

function sayPoint({ name, kind, q, offset, p_position: found }) {
    const column = offset === null ? `Column q = ${q}: the row has ended.`
        : `Column q = ${q}: the offset is ${offset}, for ${found} is P.`;
    const here = name === found ? '' : ` Here: ${name}, an ${kind}${kind === 'instant winner' ? ', which is N' : ''}.`;
    at('readout').textContent = column + here;
}

function drawCross() {
    if (!sheet.cross || !isShown(sheet.cross)) return sheet.marker.setAttribute('d', '');
    const { frame, drawn } = sheet;
    const width = frame.width / drawn.span;
    const height = frame.height / drawn.span;
    const x = frame.x + (sheet.cross.y - drawn.y) * width;
    const y = frame.y + frame.height - (sheet.cross.z - drawn.z + 1) * height;
    const middle = [x + width / 2, y + height / 2];
    sheet.marker.setAttribute('d', `M${middle[0]} ${frame.y}v${frame.height}M${frame.x} ${middle[1]}h${frame.width}`);
}

/** Draws the part from (y,z) on. */
function look(y, z, size) {
    const { drawn } = sheet;
    const wanted = Math.round(Math.min(drawn.length, Math.max(4, size)));
    const inside = (least) => Math.max(0, Math.min(drawn.length - wanted, Math.round(least)));
    const part = wanted === drawn.length ? null : [inside(y), inside(z), wanted];
    if (engines.row.busy) return;
    drawSheet({ row: drawn.row, part, keepCross: true }).catch((error) => showError(at('row-answer'), error));
}

/** Zooms by a factor; what is at `point` stays there. */
function zoom(factor, point) {
    const { y, z, span, length } = sheet.drawn;
    const centre = point ?? sheet.cross ?? { y: y + span / 2, z: z + span / 2 };
    const size = Math.min(length, Math.max(4, span * factor));
    look(centre.y - ((centre.y - y) * size) / span, centre.z - ((centre.z - z) * size) / span, size);
}

function steer(what) {
    const { y, z, span, length } = sheet.drawn;
    const step = Math.max(1, span / 4);
    const moves = {
        in: () => zoom(0.5), out: () => zoom(2), whole: () => look(0, 0, length),
        left: () => look(y - step, z, span), right: () => look(y + step, z, span),
        down: () => look(y, z - step, span), up: () => look(y, z + step, span),
    };
    moves[what]();
}

for (const button of document.querySelectorAll('[data-zoom]')) {
    button.onclick = () => steer(button.dataset.zoom);
}

const sheetElement = at('sheet');
let held = null;

sheetElement.onpointerdown = (event) => {
    held = { x: event.clientX, y: event.clientY, from: sheet.drawn };
    pointAt(pointed(event));
};
sheetElement.onpointermove = (event) => {
    if (!sheet.drawn) return;
    if (!held || event.buttons === 0) return pointAt(pointed(event));
    const scale = sheet.figure.getScreenCTM().a;
    const { from } = held;
    const right = ((event.clientX - held.x) / scale / sheet.frame.width) * from.span;
    const up = ((held.y - event.clientY) / scale / sheet.frame.height) * from.span;
    if (Math.abs(right) + Math.abs(up) > from.span / 50) look(from.y - right, from.z - up, from.span);
};
sheetElement.onpointerup = sheetElement.onpointercancel = () => { held = null; };
sheetElement.ondblclick = (event) => zoom(0.5, pointed(event));
sheetElement.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.7 : 1.4, pointed(event));
}, { passive: false });
sheetElement.onkeydown = (event) => {
    const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const words = { '+': 'in', '=': 'in', '-': 'out', 0: 'whole' };
    if (event.key in words) {
        steer(words[event.key]);
    } else if (event.key in steps) {
        event.preventDefault();
        const { drawn } = sheet;
        const middle = { y: drawn.y + Math.floor(drawn.span / 2), z: drawn.z + Math.floor(drawn.span / 2) };
        const from = sheet.cross && isShown(sheet.cross) ? sheet.cross : middle;
        const [right, up] = steps[event.key];
        pointAt({ y: from.y + right, z: from.z + up });
    }
};

// ---------------------------------------------------------------------------------------------
// All rows.

const PAGE = 100;
const list = { rows: [], shown: [], first: 0, tsv: '' };

async function askRows() {
    const to = Number(at('rows-to').value);
    const summary = at('rows-summary');
    at('rows-answer').hidden = false;
    if (!Number.isSafeInteger(to) || to < 0) {
        return showError(summary, new Error('Rows have numbers from 0 on.'));
    }
    try {
        const found = await askFor('rows', { ask: 'rows', to });
        Object.assign(list, { rows: found.rows, tsv: found.tsv, to });
        putFigure(at('rows-figure'), found.svg, 'Which rows have which period');
        at('rows-caption').textContent = found.caption;
        count();
        filter();
    } catch (error) {
        showError(summary, error);
    }
}

function count() {
    const numbers = new Map();
    for (const { period } of list.rows) numbers.set(period, (numbers.get(period) ?? 0) + 1);
    const finite = numbers.get(0) ?? 0;
    const all = list.rows.length;
    const others = all - finite - (numbers.get(1) ?? 0);
    at('rows-summary').textContent = `Rows 0 to ${brief(String(list.to))}: ${brief(String(finite))} finite and `
        + `${brief(String(all - finite))} periodic, of which ${brief(String(others))} with a period other than 1.`;
    const option = (value, text) => make('option', { value }, text);
    const kind = at('rows-kind');
    const before = kind.value;
    const periods = [...numbers.keys()].filter((period) => period > 0).sort((a, b) => a - b);
    kind.replaceChildren(option('other', `period 2 or more (${others})`), option('all', `all (${all})`),
        option('0', `finite (${finite})`), ...periods.map((period) => option(String(period), `period ${period} (${numbers.get(period)})`)));
    if ([...kind.options].some(({ value }) => value === before)) kind.value = before;
}

function filter() {
    const kind = at('rows-kind').value;
    const from = Number(at('rows-from').value);
    const wanted = at('rows-pattern').value.replace(/[−–]/g, '-').match(/-?\d+/g)?.join(' ');
    list.shown = list.rows.filter(({ row, period, pattern }) => {
        const fits = kind === 'all' || (kind === 'other' ? period > 1 : period === Number(kind));
        // A pattern may begin anywhere.
        const has = !wanted || ` ${pattern.concat(pattern).join(' ')} `.includes(` ${wanted} `);
        return fits && has && row >= from;
    });
    list.first = 0;
    drawRows();
}

function drawRows() {
    const { shown, first } = list;
    const page = shown.slice(first, first + PAGE);
    at('rows-table').replaceChildren(...page.map(({ row, period, start, last, pattern }) => {
        const link = make('a', { href: `#row=${row}` }, String(row));
        const cells = [period ? 'periodic' : 'finite', String(start ?? last), period ? String(period) : '–',
            pattern.join(' ').replace(/-/g, '−') || '–'];
        return make('tr', {}, make('th', { scope: 'row' }, link), ...cells.map((text) => make('td', {}, text)));
    }));
    const last = first + page.length;
    at('rows-count').textContent = shown.length === 0 ? 'No row is so.'
        : shown.length === 1 ? 'One row.'
        : `${brief(String(shown.length))} rows; ${first + 1} to ${last} are shown.`;
    at('rows-back').disabled = first === 0;
    at('rows-on').disabled = last >= shown.length;
}

function turn(step) {
    list.first = Math.max(0, list.first + step * PAGE);
    drawRows();
}

at('rows-back').onclick = () => turn(-1);
at('rows-on').onclick = () => turn(1);
at('rows-filters').oninput = filter;
at('ask-rows').onsubmit = (event) => {
    event.preventDefault();
    askRows();
};

function save(name, text) {
    const link = make('a', { download: name, href: URL.createObjectURL(new Blob([text])) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

at('save-tsv').onclick = () => save(`periods-${list.to}.tsv`, list.tsv);
at('save-data').onclick = async () => {
    try {
        const { files } = await askFor('rows', { ask: 'files', to: list.to });
        for (const [name, text] of files) save(name, text);
    } catch (error) {
        showError(at('rows-summary'), error);
    }
};

// ---------------------------------------------------------------------------------------------
// Boards with more rows.

async function askBoard() {
    const figure = at('board-figure');
    const text = at('board-text').value;
    try {
        const found = await askFor('boards', { ask: 'board', text });
        address('boards', text.trim());
        at('board-status').textContent = found.is_p
            ? 'A P-position: whoever has to bite loses.' : 'An N-position: whoever bites next wins.';
        putFigure(figure, found.svg, found.title);
        at('board-caption').textContent = found.caption;
    } catch (error) {
        figure.replaceChildren();
        at('board-caption').textContent = '';
        showError(at('board-status'), error);
    }
}

at('ask-board').onsubmit = (event) => {
    event.preventDefault();
    askBoard();
};

// ---------------------------------------------------------------------------------------------
// Verify.

async function verify(files) {
    const verdict = at('verdict');
    verdict.replaceChildren(make('p', {}, `Verifying ${files.length} files.`));
    try {
        const heads = at('heads').checked;
        const found = await askFor('verify', { ask: 'verify', files, heads });
        const title = { verified: '✓ Verified', refuted: '✗ Refuted', incomplete: 'Incomplete', unreadable: '✗ Refused' }[found.verdict];
        verdict.replaceChildren(make('p', { className: `verdict ${found.verdict}` }, make('strong', {}, title)),
            make('pre', { className: 'broken' }, found.words));
    } catch (error) {
        showError(verdict, error);
    }
}

/** The bytes of a file, a character for each. `file.text()` would drop a byte order mark and replace
 * invalid UTF-8. */
function bytes(file) {
    return new Promise((resolve, reject) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.onerror = () => reject(reader.error);
        reader.readAsBinaryString(file);
    });
}

/** The names and bytes of what may be files of a data set. */
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

/** All files of what was dropped, folders opened. Chromium reads no entries for a page that was
 * opened from a folder, and has handles; the items are gone when this first waits. */
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
        showError(at('verdict'), new Error(`The files cannot be read: ${error.message}`));
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

newGame([7, 7, 7], 'you');
follow();
