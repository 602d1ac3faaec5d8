//! The storage of words between the block that stores them and the block that reads them.

use crate::band::simd::Eight;
use crate::band::units::{BandIndex, BlockIndex};
use crate::error::SweepError;
use crate::units::index;
use record::{Record, listeners::Done};
use std::mem::take;
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

/// A storage of words between blocks. All workers share it.
///
/// A block stores its words for later blocks ([`Self::store`]) before it sends the groups that need
/// them. A block that begins announces itself ([`Self::begin`]). Then it takes its words
/// ([`Self::take_more`]) whenever it runs out of them, and at the end it says so ([`Self::end`]).
pub trait WordStorage: Sync {
    /// A block begins, and will read its words. Waits until they are in memory.
    ///
    /// # Errors
    /// [`SweepError::Outside`] if they cannot be read. The run then ends.
    fn begin(&self, _reader: BlockIndex) -> Result<(), SweepError> {
        Ok(())
    }

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

    /// Takes the words for `reader` that have been stored and not yet taken. Those of one source
    /// keep their order.
    fn take(&self, reader: BlockIndex) -> Vec<Batch>;

    /// As [`Self::take`], for a reader that cannot continue without more words. Waits for them, if
    /// they are late. The list is empty only if none will come: the worker then exits.
    fn take_more(&self, reader: BlockIndex) -> Vec<Batch> {
        let words = self.take(reader);
        assert!(!words.is_empty(), "words for {reader:?} are stored before their groups are sent");
        words
    }

    /// The blocks up to this one have ended, and read no more words.
    fn end(&self, _block: BlockIndex) {}

    /// An empty list with room for [`BUFFER`] words.
    fn buffer(&self) -> Vec<Eight>;

    /// Takes back empty buffers.
    fn recycle(&self, buffers: Vec<Vec<Eight>>);
}

/// A listener to a run that can make checkpoints of it. The data that it receives, with the words
/// that wait, are all that a later run needs (proofs/sweep.md, section 7).
pub trait RunListener: Sync {
    /// A listener to the messages of the block below band `above` to the next block, if a
    /// checkpoint is due. The block has not begun.
    fn block_listener(&self, above: BandIndex) -> Option<Box<dyn BlockListener + '_>>;

    /// All rows of the next block have been found. Successive calls have successive rows. The
    /// visitor has not seen them.
    fn rows(&self, rows: &[Record], done: Done);
}

/// A listener to the messages of one block to the next. If it is dropped before its end, the block
/// did not finish.
pub trait BlockListener {
    /// Takes the next bytes: the corner, then the groups. `false` if it wants no more.
    fn bytes(&mut self, bytes: Vec<u8>) -> bool;

    /// The block has sent everything: this number of groups.
    fn end(self: Box<Self>, groups: u64);
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

    fn take(&self, reader: BlockIndex) -> Vec<Batch> {
        self.batches().get_mut(index(reader.0)).map(take).unwrap_or_default()
    }

    fn buffer(&self) -> Vec<Eight> {
        self.spare().pop().unwrap_or_else(|| Vec::with_capacity(BUFFER))
    }

    fn recycle(&self, buffers: Vec<Vec<Eight>>) {
        self.spare().extend(buffers);
    }
}
