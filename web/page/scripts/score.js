// The score of this visit. It survives a reload if the browser allows it.
import { at } from './dom.js';

const KEY = 'chomp-score';
/** `ended` is the end of a game that was counted last: its name, who won, and whether it was undone. */
const counts = { you: 0, program: 0, puzzles: 0, ended: null };

try {
    Object.assign(counts, JSON.parse(sessionStorage.getItem(KEY)));
} catch {
    // This browser keeps nothing.
}

function keep() {
    try {
        sessionStorage.setItem(KEY, JSON.stringify(counts));
    } catch {
        // As above.
    }
    drawScore();
}

/** Counts a win of you or of the program, or a puzzle, once for each `end`. An end that is not new was read
 * from an address, and counts only if it was undone before. */
export function score(who, end, isNew = true) {
    const isKnown = counts.ended?.end === end;
    if (isKnown ? !counts.ended.isUndone : !isNew) return;
    counts[who] += 1;
    counts.ended = { end, who, isUndone: false };
    keep();
}

/** Takes back an end whose last bite is undone. */
export function unscore(end) {
    const { ended } = counts;
    if (ended?.end !== end || ended.isUndone) return;
    counts[ended.who] -= 1;
    ended.isUndone = true;
    keep();
}

/** A new game can end as the last one did. */
export function beginScore() {
    counts.ended = null;
    keep();
}

export function drawScore() {
    const { you, program, puzzles } = counts;
    const games = you + program > 0 ? `In this visit: you ${you}, the program ${program}.` : '';
    const solved = puzzles > 0 ? ` Puzzles solved: ${puzzles}.` : '';
    at('score').textContent = games + solved;
}
