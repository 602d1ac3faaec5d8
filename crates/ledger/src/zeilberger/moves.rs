//! Claims about the moves of Zeilberger 2003, in his notation `[c,a,b]`: c columns of three
//! squares, a of two, b of one. Decided by all bites of all small positions, and by the game tree.

use std::collections::BTreeSet;

use game::ThreeRows;
use serde::Deserialize;

use crate::arguments::PN;
use crate::brouwer::positions::{SMALL, index, wrong_outcome};
use crate::evidence::Evidence;
use crate::oracles::{GAME_TREE, TREE};
use crate::verdict::Finding;

/// Families of moves from `[c,a,b]` (Zeilberger 2003), named by row and by the columns that are
/// hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Move {
    /// `[c,a,b-x]`, `0 < x <= b`.
    TopOnes,
    /// `[c,a-x,0]`, `0 < x <= a`.
    TopTwos,
    /// `[c-x,0,0]`, `0 < x < c`.
    TopThrees,
    /// `[c,a-x,b+x]`, `0 < x <= a`.
    MiddleTwos,
    /// `[c-x,0,a+b+x]`, `0 < x <= c`.
    MiddleThrees,
    /// `[c-x,a+x,b]`, `0 < x <= c`.
    BottomThrees,
}

/// Whether a > 0 and whether b > 0 in `[c,a,b]`.
type Shape = (bool, bool);

/// Families of positions before `[c,a,b]` (Zeilberger 2003, Rules 1 to 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Before {
    /// `[c,a,b+x]`, `x > 0`.
    MoreOnes,
    /// `[c,a+x,b-x]`, `0 < x <= b`.
    TwosForOnes,
    /// `[c+x,a-x,b]`, `0 < x <= a`.
    ThreesForTwos,
    /// `[c,a+x,y]`, `x, y >= 0`, `x + y > 0`.
    MoreTwosAndOnes,
    /// `[c+x,y,b-x-y]`, `x, y >= 0`, `0 < x + y <= b`.
    AnyForOnes,
    /// `[c+x,y,z]`, `x, y, z >= 0`, `x + y + z > 0`.
    MoreOfAll,
}

/// Positions with p to this number are tested for moves.
const MOVES: u64 = 100;

/// And those to this one for predecessors.
const PREDECESSORS: u64 = 12;

/// From each position with at most this number of rows, 2 or 3, the moves are exactly these
/// families.
pub fn legal_moves(_: &Evidence, (rows, families): (u64, Vec<Move>)) -> Finding {
    let asked = |position: &ThreeRows| rows > 2 || position.r() == 0;
    Finding::each(1..=MOVES, |p| {
        // For each position, the number of the last one that was said to lead to it, and that of
        // the last one that does. No move makes the top row longer.
        let lengths = p + 1;
        let at = |left: &ThreeRows| index((left.p() * lengths + left.q()) * lengths + left.r());
        let [mut said, mut true_ones] = [(); 2].map(|()| vec![0_u32; index(lengths.pow(3))]);
        (1..).zip(ThreeRows::with_top_row(p).filter(asked)).find_map(|(number, position)| {
            let [c, a, b] = position.to_zeilberger();
            let said_ones = || families.iter().flat_map(|family| family.from(c, a, b));
            said_ones().for_each(|left| said[at(&left)] = number);
            position.bites().for_each(|left| true_ones[at(&left)] = number);
            let more = said_ones().find(|left| true_ones[at(left)] != number);
            let wrong = more.or_else(|| position.bites().find(|left| said[at(left)] != number))?;
            Some(format!("from {position} to {wrong}"))
        })
    })
    .by(format!("all positions with p <= {MOVES}"))
}

impl Move {
    /// The positions that these moves leave from `[c,a,b]`.
    fn from(self, c: u64, a: u64, b: u64) -> impl Iterator<Item = ThreeRows> {
        // The largest x, and the position for x.
        type Left = fn([u64; 3], u64) -> [u64; 3];
        let (most, left): (u64, Left) = match self {
            Self::TopOnes => (b, |[c, a, b], x| [c, a, b - x]),
            Self::TopTwos => (a, |[c, a, _], x| [c, a - x, 0]),
            Self::TopThrees => (c.saturating_sub(1), |[c, ..], x| [c - x, 0, 0]),
            Self::MiddleTwos => (a, |[c, a, b], x| [c, a - x, b + x]),
            Self::MiddleThrees => (c, |[c, a, b], x| [c - x, 0, a + b + x]),
            Self::BottomThrees => (c, |[c, a, b], x| [c - x, a + x, b]),
        };
        let columns = move |[c, a, b]: [u64; 3]| ThreeRows::from_zeilberger(c, a, b).ok();
        (1..=most).filter_map(move |x| columns(left([c, a, b], x)))
    }
}

fn shape(position: &ThreeRows) -> Shape {
    let [_, a, b] = position.to_zeilberger();
    (a > 0, b > 0)
}

impl Before {
    /// Whether these positions contain one, before another.
    fn has(self, before: ThreeRows, position: ThreeRows) -> bool {
        let ([c, a, b], [more, twos, ones]) = (position.to_zeilberger(), before.to_zeilberger());
        let columns = more + twos + ones;
        match self {
            Self::MoreOnes => (more, twos) == (c, a) && ones > b,
            Self::TwosForOnes => more == c && twos > a && columns == c + a + b,
            Self::ThreesForTwos => more > c && more + twos == c + a && ones == b,
            Self::MoreTwosAndOnes => more == c && twos >= a && twos + ones > a,
            Self::AnyForOnes => more >= c && columns == c + b && ones < b,
            Self::MoreOfAll => more >= c && columns > c,
        }
    }
}

/// The positions of these families before a position, with p to `longest`.
fn before(
    position: ThreeRows,
    families: &[Before],
    longest: u64,
) -> impl Iterator<Item = ThreeRows> {
    let is_before = move |from: &ThreeRows| families.iter().any(|of| of.has(*from, position));
    ThreeRows::up_to(longest).filter(is_before)
}

/// The positions from which one of a shape is reached in one move are those of these families.
pub fn predecessors(_: &Evidence, (of, families): (Shape, Vec<Before>)) -> Finding {
    Finding::each(1..=PREDECESSORS, |p| {
        let of_shape = |position: &ThreeRows| shape(position) == of;
        ThreeRows::with_top_row(p).filter(of_shape).find_map(|position| {
            let said: BTreeSet<ThreeRows> = before(position, &families, PREDECESSORS).collect();
            let true_ones: BTreeSet<ThreeRows> = ThreeRows::up_to(PREDECESSORS)
                .filter(|from| from.bites().any(|bite| bite == position))
                .collect();
            let wrong = *said.symmetric_difference(&true_ones).next()?;
            let [is, said] =
                if said.contains(&wrong) { ["is not", "said"] } else { ["is", "not said"] };
            Some(format!("{position} {is} reached from {wrong}, but {said} to be"))
        })
    })
    .by(format!("all positions with p <= {PREDECESSORS}"))
}

/// Where a P-position of a shape is reached in one move by these families, they have an outcome.
pub fn implied(_: &Evidence, (by, families, outcome): (Shape, Vec<Before>, PN)) -> Finding {
    let known = GAME_TREE.p_positions().filter(|position| shape(position) == by);
    let known: Vec<ThreeRows> = known.collect();
    Finding::each(1..=SMALL, |p| {
        let before = |&position: &ThreeRows| before(position, &families, TREE);
        let mut before = known.iter().filter(|position| position.p() == p).flat_map(before);
        before.find_map(|before| wrong_outcome(before, outcome))
    })
}
