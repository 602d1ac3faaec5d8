//! The three lines of Friedman and Landsberg: with y = q - r and z = p - q the P-positions of row r
//! lie near `z = r/√2 + (-1 ± 1/√2)·y` up to `y = (√2 - 1)·r`, then near `z = (2 - √2)·r`.
//! Observed, not proved; used only in pictures.

use census::Surd;

use super::axes::Panel;
use super::legend::Entry;
use super::page::{Ink, Page, colour};
use super::thousandths::whole;

const UPPER: Ink = Ink::Line(colour::VERMILION, 24);
const LOWER: Ink = Ink::Dashes(colour::BLACK, 24, "130 80");
const LAST: Ink = Ink::Dashes(colour::VERMILION, 28, "30 60");

/// Draws the lines of a row over earlier marks. `shift` is added to y, and the last line ends at
/// `end`.
pub fn draw(row: u64, page: &mut Page, panel: &Panel, shift: i64, end: i64) {
    let over_root = |times: i64| Surd::new(0, times * row.cast_signed()).floor_of(1000);
    let (begin, root_two) = ((shift, over_root(1)), over_root(2));
    let bend = shift + root_two - whole(row);
    let settled = 2 * whole(row) - root_two;
    page.path("upper-line", panel.line(begin, (bend, settled)), UPPER);
    page.path("lower-line", panel.line(begin, (bend, 0)), LOWER);
    page.path("last-line", panel.line((bend, settled), (end, settled)), LAST);
}

/// The meanings of the lines.
pub fn legend() -> [Entry; 3] {
    [
        Entry::new(UPPER, "z = r/√2 − (1 − 1/√2)·y"),
        Entry::new(LOWER, "z = r/√2 − (1 + 1/√2)·y"),
        Entry::new(LAST, "z = (2 − √2)·r"),
    ]
}
