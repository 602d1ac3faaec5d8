//! Batches of words, and the buffers that they take.

use crate::band::simd::Eight;
use crate::band::units::BlockIndex;
use std::sync::Arc;

/// Words in a buffer. A batch takes two: one block completes 8 words of a group, and each of them
/// has the same reader in about `64 (1 + √2) 8 / (2 * 8/√2)` groups in succession.
pub(crate) const BUFFER: usize = 440;

/// A batch of words, or a piece of one: words from one block to another, in the order in which they
/// were stored.
#[derive(Clone, Debug)]
pub(crate) struct Batch {
    /// The block that has stored them.
    pub(crate) source: BlockIndex,
    /// The words, each for the eight columns of a group.
    pub(crate) words: Arc<Vec<Eight>>,
}

/// The buffer, emptied, if it has the size of one.
pub(crate) fn emptied(mut words: Vec<Eight>) -> Option<Vec<Eight>> {
    words.clear();
    (words.capacity() == BUFFER).then_some(words)
}
