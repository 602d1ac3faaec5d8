// The game on the board: its state, and what follows from that.
import { isOver, written } from './board.js';
import { lineThrough } from './tree.js';

export const game = {
    /** The tree of positions, and the one that is shown; `null` if none is. */
    root: null, here: null,
    /** The bar as the address has it. */
    text: '',
    /** easy, fair, perfect or two, who are both in front of the screen; you or program. */
    opponent: 'perfect', first: 'you',
    /** The grade of a puzzle, and the date of the puzzle of a day. */
    puzzle: undefined, daily: undefined,
    /** Whether the verdicts are switched on, and the position for which a hint was asked. */
    verdicts: false, hinted: null,
    /** Why the line that ends here is lost, and the position before the bite that lost it, if there is one. */
    review: { end: null, error: null, words: '' },
    /** Why nobody can play on this bar, which is only drawn; empty if it can be played. */
    refusal: '',
    isShaped: false, waiting: false,
    /** Counts what is shown, so that a late answer is known. */
    number: 0,
};

/** Whose bite it is in a position: you, program; first or second, of two people. */
export function turn({ number }) {
    const isFirst = number % 2 === 0;
    if (game.opponent === 'two') return isFirst ? 'first' : 'second';
    return isFirst === (game.first === 'you') ? 'you' : 'program';
}

export const isProgram = (position) => !game.puzzle && turn(position) === 'program';
export const lineEnd = () => lineThrough(game.here).at(-1);
export const isPlaying = () => game.opponent !== 'two' && !isOver(lineEnd().lengths);
export const isError = (position) => position === game.review.error && lineEnd() === game.review.end;
export const hasVerdicts = () => game.verdicts && !game.puzzle && !isPlaying();

/** A position with as many rows as the bar. */
export const inBar = (lengths) => written(lengths, game.root.lengths.length);

export const gameName = () => [game.puzzle, game.root.lengths, game.opponent, game.first].join(' ');
