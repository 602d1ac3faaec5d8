//! Claims about Grundy values, decided by the full table of `boards`, by `ChompGrundy`, and by the
//! certified rows of `levels`.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Mutex;

use posets::Growing;
use record::{Family, GrowingPoset, Kind, Record, joined};
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
        kinds: Vec<Kind>,
    },
    /// Each row of these posets beside two growing chains, to these levels, is of one of these
    /// kinds.
    Families {
        /// Families as `chomp family` names them, and levels.
        families: Vec<(String, u64)>,
        /// The kinds.
        kinds: Vec<Kind>,
    },
    /// Levels above 0 have a row with a period larger than this.
    LargerPeriods {
        /// The period.
        than: u64,
    },
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
            Self::Families { families, kinds } => of_families(families, kinds)
                .by("all rows of these families, each with its certificate (fact 13)"),
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
    Finding::unless(wrong.map(|(n, (_, value))| format!("3x{n} has the value {value}")))
}

/// The levels of each row.
fn of_kinds(rows: &[Vec<Record>], kinds: &[Kind]) -> Finding {
    let kind = |row: &Record| row.statement().kind();
    let number = |of: Kind| rows.iter().flatten().filter(|row| kind(row) == of).count();
    let [empty, finite, periodic] = [Kind::Empty, Kind::Finite, Kind::Periodic].map(number);
    Finding::each(0..=LEVEL, |level| {
        let place = usize::try_from(level).expect("a small level");
        let other =
            rows.iter().map(|levels| &levels[place]).find(|row| !kinds.contains(&kind(row)))?;
        Some(format!("row {} of level {level} is {}", other.row(), kind(other)))
    })
    .with(format!(
        "of the rows r <= {LEVEL_ROWS} {periodic} are periodic, {finite} finite, {empty} empty"
    ))
}

fn of_families(families: &[(String, u64)], kinds: &[Kind]) -> Finding {
    let (mut counterexample, mut tested) = (None, Vec::new());
    for (name, level) in families {
        let rows = rows_of(name, *level);
        let other = rows.iter().find(|row| !kinds.contains(&row.statement().kind()));
        let words = |row: &Record| format!("{name}: {} is {}", row.key(), row.statement().kind());
        counterexample = counterexample.or(other.map(words));
        tested.push(format!("{name}, levels 0 to {level}: {} rows", rows.len()));
    }
    Finding::Cases { counterexample, tested: joined(tested, "; ") }
}

/// The rows of a family that `chomp family` names.
fn rows_of(name: &str, level: u64) -> Vec<Record> {
    let growing: Growing = name.parse().expect("the families of the ledger have a name");
    let poset: GrowingPoset = growing.text().parse().expect("a family is described");
    let family = Family::of_poset(level, poset).expect("a small family");
    let go_on = &mut |_: &Record| ControlFlow::Continue(());
    levels::rows(&family, &levels::Options::default(), go_on).expect("a small family is proved")
}

fn larger_periods(rows: &[Vec<Record>], than: u64) -> Finding {
    let of_values = rows.iter().flatten().filter(|row| row.key().level > 0);
    let period = |row: &Record| row.periodic().map_or(0, record::Periodic::period);
    let largest = of_values.max_by_key(|row| period(row));
    let words = |row: &Record| format!("{} has period {}", row.key(), period(row));
    let found = largest.map_or(0, period);
    Finding::found(found > than, largest.map_or_else(String::new, words))
}
