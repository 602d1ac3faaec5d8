//! The pipeline of the engine in several parts. Each part is a process with some of the workers.
//!
//! | module | contents |
//! |---|---|
//! | `part` | one part: its workers and its other threads |
//! | `dispatcher` | messages to other parts and from them |
//! | `links` | the input and output of a worker |
//! | `storage` | the words that wait in a part |
//! | `copying`, `pieces` | the words of a checkpoint, from all parts |
//! | `exchange` | the trait that carries messages from part to part |
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
