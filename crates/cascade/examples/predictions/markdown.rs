//! Numbers and paragraphs of the documents.

use std::collections::BTreeSet;
use std::fmt;

use cascade::Pattern;
use textwrap::{Options, WordSplitter};

use crate::estimate::ROW;

/// Patterns longer than this are not printed in tables.
const LONGEST_PRINTED: usize = 16;

/// A paragraph, wrapped, and an empty line.
pub fn paragraph(f: &mut fmt::Formatter, text: &str) -> fmt::Result {
    writeln!(f, "{}\n", wrapped(text))
}

/// A number in groups of three digits.
pub fn digits(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<String> =
        groups.map(|group| group.iter().copied().map(char::from).collect()).collect();
    groups.join(" ")
}

/// The periods of patterns, in ascending order.
pub fn periods(patterns: &BTreeSet<Pattern>) -> String {
    let periods: BTreeSet<usize> = patterns.iter().map(Pattern::period).collect();
    let periods: Vec<String> = periods.iter().map(ToString::to_string).collect();
    periods.join(", ")
}

/// The number of patterns, or the only one.
pub fn brackets(patterns: &BTreeSet<Pattern>) -> String {
    match patterns.first() {
        Some(pattern) if patterns.len() == 1 && pattern.period() <= LONGEST_PRINTED => {
            format!("({pattern})")
        }
        _ => format!("[{}]", patterns.len()),
    }
}

/// An estimate to one place, half-way cases up.
pub fn tenths(expected: u128) -> String {
    let tenths = (expected * 10 + ROW / 2) / ROW;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// An estimate to six places, half-way cases up.
pub fn millionths(expected: u128) -> String {
    let millionths = (expected * 1_000_000 + ROW / 2) / ROW;
    format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}

/// `rows / expected` to two digits, rounded up, digits in groups of three.
pub fn one_in(rows: u128, expected: u128) -> String {
    if expected == 0 {
        return "-".to_owned();
    }
    let exact = rows.div_ceil(expected);
    let unit = 10_u128.pow(exact.ilog10().saturating_sub(1));
    digits(exact.div_ceil(unit) * unit)
}

/// Wrapped at 100 columns.
pub fn wrapped(text: &str) -> String {
    textwrap::fill(text, Options::new(100).word_splitter(WordSplitter::NoHyphenation))
}
