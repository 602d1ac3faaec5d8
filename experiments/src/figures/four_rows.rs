//! What figures of P-positions `(a,b,c,d)` of four rows share, `a >= b >= c >= d`.

use boards::four_rows::{Counts, HighOrLow, Opening};
use figures::chart::{Ink, colour};

/// The colour of a winning opening, by its row.
pub fn of_opening(row: u8) -> &'static str {
    match row {
        2 => colour::VERMILION,
        3 => colour::BLUE,
        _ => "#009e73",
    }
}

/// The name of a family.
pub fn name(family: HighOrLow) -> &'static str {
    match family {
        HighOrLow::High => "HIGH",
        HighOrLow::Low => "LOW",
    }
}

/// The lower rows that the winning opening of 4 × a leaves, if it has just one.
pub fn left(a: u16, counts: &Counts) -> Option<(Opening, [u16; 3])> {
    let &[opening] = counts.openings() else { return None };
    let Opening { row, left } = opening;
    Some((opening, [2, 3, 4].map(|lower| if lower < row { a } else { left })))
}

/// A mark for openings.
pub fn opening_ink(row: u8) -> Ink {
    Ink::Dots(of_opening(row), 190)
}
