// What there is to say of a game.
import { isOver, isP, rowInWords, squareOf } from './board.js';
import { game, hasVerdicts, inBar, isError, isPlaying, isProgram, lineEnd, turn } from './game.js';
import { say } from './say.js';

/** A text about a player, who is you, the program, or one of two people. */
const sayOf = (name, who, told = {}) => (game.opponent === 'two' ? say(`${name}-player`, { who: say(who), ...told }) : say(`${name}-${who}`, told));

export const biteInWords = ({ before, lengths, bite: { row } }) =>
    sayOf('bites', turn(before), { row: rowInWords(row, game.root.lengths), left: inBar(lengths) });

/** What there is to say of the position that is shown. */
export function stateInWords() {
    const { root, here, opponent } = game;
    if (here.chosen && !isPlaying()) {
        return say(isError(here) ? 'before-error' : 'before', { n: here.number + 1, all: lineEnd().number });
    }
    if (isOver(here.lengths)) {
        if (here === root) return say('only-poison');
        return sayOf('over', turn(here), { winner: opponent === 'two' && say(turn(here.before)) });
    }
    if (opponent === 'two') return say(hasVerdicts() ? verdictName(here.found) : 'turn-two', { who: say(turn(here)) });
    if (isProgram(here)) return say('program-bit');
    return here === root ? say('turn-begin') : say('turn', { bite: biteInWords(here) });
}

function verdictName(found) {
    if (!found) return 'turn-judged';
    if (isP(found)) return 'turn-loses';
    return found.all_bites ? 'turn-wins' : 'turn-wins-some';
}

/** Why a line is lost: the bite that gave a win away, or that there was none to give away. */
export function lossInWords(error, loser) {
    if (!error) return sayOf('never', loser, { bar: inBar(game.root.lengths) });
    const { lengths, found, chosen, number } = error;
    return sayOf('error', loser, {
        n: number + 1,
        position: inBar(lengths),
        better: found.winning_bites.map(({ leaves }) => inBar(leaves)).join(say('error-or')),
        left: inBar(chosen.lengths),
        reply: inBar(chosen.found.winning_bites[0].leaves),
    });
}

/** The bites that win in a position. */
export function hintInWords({ lengths, found }) {
    if (isP(found)) return say(game.opponent === 'perfect' ? 'hint-none-perfect' : 'hint-none', { position: inBar(lengths) });
    const bites = found.winning_bites.map(({ leaves, ...bite }) =>
        say('hint-bite', { row: rowInWords(squareOf(bite).row, game.root.lengths), left: inBar(leaves) }));
    return say('hint', { bites: bites.join(say('hint-or')) });
}
