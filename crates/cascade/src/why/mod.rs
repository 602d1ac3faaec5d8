//! Why a row has its period: the values of the rows below in the window of its certificate, the
//! hole in its state, and its word. Stands on `proofs/cascade.md`, 1 to 3 and 5, on facts 3 and 7
//! of `proofs/README.md`, and on `proofs/effective.md`, 3.
//!
//! All of this comes from records. The offsets of one period are derived from the rows below and
//! the hole, and an [`Explanation`] lists every difference.

mod hole;
mod law;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use record::{Periodic, Record};
use serde::Serialize;

pub use hole::{Doubt, HoleColumn};
pub use law::{Balls, Holes};

use crate::{LawReader, Met, Pattern, Prediction, Predictions};
use hole::{Below, Hole, Repeating, height};

/// A row below, as seen from the row that is explained.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Neighbour {
    /// The row.
    pub row: u64,
    /// The column from which it repeats.
    pub start: u64,
    /// Its values from that column on, less the mean of the row that is explained. An obstacle has
    /// one value, a companion has more.
    pub heights: Vec<i64>,
}

impl Neighbour {
    fn of(below: &Repeating, mean: u64) -> Self {
        let heights = below.values.iter().map(|&value| height(value, mean)).collect();
        Self { row: below.row, start: below.start, heights }
    }

    /// The height in a column from the start on.
    pub fn at(&self, column: u64) -> Option<i64> {
        let place = column.checked_sub(self.start)? % self.heights.len() as u64;
        self.heights.get(usize::try_from(place).ok()?).copied()
    }

    /// Whether it is constant.
    pub fn stands(&self) -> bool {
        self.heights.len() == 1
    }
}

/// The explanation of the period of one row. `Display` writes it in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The row.
    pub row: u64,
    /// Its start.
    pub start: u64,
    /// A bound for the start, from the number of the row; `None` for row 0, and if a row to this
    /// one has two holes or more (`proofs/effective.md`, 3.1).
    pub start_at_most: Option<u64>,
    /// Its least period.
    pub period: u64,
    /// The mean of its values; heights are offsets less this.
    pub mean: u64,
    /// Its values from the start on, less their mean.
    pub pattern: Vec<i64>,
    /// The window `[h,z]` of its certificate (fact 3).
    pub window: (u64, u64),
    /// The rows below of period 1 with their value in the window, in row order.
    pub obstacles: Vec<Neighbour>,
    /// The rows below of a longer period with a value in the window, in row order.
    pub companions: Vec<Neighbour>,
    /// The hole over one period, from the first column of the certificate on.
    pub hole: Vec<HoleColumn>,
    /// The law of the rows below, and the ball that the row takes out; `None` if there is none.
    pub balls: Option<Balls>,
    /// The word, from the sequence of finite rows; `None` if the row has none.
    pub word: Option<String>,
    /// The number of patterns that a row with this word can have; `None` without a word.
    pub choices: Option<usize>,
    /// The rows of the cluster, from its first constant row to the row below.
    pub cluster: Vec<Neighbour>,
    /// For a row without a word whose values agree with the law of the rows below: its holes, and
    /// the balls that it takes out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holes: Option<Holes>,
    /// The defects of the explanation. If there are none, the row is explained.
    pub doubts: Vec<Doubt>,
}

/// The rows so far, from which the next ones are explained.
#[derive(Clone, Debug, Default)]
pub struct Explainer {
    below: Below,
    predictions: Predictions,
    laws: LawReader,
    /// The periodic rows of the cluster so far, with the last row.
    cluster: u64,
}

impl Explainer {
    /// Adds the next row, and explains it if `wanted` says so and it is periodic. Rows come in
    /// order, from row 0. An explanation takes the time of the row's period times the number of
    /// rows with a value near its own.
    pub fn add(
        &mut self,
        record: &Record,
        wanted: impl FnOnce(&Periodic) -> bool,
    ) -> Option<Explanation> {
        // A finite row has no word, so nothing can be wrong with it.
        let predicted = self.predictions.next(record.periodic().is_none());
        let row = record.periodic()?;
        let is_reset = self.predictions.words.queue.h < 0;
        self.cluster = if is_reset { 1 } else { self.cluster + 1 };
        let met = self.laws.next(row.row, row.start, &row.values).ok();
        if is_reset && met.is_none() {
            self.laws.reset(row.mean());
        }
        let predicted = predicted.ok().flatten();
        let explanation = wanted(row).then(|| self.explain(row, predicted.as_ref(), met.as_ref()));
        self.below.add(row);
        explanation
    }

    fn explain(
        &self,
        row: &Periodic,
        prediction: Option<&Prediction>,
        met: Option<&Met>,
    ) -> Explanation {
        let mean = row.mean();
        let hole = Hole::of(row, &self.below);
        let (least, largest) = hole.window;
        let of = |below: &Repeating| Neighbour::of(below, mean);
        let neighbours = self.below.within(least..=largest).into_iter().map(of);
        let (obstacles, companions) = neighbours.partition(Neighbour::stands);
        let mut explanation = Explanation {
            row: row.row,
            start: row.start,
            start_at_most: self.start_at_most(row.row),
            period: row.period(),
            mean,
            pattern: row.pattern(),
            window: hole.window,
            obstacles,
            companions,
            balls: prediction.and(met).and_then(Balls::of),
            word: prediction.map(|prediction| prediction.word.to_string()),
            choices: prediction.map(|prediction| prediction.patterns.len()),
            cluster: self.below.last(self.cluster - 1).into_iter().map(of).collect(),
            hole: hole.columns,
            // With several holes there is no single ball to see.
            holes: met.filter(|_| prediction.is_none()).map(Holes::of),
            doubts: Vec::new(),
        };
        if explanation.holes.is_none() {
            explanation.doubts = explanation.one_hole(hole.doubt, prediction);
        }
        let expected = self.predictions.mean();
        let other_mean = (mean != expected).then_some(Doubt::OtherMean { expected });
        explanation.doubts.extend(other_mean);
        explanation
    }

    /// A bound for the start of the last row (`proofs/effective.md`, 3.1).
    fn start_at_most(&self, row: u64) -> Option<u64> {
        let largest = self.predictions.words.queue.largest_excess();
        let one_hole = largest.is_none_or(|(most, _)| most <= 2);
        let row = u128::from(row);
        let bound = (9 * row * row + 32 * row).checked_sub(14)? / 14;
        one_hole.then(|| u64::try_from(bound).ok())?
    }
}

impl Explanation {
    /// The differences of a row that should have one hole, or none.
    fn one_hole(&self, hole: Option<Doubt>, prediction: Option<&Prediction>) -> Vec<Doubt> {
        let pattern = Pattern::new(&self.pattern);
        let law = self.balls.is_none().then_some(Doubt::NoLaw {});
        let word = match prediction {
            None => Some(Doubt::NoWord {}),
            Some(Prediction { patterns, .. }) => {
                (!patterns.contains(&pattern)).then_some(Doubt::OtherWord {})
            }
        };
        let cluster: BTreeSet<u64> = self.cluster.iter().map(|row| row.row).collect();
        let rows = self.obstacles.iter().chain(&self.companions).map(|neighbour| neighbour.row);
        let stranger = rows.filter(|row| !cluster.contains(row)).min();
        let stranger = stranger.map(|row| Doubt::NotInCluster { row });
        [hole, stranger, law, word].into_iter().flatten().collect()
    }

    /// Whether there are no doubts.
    pub fn is_complete(&self) -> bool {
        self.doubts.is_empty()
    }
}

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
    /// For each word its count, and its patterns.
    words: BTreeMap<String, (WordCount, BTreeSet<Pattern>)>,
    /// The rows that are not explained.
    pub doubtful: Vec<Explanation>,
    /// The number of rows.
    pub rows: u64,
}

impl Tally {
    /// Adds the explanation of the next row.
    pub fn add(&mut self, explanation: &Explanation) {
        self.rows += 1;
        if !explanation.is_complete() {
            self.doubtful.push(explanation.clone());
        }
        let &Explanation { row: first, period, ref word, choices, ref pattern, .. } = explanation;
        let (Some(word), Some(choices)) = (word.clone(), choices) else { return };
        let (count, seen) = self.words.entry(word.clone()).or_insert_with(|| {
            let periods = BTreeSet::new();
            let count = WordCount { word, periods, choices, patterns: 0, rows: 0, first };
            (count, BTreeSet::new())
        });
        count.rows += 1;
        count.periods.insert(period);
        count.patterns += usize::from(seen.insert(Pattern::new(pattern)));
    }

    /// The words, ordered by their shortest period and then by their first row.
    pub fn words(&self) -> Vec<WordCount> {
        let mut words: Vec<WordCount> =
            self.words.values().map(|(count, _)| count.clone()).collect();
        words.sort_by_key(|word| (word.periods.first().copied(), word.first));
        words
    }
}
