//! What may be wrong with an explanation.

use serde::Serialize;

/// Why a row is not explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Doubt {
    /// In this column the state is not all offsets up to the mean but one.
    NotOneHole(u64),
    /// In this column the row has another offset than the rows below and the hole leave.
    OtherOffset(u64),
    /// A row with a value in the window is not in the cluster.
    NotInCluster(u64),
    /// The depths that the rows below leave free are no law, or one of more than 2^20 columns, or
    /// the hole is filled at another depth.
    NoLaw,
    /// The law and the ball give another pattern.
    OtherPattern,
    /// Which rows are finite gives no word: (H) does not hold for this row or for one below.
    NoWord,
    /// The word says that the row is constant, or gives other patterns only.
    OtherWord,
    /// The mean of its values is not 1 more than the number of finite rows below.
    OtherMean(u64),
}
