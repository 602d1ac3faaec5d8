//! The fast form: bands of 8 rows, eight of them side by side in 64-bit lanes, masks in windows.
//!
//! A cell takes the least number that is free in its row and in its column. Free numbers lie in two
//! clusters, near two lines; so a row is two words, a column is two words, and a cell is a few
//! instructions. That the lines are where they seem to be is nowhere assumed: the window theorem
//! (proofs/sweep.md, section 5) says what must hold in a tile of 8 x 8 cells for its words to
//! decide it, the kernel checks that, and a tile that fails is done by the exact path.
//!
//! | module | what |
//! |---|---|
//! | `geometry`, `schedule` | where the windows are put; which band meets which group when |
//! | `simd` | vectors of eight lanes, and which of them the machine has |
//! | `group`, `post` | eight columns; how their stored words get to the block that reads them |
//! | `below` | what is known of the rows below |
//! | `walk` | bands on their way along the columns, from the diagonal to their certificates |
//! | `run` | blocks, workers, and what goes from one to the next |
//! | `checkpoint`, `codec` | that, and the rows below, on disk |
//! | `shared`, `space` | constants of a run; how much of a disk is free |
//! | [`plan`] | what a run will do, for programs that plan it |
//!
//! A run that may be interrupted:
//!
//! ```no_run
//! use record::Record;
//! use std::ops::ControlFlow;
//! use sweep::band::{self, Checkpoints, Options};
//!
//! let checkpoints = Checkpoints::new("rows/checkpoints");
//! let from = checkpoints.newest()?;
//! let mut visit = |row: Record| ControlFlow::Continue(());
//! band::resumable_rows(1_000_000, Options::default(), &checkpoints, from, &mut visit)?;
//! checkpoints.remove(1_000_000).expect("they can be removed");
//! # Ok::<(), sweep::error::SweepError>(())
//! ```

// What is not inlined into the kernel is compiled without its instructions. Groups are boxed
// because they move from block to block.
#![allow(clippy::inline_always, clippy::vec_box)]

mod below;
mod checkpoint;
mod codec;
mod geometry;
mod group;
pub mod plan;
mod post;
mod run;
mod schedule;
mod shared;
mod simd;
mod space;
mod units;
mod walk;

pub use checkpoint::{Checkpoint, CheckpointNews, Checkpoints};
pub use geometry::Windows;
pub use run::{
    Buffer, Buffers, Eagerness, Exchange, Options, Part, PartDone, Sent, WIRE_FORMAT, Waker,
    least_words, memory, memory_besides_words, part_of_rows, resumable_rows, rows, rows_and_cells,
    rows_and_cells_in_this_thread, rows_in_this_thread, words_on_disk, workers,
};
pub use simd::Kernel;
