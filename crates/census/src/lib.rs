//! Research on many rows at once: their periods, the number of rows that end, the distance of
//! starts from √2·r.
//!
//! It reads records and computes no offset. For statistics that records do not hold, it listens to
//! the cells of the engine. Comparisons with irrational lines are decided in exact integer
//! arithmetic.

pub mod export;
pub mod periods;
pub mod sequences;
pub mod statistics;

mod summary;
mod surd;

pub use export::KeyColumns;
pub use periods::RowColumns;
pub use summary::{Census, CertificateExtremes, Excess, Holes, Summary};
pub use surd::{Decimal, DecimalError, Surd};
