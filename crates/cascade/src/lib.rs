//! Why a row of three-rowed Chomp has its period.
//!
//! Rows below a periodic row block its offsets. Only the few rows just below it determine its
//! period: a *cluster*. The cluster depends only on which rows are finite. [`WordReader`] reads
//! that sequence, row by row, and gives each periodic row its [`Word`]. A [`Machine`] finds the
//! [`Pattern`]s that a row with this word can have, up to rotation, and with them its period. Both
//! together are [`Predictions`].
//!
//! ```
//! use cascade::Predictions;
//!
//! // The finite rows below 24; the other rows to 23 are constant from some column on.
//! let finite = [1, 3, 4, 6, 8, 10, 12, 13, 15, 16, 18, 20, 21, 23];
//! let mut predictions = Predictions::default();
//! for row in 0..24 {
//!     let predicted = predictions.next(finite.contains(&row))?;
//!     let patterns = predicted.iter().flat_map(|row| row.patterns.iter());
//!     assert!(patterns.into_iter().all(|pattern| pattern.period() == 1));
//!     assert_eq!(predicted.is_none(), finite.contains(&row));
//! }
//! # Ok::<(), cascade::PredictionError>(())
//! ```
//!
//! The crate stands on `proofs/cascade.md`, whose numbers the code cites. The proofs need no
//! condition for the properties of one row, given the offsets of the rows below ([`Law`] and
//! [`Pattern`]). The word determines the patterns only under a condition on the row's cluster,
//! `h <= 1` (5.4). [`Queue`] reads h from the same sequence. For any h, a [`LawReader`] derives the
//! law that each row meets, and the balls that it takes out, from the values of the rows (5.1).
//!
//! [`why`] explains certified rows: it derives the offsets of a period from the records of the rows
//! below, and compares them with the word.
//!
//! [`PerturbedColumns`] is the recurrence of fact 1 alone, with more numbers blocked near the
//! origin: there statements about Chomp are tested that rest on the recurrence only
//! (`proofs/uniqueness.md`, 7). Otherwise this crate has no engine, and computes no offset. No
//! result depends on floats.

pub mod why;

mod law;
mod machine;
mod pattern;
mod perturbed;
mod words;

pub use law::{Cycle, Law, LawReader, Met, NoLaw};
pub use machine::{Machine, Prediction, PredictionError, Predictions};
pub use pattern::Pattern;
pub use perturbed::{Perturbation, PerturbedColumns};
pub use words::{Letter, Queue, Refuted, Word, WordError, WordReader};
