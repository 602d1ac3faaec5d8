//! Words that a block reads.

use super::storage::{Batch, WordStorage, emptied};
use crate::band::simd::{Eight, prefetch};
use crate::band::units::BlockIndex;
use crate::error::SweepError;
use crate::units::index;
use std::{collections::VecDeque, mem::take, sync::Arc};

/// The number of buffers that are returned at a time.
const SPARE: usize = 16;

/// The words for one block. Those of one source come in the order in which they were stored: by
/// group, and within a group by word.
pub(crate) struct Inbox<'a> {
    storage: &'a dyn WordStorage,
    reader: BlockIndex,
    sources: Vec<SourceQueue>,
    /// Buffers that have been read.
    spare: Vec<Vec<Eight>>,
    /// Words are missing, and will not come.
    gave_up: bool,
}

/// The words of one source that have arrived and have not been read.
#[derive(Clone, Debug, Default)]
struct SourceQueue {
    pieces: VecDeque<Arc<Vec<Eight>>>,
    /// The number of words read of the first piece, which has more.
    read: usize,
}

impl<'a> Inbox<'a> {
    /// For block `reader`. Waits until the storage has its words in memory.
    pub(crate) fn open(
        reader: BlockIndex,
        storage: &'a dyn WordStorage,
    ) -> Result<Self, SweepError> {
        storage.begin(reader)?;
        let sources = vec![SourceQueue::default(); index(reader.0)];
        Ok(Self { storage, reader, sources, spare: Vec::new(), gave_up: false })
    }

    /// Takes the next words of this source. If they will not come, [gives up](Self::gave_up).
    #[inline]
    pub(crate) fn take(&mut self, source: BlockIndex, mut words: &mut [Eight]) {
        while !words.is_empty() {
            let taken = self.sources[index(source.0)].take(words, &mut self.spare);
            if taken == 0 && !self.collect(source) {
                return;
            }
            words = &mut words[taken..];
        }
        if self.spare.len() >= SPARE {
            self.storage.recycle(take(&mut self.spare));
        }
    }

    /// Whether words were missing. Then the words taken since are wrong.
    pub(crate) fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Looks for more words of this source. Returns whether there are any.
    #[cold]
    fn collect(&mut self, source: BlockIndex) -> bool {
        while self.sources[index(source.0)].pieces.is_empty() {
            self.storage.recycle(take(&mut self.spare));
            let more = self.storage.take_more(self.reader);
            if more.is_empty() {
                self.gave_up = true;
                return false;
            }
            self.add(more);
        }
        true
    }

    fn add(&mut self, batches: Vec<Batch>) {
        for Batch { source, words } in batches {
            self.sources[index(source.0)].pieces.push_back(words);
        }
    }

    /// Whether all words that were stored have been read.
    pub(crate) fn is_empty(&mut self) -> bool {
        self.storage.recycle(take(&mut self.spare));
        self.add(self.storage.take(self.reader));
        self.sources.iter().all(|source| source.pieces.is_empty())
    }
}

impl SourceQueue {
    /// Takes the next words, as many as there are. Returns their number.
    #[inline]
    fn take(&mut self, words: &mut [Eight], spare: &mut Vec<Vec<Eight>>) -> usize {
        let Some(piece) = self.pieces.front() else { return 0 };
        let rest = &piece[self.read..];
        let taken = rest.len().min(words.len());
        words[..taken].copy_from_slice(&rest[..taken]);
        rest[taken..].iter().take(2 * taken).for_each(prefetch);
        self.read += taken;
        if self.read == piece.len() {
            let piece = self.pieces.pop_front().expect("it is the front");
            // Unless a checkpoint has it as well.
            spare.extend(Arc::into_inner(piece).and_then(emptied));
            self.read = 0;
        }
        taken
    }
}
