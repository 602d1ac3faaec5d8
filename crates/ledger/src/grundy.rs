//! Claims about Grundy values, decided by the full table of `boards` and by `ChompGrundy`.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;

use record::{Record, Statement};
use serde::Deserialize;

use crate::evidence::{LEVEL, LEVEL_ROWS, Oracles};
use crate::verdict::{Examined, Finding};

/// A test on Grundy values.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum GrundyTest {
    /// The first Grundy values of 3 × 1, 3 × 2, ...
    Rectangles {
        /// The values.
        terms: Vec<u64>,
    },
    /// Each row of each level is of one of these kinds.
    Kinds {
        /// The kinds.
        kinds: Vec<LevelKind>,
    },
    /// Levels above 0 have a row with a period larger than this.
    LargerPeriods {
        /// The period.
        than: u64,
    },
}

/// The kind of a row of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum LevelKind {
    /// It has no position.
    Empty,
    /// It ends.
    Finite,
    /// It repeats for ever.
    Periodic,
}

impl GrundyTest {
    /// The method, and the finding.
    pub(crate) fn examine(&self, oracles: &Oracles) -> Examined {
        let proved = || {
            format!(
                "rows 0 to {LEVEL_ROWS} of levels 0 to {LEVEL} by the literal recurrence, proved"
            )
        };
        match self {
            Self::Rectangles { terms } => {
                let method = format!("all positions of 3x{}", terms.len());
                rectangles(terms).by(method)
            }
            Self::Kinds { kinds } => of_kinds(oracles.levels(), kinds).by(proved()),
            Self::LargerPeriods { than } => larger_periods(oracles.levels(), *than).by(proved()),
        }
    }
}

fn rectangles(terms: &[u64]) -> Finding {
    let columns = u16::try_from(terms.len()).expect("the ledger has a short list");
    let found = Mutex::new(Vec::new());
    let go_on = |_| ControlFlow::Continue(());
    boards::grundy::rectangles(columns, NonZero::<usize>::MIN, &go_on, &|_, value| {
        found.lock().expect("nobody panics").push(u64::from(value));
        ControlFlow::Continue(())
    })
    .expect("a small table");
    let found = found.into_inner().expect("nobody panics");
    let wrong = (1..).zip(terms.iter().zip(&found)).find(|(_, (term, value))| term != value);
    let counterexample = wrong.map(|(n, (_, value))| format!("3x{n} has the value {value}"));
    Finding::Stated { counterexample, figure: String::new() }
}

fn kind(row: &Record) -> LevelKind {
    match row.statement() {
        Statement::Empty { .. } => LevelKind::Empty,
        Statement::Periodic(_) => LevelKind::Periodic,
        Statement::Finite(_) => LevelKind::Finite,
    }
}

/// Of each row, its levels.
fn of_kinds(rows: &[Vec<Record>], kinds: &[LevelKind]) -> Finding {
    let of_level = |level: usize| rows.iter().map(move |levels| &levels[level]);
    let number = |of: LevelKind| rows.iter().flatten().filter(|row| kind(row) == of).count();
    let failure = (0..=LEVEL).find_map(|level| {
        let of_level = of_level(usize::try_from(level).expect("a small level"));
        let (row, other) = (0..).zip(of_level).find(|(_, row)| !kinds.contains(&kind(row)))?;
        let row: u64 = row;
        Some((level, format!("row {row} of level {level} is {:?}", kind(other)).to_lowercase()))
    });
    let [empty, finite, periodic] =
        [LevelKind::Empty, LevelKind::Finite, LevelKind::Periodic].map(number);
    let figure = format!(
        "of the rows r <= {LEVEL_ROWS} {periodic} are periodic, {finite} finite, {empty} empty"
    );
    Finding::Each { failure, last: LEVEL, figure }
}

fn larger_periods(rows: &[Vec<Record>], than: u64) -> Finding {
    let of_values = rows.iter().flatten().filter(|row| row.key().level > 0);
    let period = |row: &Record| row.periodic().map_or(0, record::Periodic::period);
    let largest = of_values.max_by_key(|row| period(row));
    let words = |row: &Record| format!("{} has period {}", row.key(), period(row));
    let found = largest.map_or(0, period);
    Finding::found(found > than, largest.map_or_else(String::new, words))
}
