//! The predictions beside the rows that came later.

use std::collections::BTreeSet;
use std::fmt;

use cascade::{Machine, Pattern, Word};

use crate::estimate::ROW;
use crate::later::Later;
use crate::markdown::{digits, millionths, paragraph, periods, tenths};
use crate::seen::{Seen, by_rise};

/// The predictions from `seen`, and the rows after these.
pub struct Score<'a> {
    pub seen: &'a Seen,
    pub later: Later,
}

impl fmt::Display for Score<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { seen, later } = self;
        writeln!(f, "# Predictions and what came\n")?;
        paragraph(
            f,
            &format!(
                "The predictions are those from rows 0 to {} alone, as in \
                [`PREDICTIONS.md`](PREDICTIONS.md), for as many rows as came: {} to {}. The words of \
                these are read from the table of the rows that move. To row {} the same reading \
                gives the words that the finite rows give. The table has the words that have been \
                seen, and those for which half a row or more was expected.",
                digits(seen.rows - 1),
                digits(seen.rows),
                digits(later.last),
                digits(seen.rows - 1)
            ),
        )?;
        writeln!(
            f,
            "| word | periods possible | expected | rows | first row |\n|---|---|---|---|---|"
        )?;
        let mut machine = Machine::default();
        let unseen = self.unseen();
        let expected = unseen.iter().filter(|word| 2 * self.expected(word) >= ROW);
        let words: BTreeSet<&Word> =
            seen.words.keys().chain(later.words.keys()).chain(expected).collect();
        for word in by_rise(words.into_iter()) {
            let patterns = machine.patterns(word).map_err(|_| fmt::Error)?;
            let rows = later.words.get(word);
            let first = rows.map_or(String::new(), |rows| digits(rows.first));
            writeln!(
                f,
                "| {word} | {} | {} | {} | {first} |",
                periods(&patterns),
                tenths(self.expected(word)),
                digits(rows.map_or(0, |rows| rows.count))
            )?;
        }
        writeln!(f)?;
        self.patterns(f, &mut machine)?;
        self.came(f, &unseen)
    }
}

impl Score<'_> {
    /// An estimate for as many rows as have been seen, for the later rows.
    fn scaled(&self, expected: u128) -> u128 {
        let rows = self.later.last + 1 - self.seen.rows;
        expected * u128::from(rows) / u128::from(self.seen.rows)
    }

    /// The expected number of rows of this word, among the later rows.
    fn expected(&self, word: &Word) -> u128 {
        self.scaled(self.seen.expected(word))
    }

    /// The words of rows that move that are possible while D stays in its range, without those that
    /// have been seen.
    fn unseen(&self) -> Vec<Word> {
        let words = self.seen.possible().into_iter();
        words.filter(|word| word.moves() && !self.seen.words.contains_key(word)).collect()
    }

    /// A pattern that no word allows refutes the theory.
    fn patterns(&self, f: &mut fmt::Formatter, machine: &mut Machine) -> fmt::Result {
        let mut refuted = Vec::new();
        for (word, rows) in &self.later.words {
            let patterns = machine.patterns(word).map_err(|_| fmt::Error)?;
            let others = rows.patterns.iter().filter(|pattern| !patterns.contains(*pattern));
            refuted.extend(others.map(|pattern: &Pattern| format!("{word}: ({pattern})")));
        }
        let found = if refuted.is_empty() { "none".to_owned() } else { refuted.join("; ") };
        let all: u64 = self.later.words.values().map(|rows| rows.count).sum();
        paragraph(
            f,
            &format!(
                "Rows that move: {}. Patterns that their words do not allow: {found}.",
                digits(all)
            ),
        )
    }

    /// Words that had not been seen, and rows with two holes.
    fn came(&self, f: &mut fmt::Formatter, unseen: &[Word]) -> fmt::Result {
        let expected: u128 = unseen.iter().map(|word| self.expected(word)).sum();
        let new = self.later.words.iter().filter(|(word, _)| !self.seen.words.contains_key(*word));
        let came: u64 = new.map(|(_, rows)| rows.count).sum();
        let possible = self.seen.possible();
        let two: u128 = possible
            .iter()
            .filter(|word| word.moves() && self.seen.allows_two_holes(word))
            .map(|word| self.scaled(self.seen.expected_above(word)))
            .sum();
        paragraph(
            f,
            &format!(
                "Rows with words that had not been seen: {} expected, {came} came. Rows with `h = 2`: \
                {} expected, none came (it would be right above a row that moves).",
                tenths(expected),
                millionths(two)
            ),
        )
    }
}
