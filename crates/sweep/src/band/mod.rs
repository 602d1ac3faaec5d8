//! The fast form: bands of 8 rows, eight of them side by side in 64-bit lanes, masks in windows.
//!
//! A cell takes the least number that is free in its row and in its column. The free numbers lie
//! near two lines; so a row is a word, a column is a word, and a cell is a few instructions. The
//! position of the lines is not assumed: the window theorem (proofs/sweep.md, section 5) states
//! the hypotheses under which words decide a tile of 8 x 8 cells, the kernel checks them, and the
//! exact path computes a tile that fails.
//!
//! | module | contents |
//! |---|---|
//! | `geometry`, `schedule`, `constants` | the positions of the windows; which band meets which group when; tables of a run |
//! | `simd` | vectors of eight lanes, and the choice of the kernel |
//! | `group`, `words` | eight columns; their stored words, from the block that stores them to the block that reads them |
//! | `below` | the rows below |
//! | `walk` | bands as they move along the columns, from the diagonal to their certificates |
//! | `run` | blocks, workers, and the messages between them |
//! | `codec` | rows, corners and groups as bytes |
//! | `checkpoint` | checkpoints, from which a run resumes ([`checkpoints`](crate::checkpoints)) |
//! | `parts` | the interface for several processes, with the feature `ranks` |
//!
//! [`rows`] opens no files. A run with [`checkpoints`](crate::checkpoints) does, and can keep words
//! on disk.

// Functions that are not inlined into the kernel are compiled without its instructions. Groups are
// boxed because they move from block to block. `parts` exports functions made for this crate.
#![allow(clippy::inline_always, clippy::vec_box)]

mod below;
pub(crate) mod checkpoint;
mod codec;
mod constants;
mod geometry;
mod group;
mod run;
mod schedule;
mod simd;
mod walk;
pub(crate) mod words;

pub use geometry::Windows;
pub use run::{Options, memory, memory_besides_words, rows, rows_and_cells, workers};
pub use simd::Kernel;

/// The largest number of rows in a run, 2^29.
pub const MOST_ROWS: u64 = geometry::Frame::MOST_BANDS.0 * crate::units::LANES;

/// The pipeline, for programs that share a run between processes: the crate `cluster`, which turns
/// on the feature `ranks`. It can change with every version.
///
/// - *A run.* [`Run`](parts::Run) prepares it, and its [`Store`](parts::Store) has the words.
/// - *Workers.* The workers of a [`Start`](parts::Start) are threads of one process, or
///   [teams](parts::Team) of several, connected by other [`Links`](parts::Links) than channels.
/// - *Messages.* Corners, groups and rows, and their bytes.
/// - *Geometry.* The bands and groups of a block.
#[cfg(feature = "ranks")]
pub mod parts {
    pub use super::checkpoint::Run;
    pub use super::codec::{Decoder, invalid, put, put_row};
    pub use super::geometry::{first_tile, last_tile};
    pub use super::group::{Group, GroupPool};
    pub use super::run::{
        BlockResult, Broadcast, Links, Message, Receive, Start, Team, ToWorkers, Transmit, Visits,
    };
    pub use super::schedule::{BLOCK, FIRST_BAND, blocks_of, last_band};
    pub use super::walk::Corner;
    pub use super::words::{FileState, Share, Store};
    pub use crate::units::{BandIndex, BlockIndex, GroupIndex, LANES, Number, RowIndex, index};
}
