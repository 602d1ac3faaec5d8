//! Numbers that the windows of a group cannot hold.

/// Numbers that the windows of a group cannot hold, each with its lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Exceptions {
    /// Free for the column, but below its low window.
    pub(super) free: Vec<(usize, u64)>,
    /// Blocked for the column, but not in windows or words.
    pub(super) blocked: Vec<(usize, u64)>,
}
