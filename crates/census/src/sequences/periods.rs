//! Sequences of rows by period, which the OEIS does not have.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use record::Record;

use super::{Term, UnknownSequence};

/// A sequence about periods. Indices begin with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PeriodSequence {
    /// The rows of this period, at least 2: `period-3`.
    Rows(u64),
    /// The periods that occur, in the order in which they occur first: `new-periods`.
    New,
    /// The rows in which these occur first: `first-rows`.
    First,
}

impl PeriodSequence {
    /// The definition of a(n).
    #[must_use]
    pub fn definition(self) -> String {
        match self {
            Self::Rows(period) => format!("the rows of period {period}"),
            Self::New => "the periods, in the order in which they occur first".to_owned(),
            Self::First => "the rows in which a period occurs first".to_owned(),
        }
    }
}

impl fmt::Display for PeriodSequence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Rows(period) => f.pad(&format!("period-{period}")),
            Self::New => f.pad("new-periods"),
            Self::First => f.pad("first-rows"),
        }
    }
}

/// The name in small letters.
impl FromStr for PeriodSequence {
    type Err = UnknownSequence;

    fn from_str(name: &str) -> Result<Self, UnknownSequence> {
        let unknown = || UnknownSequence { name: name.to_owned() };
        match (name, name.strip_prefix("period-")) {
            ("new-periods", _) => Ok(Self::New),
            ("first-rows", _) => Ok(Self::First),
            (_, Some(period)) => {
                let number: Option<u64> = period.parse().ok();
                let number = number.filter(|number| *number > 1 && number.to_string() == period);
                number.map(Self::Rows).ok_or_else(unknown)
            }
            _ => Err(unknown()),
        }
    }
}

/// The terms of a sequence, as rows are added.
///
/// ```
/// use census::sequences::{PeriodSequence, PeriodTerms};
/// let row_1 = "Finite(row: 1, first: 3, last: 2, head: \"22145bd91204b982\")";
/// let row_1 = record::parse_line(row_1, 1).unwrap();
/// let mut terms = PeriodTerms::of("period-3".parse()?);
/// assert_eq!(terms.add(&row_1), None);
/// # Ok::<(), census::sequences::UnknownSequence>(())
/// ```
#[derive(Clone, Debug)]
pub struct PeriodTerms {
    sequence: PeriodSequence,
    given: u64,
    met: BTreeSet<u64>,
}

impl PeriodTerms {
    /// The sequence before row 0.
    #[must_use]
    pub fn of(sequence: PeriodSequence) -> Self {
        Self { sequence, given: 0, met: BTreeSet::new() }
    }

    /// Takes the next row, beginning with row 0. No row has more than one term.
    pub fn add(&mut self, record: &Record) -> Option<Term> {
        let (row, period) = (record.row(), record.periodic()?.period());
        let value = match self.sequence {
            PeriodSequence::Rows(wanted) => (period == wanted).then_some(row),
            PeriodSequence::New => self.met.insert(period).then_some(period),
            PeriodSequence::First => self.met.insert(period).then_some(row),
        };
        value.map(|value| {
            self.given += 1;
            Term { n: self.given, value }
        })
    }
}
