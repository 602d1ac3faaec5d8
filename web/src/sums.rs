//! Sums and differences in what people type, such as `10^120 + 1`, as one number each.

use game::notation;
use num_bigint::BigUint;

use crate::words;

/// Numbers of more digits are too long for the page.
const DIGITS: usize = 20_000;

/// The text with every sum and difference replaced by its value. A sign stands between two numbers
/// with a space on both sides, or on neither: `7 -3` is a negative number, which is refused later.
///
/// The text may come from a spreadsheet: with a byte order mark, quotes, semicolons, and a comma at
/// the end.
pub fn evaluated(text: &str) -> Result<String, String> {
    let pasted = text.trim_start_matches('\u{feff}').replace('"', " ").replace(';', ",");
    let text = pasted.trim().trim_end_matches(',').replace(['−', '–'], "-");
    let text = text.replace(" + ", "+").replace(" - ", "-");
    let mut result = String::new();
    for part in text.split_inclusive(is_separator) {
        let number = part.trim_end_matches(is_separator);
        let is_sum = number.get(1..).is_some_and(|rest| rest.contains(['+', '-']));
        result += &if is_sum { value(number)? } else { number.to_owned() };
        result += &part[number.len()..];
    }
    Ok(result)
}

fn is_separator(letter: char) -> bool {
    letter.is_whitespace() || [',', '(', ')', '[', ']', '\''].contains(&letter)
}

/// The value of `a+b-c`, from left to right.
fn value(sum: &str) -> Result<String, String> {
    let mut total = BigUint::ZERO;
    let mut is_added = true;
    for term in sum.split_inclusive(['+', '-']) {
        let number = read(term.trim_end_matches(['+', '-']), sum)?;
        total = if is_added {
            total + number
        } else if number <= total {
            total - number
        } else {
            return Err(format!("{sum} is negative; a row has 0 squares or more"));
        };
        is_added = !term.ends_with('-');
    }
    Ok(total.to_string())
}

fn read(term: &str, sum: &str) -> Result<BigUint, String> {
    let digits = notation::digits(term).map_err(|error| format!("{term:?} in {sum:?}: {error}"))?;
    if digits.len() > DIGITS {
        return Err(format!("{term} has more than {DIGITS} digits, which is too long here"));
    }
    digits.parse().map_err(words)
}
