// The score of this visit. It survives a reload if the browser allows it.
import { at } from './dom.js';
import { say } from './say.js';
import { keep, kept } from './storage.js';

/** `last` is the game that was counted last: its name, and who won. */
const counts = { you: 0, program: 0, puzzles: 0, last: null, ...kept('sessionStorage', 'chomp-score') };

/** Counts a win of you or of the program, or a puzzle. A game that is played on from an earlier position counts once,
 * with its last end. An end that is not new was read from an address, and counts only for the game that is counted. */
export function score(who, game, isNew) {
    if (counts.last?.game === game) counts[counts.last.who] -= 1;
    else if (!isNew) return;
    counts[who] += 1;
    counts.last = { game, who };
    drawScore();
}

/** A new game can be on the same bar as the last one. */
export function beginScore() {
    counts.last = null;
    drawScore();
}

export function drawScore() {
    keep('sessionStorage', 'chomp-score', counts);
    const { you, program, puzzles } = counts;
    const games = you + program > 0 ? say('score', { you, program }) : '';
    const solved = puzzles > 0 ? say('solved', { n: puzzles }) : '';
    at('score').textContent = games + solved;
}
