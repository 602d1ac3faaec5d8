//! What a researcher asks of many rows at once: which have which period, how many end, how far
//! their starts lie from √2·r.
//!
//! It reads records and computes no offset. Comparisons with irrational lines are decided in exact
//! integer arithmetic.

pub mod figures;

mod excess;
mod periods;
mod summary;

pub use excess::Excess;
pub use periods::PeriodLine;
pub use summary::{Census, CertificateExtremes, Summary};
