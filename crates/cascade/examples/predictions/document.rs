//! The document.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use cascade::{Machine, Pattern, Word};

use crate::estimate::ROW;
use crate::seen::{Seen, rise};

/// Patterns longer than this are not printed in tables.
const LONGEST_PRINTED: usize = 16;

/// The observed and the expected words, in Markdown.
pub struct Document<'a>(pub &'a Seen);

impl fmt::Display for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut machine = Machine::default();
        self.introduction(f)?;
        self.seen(f, &mut machine)?;
        let words = self.possible();
        self.unseen(f, &mut machine, &words)?;
        self.impossible(f, &mut machine, &words)?;
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
                "Predictions for rows that are not computed yet, from rows 0 to {} alone. \
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

    /// The words of rows that move, by rise, then in the order of words.
    fn by_rise<'a>(words: impl Iterator<Item = &'a Word>) -> Vec<&'a Word> {
        let mut words: Vec<&Word> = words.filter(|word| word.moves()).collect();
        words.sort_by(|a, b| rise(a).cmp(&rise(b)).then_with(|| a.cmp(b)));
        words
    }

    fn expected(&self, word: &Word) -> u128 {
        let mut constants = word.clone();
        while !constants.letters().is_empty() {
            constants = constants.before().expect("a word with letters");
        }
        let starts = self.0.constants.get(&constants).map_or(&[][..], Vec::as_slice);
        self.0.steps.expected(starts, word)
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
        for word in Self::by_rise(self.0.words.keys()) {
            let rows = &self.0.words[word];
            let patterns = machine.patterns(word).map_err(|_| fmt::Error)?;
            writeln!(
                f,
                "| {word} | {} | {} | {} | {} | {} | {} | {} |",
                periods(&patterns),
                rise(word).decimal(),
                digits(rows.count),
                tenths(self.expected(word)),
                digits(rows.first),
                rows.patterns.len(),
                patterns.len()
            )?;
        }
        writeln!(f)?;
        let missing: Vec<String> = Self::by_rise(self.0.words.keys())
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

    /// All words that are possible while D stays in its range.
    fn possible(&self) -> Vec<Word> {
        let range = self.0.greatest.0 - self.0.least.0;
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
        for word in Self::by_rise(unseen) {
            let patterns = machine.patterns(word).map_err(|_| fmt::Error)?;
            let expected = self.expected(word);
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
                *by_period.entry(*period).or_default() += self.expected(word);
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

    fn impossible(
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
        writeln!(f, "## What cannot occur\n")?;
        paragraph(
            f,
            &format!(
                "If D stays in its range, from {} to {}, and if no row has `h >= 2` \
                (`proofs/cascade.md`, 5.2), then only these periods occur:",
                self.0.least.0.decimal(),
                self.0.greatest.0.decimal()
            ),
        )?;
        paragraph(f, &format!("{}.", all.join(", ")))?;
        paragraph(
            f,
            "This range allows no words but those above and those that have been seen. A row of any \
            other period would show that D leaves it, or that a row of its cluster has `h >= 2`.",
        )
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

/// A paragraph, wrapped, and an empty line.
fn paragraph(f: &mut fmt::Formatter, text: &str) -> fmt::Result {
    writeln!(f, "{}\n", wrapped(text))
}

/// A number in groups of three digits.
fn digits(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<String> =
        groups.map(|group| group.iter().copied().map(char::from).collect()).collect();
    groups.join(" ")
}

/// The periods of patterns, in ascending order.
fn periods(patterns: &BTreeSet<Pattern>) -> String {
    let periods: BTreeSet<usize> = patterns.iter().map(Pattern::period).collect();
    let periods: Vec<String> = periods.iter().map(ToString::to_string).collect();
    periods.join(", ")
}

/// The number of patterns, or the only one.
fn brackets(patterns: &BTreeSet<Pattern>) -> String {
    match patterns.first() {
        Some(pattern) if patterns.len() == 1 && pattern.period() <= LONGEST_PRINTED => {
            format!("({pattern})")
        }
        _ => format!("[{}]", patterns.len()),
    }
}

/// An estimate to one place, half-way cases up.
fn tenths(expected: u128) -> String {
    let tenths = (expected * 10 + ROW / 2) / ROW;
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// An estimate to six places, half-way cases up.
fn millionths(expected: u128) -> String {
    let millionths = (expected * 1_000_000 + ROW / 2) / ROW;
    format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}

/// `rows / expected` to two digits, rounded up, digits in groups of three.
fn one_in(rows: u128, expected: u128) -> String {
    if expected == 0 {
        return "-".to_owned();
    }
    let exact = rows.div_ceil(expected);
    let unit = 10_u128.pow(exact.ilog10().saturating_sub(1));
    digits(exact.div_ceil(unit) * unit)
}

/// Wrapped at 100 columns.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 100 {
            lines.push(word.to_owned());
        } else {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n")
}
