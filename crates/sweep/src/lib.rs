//! The quadratic engines: all rows of three-rowed Chomp, in order, each with a certificate.
//!
//! Four engines find the same rows, value for value; each is the oracle of the next.
//!
//! | engine | cost of a cell | foundation |
//! |---|---|---|
//! | [`plain`] | a scan of two bit sets, O(r / 64) | the recurrence |
//! | [`mod@pointer`] | a few probes, O(1) | the skip lemma |
//! | [`mod@windows`] | a few instructions on words | the window theorem, for one row at a time |
//! | [`band`] | a few instructions on vectors | the window theorem, for 8 bands of 8 rows at once |
//!
//! `proofs/sweep.md` has the proofs, and the code cites its numbers. No engine assumes where the
//! values lie. If an engine cannot decide a cell, it returns a [`SweepError`](error::SweepError)
//! that names the cell. A [`Visitor`](record::listeners::Visitor) receives each row as soon as it
//! is proved, as a [`Record`](record::Record):
//!
//! ```
//! use record::Record;
//! use std::ops::ControlFlow;
//! use sweep::band;
//!
//! let mut longest = 0;
//! let mut visit = |row: Record| {
//!     longest = row.periodic().map_or(longest, |row| longest.max(row.period()));
//!     ControlFlow::Continue(())
//! };
//! band::rows(3000, band::Options::default(), &mut visit)?;
//! assert_eq!(longest, 4);
//! # Ok::<(), sweep::error::SweepError>(())
//! ```
//!
//! The crate `record` defines records and their text.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests open their own files"))]

pub mod band;
pub mod checkpoints;
pub mod error;
pub mod hypothesis;

mod certify;
mod scalar;
mod units;

pub use scalar::{plain, pointer, windows};
