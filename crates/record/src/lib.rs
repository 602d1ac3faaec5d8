//! Records of rows, and data sets of records.
//!
//! A [`Record`] states all offsets of one row in finitely many numbers, together with the
//! [`Certificate`] that proves its periodic part (fact 3 of `proofs/README.md`). Its [`RowKey`]
//! says which row it is: row r of three-rowed Chomp, or the row of any level and tail (fact 12).
//! A record is one line of RON: `Display` prints it and [`parse_line`] reads it back, strictly. A
//! data set (module `data_set`; on disk, feature `files`, which is on by default)
//! holds the records of a [`Family`] of rows in their order, with a hash chain and a manifest.
//!
//! This crate has no engine and computes no offset. It decides whether a statement about a row is
//! well-formed, not whether the statement is true.

pub mod data_set;
mod family;
mod growing;
mod key;
mod line;
pub mod listeners;
mod parts;
mod record;
pub mod relations;
mod shown;

pub use family::{Family, Ideals, Lower};
pub use growing::{GrowingPoset, Heights};
pub use key::{Ideal, RowKey, Tail, TailError};
pub use line::{Problem, ReadError, parse_line, to_json};
pub use parts::{Certificate, Fault, Head, HeadForm, column_weight, fingerprint};
pub use record::{Finite, Kind, Periodic, Record, Statement};
pub use shown::{escaped, joined, quoted, wrapped};
