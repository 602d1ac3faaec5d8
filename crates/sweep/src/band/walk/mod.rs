//! The walk of bands along the columns.
//!
//! | module | contents |
//! |---|---|
//! | `band` | eight rows |
//! | `block` | the bands of a block, and the groups that it holds |
//! | `groups` | the groups that a block holds |
//! | `corner`, `start` | rows and columns near the diagonal; a band from the diagonal to its first tile |
//! | `octet` | eight bands side by side |
//! | `passing` | the columns of the groups that they meet |
//! | `climb`, `completed` | the words that enter the low windows of these columns; those that leave the high ones |
//! | `tile` | 8 x 8 cells of each band in registers |
//! | `tiles` | all tiles of a slot, and the checks |
//! | `exact`, `fallback` | one row through one column, with exceptions; a tile done in this way |
//! | `last_cells` | rows past the tiles, to their end or their certificate |

mod band;
mod block;
mod climb;
mod completed;
mod corner;
mod exact;
mod fallback;
mod groups;
mod last_cells;
mod octet;
mod passing;
mod start;
mod tile;
mod tiles;

pub(crate) use block::{Block, BlockBuffers, BlockParts};
pub use corner::Corner;
pub(crate) use tiles::Tiles;
