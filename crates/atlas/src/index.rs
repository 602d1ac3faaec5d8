//! The index of the search for rows by what they are. Columns and offsets rise with the row, so a
//! search reads one part or two.

use std::collections::BTreeMap;

use census::RowColumns;
use driver::Record;
use record::joined;
use serde::Serialize;

/// The rows of a part.
const ROWS: u64 = 5000;

/// All rows, in parts.
#[derive(Default)]
pub(crate) struct Index {
    /// The files `index/0.json`, and so on.
    pub(crate) parts: Vec<RowColumns>,
}

/// What `index.json` has: where to look.
#[derive(Serialize)]
pub(crate) struct Directory {
    /// The last row.
    last: u64,
    /// All rows to this one have a page, and of the others those whose period exceeds 2.
    every: u64,
    /// The least and the largest end of a part, and mean.
    ends: Vec<Option<[u64; 2]>>,
    means: Vec<Option<[u64; 2]>>,
    /// The rows of each pattern but 0: the first one, then each less the one before.
    patterns: BTreeMap<String, Vec<u64>>,
}

impl Index {
    /// Adds the next row.
    pub(crate) fn add(&mut self, record: &Record) {
        if record.row().is_multiple_of(ROWS) {
            self.parts.push(RowColumns { first: record.row(), ..RowColumns::default() });
        }
        self.parts.last_mut().expect("row 0 is the first").add(record);
    }

    pub(crate) fn directory(&self, last: u64, every: u64) -> Directory {
        let parts = || self.parts.iter();
        let mut rows: BTreeMap<_, Vec<u64>> = BTreeMap::new();
        for (row, pattern) in parts().flat_map(|part| &part.patterns) {
            rows.entry(joined(pattern, ",")).or_default().push(*row);
        }
        let patterns = rows.into_iter().map(|(pattern, rows)| (pattern, steps(rows)));
        Directory {
            last,
            every,
            ends: parts().map(|part| range(part.ends.iter())).collect(),
            means: parts().map(|part| range(part.means.iter().filter(|&&mean| mean > 0))).collect(),
            patterns: patterns.collect(),
        }
    }
}

fn range<'a>(numbers: impl Iterator<Item = &'a u64> + Clone) -> Option<[u64; 2]> {
    Some([*numbers.clone().min()?, *numbers.max()?])
}

/// Ascending numbers, each less the one before: that is shorter.
pub(crate) fn steps(numbers: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let step = |before: &mut u64, number| Some(number - std::mem::replace(before, number));
    numbers.into_iter().scan(0, step).collect()
}
