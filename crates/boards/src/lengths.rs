//! The length of a game with best play: the player who wins hurries, and the other one delays
//! (`proofs/boards.md`, 8).
//!
//! The *length* of a position is the number of turns that are left; the last of them takes the
//! poison. It is odd for a P-position, whose player chooses a bite to the greatest length, and even
//! for an N-position, whose player chooses among the P-positions the one with the least. For all
//! boards in a rectangle, [`Lengths`] has a number for each. For three rows [`of_three_rows`] keeps
//! P-positions only, and so goes much further.

use std::mem;
use std::num::NonZero;
use std::ops::{ControlFlow, Range};

use game::Board;

use crate::ranks::{Ranks, before};
use crate::rectangles::{positions, require_squares};
use crate::sieve::{self, Kept, Sieve};
use crate::{OnProgress, SolveError, fitting, report};

/// The name here of the lengths of 3 × n.
pub const SEQUENCE: &str = "game-lengths";

/// The meaning of a(n), from n = 1 on.
pub const DEFINITION: &str =
    "the number of turns from 3 x n if the winner hurries and the loser delays";

/// The lengths of all boards that fit into a rectangle.
#[derive(Clone, Debug)]
pub struct Lengths {
    rows: u16,
    columns: u16,
    ranks: Ranks,
    /// By the rank of all rows; 0 for the empty board.
    by_rank: Vec<u16>,
}

impl Lengths {
    /// Finds them. The boards come in lexicographic order, so all bites lead to earlier ones. One
    /// without a length has no bite to a P-position; then it is P, and the boards with a bite to
    /// it have a length. Costs a step for each option of a P-position and for each winning bite,
    /// which takes longer with more rows than columns, and the memory of [`memory`]. `on_progress`
    /// counts positions.
    ///
    /// # Errors
    /// [`SolveError`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use boards::lengths::Lengths;
    /// let lengths = Lengths::of(3, 4, &|_| ControlFlow::Continue(()))?;
    /// assert_eq!(lengths.of_board(&"3x4".parse()?), Some(8));
    /// // Two columns: the game can last as long as there are squares.
    /// assert_eq!(lengths.of_board(&"2,2,1".parse()?), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(rows: u16, columns: u16, on_progress: &OnProgress) -> Result<Self, SolveError> {
        /// The progress is told after this number of positions.
        const STEPS: u64 = 1 << 16;
        require_squares(rows, columns)?;
        // A length is at most the number of squares.
        let is_small = u32::from(rows) * u32::from(columns) <= u16::MAX.into();
        let ranks = Ranks::new(&vec![columns; rows.into()]).filter(|_| is_small);
        let ranks = ranks.ok_or(SolveError::TooLarge { rows, columns })?;
        let (mut lengths, mut board) = (vec![0_u16; ranks.all()], vec![0; rows.into()]);
        let mut done = 0;
        for rank in 1..lengths.len() {
            ranks.advance(&mut board);
            if lengths[rank] == 0 {
                let longest = ranks.bites(&board).map(|left| lengths[left]).max().unwrap_or(0);
                lengths[rank] = longest + 1;
                let grown = |rank, row, by: Range<u16>| {
                    let below = |length| ranks.below(usize::from(rows) - row, length);
                    Some(rank + below(by.end) - below(by.start))
                };
                before(&mut board, columns, rank, &grown, &mut |_, rank| {
                    let known = &mut lengths[rank];
                    let so_far = if *known == 0 { u16::MAX } else { *known };
                    *known = so_far.min(longest + 2);
                });
            }
            done += 1;
            if done == STEPS || rank + 1 == lengths.len() {
                report(on_progress, mem::take(&mut done))?;
            }
        }
        Ok(Self { rows, columns, ranks, by_rank: lengths })
    }

    /// The length of a board; `None` if it does not fit. O(rows).
    pub fn of_board(&self, board: &Board) -> Option<u16> {
        let board = fitting(board, self.rows, self.columns)?;
        Some(self.by_rank[self.ranks.rank_cut(self.rows.into(), board.rows(), u16::MAX)])
    }

    /// The P-positions, each with the lengths of all rows, in lexicographic order. As nothing but
    /// the rules is used, this is an oracle of other solvers.
    pub fn p_positions(&self) -> impl Iterator<Item = Vec<u16>> {
        let is_p = |&(_, length): &(usize, &u16)| length % 2 == 1;
        let found = self.by_rank.iter().enumerate().filter(is_p);
        found.map(|(rank, _)| self.ranks.rows(rank, self.rows.into()))
    }
}

/// The bytes of [`Lengths`].
pub fn memory(rows: u16, columns: u16) -> u64 {
    positions(rows, columns).saturating_mul(2)
}

/// The largest length of row 1 for [`of_three_rows`].
pub const LONGEST: u16 = 20_000;

/// The bytes of [`of_three_rows`] with this number of threads.
pub fn memory_of_three_rows(to: u16, threads: NonZero<usize>) -> u64 {
    let tables = 4 * u64::from(to).saturating_add(1).pow(2);
    sieve::memory(3, to, threads, Kept::Block).saturating_add(tables)
}

/// Calls `visit` with each P-position `(p,q,r)` with p up to `to` and r up to `last_row`, by p and
/// then q, and with its length. `Break` ends the work, successfully. Costs at most p + q + r steps
/// for each of them, in which it looks at the P-positions that a reply can leave. `on_progress`
/// counts the columns of a sieve.
///
/// # Errors
/// [`SolveError`].
///
/// ```
/// use std::num::NonZero;
/// use std::ops::ControlFlow;
/// let (mut found, one) = (Vec::new(), NonZero::<usize>::MIN);
/// let go_on = |_| ControlFlow::Continue(());
/// boards::lengths::of_three_rows(3, 3, one, &go_on, &mut |position, length| {
///     found.push((position, length));
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(found[..3], [([1, 0, 0], 1), ([2, 1, 0], 3), ([2, 2, 1], 5)]);
/// # Ok::<(), boards::SolveError>(())
/// ```
pub fn of_three_rows(
    to: u16,
    last_row: u16,
    threads: NonZero<usize>,
    on_progress: &OnProgress,
    visit: &mut dyn FnMut([u16; 3], u16) -> ControlFlow<()>,
) -> Result<(), SolveError> {
    if to > LONGEST {
        let words = format!("lengths are found to 3x{LONGEST}, and 3x{to} is asked for");
        return Err(SolveError::Size(words));
    }
    let mut sieve = Sieve::new(3, to)?;
    let mut known = PositionsOfThree::none(to);
    while let Some(layers) = sieve.next_layers(threads, on_progress)? {
        for layer in layers {
            let mut found = Vec::new();
            // A bite leaves a row 3 that is no longer.
            layer.for_each(|rows| {
                if rows[2] <= last_row {
                    found.push([rows[0], rows[1], rows[2]]);
                }
            });
            known.add(&found, to);
            for [p, q, r] in found {
                if visit([p, q, r], known.lengths[place(p, q)]).is_break() {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// No length of a row.
const NONE: u16 = u16::MAX;

/// The P-positions of three rows with the lengths of row 1 so far. Of two lengths, the first is at
/// least the second. With rows cut to the rows before them, at most one length of each row makes a
/// P-position: of two, a bite in this row would lead from one to the other.
struct PositionsOfThree {
    /// By rows 2 and 3, the length of row 1.
    first: Vec<u16>,
    /// By rows 1 and 3, that of row 2.
    second: Vec<u16>,
    /// By rows 1 and 2, that of row 3, and of the game.
    third: Vec<u16>,
    lengths: Vec<u16>,
}

/// The place of two lengths.
fn place(longer: u16, other: u16) -> usize {
    let longer = usize::from(longer);
    longer * (longer + 1) / 2 + usize::from(other)
}

impl PositionsOfThree {
    fn none(to: u16) -> Self {
        let none = vec![NONE; place(to, to) + 1];
        Self { first: none.clone(), second: none.clone(), third: none.clone(), lengths: none }
    }

    /// Adds the P-positions with the next length of row 1, by the length of row 2.
    fn add(&mut self, positions: &[[u16; 3]], to: u16) {
        for &[p, q, r] in positions {
            self.third[place(p, q)] = r;
            // A longer row 3 is cut to row 2, and a longer row 2 to row 1.
            (r..=if q == r { p } else { r }).for_each(|r| self.second[place(p, r)] = q);
            (q..=if p == q { to } else { q }).for_each(|q| self.first[place(q, r)] = p);
        }
        for &position in positions {
            let [p, q, _] = position;
            self.lengths[place(p, q)] = self.length(position);
        }
    }

    /// The length of a P-position, from those that a bite and a reply leave.
    fn length(&self, [p, q, r]: [u16; 3]) -> u16 {
        // It is at least 2p - 1, by (b) of `proofs/boards.md`, 8. In each row the bites that leave
        // more come first.
        let mut longest = 2 * p - 2;
        let mut try_bites = |bites: &mut dyn Iterator<Item = [u16; 3]>| {
            for left in bites {
                // A game has at most as many turns as squares, by (a). So no bite that leaves fewer
                // lasts longer.
                if left.iter().sum::<u16>() <= longest {
                    break;
                }
                let shortest = self.replies(left).min().expect("a bite leaves an N-position");
                longest = longest.max(shortest + 1);
            }
        };
        try_bites(&mut (1..p).rev().map(|x| [x, q.min(x), r.min(x)]));
        try_bites(&mut (0..q).rev().map(|x| [p, x, r.min(x)]));
        try_bites(&mut (0..r).rev().map(|x| [p, q, x]));
        longest + 1
    }

    /// The lengths of the P-positions that bites leave.
    fn replies(&self, [p, q, r]: [u16; 3]) -> impl Iterator<Item = u16> {
        let third = Some((p, q)).filter(|_| self.third[place(p, q)] < r);
        let second = Some(self.second[place(p, r)]).filter(|&x| x < q).map(|x| (p, x));
        let first = Some(self.first[place(q, r)]).filter(|&x| x < p).map(|x| (x, q.min(x)));
        let left = [third, second, first].into_iter().flatten();
        left.map(|(p, q)| self.lengths[place(p, q)])
    }
}
