//! The first oracle: P or N of every position, from the definition and nothing else.

use std::fmt;

use crate::ThreeRows;

/// The winner of a position under best play.
///
/// The 2005 paper, section 1. There is no third case: a bite removes squares, so every game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// P-position: the previous player wins. Every bite leaves an N-position.
    P,
    /// N-position: the next player wins. Some bite leaves a P-position.
    N,
}

/// `P` or `N`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::P => "P",
            Self::N => "N",
        })
    }
}

/// The outcomes of all positions with `p <= n`, found by trying every bite of every position.
///
/// ```
/// use game::{GameTree, Outcome, ThreeRows};
///
/// let tree = GameTree::up_to(10);
/// assert_eq!(tree.outcome(ThreeRows::new(7, 4, 3)?), Some(Outcome::P));
/// assert_eq!(tree.outcome(ThreeRows::new(7, 5, 3)?), Some(Outcome::N));
/// assert_eq!(tree.outcome(ThreeRows::new(11, 0, 0)?), None);
/// # Ok::<(), game::ThreeRowsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    n: u64,
    /// In the order of [`ThreeRows::up_to`].
    outcomes: Vec<Outcome>,
}

impl GameTree {
    /// The outcomes of all positions with `p <= n`; of none for `n = 0`.
    ///
    /// A position is N if and only if some bite leaves a P-position. Every bite leaves a position
    /// that comes earlier in the order of [`ThreeRows`], so its outcome is known when it is needed.
    ///
    /// Takes `O(n^4)` time, as each of about `n^3/6` positions has fewer than `3n` bites, and a
    /// byte for each position: meant for `n` to a few hundred.
    pub fn up_to(n: u64) -> Self {
        let mut tree = Self { n, outcomes: Vec::new() };
        for position in ThreeRows::up_to(n) {
            let leaves_p = position.bites().any(|bite| tree.outcome(bite) == Some(Outcome::P));
            tree.outcomes.push(if leaves_p { Outcome::N } else { Outcome::P });
        }
        tree
    }

    /// The outcome of a position; `None` if its `p` is larger than `n`. Constant time.
    pub fn outcome(&self, position: ThreeRows) -> Option<Outcome> {
        let in_reach = position.p() <= self.n;
        in_reach.then(|| self.outcomes[index(position)])
    }

    /// The P-positions with `p <= n`, in the order of [`ThreeRows`]: by `p`, then `q`, then `r`.
    ///
    /// Going through all of them takes `O(n^3)` time.
    ///
    /// ```
    /// use game::GameTree;
    ///
    /// let tree = GameTree::up_to(3);
    /// let found: Vec<String> = tree.p_positions().map(|position| position.to_string()).collect();
    /// assert_eq!(found, ["(1,0,0)", "(2,1,0)", "(2,2,1)", "(3,1,1)", "(3,2,0)"]);
    /// ```
    pub fn p_positions(&self) -> impl Iterator<Item = ThreeRows> {
        ThreeRows::up_to(self.n)
            .zip(&self.outcomes)
            .filter(|&(_, &outcome)| outcome == Outcome::P)
            .map(|(position, _)| position)
    }
}

/// The number of positions before this one: the `p(p+1)(p+2)/6` boards with a shorter top row, less
/// the empty one; the `q(q+1)/2` with this top row and a shorter middle row; the `r` with both.
fn index(position: ThreeRows) -> usize {
    let (p, q, r) = (position.p(), position.q(), position.r());
    let index = p * (p + 1) * (p + 2) / 6 - 1 + q * (q + 1) / 2 + r;
    usize::try_from(index).expect("of a position in a table")
}
