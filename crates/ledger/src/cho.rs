//! Claims of Cho 2018: `claims.ron`, and the functions that decide them; here those about positions
//! of three rows, or of three columns, decided by the game tree.

pub mod boards;

use game::Outcome;

use crate::arguments::PN;
use crate::brouwer::positions::{Lengths, position, wrong_outcome};
use crate::evidence::Evidence;
use crate::oracles::{self, TREE};
use crate::verdict::Finding;

/// From `(p,q,r)` a bite leads to the P-position `by`, if p >= from, p > q, and q is in the range
/// `middle`.
pub fn blocked(_: &Evidence, (r, middle, from, by): (u64, (u64, u64), u64, Lengths)) -> Finding {
    let by = position(by);
    if oracles::outcome(by) == Outcome::N {
        return Finding::unless(Some(format!("{by} is an N-position")));
    }
    Finding::each(from..=TREE, |p| {
        let mut boards = (middle.0..=middle.1.min(p - 1)).map(|q| position((p, q, r)));
        let unblocked = boards.find(|board| !board.bites().any(|bite| bite == by))?;
        Some(format!("no bite leads from {unblocked} to {by}"))
    })
}

/// `(p,q,1)`, q from this number on, has this outcome.
pub fn top_row_one(_: &Evidence, (from, outcome): (u64, PN)) -> Finding {
    let wrong = |p: u64| (from..=p).find_map(|q| wrong_outcome(position((p, q, 1)), outcome));
    let figure = match (1..=TREE).filter_map(wrong).count() {
        0 => String::new(),
        number => format!("exceptions: {number}"),
    };
    Finding::each(1..=TREE, wrong).with(figure)
}
