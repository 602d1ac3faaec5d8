//! What is written down about a row of three-rowed Chomp, and how.
//!
//! A [`RowRecord`] states all offsets of one row in finitely many numbers, together with the
//! [`Certificate`] that proves its periodic part (fact 3 of `proofs/README.md`). It is one line of
//! RON: `Display` prints it and [`parse_line`] reads it back, strictly. A data set (module
//! `data_set`, feature `data-sets`; on disk, feature `files`; both on by default) is a folder of
//! such lines in row order, with a hash chain and a manifest.
//!
//! No engine lives here and nothing here computes an offset: the crate knows what a well-formed
//! statement about a row is, not whether the statement is true.

mod certificate;
#[cfg(feature = "data-sets")]
pub mod data_set;
mod family;
mod fault;
mod head;
mod json;
mod keyed;
mod line;
pub mod listeners;
mod row;
pub mod segments;
mod shown;
mod tail;

pub use certificate::Certificate;
pub use family::Family;
pub use fault::Fault;
pub use head::{Head, HeadForm, column_weight, fingerprint};
pub use json::{Exact, RowObject};
pub use keyed::{KeyedRecord, KeyedStatement, RowKey, parse_keyed_line};
pub use line::{Problem, ReadError, parse_line};
pub use row::{Finite, Periodic, RowRecord, Statement};
pub use shown::{escaped, quoted};
pub use tail::{Tail, TailError, Tails};
