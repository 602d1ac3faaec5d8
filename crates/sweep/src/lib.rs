//! The quadratic engines: all rows of three-rowed Chomp, in order, each with a certificate.
//!
//! Four engines find the same rows, value for value; each is the oracle of the next.
//!
//! | engine | a cell costs | stands on |
//! |---|---|---|
//! | [`plain`] | a scan of two bit sets, O(r / 64) | the recurrence |
//! | [`mod@pointer`] | a few probes, O(1) | the skip lemma |
//! | [`mod@windows`] | a few instructions on words | the window theorem, for one row at a time |
//! | [`band`] | the same, for 8 bands of 8 rows at once | the window theorem |
//!
//! What they stand on is proved in `proofs/sweep.md`, whose numbers the code refers to. None
//! assumes anything about where the values lie: a case that an engine is not sure of is a
//! [`SweepError`](error::SweepError) that names the cell. A row is handed to a
//! [`Visitor`](record::listeners::Visitor) as soon as it is proved, as a
//! [`Record`](record::Record):
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
//! What a record is, and how it is written, is the business of the crate `record`.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests open what they have made"))]

pub mod band;
pub mod error;
pub mod hypothesis;

mod cells;
mod certify;
mod repeating;
mod scalar;
mod units;

pub use scalar::{plain, pointer, windows};
