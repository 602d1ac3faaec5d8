//! The walk of bands along the columns.
//!
//! | module | what |
//! |---|---|
//! | `band` | eight rows |
//! | `block` | bands on their way, and the groups that they hold |
//! | `groups` | the groups that a block holds |
//! | `corner`, `start` | rows and columns near the diagonal; a band from there to its first tile |
//! | `octet` | eight bands side by side |
//! | `passing` | the columns of the groups that they meet |
//! | `climb`, `completed` | what enters the low windows of these; what has left the high ones |
//! | `tile` | 8 x 8 cells of each of them in registers |
//! | `tiles` | all tiles of a slot, and the checks |
//! | `exact`, `fallback` | one row through one column, whatever the windows say; a tile done so |
//! | `tail` | rows past the tiles, to their end or their certificate |

mod band;
mod block;
mod climb;
mod completed;
mod corner;
mod exact;
mod fallback;
mod groups;
mod octet;
mod passing;
mod start;
mod tail;
mod tile;
mod tiles;

pub use corner::Corner;
pub(crate) use {
    block::{Block, BlockBuffers},
    tiles::Tiles,
};
