//! The observations from a data set: words, patterns, D(r), and the difference that follows each D.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use cascade::{Pattern, Prediction, Predictions, Word};
use record::data_set::{DataSet, DataSetError};
use record::{Record, Statement};

use crate::balance::Balance;
use crate::estimate::{ROW, Steps};

/// All rows of a data set.
#[derive(Default)]
pub struct Seen {
    pub rows: u64,
    pub periodic: u64,
    pub words: BTreeMap<Word, SeenRows>,
    /// The least D(r) and the greatest, each with its row.
    pub least: (Balance, u64),
    pub greatest: (Balance, u64),
    pub steps: Steps,
    /// D(r) of the rows that move, by word.
    pub moving: BTreeMap<Word, Vec<Balance>>,
    /// D(r) of the constant rows with which a cluster begins, by word, for those after which it
    /// continues.
    pub constants: BTreeMap<Word, Vec<Balance>>,
}

/// The rows with one word.
#[derive(Default)]
pub struct SeenRows {
    pub first: u64,
    pub count: u64,
    pub patterns: BTreeSet<Pattern>,
}

pub enum Problem {
    Refuted(Refuted),
    Reading(DataSetError),
    Table(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Refuted(refuted) => refuted.fmt(f),
            Self::Reading(error) => error.fmt(f),
            Self::Table(error) => error.fmt(f),
        }
    }
}

/// A row that differs from its prediction.
pub struct Refuted(pub String);

impl fmt::Display for Refuted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads a data set to a row, and compares each record with its prediction.
pub fn read(folder: &Path, to: Option<u64>) -> Result<Seen, Problem> {
    let data_set = DataSet::open(folder).map_err(Problem::Reading)?;
    let mut seen = Seen::default();
    let mut predictions = Predictions::default();
    let mut last: Option<(u64, bool, Balance)> = None;
    let mut balance = Balance::default();
    for record in data_set.rows() {
        let record = record.map_err(Problem::Reading)?;
        let row = record.row();
        if to.is_some_and(|to| row > to) {
            break;
        }
        let predicted = predictions.next(record.periodic().is_none());
        let predicted = predicted.map_err(|error| Problem::Refuted(Refuted(error.to_string())))?;
        balance = balance + Balance { periodic: 0, rows: 1 };
        if let Some(word) = compare(&record, predicted)? {
            balance.periodic += 1;
            if let Some((last, moves, at)) = last {
                seen.steps.add(moves, at, row - last);
            }
            last = Some((row, word.moves(), balance));
            seen.add(&record, word, balance);
        }
        if row == 0 || balance < seen.least.0 {
            seen.least = (balance, row);
        }
        if row == 0 || balance > seen.greatest.0 {
            seen.greatest = (balance, row);
        }
        seen.rows += 1;
    }
    Ok(seen)
}

/// The word of a row, if it is periodic and as predicted.
fn compare(record: &Record, predicted: Option<Prediction>) -> Result<Option<Word>, Problem> {
    let row = record.row();
    let refuted = |what: String| Err(Problem::Refuted(Refuted(format!("row {row}: {what}"))));
    match (record.statement(), predicted) {
        (Statement::Finite(_), None) => Ok(None),
        (Statement::Periodic(periodic), Some(Prediction { word, mean, patterns })) => {
            let pattern = Pattern::new(&periodic.pattern());
            if periodic.mean() != mean {
                return refuted(format!("the mean is {}, not 1 + F = {mean}", periodic.mean()));
            }
            if !patterns.contains(&pattern) {
                return refuted(format!("{pattern} is not a pattern of {word}"));
            }
            Ok(Some(word))
        }
        _ => refuted("finite and periodic".to_owned()),
    }
}

impl Seen {
    fn add(&mut self, record: &Record, word: Word, balance: Balance) {
        self.periodic += 1;
        if word.letters().is_empty() {
            self.constants.entry(word.clone()).or_default().push(balance);
        }
        if word.moves() {
            self.moving.entry(word.clone()).or_default().push(balance);
        }
        let rows = self.words.entry(word).or_default();
        if rows.count == 0 {
            rows.first = record.row();
        }
        rows.count += 1;
        let pattern = record.periodic().map(|row| Pattern::new(&row.pattern()));
        rows.patterns.extend(pattern);
    }

    /// The width of the range of D.
    pub fn range(&self) -> Balance {
        self.greatest.0 - self.least.0
    }

    /// All words that are possible while D stays in its range.
    pub fn possible(&self) -> Vec<Word> {
        let range = self.range();
        let mut words = Vec::new();
        let mut pending = vec![Word::first()];
        while let Some(word) = pending.pop() {
            if rise(&word) <= range {
                pending.push(word.clone().and_moves());
                pending.push(word.clone().and_stands());
                words.push(word);
            }
        }
        words
    }

    /// Whether D can stay in its range at a row right above one with this word.
    pub fn allows_two_holes(&self, word: &Word) -> bool {
        rise(word) + Balance::step(1) <= self.range()
    }

    /// The expected number of rows of this word, among as many rows as have been seen.
    pub fn expected(&self, word: &Word) -> u128 {
        let mut constants = word.clone();
        while !constants.letters().is_empty() {
            constants = constants.before().expect("a word with letters");
        }
        let starts = self.constants.get(&constants).map_or(&[][..], Vec::as_slice);
        self.steps.expected(starts, word)
    }

    /// The expected number of rows right above those of this word, which moves. If no row has had
    /// it, the expected rows of the word count in the place of seen ones.
    pub fn expected_above(&self, word: &Word) -> u128 {
        match self.moving.get(word) {
            Some(rows) => rows.iter().map(|&at| self.steps.share_of_any(ROW, at, 1)).sum(),
            None => {
                // As D(r) of its rows is not known, the greatest share of all strips.
                self.steps.greatest_share(self.expected(word), 1)
            }
        }
    }
}

/// The words of rows that move, by rise, then in the order of words.
pub fn by_rise<'a>(words: impl Iterator<Item = &'a Word>) -> Vec<&'a Word> {
    let mut words: Vec<&Word> = words.filter(|word| word.moves()).collect();
    words.sort_by(|a, b| rise(a).cmp(&rise(b)).then_with(|| a.cmp(b)));
    words
}

/// The rise of D from before the first row of a cluster to the row with this word.
pub fn rise(word: &Word) -> Balance {
    Balance { periodic: word.periodic_rows().cast_signed(), rows: word.rows().cast_signed() }
}
