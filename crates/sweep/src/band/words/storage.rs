//! Where words wait between the block that stores them and the block that reads them.

use crate::{
    band::{
        simd::Eight,
        units::{BandIndex, BlockIndex},
    },
    error::SweepError,
    units::index,
};
use record::{Record, listeners::Done};
use std::{
    mem::take,
    sync::{Arc, Mutex, MutexGuard},
};

/// Words in a buffer. A run takes two: one block completes 8 words of a group, and of each of them
/// some 109 groups in succession have the same reader, `64 (1 + √2) 8 / (2 * 8/√2)`.
pub const BUFFER: usize = 440;

/// Words from one block to another, in the order in which they were stored; or a piece of them.
#[derive(Clone, Debug)]
pub struct Run {
    /// The block that has stored them.
    pub source: BlockIndex,
    /// The words: each is one word for each of the eight columns of a group.
    pub words: Arc<Vec<Eight>>,
}

/// A storage of words between blocks. All workers share it.
///
/// A block stores its words for later blocks ([`Self::store`]) before it sends the groups that need
/// them. A block that begins is announced ([`Self::begin`]). Then it takes its words
/// ([`Self::take`]), as often as it runs out of them, and at last it ends ([`Self::end`]).
///
/// A storage that writes checkpoints also listens to what one block sends to the next
/// ([`Self::listener`]), and to the rows that are found ([`Self::rows`]). proofs/sweep.md, section
/// 7, says why these, with the words that wait, are all that a later run needs.
pub trait Storage: Sync {
    /// A block begins, and will read its words. Waits until they are at hand.
    ///
    /// # Errors
    /// [`SweepError::Outside`] if they cannot be read. The run then ends.
    fn begin(&self, _reader: BlockIndex) -> Result<(), SweepError> {
        Ok(())
    }

    /// Stores words of block `source` for a later block. Those of one source for one reader come in
    /// the order in which they will be read.
    ///
    /// # Errors
    /// [`SweepError::Outside`] if they cannot be stored. The run then ends.
    fn store(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError>;

    /// Takes the words for `reader` that have been stored and not been taken. Those of one source
    /// keep their order.
    fn take(&self, reader: BlockIndex) -> Vec<Run>;

    /// Waits until more words for `reader` have come. `false` if none will: the worker then gives
    /// up. Called only where words come from another process; elsewhere they are stored before they
    /// are needed.
    fn wait_for(&self, reader: BlockIndex) -> bool {
        unreachable!("words for {reader:?} are stored before their groups are sent")
    }

    /// The blocks up to this one have ended: they read no more.
    fn end(&self, _block: BlockIndex) {}

    /// An empty list for [`BUFFER`] words.
    fn buffer(&self) -> Vec<Eight>;

    /// Takes back empty buffers.
    fn recycle(&self, buffers: Vec<Vec<Eight>>);

    /// A listener to all that the block below band `above` sends to the next block, if it is wanted
    /// for a checkpoint. The block has not begun.
    fn listener(&self, _above: BandIndex) -> Option<Box<dyn Listener + '_>> {
        None
    }

    /// All rows of the next block have been found: no rows are missing between those of one call
    /// and the next. The visitor has not seen them.
    fn rows(&self, _rows: &[Record], _done: Done) {}
}

/// A listener to what one block sends to the next. Dropped before its end, it has not got all.
pub trait Listener {
    /// Takes the next bytes: the corner, then the groups. `false` if it wants no more.
    fn bytes(&mut self, bytes: Vec<u8>) -> bool;

    /// The block has sent everything: this number of groups.
    fn end(self: Box<Self>, groups: u64);
}

/// The buffer, if it has the size of one.
pub fn emptied(mut words: Vec<Eight>) -> Option<Vec<Eight>> {
    words.clear();
    (words.capacity() == BUFFER).then_some(words)
}

/// Words in memory, by reader.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    runs: Mutex<Vec<Vec<Run>>>,
    spare: Mutex<Vec<Vec<Eight>>>,
}

impl Memory {
    fn runs(&self) -> MutexGuard<'_, Vec<Vec<Run>>> {
        self.runs.lock().expect("nobody panics while holding it")
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Vec<Eight>>> {
        self.spare.lock().expect("nobody panics while holding it")
    }
}

impl Storage for Memory {
    fn store(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError> {
        let (reader, mut runs) = (index(reader.0), self.runs());
        if runs.len() <= reader {
            runs.resize_with(reader + 1, Vec::new);
        }
        runs[reader].push(Run { source, words: words.into() });
        Ok(())
    }

    fn take(&self, reader: BlockIndex) -> Vec<Run> {
        self.runs().get_mut(index(reader.0)).map(take).unwrap_or_default()
    }

    fn buffer(&self) -> Vec<Eight> {
        self.spare().pop().unwrap_or_else(|| Vec::with_capacity(BUFFER))
    }

    fn recycle(&self, buffers: Vec<Vec<Eight>>) {
        self.spare().extend(buffers);
    }
}
