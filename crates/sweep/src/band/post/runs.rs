//! Runs of words, and the buffers that hold them.

use crate::band::{simd::Eight, units::BlockIndex};
use std::{mem::size_of, sync::Arc};

/// Words from one block to another, in the order in which they were posted; or a piece of them.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) source: BlockIndex,
    pub(crate) words: Arc<Vec<Eight>>,
    /// It has come from a file.
    pub(crate) is_on_disk: bool,
}

impl Run {
    pub(super) fn bytes(&self) -> u64 {
        (self.words.len() * size_of::<Eight>()) as u64
    }
}

/// Words in a buffer. A run takes two: one block completes 8 words of a group, and of each of them
/// some 109 groups in succession have the same reader, `64 (1 + √2) 8 / (2 * 8/√2)`.
pub(crate) const RUN: usize = 440;

/// The buffer, if it has the size of one.
pub(super) fn emptied(mut words: Vec<Eight>) -> Option<Vec<Eight>> {
    words.clear();
    (words.capacity() == RUN).then_some(words)
}

/// What these take.
pub(super) fn bytes<'a>(runs: impl Iterator<Item = &'a Run>) -> u64 {
    runs.map(Run::bytes).sum()
}
