//! The words of rows from a table of the rows that move: `chomp show --periods --tsv`.
//!
//! If no row has `h >= 2`, the word of a row that moves follows from its pattern and from the row
//! that moves next below it, at a distance of d rows. If d = 2, the row continues the cluster
//! below, as A after A. Otherwise there are two cases. The row continues that cluster by j + 1
//! letters s and an A; then d = 4 + 2j, and its pattern reaches -j - 1 or less. Or it is the first
//! row that moves in a cluster of k constant rows, the first of them at least 4 rows above the row
//! below; then d >= 2k + 3, and its pattern is k ones and -k. For d = 4 + 2j that is k <= j, so it
//! is never both (`proofs/cascade.md`, 5.3).

use std::collections::BTreeMap;
use std::path::Path;

use cascade::{Pattern, Word};

use crate::seen::{Problem, Refuted, Seen, SeenRows};

/// The largest table, in bytes.
const LARGEST: u64 = 1 << 28;

/// The rows of a table after those from which the predictions were made.
pub struct Later {
    /// The last row.
    pub last: u64,
    /// The rows that move, by word.
    pub words: BTreeMap<Word, SeenRows>,
}

/// Reads a table of rows 0 to `last`, and compares the words to the last row of `seen` with those
/// that come from the finite rows.
pub fn read(path: &Path, seen: &Seen, last: u64) -> Result<Later, Problem> {
    let text = files::text(path, LARGEST)
        .map_err(|error| Problem::Table(format!("{}: {error}", path.display())))?;
    let mut below: Option<(u64, Word)> = None;
    let (mut before, mut later) = (BTreeMap::new(), BTreeMap::new());
    for (number, line) in (2..).zip(text.lines().skip(1)) {
        let wrong = |what: &str| {
            let place = format!("{}, line {number}", path.display());
            Problem::Table(format!(
                "{place}: {what} (chomp show --periods --tsv writes such tables)"
            ))
        };
        let (row, pattern) = fields(line).ok_or_else(|| wrong("no row and pattern"))?;
        if below.as_ref().is_some_and(|(below, _)| row <= *below) || row > last {
            return Err(wrong("rows are out of order, or past the last one"));
        }
        let word = word(row, &pattern, below.as_ref())
            .ok_or_else(|| Problem::Refuted(Refuted(format!("row {row} has no word"))))?;
        let rows = if row < seen.rows { &mut before } else { &mut later };
        add(rows, row, &word, pattern);
        below = Some((row, word));
    }
    let counts = |words: &BTreeMap<Word, SeenRows>| -> Vec<(Word, u64)> {
        let moving = words.iter().filter(|(word, _)| word.moves());
        moving.map(|(word, rows)| (word.clone(), rows.count)).collect()
    };
    if counts(&before) != counts(&seen.words) {
        let what = "the words of its rows differ from those of the data set".to_owned();
        return Err(Problem::Table(format!("{}: {what}", path.display())));
    }
    Ok(Later { last, words: later })
}

fn fields(line: &str) -> Option<(u64, Pattern)> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[row, _, _, pattern] = fields.as_slice() else { return None };
    let values: Option<Vec<i64>> = pattern.split(',').map(|value| value.parse().ok()).collect();
    Some((row.parse().ok()?, Pattern::new(&values?)))
}

/// The word of a row that moves.
fn word(row: u64, pattern: &Pattern, below: Option<&(u64, Word)>) -> Option<Word> {
    let distance = below.map(|(below, _)| row - below);
    if let (Some(distance), Some((_, word))) = (distance, below) {
        if distance < 2 {
            // It has h = 2.
            return None;
        }
        if distance == 2 {
            return Some(word.clone().and_moves());
        }
    }
    let constants = after_constants(pattern)
        .filter(|constants| distance.is_none_or(|distance| distance >= 2 * constants + 3));
    if let Some(constants) = constants {
        let mut word = Word::first();
        for _ in 1..constants {
            word = word.and_stands();
        }
        return Some(word.and_moves());
    }
    let (distance, (_, word)) = (distance?, below?);
    let stands = distance.checked_sub(2).filter(|rest| rest.is_multiple_of(2))? / 2;
    let word = (0..stands).fold(word.clone(), |word, _| word.and_stands());
    Some(word.and_moves())
}

/// The k of a pattern of k ones and -k.
fn after_constants(pattern: &Pattern) -> Option<u64> {
    let (&least, ones) = pattern.values().split_first()?;
    let all = ones.iter().all(|&value| value == 1);
    (all && least.unsigned_abs() == ones.len() as u64).then_some(ones.len() as u64)
}

fn add(words: &mut BTreeMap<Word, SeenRows>, row: u64, word: &Word, pattern: Pattern) {
    let rows = words.entry(word.clone()).or_default();
    if rows.count == 0 {
        rows.first = row;
    }
    rows.count += 1;
    rows.patterns.insert(pattern);
}
