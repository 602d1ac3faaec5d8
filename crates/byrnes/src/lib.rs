//! Three-rowed Chomp as Zeilberger's Maple package BYRNES computes it, literally.
//!
//! Source: D. Zeilberger, *Chomp, recurrences and chaos(?)*, J. Difference Equ. Appl. 10 (2004),
//! after S. Byrnes, *Poset game periodicity*, Integers 3 (2003). Each object of that paper is here
//! under its name:
//!
//! | paper | here |
//! |---|---|
//! | Fundamental Recurrence for two-rowed Chomp with instant winners | [`FundamentalRecurrence`] |
//! | the macro Losers | [`losers()`] |
//! | A posteriori justification: guess, then check to max(a0, b0) + M + lcm(κ, ν) | [`ClassicalBound`] |
//! | Ultimate-periodicity theorem: the states and their first recurrence | [`recurrence`], [`record::Certificate`] |
//! | the macros OneLess and Chop | [`one_less`], [`chop`] |
//! | W'_c, W''_c and the recurrence scheme | [`Rows`] |
//! | procedure `ChompGrundy`: the scheme with lower levels as instant winners | [`ChompGrundy`] |
//!
//! It stands on facts 1 to 3 and 12 of `proofs/README.md`. It takes cubic time, and is the oracle
//! of every faster engine. Neither files nor the geometry of the P-positions belong here.

mod losers;
pub mod recurrence;
mod rows;

pub use losers::{ClassicalBound, FundamentalRecurrence, Losers, Proof, losers};
pub use recurrence::{LosersError, RowError};
pub use rows::{ChompGrundy, LevelRow, Row, Rows, chop, one_less};
