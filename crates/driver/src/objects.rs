//! Results as JSON objects: `docs/JSON.md` describes them. The objects of records and of answers
//! are in `record` and `answers`.

use std::fmt::Display;
use std::path::Path;

use answers::{Answer, Theorem};
use boards::Solved;
use boards::strategy::{Labelled, Rule};
use game::Square;
use num_traits::ToPrimitive;
use posets::{DownSet, Poset};
use record::{CertificateObject, Exact, RowObject};
use serde::Serialize;

use crate::bites::ValuedBite;
use crate::{
    Bites, BoardAnswer, GrundyBasis, GrundyValue, Losers, PosetAnswer, Position, SetSequence,
};

/// The source of rows: computed now, or read from a folder and not proved again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceObject {
    from: &'static str,
    folder: Option<String>,
}

impl SourceObject {
    /// Of rows that were read from this folder, or computed without one.
    #[must_use]
    pub fn of(folder: Option<&Path>) -> Self {
        let from = if folder.is_some() { "data_set" } else { "computed" };
        Self { from, folder: folder.map(|folder| folder.display().to_string()) }
    }
}

/// A result with the source of its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sourced<T> {
    /// The result.
    #[serde(flatten)]
    pub result: T,
    /// The source of the rows.
    pub source: SourceObject,
}

/// A Grundy value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GrundyObject {
    position: Vec<String>,
    #[serde(flatten)]
    value: KnownValue,
    record: Option<RowObject>,
}

impl GrundyObject {
    /// Of this position.
    #[must_use]
    pub fn of(position: &Position, value: &GrundyValue) -> Self {
        let record = match value {
            GrundyValue::Is(_, GrundyBasis::Rows(record)) => Some(record.abridged()),
            _ => None,
        };
        Self {
            position: digits(position.rows()),
            value: KnownValue::of(value),
            record: record.as_ref().map(RowObject::from),
        }
    }
}

/// The value and its digits, if it is known, or else the digits of the lower bound.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct KnownValue {
    grundy: Option<Exact>,
    at_least: String,
}

impl KnownValue {
    fn of(value: &GrundyValue) -> Self {
        match value {
            GrundyValue::Is(value, _) => {
                Self { grundy: Some((*value).into()), at_least: value.to_string() }
            }
            GrundyValue::AtLeast(least) => Self { grundy: None, at_least: least.to_string() },
        }
    }
}

/// A position with its bites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BitesObject {
    position: Vec<String>,
    grundy: Option<Exact>,
    bites: Vec<BiteObject>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct BiteObject {
    row: usize,
    column: Option<u32>,
    leaves: Vec<String>,
    #[serde(flatten)]
    value: KnownValue,
}

impl From<&Bites> for BitesObject {
    fn from(found: &Bites) -> Self {
        let object = |ValuedBite { square, leaves, value }: &ValuedBite| BiteObject {
            row: square.row,
            column: square.column.to_u32(),
            leaves: digits(leaves.rows()),
            value: KnownValue::of(value),
        };
        Self {
            position: digits(found.position.rows()),
            grundy: found.value().map(Into::into),
            bites: found.bites.iter().map(object).collect(),
        }
    }
}

/// A board with its winning bites, or with a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BoardObject {
    position: Vec<String>,
    outcome: String,
    winning_bites: Vec<WinningBite>,
    all_bites: bool,
    theorem: Option<Theorem>,
    strategy: Option<Vec<PairObject>>,
    rectangle: Option<RectangleObject>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct WinningBite {
    #[serde(flatten)]
    square: SquareObject,
    leaves: Option<Vec<String>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct SquareObject {
    row: u16,
    column: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct PairObject {
    label: String,
    squares: [SquareObject; 2],
    leaves: Vec<String>,
    rule: Option<&'static str>,
}

/// A solved rectangle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RectangleObject {
    rows: u16,
    columns: u16,
    positions: Exact,
    p_positions: Exact,
}

impl From<&BoardAnswer> for BoardObject {
    fn from(answer: &BoardAnswer) -> Self {
        let BoardAnswer { board, bites, .. } = answer;
        let winning = |&bite: &Square| WinningBite {
            square: bite.into(),
            leaves: board.after(bite).map(|left| digits(left.rows())),
        };
        let pairs = answer.strategy().map(|strategy| strategy.chosen.iter());
        let theorem = answer.theorem();
        Self {
            position: digits(board.rows()),
            outcome: answer.outcome().to_string(),
            winning_bites: bites.iter().map(winning).collect(),
            all_bites: theorem.is_none_or(Answer::has_all_bites),
            theorem: theorem.and_then(Answer::theorem),
            strategy: pairs.map(|pairs| pairs.map(PairObject::of).collect()),
            rectangle: answer.solution().map(RectangleObject::from),
        }
    }
}

impl PairObject {
    fn of(Labelled { label, pair }: &Labelled) -> Self {
        Self {
            label: label.clone(),
            squares: pair.squares.map(SquareObject::from),
            leaves: digits(pair.leaves.rows()),
            rule: pair.rule.map(|rule| match rule {
                Rule::TwoRows => "two_rows",
                Rule::EqualWings => "equal_wings",
                Rule::TwoTopRow => "two_top_row",
                Rule::ThreeTopRow => "three_top_row",
            }),
        }
    }
}

impl From<Square> for SquareObject {
    fn from(Square { row, column }: Square) -> Self {
        Self { row, column }
    }
}

impl From<&dyn Solved> for RectangleObject {
    fn from(solution: &dyn Solved) -> Self {
        Self {
            rows: solution.rows(),
            columns: solution.columns(),
            positions: solution.positions().into(),
            p_positions: solution.p_count().into(),
        }
    }
}

/// The losers of two-rowed Chomp with instant winners.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LosersObject {
    instant_winners: String,
    losers: String,
    head: Vec<Exact>,
    values: Vec<Exact>,
    classical_bound: Option<String>,
    is_checked_to_bound: Option<bool>,
    certificate: Option<CertificateObject>,
}

impl LosersObject {
    /// Of these instant winners.
    #[must_use]
    pub fn of(instant_winners: &SetSequence, found: &Losers) -> Self {
        let (members, proof) = (found.members(), found.proof());
        let exact = |numbers: &[u64]| numbers.iter().map(|&number| number.into()).collect();
        Self {
            instant_winners: instant_winners.to_string(),
            losers: found.to_string(),
            head: exact(members.head()),
            values: exact(members.periodic().map_or(&[][..], |sequence| sequence.cycle())),
            classical_bound: proof.map(|proof| proof.classical.bound.to_string()),
            is_checked_to_bound: proof.map(|proof| proof.classical.checked),
            certificate: proof.map(|proof| CertificateObject::from(&proof.certificate)),
        }
    }
}

/// A position of a poset with its winning bites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PosetObject {
    poset: String,
    elements: usize,
    poison: Option<String>,
    left: usize,
    outcome: Option<String>,
    winning_bites: Vec<String>,
    undecided_bites: Vec<String>,
    grundy: Option<Exact>,
    positions: Exact,
}

impl PosetObject {
    /// Of a poset with this name.
    #[must_use]
    pub fn of(name: &str, poset: &Poset, position: &DownSet, answer: &PosetAnswer) -> Self {
        let name_of = |&element: &usize| poset.name(element).to_owned();
        Self {
            poset: name.to_owned(),
            elements: poset.len(),
            poison: poset.poison().as_ref().map(name_of),
            left: position.elements().len(),
            outcome: answer.outcome.map(|outcome| outcome.to_string()),
            winning_bites: answer.winning.iter().map(name_of).collect(),
            undecided_bites: answer.undecided.iter().map(name_of).collect(),
            grundy: answer.grundy.map(Into::into),
            positions: answer.decided.into(),
        }
    }
}

/// Numbers of any size: strings of their digits.
fn digits<N: Display>(numbers: impl IntoIterator<Item = N>) -> Vec<String> {
    numbers.into_iter().map(|number| number.to_string()).collect()
}
