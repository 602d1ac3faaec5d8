//! What a researcher asks of many rows at once: which have which period, how many end, how far
//! their starts lie from √2·r.
//!
//! It reads records and computes no offset; what records do not hold it hears, cell by cell, from
//! the engine. Comparisons with irrational lines are decided in exact integer arithmetic.

pub mod export;
pub mod sequences;
pub mod statistics;

mod excess;
mod levels;
mod periods;
mod summary;
mod surd;

pub use excess::Excess;
pub use export::KeyColumns;
pub use levels::{LatestStart, Level, Levels, PeriodCount};
pub use periods::{PeriodLine, PeriodLists};
pub use summary::{Census, CertificateExtremes, Summary};
pub use surd::{Decimal, DecimalError, Surd};
