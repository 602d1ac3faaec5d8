// A game that is over, bite by bite, with the bite that lost it.
import { at } from './dom.js';
import { engines } from './engine.js';
import { mark, squareOf, written } from './board.js';

const found = { judged: [], error: null };

/** Judges a game: the last bite of the loser that gave a win away. */
export async function judge(positions, isLosers, loser) {
    found.error = null;
    const named = (lengths) => written(lengths, positions[0].length);
    const texts = positions.map(named);
    const { bites } = await engines.play.ask({ ask: 'review', positions: texts });
    found.judged = bites;
    const last = bites.findLastIndex((bite, number) => bite.is_error && isLosers(number));
    const [who, had] = loser === 'you' ? ['You', 'you had'] : [loser, `${loser} had`];
    if (last < 0) {
        at('replay-why').textContent = `${who} never had a winning position: ${texts[0]} was lost from the start, if the other player errs nowhere.`;
        return;
    }
    found.error = last;
    const { before, after } = bites[last];
    const better = before.winning_bites.map(({ leaves }) => named(leaves));
    at('replay-why').textContent = `Bite ${last + 1} lost the game. Before it ${had} ${texts[last]}, `
        + `an N-position: a bite that leaves ${better.join(' or ')} wins. It left ${texts[last + 1]}, `
        + `an N-position again, from which the other player can leave the P-position ${named(after.winning_bites[0].leaves)}.`;
}

/** Marks the bite that comes next, and, where the game was lost, the bites that would have won. */
export function marksOfReplay(board, square, number) {
    const lost = number === found.error;
    mark(board, square, lost ? 'blunder' : 'aimed');
    if (!lost) return;
    for (const better of found.judged[number].before.winning_bites) {
        const { row, column } = squareOf(better);
        board.querySelector(`[data-row="${row}"][data-column="${column}"]`)?.classList.add('wins');
    }
}

/** The position before a bite, in words. */
export function replayInWords(number, bites) {
    const marks = number === found.error ? ' ✗ lost the game; ✓ would have won.' : '';
    return `Before bite ${number + 1} of ${bites}.${marks}`;
}

export function hideReplay() {
    at('replay').hidden = true;
    found.error = null;
    at('replay-why').textContent = '';
}

/** Shows the steps of a game, and marks the entry of the bite that lost. */
export function drawReplay({ bites, replay }, show) {
    at('replay').hidden = false;
    const slider = at('replay-step');
    const shown = replay ?? bites.length;
    slider.max = bites.length;
    slider.value = shown;
    at('replay-said').textContent = shown;
    slider.setAttribute('aria-valuetext', `after ${shown} of ${bites.length} bites`);
    slider.oninput = () => show(Number(slider.value));
    at('replay-back').disabled = shown === 0;
    at('replay-on').disabled = shown === bites.length;
    at('replay-back').onclick = () => show(shown - 1);
    at('replay-on').onclick = () => show(shown + 1);
    at('replay-error').hidden = found.error === null;
    at('replay-error').onclick = () => show(found.error);
    const entry = found.error === null ? null : at('moves').children[found.error];
    entry?.classList.add('blunder');
}
