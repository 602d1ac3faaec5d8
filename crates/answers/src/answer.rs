//! The answer about a position, and its form in JSON.

use record::Record;
use serde::{Serialize, Serializer};

use crate::{Position, Square, Theorem};

/// A bite that leaves a P-position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bite {
    /// The bitten square.
    pub square: Square,
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
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(with = "AnswerObject<'static>")
)]
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
    /// The number of turns that are left with best play, if it was computed: the player who wins
    /// hurries, the other one delays, and the last turn takes the poison.
    pub length: Option<u16>,
}

impl Answer {
    /// An answer that rests on no rows of the position, from all P-positions that its bites leave,
    /// in any order. Positions that no bite leaves are ignored.
    ///
    /// ```
    /// use answers::{Answer, Basis, Position};
    /// let [square, corner] = ["4x4", "4,1,1,1"].map(|text| text.parse::<Position>().unwrap());
    /// let answer = Answer::without_record(&square, [corner], Basis::Columns);
    /// let text = serde_json::to_string(&answer)?;
    /// assert!(text.contains(r#""leaves":["4","1","1","1"]"#), "{text}");
    /// assert!(text.contains(r#""square":["2","2"]"#), "{text}");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn without_record(
        position: &Position,
        leaves: impl IntoIterator<Item = Position>,
        basis: Basis,
    ) -> Self {
        let bite = |leaves: Position| {
            Some(Bite { square: position.bite_to(&leaves)?, leaves, record: None })
        };
        let mut bites: Vec<Bite> = leaves.into_iter().filter_map(bite).collect();
        bites.sort_by(|one, other| one.square.cmp(&other.square));
        Self { position: position.clone(), bites, basis, length: None }
    }

    /// Whether the position is a P-position.
    pub fn is_p(&self) -> bool {
        self.bites.is_empty() && self.has_all_bites()
    }

    /// Whether every bite that leaves a P-position is in the answer. If not, the position is N.
    pub fn has_all_bites(&self) -> bool {
        self.theorem().is_none_or(Theorem::names_all_bites)
    }

    /// The theorem that the answer rests on.
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
    pub fn record(&self) -> Option<&Record> {
        match &self.basis {
            Basis::Rows(record) => Some(record),
            _ => None,
        }
    }
}

/// An answer as a JSON object. Records are `null` in one that rests on no rows of the position.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Answer"))]
pub(crate) struct AnswerObject<'a> {
    /// Whether `winning_bites` has all bites that leave a P-position; only then can it be one.
    all_bites: bool,
    /// Zeilberger's numbers of columns; null if there are more rows than three, or infinite ones.
    cab: Option<[String; 3]>,
    /// The number of turns that are left with best play, with the one that takes the poison.
    length: Option<u16>,
    /// P or N.
    outcome: char,
    position: &'a Position,
    /// The row that has the position.
    record: Option<Record>,
    /// The theorem that the answer rests on; null if it rests on records or a search alone.
    theorem: Option<Theorem>,
    winning_bites: Vec<BiteObject<'a>>,
}

/// A bite that leaves a P-position.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Bite"))]
pub(crate) struct BiteObject<'a> {
    leaves: &'a Position,
    leaves_cab: Option<[String; 3]>,
    /// The row that has the position that is left; null if a row of the board is infinite.
    record: Option<Record>,
    square: &'a Square,
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let cab = columns(&self.position);
        let bites = self.bites.iter().map(|Bite { square, leaves, record }| BiteObject {
            leaves,
            leaves_cab: cab.as_ref().and_then(|_| columns(leaves)),
            record: record.as_ref().map(Record::abridged),
            square,
        });
        let object = AnswerObject {
            all_bites: self.has_all_bites(),
            length: self.length,
            outcome: if self.is_p() { 'P' } else { 'N' },
            position: &self.position,
            record: self.record().map(Record::abridged),
            theorem: self.theorem(),
            winning_bites: bites.collect(),
            cab,
        };
        object.serialize(serializer)
    }
}

fn columns(position: &Position) -> Option<[String; 3]> {
    position.zeilberger().map(|columns| columns.map(|number| number.to_string()))
}
