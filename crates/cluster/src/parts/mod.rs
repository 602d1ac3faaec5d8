//! The pipeline of the engine in several parts. Each part is a rank with some of the workers.
//!
//! Messages carry only what must travel in order: corners and groups, from the last worker of a
//! rank to the first worker of the next one; rows and diagonal values, to all; and a few words
//! about the run. Words go through files in a folder that all ranks see (`words`).
//!
//! | module | contents |
//! |---|---|
//! | `part` | one part: its workers and its other threads |
//! | `dispatcher` | sends, receives and distributes messages |
//! | `links` | the input and output of a worker |
//! | `exchange` | messages to the other ranks and from them |
//! | `wire`, `group` | messages as bytes |

mod dispatcher;
mod exchange;
mod group;
mod links;
mod part;
#[cfg(test)]
mod tests;
mod wire;

pub(crate) use exchange::Exchange;
pub(crate) use part::{Part, PartDone};
pub(crate) use wire::{DISMISSED, OPTIONS};
pub use wire::{RankDone, Sent};
