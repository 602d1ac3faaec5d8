// Puzzles: positions in which few bites win.
import { engines } from './engine.js';
import { say } from './say.js';

/** A position of a grade: easy, medium or hard. Equal numbers give equal positions. */
export async function pose(grade, chance) {
    const { position } = await engines.opponent.ask({ ask: 'puzzle', grade, chance });
    return position.map(Number);
}

/** From Sunday on: they become harder in the course of the week. */
const GRADES = ['hard', 'easy', 'easy', 'medium', 'medium', 'hard', 'hard'];

/** The name of a grade. */
export const gradeInWords = (grade) => say(`grade-${grade}`);

/** The number of days to a date from 1970 on; `null` if it is none. */
function dayOf(date) {
    const time = Date.parse(date);
    // The 31st of February would be a day of March.
    const isDate = time >= 0 && new Date(time).toISOString() === `${date}T00:00:00.000Z`;
    return isDate ? time / 86400000 : null;
}

/** Today in the time zone of the visitor, as 2026-11-27. */
export function today() {
    const now = new Date();
    const digits = (number) => String(number).padStart(2, '0');
    return `${now.getFullYear()}-${digits(now.getMonth() + 1)}-${digits(now.getDate())}`;
}

/** The puzzle of a day is the same for everyone, and another one than on the day before. */
export async function poseDaily(date) {
    const day = dayOf(date);
    if (day === null) throw new Error(say('no-date', { today: today(), date }));
    // Day 0 was a Thursday.
    const grade = GRADES[(day + 4) % 7];
    const [position, before] = await Promise.all([pose(grade, day), pose(grade, Math.max(0, day - 1))]);
    const isSame = position.join() === before.join();
    return { grade, position: isSame ? await pose(grade, day + 1000000) : position };
}

/** The result of a puzzle of the day, to be shared: a mark for each bite that was tried. */
export function resultInWords({ date, grade, refused, link }) {
    return say('result', { date, grade: gradeInWords(grade), marks: `${'✗'.repeat(refused)}✓`, link });
}
