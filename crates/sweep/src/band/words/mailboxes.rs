//! Words that a block is about to store, and words that it reads.

use super::file::{BUFFER, Batch};
use super::store::Store;
use crate::band::constants::Routes;
use crate::band::simd::{Eight, prefetch};
use crate::error::SweepError;
use crate::units::{BlockIndex, index};
use std::collections::VecDeque;
use std::mem::{replace, take};

/// Words that a block is about to store, by ascending reader.
pub(crate) struct Outbox<'a> {
    storage: &'a Store,
    routes: &'a Routes,
    source: BlockIndex,
    /// Readers up to this one may be running: their words must not wait here.
    near: BlockIndex,
    /// The words for each block; there are none for blocks before `first`.
    open: Vec<Vec<Eight>>,
    first: BlockIndex,
    /// The lowest reader of a word since the last dispatch.
    lowest: Option<BlockIndex>,
}

impl<'a> Outbox<'a> {
    /// For the words of block `source`, if at most this number of blocks after it run at the same
    /// time.
    pub(crate) fn new(
        source: BlockIndex,
        blocks_at_work: u64,
        storage: &'a Store,
        routes: &'a Routes,
    ) -> Self {
        let (near, first) = (source + blocks_at_work, source + 1);
        Self { storage, routes, source, near, open: Vec::new(), first, lowest: None }
    }

    /// Adds a word of the group with this origin, which a later block reads. Drops it if no block
    /// of the run reads it.
    pub(crate) fn add(
        &mut self,
        origin: u64,
        word: usize,
        content: &Eight,
    ) -> Result<(), SweepError> {
        let near = self.lowest.unwrap_or(self.first);
        let Some(reader) = self.routes.reader(origin, word, near) else { return Ok(()) };
        assert!(reader > self.source);
        self.lowest = Some(self.lowest.map_or(reader, |lowest| lowest.min(reader)));
        self.first = self.first.min(reader);
        let place = index(reader.0);
        if place >= self.open.len() {
            self.open.resize_with(place + 1, Vec::new);
        }
        let words = &mut self.open[place];
        if words.capacity() == 0 {
            *words = self.storage.buffer();
        }
        words.push(*content);
        if words.len() == BUFFER {
            self.storage.store(reader, self.source, take(words))?;
        }
        Ok(())
    }

    /// Stores the words of readers that will get no more, or that may be running.
    pub(crate) fn dispatch(&mut self) -> Result<(), SweepError> {
        let lowest = self.lowest.take();
        while let Some(words) = self.open.get_mut(index(self.first.0))
            && (lowest.is_none_or(|lowest| self.first < lowest) || self.first <= self.near)
        {
            let mut words = take(words);
            if (1..BUFFER / 2).contains(&words.len()) {
                // Few words need no buffer.
                let few = words.clone();
                self.storage.recycle(replace(&mut words, few));
            }
            if !words.is_empty() {
                self.storage.store(self.first, self.source, words)?;
            }
            self.first += 1;
        }
        Ok(())
    }

    /// Stores everything, and says so.
    pub(crate) fn close(&mut self) -> Result<(), SweepError> {
        self.lowest = None;
        self.dispatch()?;
        self.storage.close(self.source)
    }
}

/// The words for one block. Those of one source come in the order in which they were stored: by
/// group, and within a group by word.
pub(crate) struct Inbox<'a> {
    storage: &'a Store,
    reader: BlockIndex,
    sources: Vec<SourceQueue>,
    /// Why words were missing, if some were. Then the words taken since are wrong.
    pub(crate) failed: Option<SweepError>,
}

/// The words of one source that have arrived and have not been read.
#[derive(Clone, Debug, Default)]
struct SourceQueue {
    pieces: VecDeque<Vec<Eight>>,
    /// The number of words read of the first piece, which has more.
    read: usize,
}

impl<'a> Inbox<'a> {
    /// For block `reader`.
    pub(crate) fn new(reader: BlockIndex, storage: &'a Store) -> Self {
        let sources = vec![SourceQueue::default(); index(reader.0)];
        Self { storage, reader, sources, failed: None }
    }

    /// Takes the next words of this source. If they are missing, it has [failed](Self::failed).
    #[inline]
    pub(crate) fn take(&mut self, source: BlockIndex, mut words: &mut [Eight]) {
        while !words.is_empty() {
            let taken = self.sources[index(source.0)].take(words, self.storage);
            if taken == 0 && !self.collect(source) {
                return;
            }
            words = &mut words[taken..];
        }
    }

    /// Looks for more words of this source. Returns whether there are any.
    #[cold]
    fn collect(&mut self, source: BlockIndex) -> bool {
        while self.sources[index(source.0)].pieces.is_empty() {
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
        let rest = self.storage.take(self.reader)?;
        self.add(rest);
        Ok(self.sources.iter().all(|source| source.pieces.is_empty()))
    }
}

impl SourceQueue {
    /// Takes the next words, as many as there are. Returns their number.
    #[inline]
    fn take(&mut self, words: &mut [Eight], storage: &Store) -> usize {
        let Some(piece) = self.pieces.front() else { return 0 };
        let rest = &piece[self.read..];
        let taken = rest.len().min(words.len());
        words[..taken].copy_from_slice(&rest[..taken]);
        rest[taken..].iter().take(2 * taken).for_each(prefetch);
        self.read += taken;
        if self.read == piece.len() {
            self.pieces.pop_front().into_iter().for_each(|piece| storage.recycle(piece));
            self.read = 0;
        }
        taken
    }
}
