//! Rows of three-rowed Chomp on many machines.
//!
//! The engine is a pipeline of blocks (`sweep::band`). Its links can lie between machines: each
//! *rank*, a process on a machine of its own, does runs of blocks, and what a block hands to the
//! next one, and the words that it posts to later ones, go over the network.
//!
//! | module | what |
//! |---|---|
//! | [`blocks`] | which rows, steps and words each block has |
//! | [`costs`] | what things cost, on processors and on the network |
//! | [`layout`] | which rank does which blocks |
//! | [`plan`] | what a run will take: a model |
//! | [`simulation`] | the schedule of a run, carried out in virtual time |
//! | [`parts`] | the pipeline in several parts |
//! | [`rows`] | rows by several ranks |
//! | [`transport`] | how ranks send messages to each other |
//!
//! `docs/CLUSTER.md` says what is built of the whole.

pub mod blocks;
pub mod costs;
pub mod layout;
pub mod parts;
pub mod plan;
pub mod rows;
pub mod simulation;
pub mod transport;
