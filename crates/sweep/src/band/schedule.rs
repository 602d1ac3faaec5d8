//! Which band meets which group when.

/// The first band; the rows below are swept by the pointer engine.
pub(crate) const FIRST_BAND: u64 = 128;

/// Bands in a block: as many as leave their groups in the cache.
pub(crate) const BLOCK: u64 = 24;
