//! The sequences of the OEIS about three-rowed Chomp, and others about periods, term by term, from
//! records in row order.
//!
//! The 2005 paper, section 8.9, defines A029899 to A029905. Rows are taken in order, and a term is
//! given as soon as it is certain.
//!
//! All P-positions with `p <= n` have `r <= p`, so when rows 0 to n are known, so is their number,
//! A029899. In the periodic part of a row every p from some place on occurs exactly once (fact 4 of
//! `proofs/README.md`), so a row costs as much as its record is long.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::str::FromStr;

use record::{HeadForm, Periodic, Record, Statement};
use thiserror::Error;

/// A sequence of the OEIS, or one about periods, which the OEIS does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sequence {
    /// Numbers of P-positions.
    A029899,
    /// The diagonal.
    A029900,
    /// Where finite rows end.
    A029901,
    /// The finite rows.
    A029902,
    /// The offsets of the rows of period 1.
    A029903,
    /// The starts of the rows of period 1.
    A029904,
    /// The rows of period 1.
    A029905,
    /// The rows of period 2 or more.
    A147983,
    /// The rows of this period, at least 2: `period-3`.
    Period(u64),
    /// The periods that occur, in the order in which they occur first: `new-periods`.
    NewPeriods,
    /// The rows in which these occur first: `first-rows`.
    FirstRows,
}

/// A name of no sequence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no sequence {0:?} here")]
pub struct UnknownSequence(pub String);

/// Why a term cannot be given.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TermError {
    /// The terms depend on offsets that the record does not hold.
    #[error(
        "{sequence} counts positions of the pre-periods, and the record of row {row} has only a \
         fingerprint of them; use records with all offsets"
    )]
    NeedsOffsets {
        /// The sequence.
        sequence: Sequence,
        /// The row.
        row: u64,
    },
    /// A finite row ends before an earlier one: both by row and end, the earlier one first. The
    /// 2005 paper, 8.6, asks whether this can happen.
    #[error(
        "row {} ends at {}, before row {}, which ends at {}: from here on A029901 is not the same \
         in row order and in ascending order, and it is not known which is meant",
        .1[0], .1[1], .0[0], .0[1]
    )]
    NotAscending([u64; 2], [u64; 2]),
}

/// A term with its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The index, which begins at the sequence's own [`Sequence::offset`].
    pub n: u64,
    /// a(n).
    pub value: u64,
}

impl Sequence {
    /// Those of the OEIS, by number.
    pub const ALL: [Self; 8] = [
        Self::A029899,
        Self::A029900,
        Self::A029901,
        Self::A029902,
        Self::A029903,
        Self::A029904,
        Self::A029905,
        Self::A147983,
    ];

    /// Whether it is about periods, and not of the OEIS.
    pub fn is_of_periods(self) -> bool {
        matches!(self, Self::Period(_) | Self::NewPeriods | Self::FirstRows)
    }

    /// The index of the first term, as in the OEIS.
    pub fn offset(self) -> u64 {
        u64::from(self == Self::A147983 || self.is_of_periods())
    }

    /// The definition of a(n).
    pub fn definition(self) -> String {
        let words = match self {
            Self::A029899 => "the number of P-positions (p,q,r) with p <= n",
            Self::A029900 => "the diagonal: the p that makes (p,n,n) a P-position",
            Self::A029901 => {
                "where finite rows end: the p of the P-positions (p,p,r), in the order of r"
            }
            Self::A029902 => "the finite rows: the r of the P-positions (p,p,r)",
            Self::A029903 => "the offset p - q that repeats in the n-th row of period 1",
            Self::A029904 => {
                "the start of the n-th row of period 1: the q from which that offset repeats"
            }
            Self::A029905 => "the rows of period 1",
            Self::A147983 => "the rows of period 2 or more",
            Self::Period(period) => return format!("the rows of period {period}"),
            Self::NewPeriods => "the periods, in the order in which they occur first",
            Self::FirstRows => "the rows in which a period occurs first",
        };
        words.to_owned()
    }

    /// The form of heads that the records must have.
    pub fn form(self) -> HeadForm {
        if self == Self::A029899 { HeadForm::Offsets } else { HeadForm::Fingerprint }
    }

    /// An estimate of the rows that are needed for this number of terms, from the rows to 1 000
    /// 000, with a margin. Use it only to choose the first end of a computation.
    pub fn likely_rows(self, terms: u64) -> u64 {
        let (percent, more) = match self {
            Self::A029899 | Self::A029900 => (100, 0),
            Self::A029901 | Self::A029902 => (171, 4),
            Self::A029903 | Self::A029904 | Self::A029905 => (256, 20),
            Self::A147983 | Self::Period(_) | Self::NewPeriods | Self::FirstRows => (5400, 60),
        };
        u64::try_from(u128::from(terms) * percent / 100).unwrap_or(u64::MAX).saturating_add(more)
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Period(period) => f.pad(&format!("period-{period}")),
            Self::NewPeriods => f.pad("new-periods"),
            Self::FirstRows => f.pad("first-rows"),
            _ => f.pad(&format!("{self:?}")),
        }
    }
}

/// The name: an A-number in capital or small letters, the others in small letters.
impl FromStr for Sequence {
    type Err = UnknownSequence;

    fn from_str(name: &str) -> Result<Self, UnknownSequence> {
        let period = || {
            let period: u64 = name.strip_prefix("period-")?.parse().ok()?;
            Some(Self::Period(period)).filter(|found| period > 1 && found.to_string() == name)
        };
        let named = |sequence: &Self| sequence.to_string().eq_ignore_ascii_case(name);
        let found = match name {
            "new-periods" => Some(Self::NewPeriods),
            "first-rows" => Some(Self::FirstRows),
            _ => period().or_else(|| Self::ALL.into_iter().find(named)),
        };
        found.ok_or_else(|| UnknownSequence(name.to_owned()))
    }
}

/// The terms of a sequence, as rows are added.
///
/// ```
/// use census::sequences::{Sequence, TermFinder};
/// let row_1 = "Finite(row: 1, first: 3, last: 2, head: \"22145bd91204b982\")";
/// let row_1 = record::parse_line(row_1, 1).unwrap();
/// let term = TermFinder::of(Sequence::A029901).add(&row_1)?.unwrap();
/// assert_eq!((term.n, term.value), (0, 2));
/// # Ok::<(), census::sequences::TermError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TermFinder {
    sequence: Sequence,
    /// The index of the next term.
    n: u64,
    positions: Positions,
    /// The last finite row, and where it ended.
    finite: Option<[u64; 2]>,
    /// The periods so far, for a sequence of new ones.
    periods: BTreeSet<u64>,
}

impl TermFinder {
    /// The sequence before row 0.
    pub fn of(sequence: Sequence) -> Self {
        let (positions, periods) = Default::default();
        Self { sequence, n: sequence.offset(), positions, finite: None, periods }
    }

    /// The number of terms so far.
    pub fn given(&self) -> u64 {
        self.n - self.sequence.offset()
    }

    /// Takes the next row, beginning with row 0. No row has more than one term.
    ///
    /// Costs O(1), for [`Sequence::A029899`] O(offsets of the record), and memory for as many
    /// numbers as the row's largest p.
    ///
    /// # Errors
    /// [`TermError`]: there is a term, and its value is not certain.
    pub fn add(&mut self, record: &Record) -> Result<Option<Term>, TermError> {
        let term = self.value(record)?.map(|value| Term { n: self.n, value });
        self.n += u64::from(term.is_some());
        Ok(term)
    }

    fn value(&mut self, record: &Record) -> Result<Option<u64>, TermError> {
        let row = record.row();
        let sequence = self.sequence;
        let periodic = record.periodic();
        let of_period = |wanted| periodic.filter(move |own| own.period() == wanted);
        let mut new = || periodic.filter(|own| self.periods.insert(own.period()));
        Ok(match sequence {
            Sequence::A029899 => {
                let counted = self.positions.add(record);
                Some(counted.ok_or(TermError::NeedsOffsets { sequence, row })?)
            }
            Sequence::A029900 => Some(record.diagonal()),
            Sequence::A029901 => self.end(record)?,
            Sequence::A029902 => periodic.is_none().then_some(row),
            Sequence::A029903 => of_period(1).map(|own| own.values[0]),
            Sequence::A029904 => of_period(1).map(|own| own.start),
            Sequence::A029905 => of_period(1).map(|_| row),
            Sequence::A147983 => periodic.filter(|own| own.period() > 1).map(|_| row),
            Sequence::Period(wanted) => of_period(wanted).map(|_| row),
            Sequence::NewPeriods => new().map(Periodic::period),
            Sequence::FirstRows => new().map(|_| row),
        })
    }

    fn end(&mut self, record: &Record) -> Result<Option<u64>, TermError> {
        let Statement::Finite(finite) = record.statement() else { return Ok(None) };
        let (row, last) = (finite.row, finite.last);
        match self.finite.replace([row, last]) {
            Some(earlier) if earlier[1] >= last => {
                Err(TermError::NotAscending(earlier, [row, last]))
            }
            _ => Ok(Some(last)),
        }
    }
}

/// The P-positions of the rows so far.
#[derive(Clone, Debug, Default)]
struct Positions {
    /// Those with `p <= r`, where r is the last row.
    counted: u64,
    /// Rows whose periodic part has every p from r on.
    steady: u64,
    /// The positions with larger p, from r + 1 on.
    later: VecDeque<Later>,
    /// The p of `later[0]`.
    next: u64,
}

/// The positions with one p.
#[derive(Clone, Copy, Debug, Default)]
struct Later {
    /// P-positions that are counted one by one.
    single: u64,
    /// Rows that have one for this p and all larger ones.
    joining: u64,
}

impl Positions {
    /// The number of P-positions with `p <= r`, where r is this row, which comes next; `None` if
    /// its head is a fingerprint.
    fn add(&mut self, record: &Record) -> Option<u64> {
        for (column, offset) in (record.row()..).zip(record.head_offsets()?) {
            self.at(column + offset).single += 1;
        }
        if let Statement::Periodic(periodic) = record.statement() {
            self.repeat(periodic);
        }
        let Later { single, joining } = self.later.pop_front().unwrap_or_default();
        self.next += 1;
        self.steady += joining;
        self.counted += single + self.steady;
        Some(self.counted)
    }

    /// From the first period's largest p on, each p occurs once; before that, each value gives a p
    /// in every period.
    fn repeat(&mut self, periodic: &Periodic) {
        let first_period = (periodic.start..).zip(&periodic.values).map(|(q, offset)| q + offset);
        let largest = first_period.clone().max().expect("a period has values");
        for p in first_period {
            for p in (p..largest).step_by(periodic.values.len()) {
                self.at(p).single += 1;
            }
        }
        self.at(largest).joining += 1;
    }

    fn at(&mut self, p: u64) -> &mut Later {
        let place = p.checked_sub(self.next).expect("p >= r, rows in order");
        let place = usize::try_from(place).expect("as many p as a record has offsets");
        if place >= self.later.len() {
            self.later.resize(place + 1, Later::default());
        }
        &mut self.later[place]
    }
}
