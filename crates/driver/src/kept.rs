//! What a run that writes a data set has kept and verified of it.

use std::path::PathBuf;

use check::Verified;

/// The smaller data set that an interrupted run has kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its folder.
    pub folder: PathBuf,
    /// Its last row.
    pub last: u64,
    /// The verdict on the rows that were read back, from row 0 on; `None` if none were, because
    /// that would have taken too large a share of the processor time.
    pub self_check: Option<Verified>,
}
