//! A length of row 2 in the sieve: the bits of its positions, and those found in a block.

/// A length of row 2.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    /// A bit for each `(x_3, ..., x_m)`: whether no `x_1` up to the last block is known. A row of
    /// words for each `(x_3, ..., x_{m-1})`, in lexicographic order. Empty before the column is
    /// reached.
    pub(super) open: Vec<u64>,
    /// No `(x_3, ..., x_m)` with less `x_3` is open.
    pub(super) from: u16,
    /// The `(x_3, ..., x_m)` that were shut when the column was reached.
    pub(super) shut: u64,
    /// The positions of the last block, if they are kept.
    pub(super) found: BlockPositions,
}

/// The positions of a column with the lengths of row 1 of a block.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockPositions {
    /// The lengths `x_3, ..., x_m`, lane by lane, in lexicographic order.
    pub(super) lower: Vec<u16>,
    /// Where each lane ends in `lower`.
    pub(super) ends: Vec<usize>,
}

impl BlockPositions {
    /// The lengths of rows 3 to m of the positions in a lane.
    pub(super) fn lane(&self, lane: usize) -> &[u16] {
        let start = if lane == 0 { 0 } else { self.ends[lane - 1] };
        &self.lower[start..self.ends[lane]]
    }
}
