// The texts that people read: texts.json.
import { TEXTS } from './texts.js';

/** The text of this name, with what it tells of in its slots, such as {row}. Some texts have one form for `n` = 1, and one for
 * other numbers. */
export function say(name, told = {}) {
    const text = TEXTS.says[name];
    return filled(Array.isArray(text) ? text[told.n === 1 ? 0 : 1] : text, told);
}

/** A text with its slots filled. */
export const filled = (text, told) => text.replace(/\{(\w+)\}/g, (_, slot) => told[slot]);
