//! A solved rectangle, whichever solver found it.

use std::any::Any;
use std::fmt::Debug;

use game::Board;

use crate::Outcomes;

/// The P-positions of a rectangle.
pub trait Solved: Any + Debug + Outcomes + Send + Sync {
    /// The rows of the rectangle.
    fn rows(&self) -> u16;

    /// The columns of the rectangle.
    fn columns(&self) -> u16;

    /// The number of positions: boards with at least one square that fit into the rectangle.
    fn positions(&self) -> u64;

    /// The number of P-positions.
    fn p_count(&self) -> u64;

    /// The P-positions, each once. The order is always the same, and depends on the solver.
    fn p_positions(&self) -> Box<dyn Iterator<Item = Board> + '_>;
}
