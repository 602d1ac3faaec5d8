//! The answer about a position, and its form in JSON.

use record::{Record, RowObject};
use serde::Serialize;

use crate::{Position, Square, Theorem};

/// A bite that leaves a P-position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bite {
    /// The row in which a square is bitten; row 1 is the longest.
    pub row: usize,
    /// The P-position that is left.
    pub leaves: Position,
    /// The record of the row that has it; `None` if the position that was asked about is infinite:
    /// then the bite follows from fact 10. `None` as well if the answer rests on no rows of the
    /// position.
    pub record: Option<Record>,
}

/// The foundation of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Rows of the position: the record of its own row.
    Rows(Box<Record>),
    /// Rows of the transposed position.
    Columns,
    /// A theorem, with a record or without any.
    Theorem(Theorem),
    /// All positions of a rectangle.
    Rectangle {
        /// Its rows.
        rows: u16,
        /// Its columns.
        columns: u16,
    },
}

/// Who wins a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The position.
    pub position: Position,
    /// The bites that leave a P-position, row by row, and for each row those that leave less of it
    /// first: all of them if [`Self::has_all_bites`]. There is none if the position is P. With
    /// three rows there are at most three: of two positions that bites in the same row leave, one
    /// is a bite away from the other.
    pub bites: Vec<Bite>,
    /// The foundation of the answer.
    pub basis: Basis,
}

impl Answer {
    /// An answer that rests on no rows of the position, from all P-positions that its bites leave,
    /// in any order. Positions that no bite leaves are ignored.
    ///
    /// ```
    /// use answers::{Answer, AnswerObject, Basis, Position};
    /// let [square, corner] = ["4x4", "4,1,1,1"].map(|text| text.parse::<Position>().unwrap());
    /// let answer = Answer::without_record(&square, [corner], Basis::Columns);
    /// let text = serde_json::to_string(&AnswerObject::from(&answer))?;
    /// assert!(text.contains(r#"{"bitten":2,"leaves":["4","1","1","1"],"#), "{text}");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn without_record(
        position: &Position,
        leaves: impl IntoIterator<Item = Position>,
        basis: Basis,
    ) -> Self {
        let bite = |leaves: Position| position.bite_to(&leaves).map(|square| (square, leaves));
        let mut bites: Vec<_> = leaves.into_iter().filter_map(bite).collect();
        bites.sort_by(|(one, _), (other, _)| {
            one.row.cmp(&other.row).then_with(|| one.column.cmp(&other.column))
        });
        let bite = |(square, leaves): (Square, _)| Bite { row: square.row, leaves, record: None };
        Self { position: position.clone(), bites: bites.into_iter().map(bite).collect(), basis }
    }

    /// Whether the position is a P-position.
    #[must_use]
    pub fn is_p(&self) -> bool {
        self.bites.is_empty() && self.has_all_bites()
    }

    /// Whether every bite that leaves a P-position is in the answer. If not, the position is N.
    #[must_use]
    pub fn has_all_bites(&self) -> bool {
        self.theorem().is_none_or(Theorem::names_all_bites)
    }

    /// The theorem that the answer rests on.
    #[must_use]
    pub fn theorem(&self) -> Option<Theorem> {
        match self.basis {
            Basis::Theorem(theorem) => Some(theorem),
            _ => None,
        }
    }

    /// The P-positions that bites leave, in the order of the bites.
    pub fn leaves(&self) -> impl Iterator<Item = &Position> {
        self.bites.iter().map(|bite| &bite.leaves)
    }

    /// The record of the position's own row, if the answer rests on it.
    #[must_use]
    pub fn record(&self) -> Option<&Record> {
        match &self.basis {
            Basis::Rows(record) => Some(record),
            _ => None,
        }
    }
}

/// An answer as a JSON object: `docs/JSON.md` describes it. Row lengths are strings, as they may
/// have any size. Records are `null` in an answer that rests on no rows of the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerObject {
    position: Vec<String>,
    cab: Option<[String; 3]>,
    /// `P` or `N`.
    outcome: char,
    winning_bites: Vec<BiteObject>,
    all_bites: bool,
    theorem: Option<Theorem>,
    record: Option<RowObject>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct BiteObject {
    bitten: usize,
    leaves: Vec<String>,
    leaves_cab: Option<[String; 3]>,
    record: Option<RowObject>,
}

impl From<&Answer> for AnswerObject {
    fn from(answer: &Answer) -> Self {
        Self {
            position: lengths(&answer.position, &answer.position),
            cab: columns(&answer.position),
            outcome: if answer.is_p() { 'P' } else { 'N' },
            winning_bites: answer
                .bites
                .iter()
                .map(|bite| BiteObject::of(bite, &answer.position))
                .collect(),
            all_bites: answer.has_all_bites(),
            theorem: answer.theorem(),
            record: answer.record().map(|record| RowObject::from(&record.abridged())),
        }
    }
}

impl AnswerObject {
    /// Whether the position is a P-position.
    #[must_use]
    pub fn is_p(&self) -> bool {
        self.outcome == 'P'
    }
}

impl BiteObject {
    /// The object of a bite from this position.
    fn of(bite: &Bite, position: &Position) -> Self {
        Self {
            bitten: bite.row,
            leaves: lengths(&bite.leaves, position),
            leaves_cab: columns(position).and_then(|_| columns(&bite.leaves)),
            record: bite.record.as_ref().map(|record| RowObject::from(&record.abridged())),
        }
    }
}

fn lengths(position: &Position, asked: &Position) -> Vec<String> {
    position.lengths_in_answer(asked).iter().map(ToString::to_string).collect()
}

fn columns(position: &Position) -> Option<[String; 3]> {
    position.zeilberger().map(|columns| columns.map(|number| number.to_string()))
}
