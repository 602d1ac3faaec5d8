//! The fast form: bands of 8 rows, eight of them side by side in 64-bit lanes, masks in windows.
//!
//! A cell takes the least number that is free in its row and in its column. Free numbers lie in two
//! clusters, near two lines; so a row is two words, a column is two words, and a cell is a few
//! instructions. That the lines are where they seem to be is nowhere assumed: the window theorem
//! (proofs/sweep.md, section 5) says what must hold in a tile of 8 x 8 cells for its words to
//! decide it, the kernel checks that, and a tile that fails is done by the exact path.
//!
//! | module | contents |
//! |---|---|
//! | `geometry`, `schedule` | where the windows are put; which band meets which group when |
//! | `simd` | vectors of eight lanes, and which of them the machine has |
//! | `group`, `words` | eight columns; how their stored words get to the block that reads them |
//! | `below` | what is known of the rows below |
//! | `walk` | bands on their way along the columns, from the diagonal to their certificates |
//! | `run` | blocks, workers, and the messages between them |
//! | `codec` | rows, corners and groups as bytes |
//! | `shared` | constants of a run |
//! | [`pipeline`] | all that a storage of words, checkpoints, or several processes need |
//!
//! There are no files here. The crate `words` writes checkpoints, from which a run resumes, and
//! keeps words on disk.

// What is not inlined into the kernel is compiled without its instructions. Groups are boxed
// because they move from block to block. What `pipeline` exports was made for this crate.
#![allow(clippy::inline_always, clippy::must_use_candidate, clippy::vec_box)]

mod below;
mod codec;
mod geometry;
mod group;
mod run;
mod schedule;
mod shared;
mod simd;
mod units;
mod walk;
mod words;

pub use geometry::Windows;
pub use run::{
    Options, memory, memory_besides_words, rows, rows_and_cells, rows_and_cells_in_this_thread,
    rows_in_this_thread, workers,
};
pub use simd::Kernel;

/// The pipeline of blocks, for those who store its words, write checkpoints of it, or share it
/// between processes: the crates `words` and `cluster`.
///
/// Whoever wants rows needs nothing of this. It may change with every version.
///
/// - *Words.* A block completes words of the columns, and another block reads them much later.
///   [`Storage`](pipeline::Storage) is the trait of what keeps them meanwhile.
/// - *A run.* A [`Plan`](pipeline::Plan) leads to a [`Start`](pipeline::Start), at row 0 or at a
///   boundary between two blocks that a checkpoint [describes](pipeline::Described). Its
///   [`Workers`](pipeline::Workers) are threads of this process, or are connected by other
///   [`Links`](pipeline::Links).
/// - *Bytes.* Rows, corners and groups as they are in checkpoints and in messages.
/// - *Geometry.* Which rows, bands and groups a block has, and which block reads a word.
pub mod pipeline {
    pub use super::{
        codec::{Decoder, eight, invalid, put, put_eight, put_row},
        geometry::{Frame, fall, first_tile, highest_base_offset, last_tile, reach},
        group::{Group, Spare},
        run::{
            BlockResult, Boundary, Broadcast, Described, Links, Message, Plan, Receive, Restoring,
            Start, ToWorkers, Transmit, Visits, Waiting, Workers, memory_of_words, ring,
        },
        schedule::{BLOCK, FIRST_BAND, Schedule, block_of, blocks_of, headway, last_band},
        simd::{Eight, prefetch},
        units::{BandIndex, BlockIndex, GroupIndex, LANES},
        walk::Corner,
        words::{
            BUFFER, BlockListener, MARGIN, Routes, RunListener, Storage, WordRun, complete_end,
            emptied, source_end,
        },
    };
    pub use crate::units::{ColumnIndex, Number, RowIndex, index};
}
