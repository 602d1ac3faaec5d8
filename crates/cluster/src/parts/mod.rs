//! The pipeline of the engine in several parts, each a process with some of the workers.
//!
//! | module | contents |
//! |---|---|
//! | `part` | one part: its workers, and the threads beside them |
//! | `dispatcher` | messages to other parts and from them |
//! | `links` | what a worker reads and writes |
//! | `storage` | the words that wait in a part |
//! | `copying`, `pieces` | words of a checkpoint, from all parts |
//! | `exchange` | the trait of what takes messages from part to part |
//! | `wire`, `group` | messages as bytes |
//! | `buffers` | memory of messages |

mod buffers;
mod copying;
mod dispatcher;
mod exchange;
mod group;
mod links;
mod part;
mod pieces;
mod storage;
#[cfg(test)]
mod tests;
mod wire;

pub use buffers::{Buffer, Buffers};
pub use exchange::{Eagerness, Exchange, Part, Sent, Waker};
pub use part::{PartDone, part_of_rows};
pub use wire::WIRE_FORMAT;
