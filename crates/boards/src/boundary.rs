//! All P-positions of a rectangle, found by their boundary words.
//!
//! The boundary of a board in m × n is a word of m zeros and n ones, and a bite sorts a factor of
//! it. Words are cut in the middle. For each left half the solver finds the right halves that make
//! P-positions, in an order in which every bite leads to a position that is already decided
//! (`proofs/boards.md`, 7). So the solver keeps a list of P-positions, two bytes each, and not all
//! positions: 0.9 GB for 20 × 20, where a bit for each position would take 17 GB, and the tables of
//! [`rectangles`](crate::rectangles) 270 GB. It sets a bit for each bite to a P-position that does
//! not cross the middle, and fewer for those that do.
//!
//! A solution comes in [parts](Solver::parts). They can be kept, and given to the solver when the
//! work is resumed.
//!
//! ```
//! use std::num::NonZero;
//! use std::ops::ControlFlow;
//! use boards::Outcomes;
//! use boards::boundary::Solver;
//! use game::{Board, Outcome};
//!
//! let on_progress = |_| ControlFlow::Continue(());
//! let one = NonZero::<usize>::MIN;
//! let solution = Solver::new(8, 10)?.solve(one, &|_, _| (), &on_progress)?;
//! assert_eq!(solution.outcome(&"[4557]".parse()?), Some(Outcome::P));
//! assert_eq!(solution.winning_bites(&Board::rectangle(8, 10)?).unwrap().len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod parts;
mod walk;
mod words;

use std::mem;
use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use game::{Board, Outcome};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::ranks::binomial;
use crate::rectangles::positions;
use crate::threads::on_threads;
use crate::{OnProgress, Outcomes, SolveError, Solved, fitting};
use parts::{BLOCK, Halves, Part, Parts};
pub use parts::{OnPart, PartError};
use walk::{PartWalker, room};
use words::{MOST_LETTERS, board_of, word_of};

/// About one in this many positions is a P-position, or fewer are. Measured: the number of
/// positions for each P-position, divided by the number of squares, is 0.63 for 8 × 8, 0.80 for 14
/// × 14, 0.74 for 18 × 18, 0.76 for 20 × 20, and 0.25 for two rows.
fn positions_per_p(rows: u16, columns: u16) -> u64 {
    let squares = u64::from(rows) * u64::from(columns);
    if rows.min(columns) < 8 { (squares / 5).max(1) } else { squares / 2 }
}

/// The left halves of the positions of a rectangle; `u64::MAX` if ranks would not fit. With the
/// P-positions they make up the time of a [`Solver`].
pub fn left_halves(rows: u16, columns: u16) -> u64 {
    let (left, right) = parts::lengths(rows, columns);
    if right > MOST_LETTERS { u64::MAX } else { words(left, rows, columns).sum() }
}

/// The numbers of words with this number of letters that fit, by zeros.
fn words(letters: u32, rows: u16, columns: u16) -> impl Iterator<Item = u64> {
    zeros(letters, rows, columns).map(move |zeros| binomial(letters.into(), zeros.into()))
}

/// The numbers of zeros in words with this number of letters that fit.
fn zeros(letters: u32, rows: u16, columns: u16) -> impl Iterator<Item = u32> {
    letters.saturating_sub(columns.into())..=letters.min(rows.into())
}

/// The largest number of bytes that a [`Solver`] allocates for a rectangle with this number of
/// threads: an estimate with a margin, as the number of P-positions is not known. `u64::MAX` if
/// ranks would not fit.
pub fn memory(rows: u16, columns: u16, threads: NonZero<usize>) -> u64 {
    let (left, right) = parts::lengths(rows, columns);
    if right > MOST_LETTERS {
        return u64::MAX;
    }
    // Two bytes for each P-position.
    let ranks = positions(rows, columns) / positions_per_p(rows, columns) * 2;
    let blocks = |words: u64| words.div_ceil(BLOCK as u64);
    let lists = zeros(left, rows, columns).map(|zeros| {
        let class = binomial(right.into(), (u32::from(rows) - zeros).into());
        binomial(left.into(), zeros.into()) * blocks(class)
    });
    // Right halves, and the shares of their factors.
    let tables = 64 * words(right, rows, columns).sum::<u64>() + 8 * (u64::from(right) + 1).pow(4);
    let largest = words(right, rows, columns).map(blocks).max().unwrap_or(1);
    let left = u64::from(left);
    let sets = (left + 1) * (left + 2) / 2 + 1;
    let of_thread = sets * largest * BLOCK as u64 / 8;
    ranks + 4 * lists.sum::<u64>() + tables + threads.get() as u64 * of_thread
}

/// Solves a rectangle.
#[derive(Debug)]
pub struct Solver(Parts);

impl Solver {
    /// A solver that knows no part of the solution yet. Takes time and memory for the words of one
    /// half.
    ///
    /// # Errors
    /// [`SolveError::Size`] without squares, and [`SolveError::TooLarge`] if rows and columns are
    /// more than 52 together.
    pub fn new(rows: u16, columns: u16) -> Result<Self, SolveError> {
        Halves::new(rows, columns).map(Parts::none).map(Self)
    }

    /// The numbers of the parts of the solution.
    pub fn parts(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.halves.parts()
    }

    /// The number of words in a part: one for each position, and in part 0 one for the empty board.
    /// A solver counts its progress in words.
    pub fn positions_of(&self, part: u32) -> u64 {
        self.0.halves.positions_of(part)
    }

    /// The number of words in all parts.
    pub fn positions(&self) -> u64 {
        self.parts().map(|part| self.positions_of(part)).sum()
    }

    /// The largest number of bytes that a part can have.
    pub fn most_bytes(&self, part: u32) -> u64 {
        4 * self.0.halves.lists_of(part) as u64 + 4 + 2 * self.positions_of(part)
    }

    /// Adds a part that an earlier run found. Its form is verified, but its P-positions are
    /// trusted.
    ///
    /// # Errors
    /// [`PartError`].
    pub fn give(&mut self, part: u32, bytes: &[u8]) -> Result<(), PartError> {
        self.0.set(part, Part::read(&self.0.halves, part, bytes)?);
        Ok(())
    }

    /// Finds all parts that were not given. The result is the same for any number of threads.
    ///
    /// A part needs parts one step before it, whose places of ones have a sum that is one less
    /// (`proofs/boards.md`, *Parts*). So the threads take the parts in the order of these sums,
    /// each the next one, and wait until those that it needs are done.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] and [`SolveError::Thread`].
    pub fn solve(
        self,
        threads: NonZero<usize>,
        on_part: &OnPart,
        on_progress: &OnProgress,
    ) -> Result<Solution, SolveError> {
        let (parts, halves) = (&self.0, &self.0.halves);
        let mut order: Vec<u32> = self.parts().collect();
        order.sort_by_key(|part| {
            (0..halves.numbered).map(|i| (part >> i).count_ones()).sum::<u32>()
        });
        let next = AtomicUsize::new(0);
        // By part. Those that were given wait as well: a part may need others through them.
        let done = vec![OnceLock::new(); 1 << halves.numbered];
        let work = |end: End| {
            let mut room = room(halves);
            while let Some(&part) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                if !halves.needs(part).all(|needed| *done[needed as usize].wait()) {
                    return Err(SolveError::Stopped);
                }
                if parts.get(part).is_none() {
                    let found = PartWalker::walk(parts, part, &mut room, on_progress)?;
                    on_part(part, &found.bytes());
                    parts.set(part, found);
                }
                _ = done[part as usize].set(true);
            }
            // The others may still be at work.
            mem::forget(end);
            Ok(())
        };
        let workers = (0..threads.get()).map(|_| (&work, End(&done)));
        on_threads(workers.map(|(work, end)| move || work(end)))?;
        Ok(Solution(self.0))
    }
}

/// A thread that ends before all parts are found, also by a panic, lets those end that wait.
struct End<'a>(&'a [OnceLock<bool>]);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.iter().for_each(|part| _ = part.set(false));
    }
}

/// The P-positions of a rectangle.
#[derive(Debug)]
pub struct Solution(Parts);

impl Solution {
    /// The halves of all P-positions.
    fn p_words(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let halves = &self.0.halves;
        let rest = halves.rest();
        let of_part = move |part: u32| (0..1 << rest).map(move |last| part << rest | last);
        halves.parts().flat_map(of_part).flat_map(move |left: u32| {
            let right_halves = halves.right_halves(left.count_ones());
            self.0.of(left, None).flat_map(move |(block, ranks)| {
                let right = move |&rank| right_halves[block * BLOCK + usize::from(rank)];
                ranks.iter().map(move |rank| (left, right(rank)))
            })
        })
    }

    /// Counts the P-positions, and computes their checksums. Takes time in proportion to their
    /// number.
    pub fn summary(&self) -> Summary {
        let Halves { rows, columns, left, right, .. } = self.0.halves;
        let mut p_counts = vec![vec![0; columns as usize]; rows as usize];
        let (mut checksum, mut mirrored_checksum) = (0_u64, 0_u64);
        let letters = left + right;
        // Not a loop: that would ask each of the nested iterators for every word.
        self.p_words().for_each(|(left_half, right_half)| {
            let word = u64::from(left_half) << right | u64::from(right_half);
            let height = rows - (word << (64 - letters)).leading_zeros();
            let width = columns - word.trailing_ones();
            p_counts[height as usize - 1][width as usize - 1] += 1;
            let mirrored = !word.reverse_bits() >> (64 - letters);
            checksum = checksum.wrapping_add(mix(word));
            mirrored_checksum = mirrored_checksum.wrapping_add(mix(mirrored));
        });
        add_smaller(&mut p_counts);
        Summary { p_counts, checksum, mirrored_checksum }
    }
}

fn side(squares: u32) -> u16 {
    u16::try_from(squares).expect("rows and columns are 52 together at most")
}

/// Adds to the count of each a × b the counts of all smaller ones.
fn add_smaller(counts: &mut [Vec<u64>]) {
    for counts in &mut *counts {
        (1..counts.len()).for_each(|b| counts[b] += counts[b - 1]);
    }
    for a in 1..counts.len() {
        let (before, these) = counts.split_at_mut(a);
        these[0].iter_mut().zip(&before[a - 1]).for_each(|(count, smaller)| *count += smaller);
    }
}

/// The P-positions of a rectangle in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The numbers of P-positions of all a × b that fit: for a from 1 on, a list for b from 1 on.
    pub p_counts: Vec<Vec<u64>>,
    /// The sum of [`mix`] of all boundary words, modulo 2^64.
    pub checksum: u64,
    /// The same of the mirror images.
    pub mirrored_checksum: u64,
}

/// The output of the generator `SplitMix64` in this state.
pub fn mix(state: u64) -> u64 {
    SplitMix64::from_seed(state.to_le_bytes()).next_u64()
}

impl Outcomes for Solution {
    /// `None` if the board fits into the rectangle neither as it is nor mirrored. Costs a binary
    /// search among the P-positions with the same left half.
    fn outcome(&self, board: &Board) -> Option<Outcome> {
        let Halves { rows, columns, right, .. } = self.0.halves;
        let board = fitting(board, side(rows), side(columns))?;
        let word = word_of(&board, columns);
        let half = |word: u64| u32::try_from(word).expect("half a word");
        let (left_half, right_half) = (half(word >> right), half(word & !(!0 << right)));
        let right_halves = self.0.halves.right_halves(left_half.count_ones());
        let rank = right_halves.binary_search(&right_half).expect("the board fits");
        let mut blocks = self.0.of(left_half, None);
        let found = blocks.find(|&(block, _)| block == rank / BLOCK).is_some_and(|(_, ranks)| {
            ranks.binary_search_by(|&there| usize::from(there).cmp(&(rank % BLOCK))).is_ok()
        });
        Some(if found { Outcome::P } else { Outcome::N })
    }
}

impl Solved for Solution {
    fn rows(&self) -> u16 {
        side(self.0.halves.rows)
    }

    fn columns(&self) -> u16 {
        side(self.0.halves.columns)
    }

    fn p_count(&self) -> u64 {
        self.0.p_count()
    }

    /// In lexicographic order of their boundary words.
    fn p_positions(&self) -> Box<dyn Iterator<Item = Board> + '_> {
        let Halves { rows, columns, right, .. } = self.0.halves;
        let words = self.p_words().map(move |(left_half, right_half)| {
            u64::from(left_half) << right | u64::from(right_half)
        });
        Box::new(words.filter_map(move |word| board_of(word, rows, columns)))
    }
}
