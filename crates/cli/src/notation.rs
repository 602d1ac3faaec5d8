//! What is typed: numbers, rows, tails, positions and ranges. `docs/NOTATION.md` has the table.
//!
//! All commands read their arguments here. Row lengths are read by [`game::Written`].

use std::fmt::Display;

use driver::{AnyPosition, LARGEST_ROW, Length, Position};
use game::{Board, Lengths, Written};
use num_bigint::BigUint;

/// Decimal digits, with underscores between them for the eye.
pub fn number(text: &str) -> Result<u64, String> {
    let is_group = |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    if !text.split('_').all(is_group) {
        return Err("give a whole number in decimal digits, such as 10000 or 10_000".to_owned());
    }
    text.replace('_', "").parse().map_err(|_too_large| "this number is too large".to_owned())
}

/// A row that can be computed.
pub fn row(text: &str) -> Result<u64, String> {
    at_most(text, LARGEST_ROW, "rows go to").map_err(|error| {
        if error.starts_with("rows") { format!("{error} here") } else { error }
    })
}
