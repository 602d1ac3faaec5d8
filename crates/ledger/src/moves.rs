//! Claims about the moves of Zeilberger 2003, in his notation `[c,a,b]`: c columns of three
//! squares, a of two, b of one. Decided by all bites of all small positions, and by the game tree.

use std::collections::BTreeSet;

use game::ThreeRows;
use serde::Deserialize;

use crate::evidence::{Oracles, TREE};
use crate::positions::{PN, SMALL, has};
use crate::verdict::{Examined, Finding};

/// A test on moves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum MoveTest {
    /// From each position with at most this number of rows, the moves are exactly these families.
    LegalMoves {
        /// 2 or 3.
        rows: u64,
        /// Zeilberger's families.
        families: Vec<Move>,
    },
    /// The positions from which one of this kind is reached in one move are those of these
    /// families.
    Predecessors {
        /// Shape of position.
        of: Shape,
        /// Families of positions before it.
        families: Vec<Before>,
    },
    /// Where a P-position of this kind is reached in one move by these families, they have this
    /// outcome.
    Implied {
        /// Shape of P-position.
        by: Shape,
        /// Families of positions before it.
        families: Vec<Before>,
        /// P or N.
        outcome: PN,
    },
}

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

/// Shapes of positions `[c,a,b]`, by their columns of one and of two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Shape {
    /// `a, b > 0`.
    TwosAndOnes,
    /// `a > 0 = b`.
    Twos,
    /// `b > 0 = a`.
    Ones,
    /// `a = b = 0`.
    Threes,
}

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

impl MoveTest {
    /// The method, and the finding.
    pub(crate) fn examine(&self, oracles: &Oracles) -> Examined {
        match self {
            Self::LegalMoves { rows, families } => {
                legal_moves(*rows, families).by(format!("all positions with p <= {MOVES}"))
            }
            Self::Predecessors { of, families } => {
                predecessors(*of, families).by(format!("all positions with p <= {PREDECESSORS}"))
            }
            Self::Implied { by, families, outcome } => implied(oracles, *by, families, *outcome)
                .by(format!("game tree of all positions with p <= {TREE}")),
        }
    }
}

/// `[c,a,b]` as a position, if it is one.
fn columns(c: u64, a: u64, b: u64) -> Option<ThreeRows> {
    ThreeRows::from_zeilberger(c, a, b).ok()
}

fn legal_moves(rows: u64, families: &[Move]) -> Finding {
    let asked = |position: &ThreeRows| rows > 2 || position.r() == 0;
    Finding::each(1..=MOVES, |p| {
        // For each position, the number of the last one that was said to lead to it, and that of
        // the last one that does. No move makes the top row longer.
        let lengths = p + 1;
        let at = |left: &ThreeRows| narrow((left.p() * lengths + left.q()) * lengths + left.r());
        let [mut said, mut true_ones] = [(); 2].map(|()| vec![0_u32; narrow(lengths.pow(3))]);
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
}

fn narrow(number: u64) -> usize {
    usize::try_from(number).expect("small")
}

impl Move {
    /// The positions that these moves leave from `[c,a,b]`.
    fn from(self, c: u64, a: u64, b: u64) -> impl Iterator<Item = ThreeRows> {
        let left = move |x: u64| match self {
            Self::TopOnes => columns(c, a, b - x),
            Self::TopTwos => columns(c, a - x, 0),
            Self::TopThrees => columns(c - x, 0, 0),
            Self::MiddleTwos => columns(c, a - x, b + x),
            Self::MiddleThrees => columns(c - x, 0, a + b + x),
            Self::BottomThrees => columns(c - x, a + x, b),
        };
        let most = match self {
            Self::TopOnes => b,
            Self::TopTwos | Self::MiddleTwos => a,
            Self::TopThrees => c.saturating_sub(1),
            Self::MiddleThrees | Self::BottomThrees => c,
        };
        (1..=most).filter_map(left)
    }
}

impl Shape {
    fn of(position: ThreeRows) -> Self {
        let [_, a, b] = position.to_zeilberger();
        match (a > 0, b > 0) {
            (true, true) => Self::TwosAndOnes,
            (true, false) => Self::Twos,
            (false, true) => Self::Ones,
            (false, false) => Self::Threes,
        }
    }
}

/// The positions of these families before a position, with p to `longest`.
fn before(position: ThreeRows, families: &[Before], longest: u64) -> BTreeSet<ThreeRows> {
    let [c, a, b] = position.to_zeilberger();
    let family = |family: &Before| -> Vec<Option<ThreeRows>> {
        let up = 0..=longest;
        match family {
            Before::MoreOnes => (1..=longest).map(|x| columns(c, a, b + x)).collect(),
            Before::TwosForOnes => (1..=b).map(|x| columns(c, a + x, b - x)).collect(),
            Before::ThreesForTwos => (1..=a).map(|x| columns(c + x, a - x, b)).collect(),
            Before::MoreTwosAndOnes => up
                .flat_map(|x| (0..=longest).map(move |y| (x, y)))
                .filter(|&(x, y)| x + y > 0)
                .map(|(x, y)| columns(c, a + x, y))
                .collect(),
            Before::AnyForOnes => (0..=b)
                .flat_map(|x| (0..=b - x).map(move |y| (x, y)))
                .filter(|&(x, y)| x + y > 0)
                .map(|(x, y)| columns(c + x, y, b - x - y))
                .collect(),
            Before::MoreOfAll => up
                .flat_map(|x| (0..=longest).map(move |y| (x, y)))
                .flat_map(|(x, y)| (0..=longest).map(move |z| (x, y, z)))
                .filter(|&(x, y, z)| x + y + z > 0)
                .map(|(x, y, z)| columns(c + x, y, z))
                .collect(),
        }
    };
    families.iter().flat_map(family).flatten().filter(|before| before.p() <= longest).collect()
}

fn predecessors(of: Shape, families: &[Before]) -> Finding {
    Finding::each(1..=PREDECESSORS, |p| {
        let of_shape = |position: &ThreeRows| Shape::of(*position) == of;
        ThreeRows::with_top_row(p).filter(of_shape).find_map(|position| {
            let said = before(position, families, PREDECESSORS);
            let true_ones: BTreeSet<ThreeRows> = ThreeRows::up_to(PREDECESSORS)
                .filter(|from| from.bites().any(|bite| bite == position))
                .collect();
            let wrong = *said.symmetric_difference(&true_ones).next()?;
            let (verb, said) = if said.contains(&wrong) {
                ("is not", "but said to be")
            } else {
                ("is", "but not said to be")
            };
            Some(format!("{position} {verb} reached from {wrong}, {said}"))
        })
    })
}

fn implied(oracles: &Oracles, by: Shape, families: &[Before], outcome: PN) -> Finding {
    let known: Vec<ThreeRows> =
        oracles.tree().p_positions().filter(|position| Shape::of(*position) == by).collect();
    Finding::each(1..=SMALL, |p| {
        known.iter().filter(|position| position.p() == p).find_map(|&position| {
            before(position, families, TREE)
                .into_iter()
                .find_map(|before| has(oracles, before, outcome).err())
        })
    })
}
