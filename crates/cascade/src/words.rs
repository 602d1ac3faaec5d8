//! From the sequence of finite rows to words, row by row. Stands on `proofs/cascade.md`, 5.

use thiserror::Error;

use crate::{Queue, Word};

/// Reads which rows are finite, from row 0 on, and gives each periodic row its word.
///
/// The words determine the rows of clusters with `h <= 1` (`proofs/cascade.md`, 5.4). A row with
/// `h >= 2`, and the rows after it in its cluster, have no word ([`Refuted`]); the first row of the
/// next cluster has one again. The reader holds one word in memory, and takes the time of copying
/// it for each periodic row.
///
/// ```
/// use cascade::WordReader;
/// let mut words = WordReader::default();
/// // Rows 0, 2 and 5 are periodic, rows 1, 3 and 4 are finite.
/// let finite = [false, true, false, true, true, false];
/// let words: Result<Vec<_>, _> = finite.iter().map(|&finite| words.next(finite)).collect();
/// let texts: Vec<String> = words?.into_iter().flatten().map(|word| word.to_string()).collect();
/// assert_eq!(texts, ["1:", "2:", "1:"]);
/// # Ok::<(), cascade::Refuted>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct WordReader {
    queue: Queue,
    finite: u64,
    /// The word of the last periodic row.
    word: Option<Result<Word, Refuted>>,
}

/// A row with `h >= 2` (`proofs/cascade.md`, 5.2), so that it and the rows after it in its cluster
/// have no word. No such row of Chomp is known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "row {row} has h = {h}: it and the later rows of its cluster have no words, which exist for \
     h <= 1 only (proofs on periods, 5)"
)]
pub struct Refuted {
    /// The first row of its cluster with `h >= 2`.
    pub row: u64,
    /// Its h.
    pub h: i64,
}

impl WordReader {
    /// The word of the next row, or `None` if that row is finite.
    ///
    /// # Errors
    /// [`Refuted`] if this row, or one before it in its cluster, has `h >= 2`. The row counts as
    /// read all the same.
    pub fn next(&mut self, finite: bool) -> Result<Option<Word>, Refuted> {
        let row = self.queue.rows();
        let Some(h) = self.queue.next(finite) else {
            self.finite += 1;
            return Ok(None);
        };
        let word = match (h, self.word.take()) {
            (..0, _) | (_, None) => Ok(Word::first()),
            (0, Some(word)) => word.map(Word::and_stands),
            (1, Some(word)) => word.map(Word::and_moves),
            (2.., Some(word)) => word.and(Err(Refuted { row, h })),
        };
        self.word = Some(word.clone());
        word.map(Some)
    }

    /// The number of rows read, which is the number of the next one.
    pub fn rows(&self) -> u64 {
        self.queue.rows()
    }

    /// The number of finite rows read: F(r) for the next row r.
    pub fn finite_rows(&self) -> u64 {
        self.finite
    }
}
