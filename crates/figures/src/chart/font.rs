//! The one font: how wide text is. All lengths of the font are in its own units; [`UNITS`] of these
//! are its size. `fonts/README.md` says how the table is made.

use std::collections::BTreeMap;
use std::sync::LazyLock;

const UNITS: i64 = 2048;

/// The advance of each letter.
static ADVANCES: LazyLock<BTreeMap<char, i64>> = LazyLock::new(|| {
    let mut advances = BTreeMap::new();
    for line in include_str!("../../fonts/glyphs.tsv").lines() {
        let (advance, letters) = line.split_once('\t').expect("the table has two columns");
        let advance: i64 = advance.parse().expect("the table has advances");
        advances.extend(letters.chars().map(|letter| (letter, advance)));
    }
    advances
});

/// The width of a text, in hundredths of a millimetre.
///
/// # Panics
/// If the font lacks a letter.
pub fn width(text: &str, size: i64) -> i64 {
    let advance = |letter| {
        let known = ADVANCES.get(&letter);
        known.unwrap_or_else(|| panic!("the font in the program has no {letter:?}; add it there"))
    };
    text.chars().map(advance).sum::<i64>() * size / UNITS
}
