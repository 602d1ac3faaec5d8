//! The document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use cascade::{Machine, Pattern, Word};

use crate::balance::Balance;
use crate::estimate::ROW;
use crate::markdown::{brackets, digits, millionths, one_in, paragraph, periods, tenths, wrapped};
use crate::seen::{Seen, by_rise, rise};
use crate::two_holes;

/// The observed and the expected words, in Markdown.
pub struct Document<'a>(pub &'a Seen);

impl fmt::Display for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut machine = Machine::default();
        self.introduction(f)?;
        self.seen(f, &mut machine)?;
        let words = self.0.possible();
        self.unseen(f, &mut machine, &words)?;
        self.two_holes(f, &mut machine, &words)?;
        self.periods(f, &mut machine, &words)?;
        self.rows_of_period_243(f, &mut machine)
    }
}

impl Document<'_> {
    fn introduction(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Seen { rows, periodic, least, greatest, .. } = self.0;
        writeln!(f, "# Periods to come\n")?;
        paragraph(
            f,
            &format!(
                "Predictions for later rows, from rows 0 to {} alone. \
                [`proofs/cascade.md`](../proofs/cascade.md) defines words, letters and patterns. \
                The program that writes this document first compares each record with the \
                prediction of the sequence of finite rows. All {} rows agree: {} finite ones, and \
                {} periodic ones in kind, mean and pattern.",
                digits(rows - 1),
                digits(*rows),
                digits(rows - periodic),
                digits(*periodic)
            ),
        )?;
        paragraph(
            f,
            &format!(
                "`D(r)` is the number of periodic rows to row r, less `(√2 - 1)(r + 1)`. So far it \
                ranges from {} (row {}) to {} (row {}). A word *raises* D by a fixed amount: D at \
                its row, less D before the first row of its cluster. While D stays in this range, \
                no word, and no beginning of a word, raises D by more than {}.",
                least.0.decimal(),
                digits(least.1),
                greatest.0.decimal(),
                digits(greatest.1),
                (greatest.0 - least.0).decimal()
            ),
        )?;
        paragraph(
            f,
            "*Expected* is an estimate. It assumes that the difference between successive periodic \
            rows depends only on D, in strips of 1/20, and on whether the first of the two rows \
            moves. Each row with the word of the last constant row of a cluster counts with the \
            product of the frequencies of the differences that must follow.",
        )
    }

    fn seen(&self, f: &mut fmt::Formatter, machine: &mut Machine) -> fmt::Result {
        writeln!(
            f,
            "\
## Words that have been seen

A test of the estimate: *rows* and *expected* should be close.

| word | periods possible | raises D by | rows | expected | first row | patterns seen | possible |
|---|---|---|---|---|---|---|---|"
        )?;
        for word in by_rise(self.0.words.keys()) {
            let rows = &self.0.words[word];
            let patterns = machine.patterns(word).map_err(|_| fmt::Error)?;
            writeln!(
                f,
                "| {word} | {} | {} | {} | {} | {} | {} | {} |",
                periods(&patterns),
                rise(word).decimal(),
                digits(rows.count),
                tenths(self.0.expected(word)),
                digits(rows.first),
                rows.patterns.len(),
                patterns.len()
            )?;
        }
        writeln!(f)?;
        let missing: Vec<String> = by_rise(self.0.words.keys())
            .into_iter()
            .flat_map(|word| {
                let possible = machine.patterns(word).into_iter();
                let possible = possible.flat_map(|patterns| (*patterns).clone());
                let seen = &self.0.words[word].patterns;
                let missing = possible.filter(|pattern| !seen.contains(pattern));
                missing.map(|pattern| format!("- {word}: ({pattern})")).collect::<Vec<_>>()
            })
            .collect();
        let these = if missing.is_empty() { "none" } else { "these" };
        writeln!(f, "Possible patterns of these words that have not been seen: {these}.\n")?;
        for line in &missing {
            writeln!(f, "{line}")?;
        }
        if missing.is_empty() { Ok(()) } else { writeln!(f) }
    }

    fn unseen(&self, f: &mut fmt::Formatter, machine: &mut Machine, words: &[Word]) -> fmt::Result {
        writeln!(
            f,
            "\
## Words that have not been seen

All words that are possible while D stays in its range. *Expected* is the number of rows among as
many rows as have been seen. *One in* is the number of rows for each expected one, to two digits; a
dash stands where D would have to reach values at which no row has continued in this way. Brackets
have the number of patterns, or the pattern if there is only one and it is short.

| word | periods and patterns possible | raises D by | expected | one in |
|---|---|---|---|---|"
        )?;
        let unseen = words.iter().filter(|word| !self.0.words.contains_key(*word));
        for word in by_rise(unseen) {
            let patterns = machine.patterns(word).map_err(|_| fmt::Error)?;
            let expected = self.0.expected(word);
            writeln!(
                f,
                "| {word} | {} {} | {} | {} | {} |",
                periods(&patterns),
                brackets(&patterns),
                rise(word).decimal(),
                millionths(expected),
                one_in(u128::from(self.0.rows) * ROW, expected)
            )?;
        }
        let mut by_period: BTreeMap<usize, u128> = BTreeMap::new();
        for word in words.iter().filter(|word| word.moves()) {
            let patterns = machine.patterns(word).map_err(|_| fmt::Error)?;
            let all: BTreeSet<usize> = patterns.iter().map(Pattern::period).collect();
            let seen = self.0.words.values().flat_map(|rows| &rows.patterns);
            let seen: BTreeSet<usize> = seen.map(Pattern::period).collect();
            for period in all.difference(&seen) {
                *by_period.entry(*period).or_default() += self.0.expected(word);
            }
        }
        writeln!(
            f,
            "
Periods that have not been seen, and the expected rows of the words that can have them:

| period | at most | one in |
|---|---|---|"
        )?;
        for (period, expected) in by_period {
            let one_in = one_in(u128::from(self.0.rows) * ROW, expected);
            writeln!(f, "| {period} | {} | {one_in} |", millionths(expected))?;
        }
        writeln!(f)
    }

    fn periods(
        &self,
        f: &mut fmt::Formatter,
        machine: &mut Machine,
        words: &[Word],
    ) -> fmt::Result {
        let mut all = BTreeSet::new();
        for word in words {
            let patterns = machine.patterns(word).map_err(|_| fmt::Error)?;
            all.extend(patterns.iter().map(Pattern::period));
        }
        let all: Vec<String> = all.iter().map(ToString::to_string).collect();
        writeln!(f, "## Periods of words\n")?;
        paragraph(
            f,
            &format!(
                "If D stays in its range, from {} to {}, a row whose cluster has `h <= 1` up to it \
                (`proofs/cascade.md`, 5.2) has one of these periods:",
                self.0.least.0.decimal(),
                self.0.greatest.0.decimal()
            ),
        )?;
        paragraph(f, &format!("{}.", all.join(", ")))?;
        paragraph(
            f,
            "This range allows no words but those above and those that have been seen. A row of any \
            other period would show that D leaves it, or that a row of its cluster has `h >= 2`: \
            such rows are not excluded.",
        )
    }

    /// Rows right above a row that moves.
    fn two_holes(
        &self,
        f: &mut fmt::Formatter,
        machine: &mut Machine,
        words: &[Word],
    ) -> fmt::Result {
        writeln!(f, "## Rows with two holes\n")?;
        let range = self.0.range();
        // An interval of n rows with excess 4 has (n + 4)/2 periodic ones, and n is at least 4.
        let three = Balance { periodic: 4, rows: 4 };
        let bound = if three > range {
            format!(
                "A row with `h = 3` ends an interval of rows in which the periodic ones exceed the \
                finite ones by 4, so it raises D by {} or more: there is none while D stays in its \
                range. ",
                three.decimal()
            )
        } else {
            String::new()
        };
        paragraph(
            f,
            &format!(
                "No row with `h >= 2` has been seen, and no proof excludes it. The first one in its \
                cluster is right above a row that moves, and moves as well. {bound}*Expected* \
                assumes that a periodic row follows a row that moves as often as any other row in \
                the same strip of D. If the row takes out one ball and not two, its pattern is not \
                determined.",
            ),
        )?;
        writeln!(
            f,
            "\
| right above a row with the word | periods if it takes out two balls | raises D by | expected | one in |
|---|---|---|---|---|"
        )?;
        let mut all = 0;
        let moving = words.iter().filter(|word| self.0.allows_two_holes(word));
        for word in by_rise(moving) {
            let laws = machine.laws(word).map_err(|_| fmt::Error)?;
            let patterns: BTreeSet<Pattern> = laws.iter().flat_map(two_holes::patterns).collect();
            let expected = self.0.expected_above(word);
            all += expected;
            writeln!(
                f,
                "| after {word} | {} {} | {} | {} | {} |",
                periods(&patterns),
                brackets(&patterns),
                (rise(word) + Balance::step(1)).decimal(),
                millionths(expected),
                one_in(u128::from(self.0.rows) * ROW, expected)
            )?;
        }
        let one_in = one_in(u128::from(self.0.rows) * ROW, all);
        writeln!(f, "| all | | | {} | {one_in} |\n", millionths(all))
    }

    fn rows_of_period_243(&self, f: &mut fmt::Formatter, machine: &mut Machine) -> fmt::Result {
        let word: Word = "2:AAAAA".parse().map_err(|_| fmt::Error)?;
        let patterns = machine.patterns(&word).map_err(|_| fmt::Error)?;
        let pattern = patterns.first().ok_or(fmt::Error)?;
        let above = pattern.values().iter().filter(|&&value| value == 1).count();
        let deepest = pattern.values().iter().min().unwrap_or(&0).unsigned_abs();
        writeln!(f, "## Period 243\n")?;
        paragraph(
            f,
            &format!(
                "The word {word} needs this run of rows: two finite ones, a constant one, a finite \
                one, and a constant one; right above it a row of period 3; then, each after one \
                finite row, rows of period 9, 27, 81 and 243. If D stays in its range, D is at \
                most {} before the run (its least value so far is {}), and at least {} at the row \
                of period 243 (its greatest value so far is {}).",
                (self.0.greatest.0 - rise(&word)).decimal(),
                self.0.least.0.decimal(),
                (self.0.least.0 + rise(&word)).decimal(),
                self.0.greatest.0.decimal()
            ),
        )?;
        let words: Vec<String> = pattern.values().iter().map(ToString::to_string).collect();
        paragraph(
            f,
            &format!(
                "There is one pattern, up to rotation. {above} of its {} values are one above the \
                mean, and the least is {deepest} below it:",
                pattern.period()
            ),
        )?;
        writeln!(f, "```text\n{}\n```", wrapped(&words.join(", ")))
    }
}
