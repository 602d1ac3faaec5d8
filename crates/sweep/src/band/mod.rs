//! The fast form: bands of 8 rows in 64-bit lanes, masks in windows.
//!
//! A cell takes the least number that is free in its row and in its column. Free numbers lie in two
//! clusters, near two lines; so a row is two words, a column is two words, and a cell is a few
//! instructions. That the lines are where they seem to be is nowhere assumed: the window theorem
//! (proofs/sweep.md, section 5) says what must hold in a tile of 8 x 8 cells for its words to decide it, the
//! kernel checks that, and a tile that fails is done by the exact path.
//!
//! | module | what |
//! |---|---|
//! | `geometry` | where the windows are put |
//! | `lanes`, `x86`, `kernel` | vectors of eight lanes, and which of them the machine has |
//! | `tile` | 8 x 8 cells in registers |
//! | `group`, `stored` | eight columns and what they remember |
//! | `old`, `diagonals` | what all columns, and all rows, share |
//! | `knowledge` | what a worker knows besides its groups |
//! | `corner` | rows and columns near the diagonal |
//! | `exact` | one row through one column, whatever the windows say |
//! | `block` | bands of rows on their way along the columns |
//! | `cells` | who wants to hear of every cell |
//! | `pipeline` | blocks, workers, and what goes from one to the next |
//! | `checkpoint`, `saver`, `codec` | that, and the rows below, on disk |
//! | `believed` | what of it is verified when it is read |
//!
//! A run that may be interrupted:
//!
//! ```no_run
//! use std::ops::ControlFlow;
//! use sweep::{band::{self, Checkpoints, Options}, row::Row};
//!
//! let checkpoints = Checkpoints::new("rows/checkpoints");
//! let from = checkpoints.newest()?;
//! let mut visit = |row: Row| ControlFlow::Continue(());
//! band::resumable_rows(1_000_000, Options::default(), &checkpoints, from, &mut visit)?;
//! checkpoints.remove(1_000_000).expect("they can be removed");
//! # Ok::<(), sweep::error::Error>(())
//! ```

// What is not inlined into the kernel is compiled without its instructions. Groups are boxed
// because they move from block to block.
#![allow(clippy::inline_always, clippy::vec_box)]

mod believed;
mod block;
mod cells;
mod checkpoint;
mod codec;
mod corner;
mod diagonals;
mod exact;
mod geometry;
mod group;
mod kernel;
mod knowledge;
mod lanes;
mod old;
mod pipeline;
mod saver;
mod stored;
mod tile;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use cells::Cells;
pub use checkpoint::{Checkpoint, Checkpoints};
pub use geometry::Windows;
pub use kernel::Kernel;
pub use pipeline::{Options, memory, resumable_rows, rows, rows_and_cells, workers};
