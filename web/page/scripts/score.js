// The score of this visit. It survives a reload if the browser allows it.
import { at } from './dom.js';

const KEY = 'chomp-score';
const counts = { you: 0, program: 0, puzzles: 0 };

try {
    Object.assign(counts, JSON.parse(sessionStorage.getItem(KEY)));
} catch {
    // This browser keeps nothing.
}

/** Counts a win of you or of the program, or a puzzle. */
export function score(who) {
    counts[who] += 1;
    try {
        sessionStorage.setItem(KEY, JSON.stringify(counts));
    } catch {
        // As above.
    }
    drawScore();
}

export function drawScore() {
    const { you, program, puzzles } = counts;
    const games = you + program > 0 ? `In this visit: you ${you}, the program ${program}.` : '';
    const solved = puzzles > 0 ? ` Puzzles solved: ${puzzles}.` : '';
    at('score').textContent = games + solved;
}
