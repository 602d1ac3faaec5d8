//! All P-positions of boards with m rows, in the order of their lengths.
//!
//! A position here is `(x_1, ..., x_m)` with `x_1 >= x_2 >= ... >= x_m >= 0` and `x_1 >= 1`. For
//! each `(x_2, ..., x_m)` there is at most one `x_1` that makes it P (`proofs/boards.md`, 1), and for
//! each `(x_1, ..., x_{m-1})` at most one `x_m` (5). A [`Sieve`] finds those with the same 64, 128 or
//! 256 lengths of row 1, a [`Block`], at once; the sets of lengths that are blocked are then one,
//! two or four words. It keeps a bit for each `(x_2, ..., x_m)`, `n^m/m!·m/n` of them.
//!
//! ```
//! use std::num::NonZero;
//! use std::ops::ControlFlow;
//! use boards::sieve::Sieve;
//!
//! let mut sieve = Sieve::new(4, 20)?;
//! let mut found = Vec::new();
//! while let Some(block) = sieve.next_block(NonZero::<usize>::MIN, &|_| ControlFlow::Continue(()))? {
//!     for layer in block.layers() {
//!         layer.for_each(|lengths| found.push(lengths.to_vec()));
//!     }
//! }
//! assert_eq!(found[..4], [[1, 0, 0, 0], [2, 1, 0, 0], [2, 2, 1, 0], [2, 2, 2, 1]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod lanes;
mod shape;
mod walk;

use std::num::NonZero;
use std::ops::Range;

pub use error::{LONGEST_FIRST_ROW, MOST_ROWS, OnProgress, SieveError};
use shape::Shape;
use walk::{Column, STRIP};

/// Finds P-positions, a block of lengths of row 1 after the other.
#[derive(Clone, Debug)]
pub struct Sieve {
    rows: u16,
    shape: Shape,
    /// The least length of row 1 that is not done.
    next: u16,
    /// The words of a set of lengths.
    words: u16,
    /// By length of row 2.
    columns: Vec<Column>,
    /// By length of row 3, [`STRIP`] at a time: whether `(x_2, ..., x_m)` with the least
    /// `x_2` that is not done is shut (`proofs/boards.md`, 1).
    shut: Vec<Vec<bool>>,
}

impl Sieve {
    /// A sieve for all positions of this number of rows whose row 1 has up to `to` squares.
    ///
    /// # Errors
    /// [`SieveError::Rows`], [`SieveError::Longest`] and [`SieveError::TooLarge`].
    pub fn new(rows: u16, to: u16) -> Result<Self, SieveError> {
        if !(3..=MOST_ROWS).contains(&rows) {
            return Err(SieveError::Rows { rows });
        }
        if !(1..=LONGEST_FIRST_ROW).contains(&to) {
            return Err(SieveError::Longest { to });
        }
        let shape = Shape::new(rows, to)?;
        let strips = usize::from(to) / usize::from(STRIP) + 1;
        let columns = vec![Column::default(); usize::from(to) + 1];
        Ok(Self { rows, shape, next: 0, words: 2, columns, shut: vec![Vec::new(); strips] })
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> u16 {
        self.rows
    }

    /// The largest length of row 1.
    #[must_use]
    pub fn to(&self) -> u16 {
        self.shape.to
    }

    /// The P-positions with the next lengths of row 1; `None` if all are done. They do not depend
    /// on the number of threads.
    ///
    /// # Errors
    /// [`SieveError::Stopped`] and [`SieveError::Thread`]. The sieve is of no use after that.
    pub fn next_block(
        &mut self,
        threads: NonZero<usize>,
        on_progress: &OnProgress,
    ) -> Result<Option<Block<'_>>, SieveError> {
        if self.next > self.shape.to {
            return Ok(None);
        }
        let end = self.next.saturating_add(64 * self.words).min(self.shape.to + 1);
        let lengths = self.next..end;
        let find = match self.words {
            1 => walk::find::<1>,
            2 => walk::find::<2>,
            _ => walk::find::<4>,
        };
        find(
            &self.shape,
            lengths.clone(),
            &mut self.columns,
            &mut self.shut,
            threads,
            on_progress,
        )?;
        self.next = end;
        Ok(Some(Block { sieve: self, lengths }))
    }
}

/// The P-positions with some lengths of row 1.
#[derive(Debug)]
pub struct Block<'a> {
    sieve: &'a Sieve,
    lengths: Range<u16>,
}

impl<'a> Block<'a> {
    /// The positions by length of row 1, in ascending order. That of length 0 is left out.
    pub fn layers(&self) -> impl Iterator<Item = Layer<'a>> + use<'a> {
        let (sieve, lengths) = (self.sieve, self.lengths.clone());
        let start = lengths.start;
        lengths.filter(|&first| first > 0).map(move |first| Layer {
            sieve,
            first,
            lane: usize::from(first - start),
        })
    }
}

/// The P-positions with one length of row 1.
#[derive(Clone, Copy, Debug)]
pub struct Layer<'a> {
    sieve: &'a Sieve,
    first: u16,
    lane: usize,
}

impl<'a> Layer<'a> {
    /// The length of row 1.
    #[must_use]
    pub fn first(&self) -> u16 {
        self.first
    }

    /// The number of positions.
    #[must_use]
    pub fn count(&self) -> u64 {
        let lengths = self.sieve.shape.rows - 2;
        self.runs().map(|run| (run.lower.len() / lengths) as u64).sum()
    }

    /// The positions by length of row 2, from 0 to that of row 1. Costs a step each.
    pub fn runs(&self) -> impl Iterator<Item = Run<'a>> + use<'a> {
        let lane = self.lane;
        (0..=self.first)
            .zip(&self.sieve.columns)
            .map(move |(second, column)| Run { second, lower: column.found(lane) })
    }

    /// Calls a function with the lengths `x_1, ..., x_m` of each position, in lexicographic order.
    pub fn for_each(&self, mut visit: impl FnMut(&[u16])) {
        let mut lengths = vec![0; self.sieve.shape.rows];
        lengths[0] = self.first;
        for run in self.runs() {
            lengths[1] = run.second;
            for lower in run.lower.chunks_exact(self.sieve.shape.rows - 2) {
                lengths[2..].copy_from_slice(lower);
                visit(&lengths);
            }
        }
    }
}

/// The P-positions with the same lengths of rows 1 and 2.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The length of row 2.
    pub second: u16,
    /// The lengths of rows 3 to m of one position after the other, in lexicographic order: m - 2
    /// numbers for each.
    pub lower: &'a [u16],
}
