//! Bit planes: the window theorem with one bit for each of many tiles.
//!
//! Low windows count *ends*, the numbers that are no diagonal values, so both windows of a row rise
//! by one place a row (proofs/sweep.md, section 9). A *block* has 64 `W` bands. Band `k` of a block
//! is lane `k`: in each slot it meets one group of eight columns, and the group moves from lane to
//! lane. The engine has one thread, and all groups are in memory.
//!
//! *A row* begins in the corner, near the diagonal. From the first tile of its band to the last one
//! it is in the planes, if these hold it, and then it is computed cell by cell to its certificate.
//! *A group* begins as bytes, when a row reaches it. In each block it goes into the planes of the
//! first lane, moves through all lanes, and goes back to its bytes; at last it goes into the
//! corner. A check that fails takes rows and group out of the planes for some tiles.
//!
//! | module | contents |
//! |---|---|
//! | `lanes` | planes, and how bits and bytes change places with them |
//! | `tile` | the cells of tiles, and their windows as they move |
//! | `windows` | the numbers of the places |
//! | `groups`, `old` | columns as bytes; the bytes that rows give columns in which they repeat |
//! | `transit` | bytes on their way between groups and planes |
//! | `corner` | rows and columns near the diagonal |
//! | `rows` | rows as words, where planes do not hold them |
//! | `heads` | the fingerprints of rows |
//! | `walk` | the bands of a block, from the diagonal to their certificates |
//! | `slot` | a tile of each band |

mod corner;
mod groups;
mod heads;
mod lanes;
mod old;
mod rows;
mod slot;
mod tile;
mod transit;
mod walk;
mod windows;

use crate::band::simd::Kernel;
use crate::error::SweepError;
use heads::{Fingerprints, NoHeads};
use record::listeners::{Done, Visitor};
use walk::Engine;
use windows::Distances;

/// Visits every row below `end`, in order.
///
/// Rows to `R` cost O(R²), and memory is O(R²) bits. The fingerprints take most of the time: a
/// product for each cell.
///
/// # Errors
/// [`SweepError::Modulus`], [`SweepError::EarlyStart`], and [`SweepError::Hypothesis`] if V1, V2,
/// V9, V10 or V11 fails.
pub fn rows(end: u64, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
    let machine = Kernel::Auto.detect()?;
    Engine::<Fingerprints<4>, 4>::new(Distances::DEFAULT, machine).sweep(end, visitor)
}

/// The same with wrong fingerprints, which lack the cells in tiles. It measures what fingerprints
/// cost; its records must not be stored.
///
/// # Errors
/// As [`rows()`].
pub fn rows_without_heads(end: u64, visitor: &mut dyn Visitor) -> Result<Done, SweepError> {
    let machine = Kernel::Auto.detect()?;
    Engine::<NoHeads, 4>::new(Distances::DEFAULT, machine).sweep(end, visitor)
}
