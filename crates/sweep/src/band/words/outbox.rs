//! Words that a block is about to store.

use super::batch::{BUFFER, emptied};
use super::routes::Routes;
use super::store::Store;
use crate::band::simd::Eight;
use crate::band::units::BlockIndex;
use crate::error::SweepError;
use crate::units::index;
use std::collections::VecDeque;

/// Words that a block is about to store, by ascending reader.
pub(crate) struct Outbox<'a> {
    storage: &'a Store,
    routes: &'a Routes,
    source: BlockIndex,
    /// Readers up to this one may be running: their words must not wait here.
    near: BlockIndex,
    /// The words for block `first + i`.
    open: VecDeque<Vec<Eight>>,
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
        Self {
            storage,
            routes,
            source,
            near: source + blocks_at_work,
            open: VecDeque::new(),
            first: source + 1,
            lowest: None,
        }
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
        while reader < self.first {
            self.open.push_front(Vec::new());
            self.first = self.first - 1;
        }
        if self.open.is_empty() {
            self.first = reader;
        }
        let place = index(reader - self.first);
        while self.open.len() <= place {
            self.open.push_back(Vec::new());
        }
        let words = &mut self.open[place];
        if words.capacity() == 0 {
            *words = self.storage.buffer();
        }
        words.push(*content);
        if words.len() == BUFFER {
            self.storage.store(reader, self.source, std::mem::take(words))?;
        }
        Ok(())
    }

    /// Stores the words of readers that will get no more, or that may be running.
    pub(crate) fn dispatch(&mut self) -> Result<(), SweepError> {
        let lowest = self.lowest.take();
        while let Some(words) = self.open.front_mut()
            && (lowest.is_none_or(|lowest| self.first < lowest) || self.first <= self.near)
        {
            if !words.is_empty() {
                let mut words = std::mem::take(words);
                if words.len() < BUFFER / 2 {
                    // Few words need no buffer.
                    let few = words.clone();
                    self.storage.recycle(emptied(words).into_iter().collect());
                    words = few;
                }
                self.storage.store(self.first, self.source, words)?;
            }
            self.open.pop_front();
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
