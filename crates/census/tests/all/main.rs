//! Statistics, sequences and exports of many rows, against the papers and the OEIS.

#![allow(clippy::disallowed_methods, reason = "tests open what they have made")]

mod common;
mod excess;
mod export;
mod extremes;
mod sequences;
mod statistics;
mod surd;
