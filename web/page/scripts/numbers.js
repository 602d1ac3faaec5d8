// Numbers of any size, for people.

/** A long number for people: its digits in groups, and in the middle of a very long one a gap. */
export function brief(digits) {
    const grouped = (text) => text.replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');
    if (digits.length <= 40) return digits.length > 4 ? grouped(digits) : digits;
    return `${digits.slice(0, 12)}…${digits.slice(-12)} (${digits.length} digits)`;
}

export const briefly = (lengths) => `(${lengths.map(brief).join(', ')})`;
