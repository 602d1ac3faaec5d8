//! Claims about positions of three rows, or of three columns, decided by the game tree.

use game::{Outcome, ThreeRows};

use crate::arguments::PN;
use crate::brouwer::positions::{Lengths, compare, game_tree, has, position, sorted, stated};
use crate::evidence::{Evidence, TREE};
use crate::verdict::Finding;

/// Positions have this outcome.
pub fn outcomes(evidence: &Evidence, (outcome, positions): (PN, Vec<Lengths>)) -> Finding {
    stated(positions.iter().map(|&lengths| has(evidence, position(lengths), outcome)))
        .by(game_tree())
}

/// Boards of any number of rows, but three columns at most, have this outcome.
pub fn transposed_outcomes(evidence: &Evidence, (outcome, boards): (PN, Vec<Vec<u64>>)) -> Finding {
    stated(boards.iter().map(|board| has(evidence, transposed(board), outcome))).by(game_tree())
}

/// Rows and columns exchanged.
fn transposed(board: &[u64]) -> ThreeRows {
    let column = |c: u64| board.iter().filter(|&&length| length > c).count() as u64;
    assert!(column(3) == 0, "a board of three columns at most");
    position((column(0), column(1), column(2)))
}

/// The P-positions whose longest row is in a range, and whose shortest row is at least `shortest`,
/// are these.
pub fn p_positions(
    evidence: &Evidence,
    (longest, shortest, positions): ((u64, u64), u64, Vec<Lengths>),
) -> Finding {
    let found = evidence.tree().p_positions().filter(|position| {
        (longest.0..=longest.1).contains(&position.p()) && position.r() >= shortest
    });
    let mut found: Vec<ThreeRows> = found.collect();
    found.sort_unstable();
    stated([compare("", &sorted(&positions), &found)]).by(game_tree())
}

/// From `(p,q,r)` a bite leads to the P-position `by`, if p >= from, p > q, and q is in the range
/// `middle`.
pub fn blocked(
    evidence: &Evidence,
    (r, middle, from, by): (u64, (u64, u64), u64, Lengths),
) -> Finding {
    let by = position(by);
    if evidence.outcome(by) == Outcome::N {
        return Finding::unless(Some(format!("{by} is an N-position"))).by(game_tree());
    }
    Finding::each(from..=TREE, |p| {
        let mut boards = (middle.0..=middle.1.min(p - 1)).map(|q| position((p, q, r)));
        let unblocked = boards.find(|board| !board.bites().any(|bite| bite == by))?;
        Some(format!("no bite leads from {unblocked} to {by}"))
    })
    .by(game_tree())
}

/// `(p,q,1)`, q from this number on, has this outcome.
pub fn top_row_one(evidence: &Evidence, (from, outcome): (u64, PN)) -> Finding {
    let wrong = |p: u64| (from..=p).find_map(|q| has(evidence, position((p, q, 1)), outcome).err());
    let figure = match (1..=TREE).filter_map(wrong).count() {
        0 => String::new(),
        number => format!("exceptions: {number}"),
    };
    Finding::each(1..=TREE, wrong).with(figure).by(game_tree())
}
