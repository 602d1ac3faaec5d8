//! All P-positions of boards with m rows, in the order of their lengths.
//!
//! A position here is `(x_1, ..., x_m)` with `x_1 >= x_2 >= ... >= x_m >= 0` and `x_1 >= 1`. For
//! each `(x_2, ..., x_m)` there is at most one `x_1` that makes it P (`proofs/boards.md`, 1), and
//! for each `(x_1, ..., x_{m-1})` at most one `x_m` (5). A [`Sieve`] finds those of a
//! *block* together: 128 lengths of row 1, so that the lengths blocked for some lower rows are one
//! word (6). Between blocks it keeps a bit for each `(x_2, ..., x_m)`: about
//! `n^(m-1)/(m-1)!` of them.
//!
//! A *column* is a length of row 2. A walker of the `ring` goes through `COLUMNS` columns
//! together, through the lengths of row 3 in ascending order, so an entry of a table is still in
//! the cache when the next column needs it. The table of row 2 is cut into `Strip`s by lengths of
//! row 3. Strips outlive a block, so they are not sent: a walker tells the next one that it has
//! finished a strip, and at last that the positions of its columns were taken.
//!
//! For m = 4 a block of A lengths near n takes `O(n^3)` steps of A bits. Measured times:
//! `outputs/four-rows.md`.
//!
//! ```
//! use std::num::NonZero;
//! use std::ops::ControlFlow;
//! use boards::sieve::Sieve;
//!
//! let mut sieve = Sieve::new(4, 20)?;
//! let mut found = Vec::new();
//! while let Some(layers) = sieve.next_layers(NonZero::<usize>::MIN, &|_| ControlFlow::Continue(()))? {
//!     for layer in layers {
//!         layer.for_each(|lengths| found.push(lengths.to_vec()));
//!     }
//! }
//! assert_eq!(found[..4], [[1, 0, 0, 0], [2, 1, 0, 0], [2, 2, 1, 0], [2, 2, 2, 1]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod lanes;
mod shape;
mod walker;

use std::cmp::Ordering;
use std::io::{self, Read, Write};
use std::num::NonZero;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard};

use lanes::{Hits, LANES};
use shape::{COLUMNS, HASHED_AT_ONCE, STRIP, Shape};
pub use shape::{LONGEST_FIRST_ROW, MOST_ROWS};
use walker::{Column, Strip, Walker};

use crate::threads::{Turn, ring};
use crate::{OnProgress, SolveError, report};

/// The largest number of bytes that a [`Sieve`] allocates with this number of threads, if the
/// number of positions is as expected; `u64::MAX` if there are more.
///
/// These are a bit for each `(x_2, ..., x_m)`; for each `(x_3, ..., x_m)` a byte and a bit for each
/// length of a block; and the positions of some columns, or with [`Kept::Block`] of a block,
/// `2(m - 2)` bytes each. With four rows 21 % of all `(x_1, x_2, x_3)` belong to a position, with
/// five rows 11 % of all `(x_1, ..., x_4)` to 120. This is measured, not proved; the result allows
/// for 25 %.
pub fn memory(rows: u16, to: u16, threads: NonZero<usize>, kept: Kept) -> u64 {
    Shape::new(rows, to).map_or(u64::MAX, |shape| shape.memory(threads, kept == Kept::Block))
}

/// The positions that a [`Sieve`] keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Those of some columns at a time: [`Sieve::next_block`].
    Columns,
    /// Those of the last block: [`Sieve::next_layers`].
    Block,
}

/// The sequence in the OEIS of the last rows of all P-positions with four rows.
pub const SEQUENCE: &str = "A395126";

/// The meaning of a(n), from n = 1 on.
pub const DEFINITION: &str =
    "d of the n-th P-position (a,b,c,d) with four rows, in lexicographic order";

/// The name here of the number of P-positions with four rows by the length of the longest row.
pub const COUNTS: &str = "four-row-counts";

/// The meaning of its term a, from a = 1 on.
pub const DEFINITION_OF_COUNTS: &str = "the number of P-positions (a,b,c,d) with four rows";

/// The number of columns in which a [`Sieve`] counts its progress from this length of row 1 on: one
/// for each block and each length of row 2.
pub fn columns(next: u16, to: u16) -> u64 {
    let blocks = (next..=to).step_by(LANES.into());
    blocks.map(|first| u64::from(block_end(first, to))).sum()
}

/// The end of the block that begins with this length.
fn block_end(first: u16, to: u16) -> u16 {
    first.saturating_add(LANES).min(to + 1)
}

/// Finds P-positions, a block of lengths of row 1 after the other.
#[derive(Clone, Debug)]
pub struct Sieve {
    rows: u16,
    shape: Shape,
    /// The least length of row 1 that is not done.
    next: u16,
    /// By length of row 2.
    columns: Vec<Column>,
    /// By length of row 3, [`STRIP`] at a time.
    strips: Vec<Strip>,
}

impl Sieve {
    /// A sieve for all positions of this number of rows whose row 1 has up to `to` squares.
    ///
    /// # Errors
    /// [`SolveError::Size`] and [`SolveError::TooLarge`].
    pub fn new(rows: u16, to: u16) -> Result<Self, SolveError> {
        let shape = Shape::new(rows, to)?;
        let strips = usize::from(to) / usize::from(STRIP) + 1;
        let columns = vec![Column::default(); usize::from(to) + 1];
        Ok(Self { rows, shape, next: 0, columns, strips: vec![Strip::default(); strips] })
    }

    /// The number of rows.
    pub fn rows(&self) -> u16 {
        self.rows
    }

    /// The least length of row 1 that is not done.
    pub fn next(&self) -> u16 {
        self.next
    }

    /// Writes the input of [`Sieve::restore`], about the lengths of row 1 that are done: for each
    /// length of row 2, the number of rows that were shut, and the bits of the column. Words are
    /// little-endian.
    ///
    /// # Errors
    /// Those of writing.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        for column in &self.columns[..usize::from(self.next)] {
            bytes.clear();
            let words = [column.shut].into_iter().chain(column.open.iter().copied());
            bytes.extend(words.flat_map(u64::to_le_bytes));
            out.write_all(&bytes)?;
        }
        Ok(())
    }

    /// The bytes that [`save`](Self::save) writes if this is the least length of row 1 that is not
    /// done.
    ///
    /// # Errors
    /// Those of [`Sieve::new`] for the lengths before it.
    pub fn bytes_to_resume(rows: u16, next: u16) -> Result<u64, SolveError> {
        let shape = Shape::new(rows, next.saturating_sub(1).max(1))?;
        let words = |end| 1 + shape.words.below(shape.tabled - 3, end) as u64;
        Ok((1..=next).map(|end| 8 * words(end)).sum())
    }

    /// The sieve that resumes at this length of row 1. The one that [saved](Sieve::save) can have
    /// had another largest length. The bytes are believed; a caller can compare
    /// [`Sieve::found`] and [`Sieve::is_open`] with what it knows.
    ///
    /// # Errors
    /// Those of [`Sieve::new`]; [`SolveError::Size`] if this length is greater than `to + 1`, and
    /// [`SolveError::Restore`].
    pub fn restore(
        rows: u16,
        to: u16,
        next: u16,
        source: &mut dyn Read,
    ) -> Result<Self, SolveError> {
        let mut sieve = Self::new(rows, to)?;
        if next > to + 1 {
            return Err(SolveError::Size(format!(
                "all lengths of row 1 less than {next} are done there, and only {to} are asked for"
            )));
        }
        sieve.next = next;
        let (shape, mut bytes) = (&sieve.shape, Vec::new());
        for (second, column) in (0..next).zip(&mut sieve.columns) {
            bytes.resize(8 * (1 + shape.words.below(shape.tabled - 3, second + 1)), 0);
            source.read_exact(&mut bytes).map_err(SolveError::Restore)?;
            let mut words = bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word));
            column.shut = words.next().unwrap_or_default();
            column.open = words.collect();
        }
        // Rows are shut from the next length on if they are closed in the last column, where row 1
        // is no longer than row 2 (`proofs/boards.md`, 2 (d)).
        let last = next.checked_sub(1).map(|last| &sieve.columns[usize::from(last)]);
        let (mut words, mut lower) =
            (last.map_or(&[][..], |of| &of.open), vec![0; shape.tabled - 3]);
        while !words.is_empty() {
            let before = lower[lower.len() - 1];
            let (row, rest) = words.split_at(shape.width(before));
            let bits = 0..=usize::from(shape.longest_last(before));
            let shut = &mut sieve.strips[usize::from(lower[0] / STRIP)].shut;
            shut.extend(bits.map(|bit| row[bit / 64] >> (bit % 64) & 1 == 0));
            words = rest;
            shape.words.advance(&mut lower);
        }
        Ok(sieve)
    }

    /// The number of P-positions with the lengths of row 1 that are done, from the bits alone: the
    /// lower rows that are neither open nor were shut. `None` if these are more than there are.
    pub fn found(&self) -> Option<u64> {
        let columns = (0..self.next).zip(&self.columns);
        columns
            .map(|(second, column)| {
                let all = self.shape.ranks.below(self.shape.tabled - 2, second + 1) as u64;
                let open: u64 = column.open.iter().map(|word| u64::from(word.count_ones())).sum();
                all.checked_sub(column.shut.checked_add(open)?)
            })
            .try_fold(0_u64, |sum, found| sum.checked_add(found?))
    }

    /// Whether no length of row 1 that is done makes a P-position with these lengths of rows 2 to
    /// m, and none shuts them.
    ///
    /// # Panics
    /// If there are not m - 1 lengths, in descending order, the first of them done.
    pub fn is_open(&self, lower: &[u16]) -> bool {
        let (shape, m) = (&self.shape, self.shape.tabled);
        assert_eq!(lower.len(), shape.rows - 1, "rows 2 to m");
        let last = if shape.rows < m { 0 } else { lower[m - 2] };
        let places = (3..m).map(|row| shape.words.below(m - row, lower[row - 2]));
        let word = places.sum::<usize>() + usize::from(last / 64);
        self.columns[usize::from(lower[0])].open[word] >> (last % 64) & 1 == 1
    }

    /// Finds the P-positions with the next lengths of row 1; the counts by length, or `None` if all
    /// are done. `visit` is called with a length of row 1 and the positions with this length and
    /// one of row 2: in ascending order of the lengths of row 2, and for each in ascending order of
    /// those of row 1. Neither the counts nor this order depend on the number of threads.
    /// `on_progress` counts [columns].
    ///
    /// # Errors
    /// [`SolveError::Stopped`] and [`SolveError::Thread`]. The sieve is of no use after that.
    pub fn next_block(
        &mut self,
        threads: NonZero<usize>,
        on_progress: &OnProgress,
        visit: &mut (dyn FnMut(u16, Run) + Send),
    ) -> Result<Option<Vec<LayerCount>>, SolveError> {
        if self.next > self.shape.to {
            return Ok(None);
        }
        let end = block_end(self.next, self.shape.to);
        let (lengths, rows) = (self.next..end, self.shape.rows - 2);
        let mut summaries: Vec<Summary> =
            lengths.clone().map(|first| Summary::new(first, rows)).collect();
        let mut take = |second: u16, found: &Hits| {
            for (lane, summary) in summaries.iter_mut().enumerate() {
                if summary.first >= second.max(1) {
                    let run = Run { second, lower: found.lane(lane) };
                    summary.add(run.lower);
                    visit(summary.first, run);
                }
            }
        };
        self.find(lengths, threads, on_progress, &mut take)?;
        self.next = end;
        let counts = summaries.into_iter().filter(|summary| summary.first > 0);
        Ok(Some(counts.map(Summary::end).collect()))
    }

    /// Finds the P-positions whose row 1 has one of these lengths, after those with smaller
    /// lengths. `take` gets the positions of each column, in ascending order.
    fn find(
        &mut self,
        lengths: Range<u16>,
        threads: NonZero<usize>,
        on_progress: &OnProgress,
        take: &mut (dyn FnMut(u16, &Hits) + Send),
    ) -> Result<(), SolveError> {
        let Self { shape, columns, strips, .. } = self;
        let emptied = strips.iter_mut().map(|strip| {
            strip.blocked.clear();
            Mutex::new(strip)
        });
        let strips: Vec<_> = emptied.collect();
        let columns = columns[..lengths.end.into()].chunks_mut(COLUMNS);
        let columns: Vec<_> = columns.map(Mutex::new).collect();
        let take = Mutex::new(take);
        let walker = || Walker::new(shape, lengths.clone());
        ring(columns.len(), threads, walker, |walker, turn| {
            let columns = &mut *lock(&columns[turn.walker]);
            walk(walker, turn, &strips, columns)?;
            if turn.walker > 0 {
                turn.take()?;
            }
            walker.hits().for_each(|(second, hits)| lock(&take)(second, hits));
            turn.hand_on(())?;
            report(on_progress, columns.len() as u64)
        })
        .map(drop)
    }

    /// Finds the P-positions with the next lengths of row 1, and keeps them: by length, in
    /// ascending order; `None` if all are done.
    ///
    /// # Errors
    /// Those of [`next_block`](Self::next_block).
    pub fn next_layers(
        &mut self,
        threads: NonZero<usize>,
        on_progress: &OnProgress,
    ) -> Result<Option<Vec<Layer>>, SolveError> {
        let start = self.next.max(1);
        let number = block_end(self.next, self.shape.to).saturating_sub(start);
        let mut runs: Vec<Vec<Box<[u16]>>> = vec![Vec::new(); number.into()];
        let mut keep =
            |first: u16, run: Run| runs[usize::from(first - start)].push(run.lower.into());
        let counts = self.next_block(threads, on_progress, &mut keep)?;
        let rows = self.shape.rows;
        let layers = |counts: Vec<LayerCount>| {
            let layers = counts.into_iter().zip(runs);
            layers.map(|(count, runs)| Layer { count, rows, runs }).collect()
        };
        Ok(counts.map(layers))
    }
}

/// Never waits: only one walker at a time has its turn.
fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().expect("no walker panics")
}

/// Walks a few columns, strip after strip.
fn walk(
    walker: &mut Walker,
    turn: &Turn<()>,
    strips: &[Mutex<&mut Strip>],
    columns: &mut [Column],
) -> Result<(), SolveError> {
    walker.begin(turn.walker, columns);
    for (index, strip) in strips.iter().enumerate() {
        // The first columns that have such a row 3 begin the strip.
        let first = index * usize::from(STRIP) / COLUMNS;
        if first > turn.walker {
            break;
        }
        if first < turn.walker {
            turn.take()?;
        }
        walker.walk(index, &mut lock(strip), columns);
        turn.hand_on(())?;
    }
    walker.end();
    Ok(())
}

/// The P-positions with one length of row 1.
#[derive(Clone, Debug)]
pub struct Layer {
    count: LayerCount,
    rows: usize,
    /// For each length of row 2, the lengths of the rows after it ([`Run::lower`]).
    runs: Vec<Box<[u16]>>,
}

impl Layer {
    /// The length of row 1.
    pub fn first(&self) -> u16 {
        self.count.first
    }

    /// The number and the hash of the positions.
    pub fn count(&self) -> LayerCount {
        self.count
    }

    /// The positions by length of row 2, from 0 to the length of row 1. Costs a step each.
    pub fn runs(&self) -> impl Iterator<Item = Run<'_>> {
        (0..).zip(&self.runs).map(|(second, lower)| Run { second, lower })
    }

    /// The length of row m of the P-position with these lengths of rows 2 to m - 1, if there is one
    /// (`proofs/boards.md`, 5). Costs a binary search.
    ///
    /// # Panics
    /// If there are not m - 2 lengths, or the first is more than the length of row 1.
    pub fn last_row(&self, lengths: &[u16]) -> Option<u16> {
        let (&second, before) = lengths.split_first().expect("row 2");
        assert_eq!(before.len(), self.rows - 3, "rows 3 to m - 1");
        let found = &self.runs[usize::from(second)];
        let (mut low, mut high) = (0, found.len() / (self.rows - 2));
        while low < high {
            let middle = usize::midpoint(low, high);
            let at = &found[middle * (self.rows - 2)..][..self.rows - 2];
            match at[..before.len()].cmp(before) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return at.last().copied(),
            }
        }
        None
    }

    /// Calls a function with the lengths `x_1, ..., x_m` of each position, in lexicographic order.
    pub fn for_each(&self, mut visit: impl FnMut(&[u16])) {
        let mut lengths = vec![self.first(); self.rows];
        for run in self.runs() {
            lengths[1] = run.second;
            for lower in run.lower.chunks_exact(self.rows - 2) {
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

/// The P-positions with a length of row 1, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerCount {
    /// The length.
    pub first: u16,
    /// The number of P-positions.
    pub count: u64,
    /// Their hash: the BLAKE3 hash of these bytes. For each length of row 2, from 0 to the length
    /// of row 1, the lengths of rows 3 to m of each position in lexicographic order, and 65 535
    /// after the last one; each number 16 bits, little-endian.
    pub hash: [u8; 32],
}

/// The mark after the positions of a length of row 2 in the bytes that are hashed; never a length.
const END: u16 = u16::MAX;

/// The count and the hash of the positions that were taken.
#[derive(Clone, Debug)]
struct Summary {
    first: u16,
    /// The rows after row 2.
    lengths: usize,
    count: u64,
    hasher: blake3::Hasher,
    bytes: Vec<u8>,
}

impl Summary {
    /// Of positions with this length of row 1, and this number of rows after row 2.
    fn new(first: u16, lengths: usize) -> Self {
        Self { first, lengths, count: 0, hasher: blake3::Hasher::new(), bytes: Vec::new() }
    }

    /// Takes the positions with the next length of row 2, by the lengths of the rows after it.
    fn add(&mut self, lower: &[u16]) {
        self.count += (lower.len() / self.lengths) as u64;
        self.bytes.extend(lower.iter().flat_map(|length| length.to_le_bytes()));
        self.bytes.extend(END.to_le_bytes());
        if self.bytes.len() >= HASHED_AT_ONCE {
            self.hasher.update(&self.bytes);
            self.bytes.clear();
        }
    }

    fn end(mut self) -> LayerCount {
        self.hasher.update(&self.bytes);
        let hash = self.hasher.finalize().into();
        LayerCount { first: self.first, count: self.count, hash }
    }
}
