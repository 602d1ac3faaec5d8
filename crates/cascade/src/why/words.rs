//! The number of rows of each word.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::Explanation;

/// The rows that have one word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WordCount {
    /// The word.
    pub word: String,
    /// The periods of these rows.
    pub periods: BTreeSet<u64>,
    /// The number of patterns that the machine finds for the word.
    pub choices: usize,
    /// The number of these patterns that occur.
    pub patterns: usize,
    /// The number of rows.
    pub rows: u64,
    /// The first of them.
    pub first: u64,
}

/// Explanations of many rows, counted by word.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    words: BTreeMap<String, Counted>,
    /// The rows that are not explained.
    pub doubtful: Vec<Explanation>,
    /// The number of rows.
    pub rows: u64,
}

#[derive(Clone, Debug)]
struct Counted {
    periods: BTreeSet<u64>,
    patterns: BTreeSet<crate::Pattern>,
    choices: usize,
    rows: u64,
    first: u64,
}

impl Tally {
    /// Adds the explanation of the next row.
    pub fn add(&mut self, explanation: &Explanation) {
        self.rows += 1;
        if !explanation.is_complete() {
            self.doubtful.push(explanation.clone());
        }
        let (Some(word), Some(choices)) = (&explanation.word, explanation.choices) else { return };
        let counted = self.words.entry(word.clone()).or_insert_with(|| Counted {
            periods: BTreeSet::new(),
            patterns: BTreeSet::new(),
            choices,
            rows: 0,
            first: explanation.row,
        });
        counted.rows += 1;
        counted.periods.insert(explanation.period);
        counted.patterns.insert(crate::Pattern::new(&explanation.pattern));
    }

    /// The words, ordered by their shortest period and then by their first row.
    pub fn words(&self) -> Vec<WordCount> {
        let count = |(word, counted): (&String, &Counted)| WordCount {
            word: word.clone(),
            periods: counted.periods.clone(),
            choices: counted.choices,
            patterns: counted.patterns.len(),
            rows: counted.rows,
            first: counted.first,
        };
        let mut words: Vec<WordCount> = self.words.iter().map(count).collect();
        words.sort_by_key(|word| (word.periods.first().copied(), word.first));
        words
    }
}
