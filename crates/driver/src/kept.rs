//! What a run that writes a data set has kept and verified of it.

use std::path::PathBuf;
use std::time::Duration;

use check::Verified;

/// The smaller data set that an interrupted run has kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its folder.
    pub folder: PathBuf,
    /// Its last row.
    pub last: u64,
    /// The result of reading it back.
    pub self_check: SelfChecked,
}

/// The result of the self-check of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfChecked {
    /// Its verdict on the rows that it read back, from row 0 on; `None` if it read none,
    /// because that would have taken too large a share of the processor time.
    pub verdict: Option<Verified>,
    /// The processor time that it took.
    pub spent: Duration,
    /// The processor time of the whole process so far.
    pub run: Duration,
}
