//! Other processes that share a run, as the office of one sees them.

use super::runs::Run;
use crate::{band::units::BlockIndex, units::index};
use std::fmt::{self, Debug, Formatter};

/// Which blocks other processes have: with T threads, each does T blocks in turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elsewhere {
    /// The number of this process.
    pub(crate) part: usize,
    /// How many there are.
    pub(crate) parts: usize,
    pub(crate) threads: usize,
    /// The first block of the run. Those before are everywhere: all know what they have posted.
    pub(crate) first: BlockIndex,
}

impl Elsewhere {
    /// The other process that has a block, if one has.
    pub(crate) fn of(&self, block: BlockIndex) -> Option<usize> {
        let worker = index(block.0.checked_sub(self.first.0)?);
        let part = worker / self.threads % self.parts;
        (part != self.part).then_some(part)
    }

    /// The first block of this process from this one on.
    pub(super) fn next_own(&self, mut block: BlockIndex) -> BlockIndex {
        while self.of(block).is_some() {
            block += 1;
        }
        block
    }
}

/// Hands on what is posted to a reader in another process.
pub(crate) type HandOn = dyn Fn(BlockIndex, usize, &Run) + Send + Sync;

/// The other processes, and the way to them.
pub(crate) struct Others {
    pub(crate) elsewhere: Elsewhere,
    /// None until the first block begins: what blocks before it have posted others know.
    pub(crate) hand_on: Option<Box<HandOn>>,
}

impl Debug for Others {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.elsewhere.fmt(f)
    }
}
