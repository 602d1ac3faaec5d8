//! From the sequence of finite rows to words, row by row. Stands on `proofs/cascade.md`, 5.

use thiserror::Error;

use crate::Word;

/// Reads which rows are finite, from row 0 on, and gives each periodic row its word.
///
/// The words determine the rows if all rows have `h <= 1` (`proofs/cascade.md`, 5.4). The reader
/// checks that, and fails with [`Refuted`]. It holds one word in memory, and takes the time of
/// copying it for each periodic row.
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
    /// The number of rows read.
    rows: u64,
    finite: u64,
    /// The last periodic row and its word.
    last: Option<(u64, Word)>,
}

/// A row right above one that moves is periodic, so it has `h = 2` (`proofs/cascade.md`, 5.2). No
/// such row of Chomp is known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "row {row} is periodic, and so is row {} right below it, whose word {word} says that it is not \
    constant: row {row} has h = 2, and words exist for h <= 1 only (proofs/cascade.md, 5)",
    row - 1
)]
pub struct Refuted {
    /// The row.
    pub row: u64,
    /// The word of the row right below it.
    pub word: Word,
}

impl WordReader {
    /// The word of the next row, or `None` if that row is finite.
    ///
    /// # Errors
    /// [`Refuted`] if the row has `h = 2`. Then the row is not counted as read.
    pub fn next(&mut self, finite: bool) -> Result<Option<Word>, Refuted> {
        let row = self.rows;
        if finite {
            self.rows += 1;
            self.finite += 1;
            return Ok(None);
        }
        let word = match &self.last {
            None => Word::first(),
            Some((last, word)) => match (row - last, word.moves()) {
                (1, true) => return Err(Refuted { row, word: word.clone() }),
                (1, false) | (2, true) => word.clone().and_moves(),
                (2, false) | (3, true) => word.clone().and_stands(),
                _ => Word::first(),
            },
        };
        self.rows += 1;
        self.last = Some((row, word.clone()));
        Ok(Some(word))
    }

    /// The number of rows read, which is the number of the next one.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of finite rows read: F(r) for the next row r.
    #[must_use]
    pub fn finite_rows(&self) -> u64 {
        self.finite
    }

    /// The mean of the values of the last periodic row, 1 + F(r) (`proofs/cascade.md`, 4.1). Finite
    /// rows read after it do not count.
    #[must_use]
    pub fn mean(&self) -> Option<u64> {
        let (last, _) = self.last.as_ref()?;
        Some(1 + self.finite - (self.rows - 1 - last))
    }
}
