//! Grundy values of all boards within one board, with any number of rows, by a full table
//! (`proofs/boards.md`, 4.1).
//!
//! The table goes through the lower rows t in lexicographic order, and for each t through the
//! lengths of row 1. The values are stored by t, then by the length of row 1; so the values that
//! the bites in one square reach, for all lengths of row 1, lie side by side.

use std::mem;

use game::Board;

use super::walk::{Sets, mex, words};
use crate::ranks::Ranks;
use crate::{OnProgress, SolveError, insert, report};

/// The Grundy values of all boards within a board.
#[derive(Clone, Debug)]
pub struct Table {
    /// The board, or the transposed one.
    around: Board,
    is_transposed: bool,
    ranks: Ranks,
    /// The values for t with rank k and row 1 of p squares at `k * (width + 1) + p`; not a value
    /// if p is less than the longest row of t, or 0.
    values: Vec<u16>,
}

/// The largest number of squares of a board with a table.
const MOST_SQUARES: u32 = 65_536;

impl Table {
    /// Computes the values, of the board or of the transposed one, if this costs less. Takes at
    /// most [`cost`] steps and [`memory`] bytes. `on_progress` gets the number of lower rows done
    /// since its last call.
    ///
    /// # Errors
    /// [`SolveError::TooLarge`] if there are too many boards, or more than 65 536 squares;
    /// [`SolveError::Stopped`] if `on_progress` says so.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use boards::grundy::within::Table;
    /// let table = Table::of(&"4x4".parse()?, &|_| ControlFlow::Continue(()))?;
    /// // OEIS A069001: 3x4 has the value 9; (2,1) is a P-position.
    /// assert_eq!(table.value(&"3x4".parse()?), Some(9));
    /// assert_eq!(table.value(&"2,1".parse()?), Some(0));
    /// assert_eq!(table.value(&"5x1".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(board: &Board, on_progress: &OnProgress) -> Result<Self, SolveError> {
        let too_large = || SolveError::TooLarge { rows: board.height(), columns: board.width() };
        let (around, is_transposed) = cheaper(board);
        let ranks = Ranks::new(&around.rows()[1..]).filter(|_| board.area() <= MOST_SQUARES);
        let ranks = ranks.ok_or(too_large())?;
        let size = ranks.all().checked_mul(usize::from(around.width()) + 1);
        let values = vec![0; size.ok_or(too_large())?];
        let mut table = Self { around, is_transposed, ranks, values };
        table.fill(on_progress)?;
        Ok(table)
    }

    /// The Grundy value of a board; `None` if it is not within the board of the table. O(rows).
    pub fn value(&self, board: &Board) -> Option<u16> {
        let transposed = self.is_transposed.then(|| board.transposed());
        let rows = transposed.as_ref().unwrap_or(board).rows();
        let around = self.around.rows();
        let fits = rows.len() <= around.len() && rows.iter().zip(around).all(|(a, b)| a <= b);
        let rank = || self.ranks.rank_cut(around.len() - 1, &rows[1..], u16::MAX);
        fits.then(|| self.values[self.at(rank()) + usize::from(rows[0])])
    }

    /// The place of the values for the lower rows of this rank.
    fn at(&self, rank: usize) -> usize {
        rank * (usize::from(self.around.width()) + 1)
    }

    fn fill(&mut self, on_progress: &OnProgress) -> Result<(), SolveError> {
        /// The progress is told after this number of reads and writes.
        const STEPS: usize = 1 << 22;
        let longest = usize::from(self.around.width());
        let area = self.around.area() as usize;
        let (mut of_row_1, mut of_lower) = (Sets::none(1, area), Sets::none(longest + 1, area));
        let mut lower = vec![0; self.around.rows().len() - 1];
        let (mut done, mut steps) = (0, 0);
        for rank in 0..self.ranks.all() {
            steps += self.fill_lower(rank, &lower, of_row_1.get_mut(0), &mut of_lower);
            done += 1;
            if self.ranks.advance(&mut lower).is_none() || steps >= STEPS {
                report(on_progress, mem::take(&mut done))?;
                steps = 0;
            }
        }
        Ok(())
    }

    /// Finds the values for these lower rows and all lengths of row 1. Returns the number of steps.
    /// The sets are of the values that bites reach: by bites in row 1 that leave less than the
    /// length of row 1 that is next, and by bites in lower rows, for each length of row 1.
    fn fill_lower(
        &mut self,
        rank: usize,
        lower: &[u16],
        of_row_1: &mut [u64],
        of_lower: &mut Sets,
    ) -> usize {
        let longest = usize::from(self.around.width());
        let second = lower.first().copied().unwrap_or(0);
        let least = usize::from(second);
        of_row_1.fill(0);
        of_lower.rest_mut(least).for_each(|set| set.fill(0));
        for x in 1..second {
            let cut = self.ranks.rank_cut(lower.len(), lower, x);
            insert(of_row_1, self.values[self.at(cut) + usize::from(x)].into());
        }
        let mut bites = 0;
        for follower in self.ranks.bites(lower).map(|rank| self.at(rank)) {
            let values = &self.values[follower + least..=follower + longest];
            for (set, &value) in of_lower.rest_mut(least).zip(values) {
                insert(set, value.into());
            }
            bites += 1;
        }
        let here = self.at(rank);
        for p in least.max(1)..=longest {
            let lower = of_lower.get(p);
            let value = mex([of_row_1, lower, lower], 0);
            insert(of_row_1, value);
            // Less than the number of squares, which is at most 65 536.
            self.values[here + p] = u16::try_from(value).unwrap_or(u16::MAX);
        }
        (longest - least + 1) * (bites + 1)
    }
}

/// The board, or the transposed one if its table costs less, and whether that is so.
fn cheaper(board: &Board) -> (Board, bool) {
    let transposed = board.transposed();
    let cost = |board: &Board| cost_without_turning(board).unwrap_or(u64::MAX);
    if cost(&transposed) < cost(board) { (transposed, true) } else { (board.clone(), false) }
}

/// An upper bound for the number of steps of [`Table::of`], each a read and a write; `None` if it
/// is 2^64 or more.
///
/// With N choices of lower rows, s squares in the lower rows and p in row 1, this is `N · s · p`.
pub fn cost(board: &Board) -> Option<u64> {
    cost_without_turning(&cheaper(board).0)
}

fn cost_without_turning(board: &Board) -> Option<u64> {
    let width = u64::from(board.width());
    let lower = u64::from(board.area()) - width;
    (Ranks::new(&board.rows()[1..])?.all() as u64).checked_mul((lower + 1) * (width + 1))
}

/// The number of choices of lower rows that [`Table::of`] goes through; `None` if it is 2^64 or
/// more.
pub fn choices(board: &Board) -> Option<u64> {
    Some(Ranks::new(&cheaper(board).0.rows()[1..])?.all() as u64)
}

/// The bytes that [`Table::of`] allocates; `None` if they are 2^64 or more.
pub fn memory(board: &Board) -> Option<u64> {
    let (around, _) = cheaper(board);
    let choices = choices(&around)?;
    let side = u64::from(around.width()) + 1;
    let of_sets = side * words(around.area() as usize) as u64 * 8;
    let of_ranks = u64::from(around.height()) * (side + 1) * 8;
    choices.checked_mul(2 * side)?.checked_add(of_sets)?.checked_add(of_ranks)
}
