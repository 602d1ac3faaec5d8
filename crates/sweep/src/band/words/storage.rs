//! The storage of words between the block that stores them and the block that reads them.

use crate::band::simd::Eight;
use crate::band::units::{BandIndex, BlockIndex};
use crate::error::SweepError;
use crate::units::index;
use record::{Record, listeners::Done};
use std::mem::take;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard};

/// Words in a buffer. A batch takes two: one block completes 8 words of a group, and each of them
/// has the same reader in about `64 (1 + √2) 8 / (2 * 8/√2)` groups in succession.
pub const BUFFER: usize = 440;

/// A batch of words, or a piece of one: words from one block to another, in the order in which they
/// were stored.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The block that has stored them.
    pub source: BlockIndex,
    /// The words, each for the eight columns of a group.
    pub words: Arc<Vec<Eight>>,
}

/// The storage of a run: the words between its blocks, and copies of its state for checkpoints. All
/// workers share it.
///
/// A block stores its words for later blocks ([`Self::store`]) before it sends the groups that need
/// them, and says when it has stored all ([`Self::close`]). A block takes its words
/// ([`Self::take`]) whenever it runs out of them.
///
/// A storage that makes checkpoints is asked before each block whether a copy of the messages to
/// the next block is wanted ([`Self::copy_of_block`]), and receives all rows ([`Self::rows`]). The
/// copy and the rows, with the words that wait, are all that a later run needs (proofs/sweep.md,
/// section 7).
pub trait WordStorage: Sync {
    /// Stores words of block `source` for a later block. The words of one source for one reader
    /// come in the order in which they will be read.
    ///
    /// # Errors
    /// [`SweepError::Outside`] if they cannot be stored. The run then ends.
    fn store(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError>;

    /// Block `source` has stored all its words.
    ///
    /// # Errors
    /// As [`Self::store`].
    fn close(&self, _source: BlockIndex) -> Result<(), SweepError> {
        Ok(())
    }

    /// Takes the words for `reader` that have been stored and not yet taken. Those of one source
    /// keep their order.
    ///
    /// # Errors
    /// [`SweepError::Outside`] if they cannot be read. The run then ends.
    fn take(&self, reader: BlockIndex) -> Result<Vec<Batch>, SweepError>;

    /// An empty list with room for [`BUFFER`] words.
    fn buffer(&self) -> Vec<Eight>;

    /// Takes back empty buffers.
    fn recycle(&self, buffers: Vec<Vec<Eight>>);

    /// The place for a copy of the messages of the block below band `above` to the next block, if a
    /// checkpoint is due. The block has not begun.
    fn copy_of_block(&self, _above: BandIndex) -> Option<SyncSender<Copied>> {
        None
    }

    /// All rows of the next block have been found. Successive calls have successive rows. The
    /// visitor has not seen them.
    fn rows(&self, _rows: &[Record], _done: Done) {}
}

/// A piece of a copy of the messages of one block to the next. If there is no last one, the block
/// did not finish.
pub enum Copied {
    /// The corner, then groups.
    Bytes(Vec<u8>),
    /// The last piece: the number of all groups.
    Groups(u64),
}

/// The buffer, emptied, if it has the size of one.
pub fn emptied(mut words: Vec<Eight>) -> Option<Vec<Eight>> {
    words.clear();
    (words.capacity() == BUFFER).then_some(words)
}

/// Words in memory, by reader.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    batches: Mutex<Vec<Vec<Batch>>>,
    spare: Mutex<Vec<Vec<Eight>>>,
}

impl Memory {
    fn batches(&self) -> MutexGuard<'_, Vec<Vec<Batch>>> {
        self.batches.lock().expect("nobody panics while holding it")
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Vec<Eight>>> {
        self.spare.lock().expect("nobody panics while holding it")
    }
}

impl WordStorage for Memory {
    fn store(
        &self,
        reader: BlockIndex,
        source: BlockIndex,
        words: Vec<Eight>,
    ) -> Result<(), SweepError> {
        let (reader, mut batches) = (index(reader.0), self.batches());
        if batches.len() <= reader {
            batches.resize_with(reader + 1, Vec::new);
        }
        batches[reader].push(Batch { source, words: words.into() });
        Ok(())
    }

    fn take(&self, reader: BlockIndex) -> Result<Vec<Batch>, SweepError> {
        Ok(self.batches().get_mut(index(reader.0)).map(take).unwrap_or_default())
    }

    fn buffer(&self) -> Vec<Eight> {
        self.spare().pop().unwrap_or_else(|| Vec::with_capacity(BUFFER))
    }

    fn recycle(&self, buffers: Vec<Vec<Eight>>) {
        self.spare().extend(buffers);
    }
}
