//! Rows of three-rowed Chomp on many machines.
//!
//! The engine is a pipeline of blocks (`sweep::band`). Its links can connect machines: each *rank*,
//! a process on a machine of its own, computes some of the blocks. The messages from one block to
//! the next go over the network, and the words for later blocks through a folder that all ranks
//! see.
//!
//! | module | contents |
//! |---|---|
//! | [`rows`] | rows by several ranks |
//! | `parts` | the pipeline in several parts |
//! | [`transport`] | messages between ranks |
//!
//! `docs/CLUSTER.md` describes the program, and what a run sends.

mod parts;
pub mod rows;
pub mod transport;
