//! Defects of an explanation.

use serde::Serialize;

/// Why a row is not explained. Every kind is serialized with its details, if it has any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "reason", content = "details", rename_all = "snake_case")]
pub enum Doubt {
    /// In this column the state does not consist of all offsets up to the mean except one.
    NotOneHole {
        /// The column.
        column: u64,
    },
    /// In this column the row has another offset than the rows below and the hole determine.
    OtherOffset {
        /// The column.
        column: u64,
    },
    /// A row with a value in the window is not in the cluster.
    NotInCluster {
        /// The row.
        row: u64,
    },
    /// The free depths make no law, or a law of more than 2^20 columns, or the hole is filled at
    /// another depth.
    NoLaw {},
    /// The law and the ball give another pattern.
    OtherPattern {},
    /// There is no word, as this row or one before it in its cluster has `h >= 2`
    /// (`proofs/cascade.md`, 5.3), and the balls that the row takes out are not known either.
    NoWord {},
    /// The word says that the row is constant, or gives other patterns only.
    OtherWord {},
    /// The mean of its values is not 1 more than the number of finite rows below.
    OtherMean {
        /// The expected mean.
        expected: u64,
    },
}
