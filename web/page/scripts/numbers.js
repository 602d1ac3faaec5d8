// Numbers of any size, for people.

const DIGITS = 20000;

/** Numbers may be written as 5*10^29 + 1. */
export function expanded(text) {
    const number = (value) => {
        const digits = value.toString();
        if (digits.length > DIGITS) throw new Error(`numbers of more than ${DIGITS} digits are too long here`);
        return digits;
    };
    const power = (_, base, exponent) => {
        if (base.length * Number(exponent) > DIGITS) throw new Error(`${base}^${exponent} is too long here`);
        return number(BigInt(base) ** BigInt(exponent));
    };
    let result = text.replace(/(\d)_(?=\d)/g, '$1').replace(/(\d+)\s*\^\s*(\d+)/g, power);
    const product = /(\d+)\s*[*·×]\s*(\d+)/;
    while (product.test(result)) result = result.replace(product, (_, a, b) => number(BigInt(a) * BigInt(b)));
    // A sign with a space on one side only is that of a negative number.
    const sum = /(\d+)(\s?)([+−-])\2(\d+)/;
    while (sum.test(result)) {
        result = result.replace(sum, (all, a, _, sign, b) => {
            const value = sign === '+' ? BigInt(a) + BigInt(b) : BigInt(a) - BigInt(b);
            if (value < 0n) throw new Error(`${all} is negative`);
            return number(value);
        });
    }
    return result;
}

/** A long number for people: its digits in groups, and in the middle of a very long one a gap. */
export function brief(digits) {
    const grouped = (text) => text.replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');
    if (digits.length <= 40) return digits.length > 4 ? grouped(digits) : digits;
    return `${digits.slice(0, 12)}…${digits.slice(-12)} (${digits.length} digits)`;
}

export const briefly = (lengths) => `(${lengths.map(brief).join(', ')})`;
