//! From the sequence of finite rows to kinds, periods and patterns. Stands on `proofs/cascade.md`,
//! 5.

use std::collections::BTreeSet;
use std::rc::Rc;

use thiserror::Error;

use crate::{Machine, Pattern, Refuted, TooLong, Word, WordReader};

/// Reads which rows are finite, from row 0 on, and predicts every row.
///
/// The crate's documentation has an example. Memory grows with the number of words, not of rows.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    words: WordReader,
    machine: Machine,
}

/// The prediction for a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    /// It ends, as the caller said.
    Finite,
    /// It never ends.
    Periodic {
        /// Its word.
        word: Word,
        /// The mean of its values.
        mean: u64,
        /// The patterns that it can have: one of period 1 if the row is constant.
        patterns: Rc<BTreeSet<Pattern>>,
    },
}

/// Why there is no prediction.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PredictionError {
    /// A row without a word: it or a row before it in its cluster has `h >= 2`.
    #[error(transparent)]
    Refuted(#[from] Refuted),
    /// The row may have a period beyond the bound of the machine.
    #[error(transparent)]
    TooLong(#[from] TooLong),
}

impl Predictions {
    /// Predicts the next row, given whether it is finite.
    ///
    /// # Errors
    /// [`PredictionError::Refuted`] if the row or one before it in its cluster has `h >= 2`, and
    /// [`PredictionError::TooLong`] if a period is longer than a default [`Machine`] allows. The
    /// row counts as read all the same.
    pub fn next(&mut self, finite: bool) -> Result<Row, PredictionError> {
        let Some(word) = self.words.next(finite)? else { return Ok(Row::Finite) };
        let patterns = self.machine.patterns(&word)?;
        let mean = 1 + self.words.finite_rows();
        Ok(Row::Periodic { word, mean, patterns })
    }
}
