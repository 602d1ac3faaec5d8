//! The observations from a data set: words, patterns, D(r), and the difference that follows each D.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use cascade::{Pattern, Predictions, Row, Word};
use record::data_set::{DataSet, DataSetError};
use record::{Record, Statement};

use crate::balance::Balance;
use crate::estimate::Steps;

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
}

/// A row that differs from its prediction.
pub struct Refuted(String);

impl fmt::Display for Refuted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads a data set, and compares each record with its prediction.
pub fn read(folder: &Path) -> Result<Seen, Problem> {
    let data_set = DataSet::open(folder).map_err(Problem::Reading)?;
    let mut seen = Seen::default();
    let mut predictions = Predictions::default();
    let mut last: Option<(u64, bool, Balance)> = None;
    let mut balance = Balance::default();
    for record in data_set.rows() {
        let record = record.map_err(Problem::Reading)?;
        let row = record.row();
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
fn compare(record: &Record, predicted: Row) -> Result<Option<Word>, Problem> {
    let row = record.row();
    let refuted = |what: String| Err(Problem::Refuted(Refuted(format!("row {row}: {what}"))));
    match (record.statement(), predicted) {
        (Statement::Finite(_), Row::Finite) => Ok(None),
        (Statement::Periodic(periodic), Row::Periodic { word, mean, patterns }) => {
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
        let rows = self.words.entry(word).or_default();
        if rows.count == 0 {
            rows.first = record.row();
        }
        rows.count += 1;
        let pattern = record.periodic().map(|row| Pattern::new(&row.pattern()));
        rows.patterns.extend(pattern);
    }
}

/// The rise of D from before the first row of a cluster to the row with this word.
pub fn rise(word: &Word) -> Balance {
    Balance { periodic: word.periodic_rows().cast_signed(), rows: word.rows().cast_signed() }
}
