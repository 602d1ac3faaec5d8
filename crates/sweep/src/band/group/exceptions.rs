//! What the windows of a group cannot hold.

/// Numbers that break the picture of the windows, each with its lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Exceptions {
    /// Free for the column, but below its low window.
    pub(super) free: Vec<(usize, u64)>,
    /// Blocked for the column, but neither window nor words say so.
    pub(super) blocked: Vec<(usize, u64)>,
}
