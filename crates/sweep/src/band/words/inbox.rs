//! Words that a block reads.

use super::batch::{Batch, emptied};
use super::store::Store;
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
    storage: &'a Store,
    reader: BlockIndex,
    sources: Vec<SourceQueue>,
    /// Buffers that have been read.
    spare: Vec<Vec<Eight>>,
    /// Why words are missing, if some are.
    failed: Option<SweepError>,
}

/// The words of one source that have arrived and have not been read.
#[derive(Clone, Debug, Default)]
struct SourceQueue {
    pieces: VecDeque<Arc<Vec<Eight>>>,
    /// The number of words read of the first piece, which has more.
    read: usize,
}

impl<'a> Inbox<'a> {
    /// For block `reader`.
    pub(crate) fn new(reader: BlockIndex, storage: &'a Store) -> Self {
        let sources = vec![SourceQueue::default(); index(reader.0)];
        Self { storage, reader, sources, spare: Vec::new(), failed: None }
    }

    /// Takes the next words of this source. If they are missing, [fails](Self::failure).
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

    /// Why words were missing, if some were. Then the words taken since are wrong.
    #[inline]
    pub(crate) fn failure(&self) -> Option<&SweepError> {
        self.failed.as_ref()
    }

    /// Looks for more words of this source. Returns whether there are any.
    #[cold]
    fn collect(&mut self, source: BlockIndex) -> bool {
        while self.sources[index(source.0)].pieces.is_empty() {
            self.storage.recycle(take(&mut self.spare));
            let more = self.storage.take(self.reader).and_then(|more| {
                let problem = || format!("words of {source:?} for {:?} are missing", self.reader);
                let is_there = (!more.is_empty()).then_some(more);
                is_there.ok_or_else(|| SweepError::Outside { problem: problem() })
            });
            match more {
                Ok(more) => self.add(more),
                Err(error) => {
                    self.failed = Some(error);
                    return false;
                }
            }
        }
        true
    }

    fn add(&mut self, batches: Vec<Batch>) {
        for Batch { source, words } in batches {
            self.sources[index(source.0)].pieces.push_back(words);
        }
    }

    /// Whether all words that were stored have been read.
    pub(crate) fn is_empty(&mut self) -> Result<bool, SweepError> {
        self.storage.recycle(take(&mut self.spare));
        let rest = self.storage.take(self.reader)?;
        self.add(rest);
        Ok(self.sources.iter().all(|source| source.pieces.is_empty()))
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
