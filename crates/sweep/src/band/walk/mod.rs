//! The walk of bands along the columns.
//!
//! | module | contents |
//! |---|---|
//! | `block` | the bands of a block, the groups that it holds, and who receives its cells |
//! | `octet` | eight bands side by side, and the columns of the groups that they meet |
//! | `lane_words` | the words that enter the low windows of these columns; those that leave the high ones |
//! | `tile` | 8 x 8 cells of each band in registers |
//! | `tiles` | all tiles of a slot, the checks, and the tiles that fail them |
//! | `exact` | one row through one column, with exceptions |
//! | `corner`, `ends` | rows and columns near the diagonal; the cells of a band before and after its tiles |

mod block;
mod corner;
mod ends;
mod exact;
mod lane_words;
mod octet;
mod tile;
mod tiles;

pub(crate) use block::{Block, Listen};
pub use corner::Corner;
pub(crate) use tiles::Tiles;
