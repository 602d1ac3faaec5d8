//! Who wins a position, and by which bites: Zeilberger's "Little Problem", for any number of rows,
//! from the records of rows.
//!
//! A [`Position`] has row lengths of any size. A [`Query`] takes records of rows, one after the
//! other, and gives the [`Answer`] when the last one has come. [`value()`] is f(q,t) for one row.
//!
//! It stands on facts 1, 10, 12 and 14 of `proofs/README.md`, in whose proofs the bites are sorted
//! by the positions that they leave. A [`Theorem`] decides some positions without rows. An
//! [`ChainProduct`] is decided by a strategy of fact 10, where one is known. No engine lives here.

mod answer;
mod position;
mod product;
mod query;

pub use answer::{Answer, Basis, Bite, Theorem};
pub use position::{Length, Position, ReadError, Square, TwoReadings, WrittenBoard, read_tail};
pub use product::{ChainProduct, NoProduct, NotDecided, ProductAnswer, ProductBite};
pub use query::{Query, QueryError, Value, has, likely_settled, value};
