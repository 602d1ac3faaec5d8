// What the board shows: the bar of an address or of the form, a puzzle, and against whom.
import { askFor, engines } from './engine.js';
import { Stopped } from './session.js';
import { address, go, register } from './tabs.js';
import { at, make } from './dom.js';
import { addBites, bitesOf, lineThrough, rootOf } from './tree.js';
import { MOST_COLUMNS, MOST_ROWS, isDrawn } from './shape.js';
import { board, chance, draw, tell, tellError, visit } from './play.js';
import { game } from './game.js';
import { sayProduct } from './position.js';
import { beginScore, drawScore } from './score.js';
import { pose, poseDaily, today } from './puzzles.js';
import { say } from './say.js';
import { kept } from './storage.js';

/** The lengths of a bar that is written as addresses have it, the longest first; else `null`. */
function plainLengths(text) {
    if (!/^[1-9]\d?([ ,][1-9]\d?)*$/.test(text)) return null;
    const lengths = text.split(/[ ,]/).map(Number);
    return lengths.every((length, index) => index === 0 || length <= lengths[index - 1]) ? lengths : null;
}

/** Shows no board, but this. */
function showNone(element, ...children) {
    game.number += 1;
    Object.assign(game, { root: null, here: null });
    for (const id of ['play-board', 'moves', 'position-answer']) at(id).replaceChildren();
    board.classList.remove('won', 'lost');
    for (const id of ['hint', 'undo', 'verdicts', 'bite-first', 'bite-back', 'bite-on', 'bite-last']) at(id).disabled = true;
    for (const id of ['lost', 'shape', 'shape-note', 'daily-result']) at(id).hidden = true;
    tell('');
    element.replaceChildren(...children);
}

/** Shows what an address or the form names. A plain bar is drawn before the module is there, which says whether the
 * program can play on it. */
async function open(name, text, rest) {
    game.number += 1;
    const { number } = game;
    const isPosition = name === 'position';
    drawSettings(text, isPosition ? { with: 'two' } : rest);
    const plain = plainLengths(text);
    const early = plain && isDrawn(plain);
    if (early) begin(plain, name, plain.join(','), rest);
    if (early && isPosition) return;
    const { root } = game;
    const isLate = () => (early ? root !== game.root : number !== game.number);
    try {
        const asked = { ask: 'bar', text };
        const found = await (isPosition ? askFor('play', asked) : engines.opponent.ask(asked));
        if (isLate()) return;
        if (found.product) {
            address(name, text);
            return showNone(at('position-answer'), ...sayProduct(found, text));
        }
        game.refusal = refusalOf(found);
        // Nobody can play there by hand, but the board shows who wins.
        if (game.refusal && game.opponent === 'two' && !isPosition) return open('position', text, {});
        if (!early) begin(found.position, name, text, rest);
        else if (game.refusal) visit(game.here);
    } catch (error) {
        if (error instanceof Stopped || isLate()) return;
        address(name, text, rest);
        showNone(at(isPosition ? 'position-answer' : 'play-status'), isPosition ? make('p', { className: 'error' }, error.message) : error.message);
    }
}

/** Why nobody can play on a bar here; empty if it can be played. */
function refusalOf({ position, can_be_played: canBePlayed }) {
    if (!isDrawn(position)) return say('largest-bar', { rows: MOST_ROWS, columns: MOST_COLUMNS });
    return canBePlayed || game.opponent === 'two' ? '' : say('too-large-to-play');
}

/** The choices as an address makes them. */
function drawSettings(text, { with: opponent, first, puzzle }) {
    at('position-text').value = text;
    at('bar').value = '';
    game.opponent = at('opponent').value = ['easy', 'fair', 'two'].includes(opponent) ? opponent : 'perfect';
    game.first = at('first').value = first === 'program' ? 'program' : 'you';
    at('first-choice').hidden = game.opponent === 'two';
    game.puzzle = puzzle || undefined;
    game.refusal = '';
    for (const option of at('grade').options) option.selected ||= option.value === game.puzzle;
}

/** Shows a game on this bar. */
function begin(lengths, name, text, { bites = '', at: shown, date }) {
    const root = rootOf(isDrawn(lengths) ? lengths.map(Number) : lengths);
    addBites(root, bites);
    const line = lineThrough(root);
    Object.assign(game, { root, text, daily: date, verdicts: name === 'position', isShaped: false });
    at('rules').hidden = Boolean(kept('localStorage', 'chomp-played'));
    if (line.length === 1) beginScore();
    const end = line.at(-1);
    visit(end);
    if (shown !== undefined && line[Number(shown)]) visit(line[Number(shown)]);
}

/** Opens what the form says, on this bar. */
function openBar(text, rest = {}) {
    const opponent = at('opponent').value;
    if (opponent === 'two' && (game.verdicts || game.refusal || !game.root)) return go('position', text, rest);
    return go('play', text, { with: opponent === 'perfect' ? '' : opponent, first: at('first').value === 'you' ? '' : 'program', ...rest });
}

const random = (least, most) => least + Math.floor(Math.random() * (most - least + 1));

const randomBar = () => Array.from({ length: random(3, 6) }, () => random(2, 10)).sort((a, b) => b - a).join(' ');

at('bar').onchange = () => {
    const chosen = at('bar').value;
    at('position-text').value = chosen === 'random' ? randomBar() : chosen;
};

at('new-game').onsubmit = (event) => {
    event.preventDefault();
    openBar(at('position-text').value.trim());
};

// The game goes on against another player. It is your turn, if there is a turn.
at('opponent').onchange = () => {
    const { root, here, text } = game;
    if (!root) return openBar(at('position-text').value.trim());
    at('first').value = here.number % 2 === 0 ? 'you' : 'program';
    return openBar(text, { bites: bitesOf(root), at: here.chosen ? here.number : undefined });
};

async function openDaily(date, rest) {
    const { number } = game;
    tell('');
    try {
        const { grade, position } = await poseDaily(date);
        if (number !== game.number) return;
        drawSettings(position.join(','), { puzzle: grade });
        begin(position, 'play', position.join(','), { ...rest, date });
    } catch (error) {
        if (number !== game.number || error instanceof Stopped) return;
        address('daily', date);
        showNone(at('play-status'), error.message);
    }
}

at('open-daily').onclick = () => go('daily', today());

at('new-puzzle').onclick = async () => {
    const grade = at('grade').value;
    try {
        const shown = game.root?.lengths.join();
        let position;
        do position = (await pose(grade, chance())).join(); while (position === shown);
        go('play', position, { puzzle: grade });
    } catch (error) {
        tellError(error);
    }
};

const FIRST_BAR = '7 7 7';

register('play', (what, rest) => {
    if (what === undefined && game.here) return draw();
    return open('play', what ?? FIRST_BAR, rest);
});
register('position', (what, rest) => {
    if (what === undefined && game.here && game.verdicts) return draw();
    return open('position', what ?? '7 5 3', rest);
});
register('daily', (what, rest) => {
    game.number += 1;
    return openDaily(what || today(), rest);
});
drawScore();
