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

/// Words in a buffer: few runs are longer. One block completes 3 words of a group, and of each of
/// them some 41 groups in succession have the same reader: `24 (1 + √2) 8 / (2 * 8/√2)`.
pub(super) const RUN: usize = 128;

/// The buffer.
pub(super) fn cleared(mut words: Vec<Eight>) -> Vec<Eight> {
    words.clear();
    words
}

/// What these take.
pub(super) fn bytes<'a>(runs: impl Iterator<Item = &'a Run>) -> u64 {
    runs.map(Run::bytes).sum()
}
