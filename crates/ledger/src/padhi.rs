//! Claims of Padhi 2026 about the openings of rectangles: `padhi/claims.ron`, and the functions
//! that decide them.

use crate::brouwer::boards::{each_side, squares, winning};
use crate::evidence::Evidence;
use crate::verdict::Finding;

/// From a winning opening of m × n to the one in the next greater row, the row grows by at least
/// `rows`, and the column falls by at least `columns`, for from <= m <= n. The paper has 1 and 1.
pub fn staircase(_: &Evidence, (from, rows, columns): (u16, u16, u16)) -> Finding {
    each_side(from, |n| {
        (from..=n).find_map(|m| {
            // By row and column.
            let found = winning(m, n).0;
            let falls = found.is_sorted_by(|one, next| {
                one.row + rows <= next.row && next.column + columns <= one.column
            });
            (!falls).then(|| format!("{m}x{n}: {}", squares(&found)))
        })
    })
}

/// The number of winning openings of n × n, n >= from, leaves this remainder modulo 2.
pub fn parity(_: &Evidence, (from, remainder): (u16, usize)) -> Finding {
    each_side(from, |n| {
        let found = winning(n, n).0;
        (found.len() % 2 != remainder).then(|| format!("{n}x{n}: {}", squares(&found)))
    })
}
