//! From words to patterns, and so from the sequence of finite rows to kinds, periods and patterns.
//! Stands on `proofs/cascade.md`, 3 and 5.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use thiserror::Error;

use crate::{Law, Letter, Pattern, Refuted, Word, WordReader};

/// Finds all patterns that a row with a given word can have, and remembers them.
///
/// If the balls of a law form several cycles, a word does not tell which ball is taken out. So a
/// word has a set of patterns. Memory and time grow with it: with the number of words asked for,
/// their choices, and the periods, which the machine bounds.
///
/// ```
/// use cascade::Machine;
/// let mut machine = Machine::default();
/// let patterns = machine.patterns(&"2:AAA".parse()?)?;
/// assert_eq!(patterns.iter().map(|pattern| pattern.period()).collect::<Vec<_>>(), [27]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Machine {
    longest: usize,
    known: BTreeMap<Word, Rc<Known>>,
}

/// The results for a word.
#[derive(Debug)]
struct Known {
    patterns: Rc<BTreeSet<Pattern>>,
    /// The laws that the next row of the cluster meets if it moves.
    laws: BTreeSet<Law>,
}

/// A machine for periods to 2^20.
impl Default for Machine {
    fn default() -> Self {
        Self::new(1 << 20)
    }
}

impl Machine {
    /// A machine for periods up to `longest`.
    pub fn new(longest: usize) -> Self {
        Self { longest, known: BTreeMap::new() }
    }

    /// All patterns that a row with this word can have: the pattern of a constant row if it does
    /// not move.
    ///
    /// # Errors
    /// [`PredictionError::TooLong`] if one of them, or of a row below in its cluster, is longer
    /// than the machine allows.
    pub fn patterns(&mut self, word: &Word) -> Result<Rc<BTreeSet<Pattern>>, PredictionError> {
        Ok(Rc::clone(&self.known(word)?.patterns))
    }

    /// The laws, each in its least rotation, that the next row of the cluster can meet if it moves.
    /// (If this row is constant, the next one meets the empty law: depth 0 is not blocked.)
    ///
    /// # Errors
    /// As for [`Machine::patterns`].
    pub fn laws(&mut self, word: &Word) -> Result<BTreeSet<Law>, PredictionError> {
        Ok(self.known(word)?.laws.clone())
    }

    /// The results for a word, from those for its beginnings, letter by letter.
    fn known(&mut self, word: &Word) -> Result<Rc<Known>, PredictionError> {
        if let Some(known) = self.known.get(word) {
            return Ok(Rc::clone(known));
        }
        let laws = [Law::obstacles(word.constants())].into();
        let mut known = Rc::new(Known { patterns: stands(), laws });
        for letters in 1..=word.letters().len() {
            let beginning = word.beginning(letters);
            known = match self.known.get(&beginning) {
                Some(known) => Rc::clone(known),
                None => Rc::new(self.next(&beginning, &known.laws)?),
            };
            self.known.insert(beginning, Rc::clone(&known));
        }
        Ok(known)
    }

    /// The results for a word with letters, from the laws that its row can meet.
    fn next(&self, word: &Word, laws: &BTreeSet<Law>) -> Result<Known, PredictionError> {
        if word.letters().last() == Some(&Letter::S) {
            return Ok(Known { patterns: stands(), laws: laws.iter().map(Law::stand).collect() });
        }
        let mut patterns = BTreeSet::new();
        let mut next = BTreeSet::new();
        for law in laws {
            let too_long = |period| {
                PredictionError::TooLong(format!(
                    "a row with the word {word} can have period {period}, and only periods \
                     to {} are followed",
                    self.longest
                ))
            };
            for (pattern, law) in law.moves(self.longest).map_err(too_long)? {
                patterns.insert(pattern);
                next.insert(law);
            }
        }
        Ok(Known { patterns: Rc::new(patterns), laws: next })
    }
}

/// The pattern of a constant row.
fn stands() -> Rc<BTreeSet<Pattern>> {
    Rc::new([Pattern::new(&[0])].into())
}

/// Reads which rows are finite, from row 0 on, and predicts every row.
///
/// The crate's documentation has an example. Memory grows with the number of words, not of rows.
#[derive(Clone, Debug, Default)]
pub struct Predictions {
    pub(crate) words: WordReader,
    machine: Machine,
}

/// The prediction for a periodic row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// Its word.
    pub word: Word,
    /// The mean of its values.
    pub mean: u64,
    /// The patterns that it can have: one of period 1 if the row is constant.
    pub patterns: Rc<BTreeSet<Pattern>>,
}

/// Why there is no prediction.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PredictionError {
    /// A row without a word: it or a row before it in its cluster has `h >= 2`.
    #[error(transparent)]
    Refuted(#[from] Refuted),
    /// The row may have a period beyond the bound of the machine, in words.
    #[error("{0}")]
    TooLong(String),
}

impl Predictions {
    /// Predicts the next row, given whether it is finite; then there is nothing to predict.
    ///
    /// # Errors
    /// [`PredictionError::Refuted`] if the row or one before it in its cluster has `h >= 2`, and
    /// [`PredictionError::TooLong`] if a period is longer than a default [`Machine`] allows. The
    /// row counts as read all the same.
    pub fn next(&mut self, finite: bool) -> Result<Option<Prediction>, PredictionError> {
        let Some(word) = self.words.next(finite)? else { return Ok(None) };
        let patterns = self.machine.patterns(&word)?;
        Ok(Some(Prediction { word, mean: self.mean(), patterns }))
    }

    /// The mean of the next row, if it is periodic: 1 more than the number of finite rows so far.
    pub fn mean(&self) -> u64 {
        1 + self.words.finite
    }
}
