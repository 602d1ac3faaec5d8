//! Claims of Garg 2026 and A395126 about P-positions `(a,b,c,d)` of four rows: `claims.ron`, and
//! the functions that decide them. The facts are in `proofs/four-rows.md`.

pub mod medians;
pub mod positions;
pub mod triples;

mod chi_squared;
mod sieve;
