//! Bit planes: the window theorem with one bit for each of many tiles.
//!
//! Low windows count *ends*, the numbers that are no diagonal values, so both windows of a row rise
//! by one place a row (proofs/sweep.md, section 9). A *block* has 64 `W` bands. Band `k` of a block
//! is lane `k`: in each slot it meets one group of eight columns, and the group moves from lane to
//! lane. This engine is the plainest one with planes: it has one thread, and columns are sets of
//! numbers in memory. Outside of tiles, and in a tile that fails a check, it decides cells as
//! [`pointer`](crate::pointer) does.
//!
//! | module | contents |
//! |---|---|
//! | `lanes` | words as lanes of planes, and planes as words |
//! | `tile` | the cells of tiles, and their windows as they move |
//! | `windows` | the numbers of the places |
//! | `sets` | rows and columns as sets, where windows cannot hold them |
//! | `walk` | the bands of a block, from the diagonal to their certificates |

mod lanes;
mod sets;
mod tile;
mod walk;
mod windows;

use crate::error::SweepError;
use record::listeners::{Done, Visitor};
use walk::Engine;
use windows::Distances;

/// Visits every row below `end`, in order.
///
/// Rows to `R` cost O(R²), and memory is O(R²) bits.
///
/// # Errors
/// [`SweepError::Modulus`], [`SweepError::EarlyStart`], and [`SweepError::Hypothesis`] if V9 or V10
/// fails.
pub fn rows(end: u64, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
    Engine::<1>::new(Distances::DEFAULT).sweep(end, visitor)
}
