//! Why an engine stops: it never guesses.

/// A case that an engine is not sure of, with the cell that raised it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The least common multiple of a certificate's periods does not fit 64 bits.
    #[error("row {row}: the periods of the rows below have no common multiple below 2^64")]
    Modulus {
        /// The row.
        row: u64,
    },
    /// The row repeats from before the first column whose offset was kept.
    #[error(
        "row {row}: it repeats already in column {column}, where the band engine kept no offsets; use the pointer engine"
    )]
    EarlyStart {
        /// The row.
        row: u64,
        /// The first column kept.
        column: u64,
    },
    /// A hypothesis of proofs/sweep.md that the band engine does not work around.
    #[error(
        "cell ({column}, {row}): hypothesis {hypothesis} of proofs/sweep.md fails; use the pointer engine"
    )]
    Hypothesis {
        /// The column.
        column: u64,
        /// The row.
        row: u64,
        /// The hypothesis, as proofs/sweep.md numbers it.
        hypothesis: &'static str,
    },
    /// The kernel asked for needs instructions that this machine does not have.
    #[error("this machine cannot run the {kernel} kernel")]
    Kernel {
        /// Its name.
        kernel: &'static str,
    },
}
