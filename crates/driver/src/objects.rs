//! Results as JSON objects: `docs/JSON.md` describes them.
//!
//! A question has one function and one answer. The JSON of the answer is what `--json` prints, what
//! `to_dict()` gives in Python, and what the page and the atlas show: no front end has objects of
//! its own for it, so that none can differ.
//!
//! | question | function | answer in JSON |
//! |---|---|---|
//! | who wins a position, and by which bites | [`Source::answer`](crate::Source::answer) | [`Answer`], [`Sourced`] |
//! | the same of a board, with a strategy | [`BoardAnswer::of`] | [`BoardAnswer`], with the fields of its [`Answer`] |
//! | every bite with the Grundy value that it leaves | [`bites`](fn@crate::bites) | [`Bites`](crate::Bites) |
//! | the Grundy value | [`grundy_value`](crate::grundy_value) | [`GrundyObject`] |
//! | f(q,t) | [`Source::value`](crate::Source::value) | [`ValueObject`](crate::ValueObject) |
//! | a row | [`Source::row`](crate::Source::row) | [`RowObject`] |
//! | why a row has its period | [`explain`](fn@crate::explain) | [`Explanation`](crate::Explanation), [`Sourced`] |
//! | a bite of the program in a game | [`Player::bite`](crate::Player::bite) | [`Played`](crate::Played) |
//! | whether a data set is right | [`records::verify_data_set`](crate::records::verify_data_set) | [`VerdictObject`] |
//! | who wins on a poset | [`solve_poset`](crate::solve_poset) | [`PosetObject`] |
//! | two-rowed Chomp with instant winners | [`losers`](fn@crate::losers) | [`LosersObject`] |
//!
//! An answer that says all by itself is `Serialize` where it is defined. One that lacks something,
//! such as the name of its poset, has an object here. Row lengths and the coordinates of squares
//! are strings in all of them ([`Position`], [`Square`]); other integers are [`Exact`].

mod verdict;

use std::path::Path;

use answers::{Answer, Position, Square};
use boards::Solved;
use boards::strategy::{Labelled, Rule};
use posets::{DownSet, Poset};
use record::{CertificateObject, Exact, RowObject};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

pub use verdict::VerdictObject;

use crate::{BoardAnswer, GrundyBasis, GrundyValue, Losers, PosetAnswer, SetSequence};

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
pub struct GrundyObject<'a> {
    position: &'a Position,
    #[serde(flatten)]
    value: &'a GrundyValue,
    record: Option<RowObject>,
}

impl<'a> GrundyObject<'a> {
    /// Of this position.
    #[must_use]
    pub fn of(position: &'a Position, value: &'a GrundyValue) -> Self {
        let record = match value {
            GrundyValue::Is(_, GrundyBasis::Rows(record)) => Some(record.abridged()),
            _ => None,
        };
        Self { position, value, record: record.as_ref().map(RowObject::from) }
    }
}

/// The value and its digits, if it is known, or else the digits of the lower bound.
impl Serialize for GrundyValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("GrundyValue", 2)?;
        object.serialize_field("grundy", &self.known().map(Exact::from))?;
        object.serialize_field("at_least", &self.at_least().to_string())?;
        object.end()
    }
}

/// A board: the answer about it as a position, with the rectangle around it and a strategy if that
/// is solved.
#[derive(Serialize)]
struct BoardObject<'a> {
    #[serde(flatten)]
    answer: &'a Answer,
    strategy: Option<Vec<PairObject>>,
    rectangle: Option<RectangleObject>,
}

impl Serialize for BoardAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = self.strategy().map(|strategy| strategy.chosen.iter());
        let strategy = pairs.map(|pairs| pairs.map(PairObject::of).collect());
        let rectangle = self.solution().map(RectangleObject::from);
        BoardObject { answer: &self.answer, strategy, rectangle }.serialize(serializer)
    }
}

#[derive(Serialize)]
struct PairObject {
    label: String,
    squares: [Square; 2],
    leaves: Position,
    rule: Option<&'static str>,
}

impl PairObject {
    fn of(Labelled { label, pair }: &Labelled) -> Self {
        Self {
            label: label.clone(),
            squares: pair.squares.map(Square::from),
            leaves: Position::from(&pair.leaves),
            rule: pair.rule.map(|rule| match rule {
                Rule::TwoRows => "two_rows",
                Rule::EqualWings => "equal_wings",
                Rule::TwoTopRow => "two_top_row",
                Rule::ThreeTopRow => "three_top_row",
            }),
        }
    }
}

/// A solved rectangle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RectangleObject {
    rows: u16,
    columns: u16,
    positions: Exact,
    p_positions: Exact,
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
