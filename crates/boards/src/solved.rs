//! A rectangle that was solved by one of the two solvers.

use game::{Board, Outcome};

use crate::{Outcomes, boundary, rectangles};

/// The P-positions of a rectangle.
#[derive(Debug)]
pub enum Solved {
    /// A bit for each position: outcomes are found in a few steps.
    Bits(rectangles::Solution),
    /// A list of the P-positions: less memory, and less time for large rectangles.
    List(boundary::Solution),
}

impl Solved {
    /// The rows of the rectangle.
    #[must_use]
    pub fn rows(&self) -> u16 {
        match self {
            Self::Bits(solution) => solution.rows(),
            Self::List(solution) => solution.rows(),
        }
    }

    /// The columns of the rectangle.
    #[must_use]
    pub fn columns(&self) -> u16 {
        match self {
            Self::Bits(solution) => solution.columns(),
            Self::List(solution) => solution.columns(),
        }
    }

    /// The number of positions: boards with at least one square that fit into the rectangle.
    #[must_use]
    pub fn positions(&self) -> u64 {
        match self {
            Self::Bits(solution) => solution.positions(),
            Self::List(solution) => solution.positions(),
        }
    }

    /// The number of P-positions.
    #[must_use]
    pub fn p_count(&self) -> u64 {
        match self {
            Self::Bits(solution) => solution.p_count(),
            Self::List(solution) => solution.p_count(),
        }
    }

    /// The P-positions, each once. The order is unspecified, and depends on the solver.
    #[must_use]
    pub fn p_positions(&self) -> Box<dyn Iterator<Item = Board> + '_> {
        match self {
            Self::Bits(solution) => Box::new(solution.p_positions()),
            Self::List(solution) => Box::new(solution.p_positions()),
        }
    }
}

impl Outcomes for Solved {
    fn outcome(&self, board: &Board) -> Option<Outcome> {
        match self {
            Self::Bits(solution) => solution.outcome(board),
            Self::List(solution) => solution.outcome(board),
        }
    }
}
