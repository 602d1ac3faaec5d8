//! The answer about a position, and its form in JSON.

use record::{Record, RowObject};
use serde::Serialize;

use crate::Position;

/// A bite that leaves a P-position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bite {
    /// The row in which a square is bitten; row 1 is the longest.
    pub row: usize,
    /// The P-position that is left.
    pub leaves: Position,
    /// The record of the row that has it; `None` if the position that was asked about is infinite:
    /// then the bite follows from fact 10.
    pub record: Option<Record>,
}

/// Who wins a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The position.
    pub position: Position,
    /// Every bite that leaves a P-position, row by row, and for each row those that leave less of
    /// it first. There is none if the position is P. With three rows there are at most three: of
    /// two positions that bites in the same row leave, one is a bite away from the other.
    pub bites: Vec<Bite>,
    /// The record of the position's own row.
    pub record: Record,
}

impl Answer {
    /// Whether the position is a P-position.
    #[must_use]
    pub fn is_p(&self) -> bool {
        self.bites.is_empty()
    }
}

/// An answer as a JSON object: `docs/JSON.md` describes it. Row lengths are strings, as they may
/// have any size. The record is `null` in an answer [without rows](AnswerObject::without_rows),
/// which the program never prints.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AnswerObject {
    position: Vec<String>,
    cab: Option<[String; 3]>,
    /// `P` or `N`.
    outcome: char,
    winning_bites: Vec<BiteObject>,
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
            record: Some(RowObject::from(&answer.record.abridged())),
        }
    }
}

impl AnswerObject {
    /// The object of an answer that rests on a solved rectangle or on the transposed position, and
    /// so has no records. `leaves` are P-positions; those that no bite of the position leaves are
    /// ignored.
    ///
    /// ```
    /// use answers::{AnswerObject, Position};
    /// let [square, corner] = ["4x4", "4,1,1,1"].map(|text| text.parse::<Position>().unwrap());
    /// let answer = AnswerObject::without_rows(&square, &[corner]);
    /// let text = serde_json::to_string(&answer)?;
    /// assert!(text.contains(r#"{"bitten":2,"leaves":["4","1","1","1"],"#), "{text}");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn without_rows(position: &Position, leaves: &[Position]) -> Self {
        let bite = |leaves: &Position| {
            let row = position.bite_to(leaves)?.row;
            let bite = Bite { row, leaves: leaves.clone(), record: None };
            Some(BiteObject::of(&bite, position))
        };
        Self {
            position: lengths(position, position),
            cab: columns(position),
            outcome: if leaves.is_empty() { 'P' } else { 'N' },
            winning_bites: leaves.iter().filter_map(bite).collect(),
            record: None,
        }
    }

    /// Whether the position is a P-position.
    #[must_use]
    pub fn is_p(&self) -> bool {
        self.winning_bites.is_empty()
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
