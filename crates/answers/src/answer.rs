//! The answer about a position, its form in JSON, and the theorems that give it without rows or a
//! search: fact 14 of `proofs/README.md`.

use std::fmt;

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use record::Record;
use serde::{Serialize, Serializer};

use crate::{Position, Square};

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

    /// The squares of the bites, as those of a board. Bites beyond the largest boards are left out.
    pub fn squares(&self) -> Vec<game::Square> {
        self.bites.iter().filter_map(|bite| bite.square.of_board()).collect()
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

/// A theorem that says who wins a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Theorem {
    /// At most two rows, or two columns: fact 14 (a). It names all bites that win.
    TwoRows,
    /// A row and a column, and nothing else: fact 14 (b). It names all bites that win.
    Hook,
    /// A bite leaves such a P-position: fact 14 (c). It names bites that win, perhaps not all.
    ShortBite,
    /// A rectangle: fact 14 (d). It names no bite.
    StrategyStealing,
    /// From 3×n exactly one bite wins: `proofs/uniqueness.md`, 2.4. A record names it.
    UniqueOpening,
}

impl Theorem {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::TwoRows, Self::Hook, Self::ShortBite, Self::StrategyStealing, Self::UniqueOpening];

    /// Whether an answer by it has all bites that win.
    pub fn names_all_bites(self) -> bool {
        !matches!(self, Self::ShortBite | Self::StrategyStealing)
    }

    /// The answer about a finite position from one of these theorems, but for the last; `None` if
    /// none of them applies. O(number of rows).
    ///
    /// ```
    /// use answers::{Position, Theorem};
    /// let leaves = |text: &str| {
    ///     let answer = Theorem::decide(&text.parse::<Position>().unwrap()).unwrap();
    ///     answer.leaves().map(Position::as_board).collect::<Vec<_>>()
    /// };
    /// assert_eq!(leaves("1e6 1e3"), ["(1001,1000)"]);
    /// assert_eq!([leaves("3x3"), leaves("3 3 2")], [["(3,1,1)"]; 2]);
    /// assert!(leaves("500x700").is_empty());
    /// assert_eq!(Theorem::decide(&"7 4 3".parse()?), None);
    /// # Ok::<(), answers::ReadError>(())
    /// ```
    pub fn decide(position: &Position) -> Option<Answer> {
        // An infinite rectangle has no last square: 2×ω is P.
        position.longest_two()?;
        let (theorem, leaves) = match (in_full(position), short_bites(position)) {
            (Some((theorem, leaves)), _) => (theorem, leaves.into_iter().collect()),
            (None, leaves) if !leaves.is_empty() => (Self::ShortBite, leaves),
            (None, _) => (position.is_rectangle().then_some(Self::StrategyStealing)?, Vec::new()),
        };
        Some(Answer::without_record(position, leaves, Basis::Theorem(theorem)))
    }
}

/// Its statement, and where its proof is.
impl fmt::Display for Theorem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Self::TwoRows => {
                "Two rows, or two columns, are a P-position if and only if the longer one has one \
                 square more: fact 14 (a) of the proofs"
            }
            Self::Hook => {
                "A row and a column are a P-position if and only if they have the same length: fact \
                 14 (b) of the proofs"
            }
            Self::ShortBite => {
                "A bite leaves two rows, two columns, or a row and a column that are a P-position: \
                 fact 14 (c) of the proofs"
            }
            Self::StrategyStealing => {
                "On a rectangle, or another product of chains, the first player wins, by strategy \
                 stealing: fact 14 (d) of the proofs"
            }
            Self::UniqueOpening => {
                "On 3 x n exactly one first bite wins: proofs/uniqueness.md, 2.4"
            }
        })
    }
}

/// Of two rows, of two columns, or of a row and a column, the P-position that a bite leaves; none
/// if the position is P.
fn in_full(position: &Position) -> Option<(Theorem, Option<Position>)> {
    let (p, q) = position.longest_two()?;
    let height = position.height();
    if height <= 2 {
        return Some((Theorem::TwoRows, from_two_rows(position, p, q)));
    }
    if *p <= 2_u32.into() {
        let (theorem, leaves) = in_full(&position.transposed()?)?;
        return Some((theorem, leaves.and_then(|leaves| leaves.transposed())));
    }
    if *q > 1_u32.into() {
        return None;
    }
    let from_row = Square { row: 1, column: (height + 1).into() };
    let from_column =
        p.to_usize().map(|p| Square { row: p.saturating_add(1), column: 1_u32.into() });
    let mut squares = [Some(from_row), from_column].into_iter().flatten();
    Some((Theorem::Hook, squares.find_map(|square| position.after(&square))))
}

/// The same of at most two rows.
fn from_two_rows(position: &Position, p: &BigUint, q: &BigUint) -> Option<Position> {
    let (row, column) = if p == q { (2, q.clone()) } else { (1, q + 2_u32) };
    position.after(&Square { row, column })
}

/// The P-positions of two rows, of two columns, and of a row and a column that one bite leaves.
fn short_bites(position: &Position) -> Vec<Position> {
    let squares = [(2, 2_u32), (3, 1), (1, 3)].map(|(row, column)| (row, column.into()));
    let left = squares.map(|(row, column)| position.after(&Square { row, column }));
    let is_p = |left: &Position| matches!(in_full(left), Some((_, None)));
    left.into_iter().flatten().filter(is_p).collect()
}
