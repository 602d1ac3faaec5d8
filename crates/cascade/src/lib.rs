//! Why a row of three-rowed Chomp has its period.
//!
//! The rows below a periodic row stand in the way of it, and those that matter are the few just
//! below it: a *cluster*. Which rows belong to it follows from which rows are finite, and from
//! nothing else. [`Words`] reads that sequence, row by row, and gives each periodic row its
//! [`Word`]. A [`Machine`] makes of a word the [`Pattern`]s that a row with this word can have, up
//! to rotation, and with them its period. Both together are [`Predictions`].
//!
//! ```
//! use cascade::{Predictions, Row};
//!
//! // The first 24 rows that are periodic: no row but those named is finite.
//! let finite = [1, 3, 4, 6, 8, 10, 12, 13, 15, 16, 18, 20, 21, 23];
//! let mut predictions = Predictions::default();
//! for row in 0..24 {
//!     let constant = match predictions.next(finite.contains(&row))? {
//!         Row::Finite => false,
//!         Row::Periodic { patterns, .. } => patterns.iter().all(|pattern| pattern.period() == 1),
//!     };
//!     assert_eq!(constant, !finite.contains(&row));
//! }
//! # Ok::<(), cascade::PredictionError>(())
//! ```
//!
//! Stands on `proofs/cascade.md`, whose numbers the code refers to. What is proved there without a
//! condition is about the offsets of one row, given those of the rows below: it is in [`Law`] and
//! [`Pattern`]. That words decide it needs two conditions, μ(r) = 1 + F(r) and (H): 5 there.
//!
//! [`why`] explains certified rows: it finds the offsets of a period again from the records of the
//! rows below, and compares them with the word.
//!
//! No engine lives here, and nothing here computes an offset of Chomp. No float decides anything.

pub mod why;

mod law;
mod lists;
mod machine;
mod pattern;
mod predictions;
mod word;
mod words;

pub use law::{Cycle, Law, LawError};
pub use machine::{Machine, TooLong};
pub use pattern::Pattern;
pub use predictions::{PredictionError, Predictions, Row};
pub use word::{Letter, Word, WordError};
pub use words::{Refuted, Words};
