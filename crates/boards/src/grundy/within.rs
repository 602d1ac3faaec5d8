//! Grundy values of all boards within one board, with any number of rows, by a full table
//! (`proofs/boards.md`, 4.1).
//!
//! The table goes through the lower rows t in lexicographic order, and for each t through the
//! lengths of row 1. The values are stored by t, then by the length of row 1; so the values that
//! the bites in one square reach, for all lengths of row 1, lie side by side.

use game::Board;

use super::sets::{insert, words};
use crate::rectangles::{OnProgress, SolveError};

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
        let too_large = SolveError::TooLarge { rows: board.height(), columns: board.width() };
        let (around, is_transposed) = cheaper(board);
        let ranks = Ranks::of(&around).filter(|_| board.area() <= MOST_SQUARES);
        let Some((ranks, size)) = ranks.and_then(|ranks| {
            let size = usize::try_from(ranks.all.checked_mul(u64::from(around.width()) + 1)?);
            Some((ranks, size.ok()?))
        }) else {
            return Err(too_large);
        };
        let mut table = Self { around, is_transposed, ranks, values: vec![0; size] };
        table.fill(on_progress)?;
        Ok(table)
    }

    /// The Grundy value of a board; `None` if it is not within the board of the table. O(rows).
    #[must_use]
    pub fn value(&self, board: &Board) -> Option<u16> {
        let transposed = self.is_transposed.then(|| board.transposed());
        let rows = transposed.as_ref().unwrap_or(board).rows();
        let around = self.around.rows();
        let fits = rows.len() <= around.len() && rows.iter().zip(around).all(|(a, b)| a <= b);
        fits.then(|| self.values[self.at(self.ranks.rank(&rows[1..])) + usize::from(rows[0])])
    }

    /// The place of the values for the lower rows of this rank.
    fn at(&self, rank: usize) -> usize {
        rank * (usize::from(self.around.width()) + 1)
    }

    fn fill(&mut self, on_progress: &OnProgress) -> Result<(), SolveError> {
        /// The progress is told after this number of reads and writes.
        const STEPS: usize = 1 << 22;
        let longest = usize::from(self.around.width());
        let mut sets = Options::none(longest, words(self.around.area() as usize));
        let mut lower = Lower::first(&self.around);
        let (mut rank, mut told, mut steps) = (0, 0, 0);
        loop {
            steps += self.fill_lower(rank, &lower.rows, &mut sets);
            rank += 1;
            let more = lower.advance();
            if steps >= STEPS || !more {
                if on_progress((rank - told) as u64).is_break() {
                    return Err(SolveError::Stopped);
                }
                (told, steps) = (rank, 0);
            }
            if !more {
                return Ok(());
            }
        }
    }

    /// Finds the values for these lower rows and all lengths of row 1. Returns the number of steps.
    fn fill_lower(&mut self, rank: usize, lower: &[u16], sets: &mut Options) -> usize {
        let longest = usize::from(self.around.width());
        let first = usize::from(lower.first().copied().unwrap_or(0));
        sets.clear(first);
        for x in 1..first {
            let cut = self.ranks.rank_cut(lower, 0, x);
            insert(&mut sets.of_row_1, self.values[self.at(cut) + x].into());
        }
        let (mut bites, mut above) = (0, 0);
        for (row, &length) in lower.iter().enumerate() {
            for left in 0..usize::from(length) {
                let follower = self.at(above + self.ranks.rank_cut(&lower[row..], row, left));
                sets.add(first, &self.values[follower + first..=follower + longest]);
                bites += 1;
            }
            above += self.ranks.of_row(row, length.into());
        }
        let here = self.at(rank);
        for p in first.max(1)..=longest {
            let value = sets.least_missing(p);
            insert(&mut sets.of_row_1, value);
            // Less than the number of squares, which is at most 65 536.
            self.values[here + p] = u16::try_from(value).unwrap_or(u16::MAX);
        }
        (longest - first + 1) * (bites + 1)
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
#[must_use]
pub fn cost(board: &Board) -> Option<u64> {
    cost_without_turning(&cheaper(board).0)
}

fn cost_without_turning(board: &Board) -> Option<u64> {
    let width = u64::from(board.width());
    let lower = u64::from(board.area()) - width;
    Ranks::of(board)?.all.checked_mul((lower + 1) * (width + 1))
}

/// The number of choices of lower rows that [`Table::of`] goes through; `None` if it is 2^64 or
/// more.
#[must_use]
pub fn choices(board: &Board) -> Option<u64> {
    Some(Ranks::of(&cheaper(board).0)?.all)
}

/// The bytes that [`Table::of`] allocates; `None` if they are 2^64 or more.
#[must_use]
pub fn memory(board: &Board) -> Option<u64> {
    let (around, _) = cheaper(board);
    let ranks = Ranks::of(&around)?;
    let side = u64::from(around.width()) + 1;
    let of_sets = side * words(around.area() as usize) as u64 * 8;
    let of_ranks = u64::from(around.height()) * side * 8;
    ranks.all.checked_mul(2 * side)?.checked_add(of_sets)?.checked_add(of_ranks)
}

/// Ranks of lower rows `(t_2, ..., t_m)` in lexicographic order: the sum over i of the number of
/// rests `(t_i, ..., t_m)` that begin with less than `t_i`.
#[derive(Clone, Debug)]
struct Ranks {
    /// For each lower row, how many rests begin with less than 0, 1, 2, ..., its length.
    before: Vec<Vec<u64>>,
    all: u64,
}

impl Ranks {
    fn of(around: &Board) -> Option<Self> {
        let mut before: Vec<Vec<u64>> = Vec::new();
        // How many rests of the next row are at most 0, 1, 2, ... long; the last number holds on.
        let mut rests = vec![1_u64];
        for &length in around.rows()[1..].iter().rev() {
            let (mut sums, mut sum) = (Vec::new(), 0_u64);
            for begin in 0..=usize::from(length) {
                sum = sum.checked_add(rests[begin.min(rests.len() - 1)])?;
                sums.push(sum);
            }
            rests = sums;
            before.push([&[0], &rests[..usize::from(length)]].concat());
        }
        before.reverse();
        Some(Self { before, all: *rests.last()? })
    }

    /// The part of the rank that lower row `row`, from 0, has with this length.
    fn of_row(&self, row: usize, length: usize) -> usize {
        usize::try_from(self.before[row][length]).expect("the table has been allocated")
    }

    fn rank(&self, lower: &[u16]) -> usize {
        self.rank_cut(lower, 0, usize::MAX)
    }

    /// The part of the rank that these rows, from lower row `row` on, have when each is cut to
    /// `longest`.
    fn rank_cut(&self, lower: &[u16], row: usize, longest: usize) -> usize {
        (row..).zip(lower).map(|(row, &length)| self.of_row(row, longest.min(length.into()))).sum()
    }
}

/// The lower rows within a board, in lexicographic order.
struct Lower {
    around: Vec<u16>,
    rows: Vec<u16>,
}

impl Lower {
    fn first(around: &Board) -> Self {
        let around = around.rows()[1..].to_vec();
        Self { rows: vec![0; around.len()], around }
    }

    /// The next ones; `false` after the last.
    fn advance(&mut self) -> bool {
        let can_grow = |row: &usize| {
            let above = row.checked_sub(1).map_or(u16::MAX, |above| self.rows[above]);
            self.rows[*row] < self.around[*row].min(above)
        };
        let Some(row) = (0..self.rows.len()).rev().find(can_grow) else { return false };
        self.rows[row] += 1;
        self.rows[row + 1..].fill(0);
        true
    }
}

/// The values that bites reach, for one choice of lower rows.
struct Options {
    /// By bites in row 1 that leave less than the length of row 1 that is next.
    of_row_1: Vec<u64>,
    /// By bites in lower rows, for each length of row 1.
    of_lower: Vec<u64>,
    each: usize,
}

impl Options {
    fn none(longest: usize, each: usize) -> Self {
        Self { of_row_1: vec![0; each], of_lower: vec![0; each * (longest + 1)], each }
    }

    /// Empties the sets for lengths of row 1 from `first` on.
    fn clear(&mut self, first: usize) {
        self.of_row_1.fill(0);
        self.of_lower[first * self.each..].fill(0);
    }

    /// Adds the values of one bite, for lengths of row 1 from `first` on.
    fn add(&mut self, first: usize, values: &[u16]) {
        let sets = self.of_lower[first * self.each..].chunks_exact_mut(self.each);
        for (set, &value) in sets.zip(values) {
            insert(set, value.into());
        }
    }

    /// The least value that no bite reaches, for this length of row 1.
    fn least_missing(&self, p: usize) -> usize {
        let lower = &self.of_lower[p * self.each..][..self.each];
        let unions = self.of_row_1.iter().zip(lower).map(|(row_1, lower)| row_1 | lower);
        let (word, union) =
            (0..).zip(unions).find(|(_, union)| *union != u64::MAX).expect("more room than bites");
        word * 64 + union.trailing_ones() as usize
    }
}
