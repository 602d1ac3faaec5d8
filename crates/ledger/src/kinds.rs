//! The kinds of claims. Each module of kinds has one enum, with the parameters that the papers
//! print, and one `match`, which names the method of each kind and decides it. Only this module
//! knows the others.

pub use record::Kind;
use serde::Deserialize;

pub use crate::boards::BoardTest;
pub use crate::cells::CellTest;
use crate::evidence::Evidence;
pub use crate::four_rows::FourRowsTest;
pub use crate::grundy::GrundyTest;
pub use crate::moves::{Before, Move, MoveTest, Shape};
pub use crate::posets::{Bite, FamilyName, PosetTest};
pub use crate::positions::{PN, PositionTest};
pub use crate::recurrences::RecurrenceTest;
pub use crate::rows::RowTest;
pub use crate::sequences::{PaperSequence, SequenceTest};
use crate::verdict::Examined;

/// A test with the parameters that the paper prints, by subject.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub enum Test {
    /// Single positions: the game tree, and Brouwer's recurrence.
    Positions(PositionTest),
    /// Zeilberger's moves.
    Moves(MoveTest),
    /// Boards with any number of rows.
    Boards(BoardTest),
    /// Row records.
    Rows(RowTest),
    /// The sequences of section 8 of the 2005 paper.
    Sequences(SequenceTest),
    /// All cells.
    Cells(CellTest),
    /// Zeilberger's recurrences.
    Recurrences(RecurrenceTest),
    /// Grundy values.
    Grundy(GrundyTest),
    /// Posets other than boards.
    Posets(PosetTest),
    /// P-positions of four rows.
    FourRows(FourRowsTest),
}

/// Evidence that takes long to gather, and that few claims need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Costly {
    /// The statistics of cells.
    Cells,
    /// The P-positions of four rows.
    FourRows,
    /// The posets whose search takes minutes.
    Posets,
}

impl Test {
    /// What it reads of this evidence.
    pub(crate) fn reads(&self) -> Option<Costly> {
        match self {
            Self::Cells(_) => Some(Costly::Cells),
            Self::FourRows(FourRowsTest::PeriodDivisible { .. }) => None,
            Self::FourRows(_) => Some(Costly::FourRows),
            Self::Posets(PosetTest::Searched { .. } | PosetTest::Subsets { only_if: true, .. }) => {
                Some(Costly::Posets)
            }
            Self::Positions(_)
            | Self::Moves(_)
            | Self::Boards(_)
            | Self::Rows(_)
            | Self::Sequences(_)
            | Self::Recurrences(_)
            | Self::Grundy(_)
            | Self::Posets(_) => None,
        }
    }

    /// The method, and the finding.
    pub(crate) fn examine(&self, evidence: &Evidence) -> Examined {
        match self {
            Self::Positions(test) => test.examine(&evidence.oracles),
            Self::Moves(test) => test.examine(&evidence.oracles),
            Self::Boards(test) => test.examine(&evidence.oracles),
            Self::Rows(test) => test.examine(evidence),
            Self::Sequences(test) => test.examine(evidence),
            Self::Cells(test) => test.examine(evidence),
            Self::Recurrences(test) => test.examine(&evidence.oracles),
            Self::Grundy(test) => test.examine(&evidence.oracles),
            Self::Posets(test) => test.examine(evidence),
            Self::FourRows(test) => test.examine(evidence),
        }
    }
}
