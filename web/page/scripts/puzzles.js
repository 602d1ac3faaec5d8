// Puzzles: positions in which few bites win.
import { engines } from './engine.js';

/** A position of a grade: easy, medium or hard. */
export async function pose(grade, chance) {
    const { position } = await engines.play.ask({ ask: 'puzzle', grade, chance });
    return position;
}
