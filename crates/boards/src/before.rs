//! The positions with a bite to a position.

use std::ops::Range;

/// Calls a function with all rows from which a bite leaves these rows, if no row was longer than
/// `longest`, and the bite took at most `most` squares; and with the number of squares that are
/// left of these. A row that the bite emptied is among the rows, with 0 squares.
///
/// A bite removes the end of the bitten row, and the ends of the next rows as far as they become
/// equally long. Costs a step for each position.
pub(crate) fn before(
    rows: &mut [u16],
    longest: u16,
    most: u16,
    visit: &mut impl FnMut(&[u16], u16),
) {
    for bitten in 0..rows.len() {
        let longest = if bitten == 0 { longest } else { rows[bitten - 1] };
        if rows[bitten] < longest {
            let equal = rows[bitten..].iter().take_while(|&&row| row == rows[bitten]).count();
            lengthen(rows, bitten..bitten + equal, longest, most, visit);
        }
    }
}

/// Adds squares to the first of these rows, and none or more to the later ones.
fn lengthen(
    rows: &mut [u16],
    equal: Range<usize>,
    longest: u16,
    most: u16,
    visit: &mut impl FnMut(&[u16], u16),
) {
    let (row, left) = (equal.start, rows[equal.start]);
    for added in 1..=most.min(longest - left) {
        rows[row] = left + added;
        visit(rows, most - added);
        if row + 1 < equal.end {
            lengthen(rows, row + 1..equal.end, left + added, most - added, visit);
        }
    }
    rows[row] = left;
}
