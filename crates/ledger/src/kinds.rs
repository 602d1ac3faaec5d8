//! The kinds of claims. Each module of kinds has one enum, with the parameters that the papers
//! print, and one `match`, which names the method of each kind and decides it. Only this module
//! knows the others.

use serde::Deserialize;

use crate::evidence::Evidence;
use crate::verdict::Examined;
use crate::{boards, cells, grundy, posets, positions, recurrences, rows, sequences};

/// A test with the parameters that the paper prints, by subject.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub enum Test {
    /// Single positions: the game tree, and Brouwer's recurrence.
    Positions(positions::PositionTest),
    /// Boards with any number of rows.
    Boards(boards::BoardTest),
    /// Row records.
    Rows(rows::RowTest),
    /// The sequences of section 8 of the 2005 paper.
    Sequences(sequences::SequenceTest),
    /// All cells.
    Cells(cells::CellTest),
    /// Zeilberger's recurrences.
    Recurrences(recurrences::RecurrenceTest),
    /// Grundy values.
    Grundy(grundy::GrundyTest),
    /// Posets other than boards.
    Posets(posets::PosetTest),
}

impl Test {
    /// The method, and the finding.
    pub(crate) fn examine(&self, evidence: &Evidence) -> Examined {
        match self {
            Self::Positions(test) => test.examine(&evidence.oracles),
            Self::Boards(test) => test.examine(&evidence.oracles),
            Self::Rows(test) => test.examine(evidence),
            Self::Sequences(test) => test.examine(evidence),
            Self::Cells(test) => test.examine(evidence),
            Self::Recurrences(test) => test.examine(&evidence.oracles),
            Self::Grundy(test) => test.examine(&evidence.oracles),
            Self::Posets(test) => test.examine(),
        }
    }
}
