//! Rows of three-rowed Chomp on many machines.
//!
//! The engine is a pipeline of blocks (`sweep::band`). Its links can connect machines: each *rank*,
//! a process on a machine of its own, computes some of the blocks. The messages from one block to
//! the next go over the network, and the words for later blocks through a folder that all ranks
//! see.
//!
//! | module | contents |
//! |---|---|
//! | [`blocks`] | the rows, steps and words of each block |
//! | [`costs`] | costs on processors and on the network; which rank computes which blocks |
//! | [`plan`] | a model that predicts the cost of a run |
//! | `parts` | the pipeline in several parts |
//! | [`rows`] | rows by several ranks |
//! | [`transport`] | messages between ranks |
//!
//! `docs/CLUSTER.md` describes the program, and the cost of a run.

pub mod blocks;
pub mod costs;
mod parts;
pub mod plan;
pub mod rows;
pub mod transport;
