//! The stored words of a group: 64 numbers by 8 columns each, pushed on top and freed from below.
//!
//! ```text
//!  p |                                                  .'
//!    |                                      H  .   ' .'
//!    |                               .   '        .'
//!    |                      .   '              .'
//!    |             .  +-----------------------+   the word is kept, and nobody reads it
//!    |    .   '       |                    .' |
//!    |                |                 .'    L climbs through it: it is read, then freed
//!    |                |              .' L
//!    |                H has passed it: it is full, and pushed
//!    +------------------------------------------------------ row, in one group of columns
//! ```
//!
//! `H` climbs with slope 1 and `L` with slope 1 + √2; they meet at the diagonal, and a word lives
//! for at most 0.17 q rows. Words that `L` will not reach in this run are not kept (V4).

use super::simd::{Eight, prefetch};
use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard},
};

/// Words in a chunk of a group's memory.
const CHUNK: usize = 32;

/// Words that the low window climbs through in a block, and one more.
pub(crate) const CLIMB: usize = 9;

type Chunk = Box<[Eight; CHUNK]>;

/// Chunks that groups have freed, for groups that need one. What is in them does not matter. All
/// workers share the pool, since one may free more than it needs and another less.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Chunk>>);

impl Pool {
    fn take(&self) -> Chunk {
        let chunk = self.chunks().pop();
        chunk.unwrap_or_else(|| Box::new([Eight::ZERO; CHUNK]))
    }

    fn chunks(&self) -> MutexGuard<'_, Vec<Chunk>> {
        self.0.lock().expect("nobody panics while holding it")
    }
}

/// The words from some on, of which the lowest have been freed. Of the highest, which no window of
/// the run will read, only the last one is kept, for the exact path (V4).
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// Words that have been freed, in whole chunks; the word of that number comes first.
    freed: usize,
    chunks: VecDeque<Chunk>,
    /// The word past the last one.
    end: usize,
    /// The words before this one are kept.
    kept_end: usize,
    /// The last word, if it is not one of those.
    last: Eight,
}

impl Stored {
    /// Nothing, from word `first` on; of the words from `kept_end` on only the last will be kept.
    pub(crate) fn new(first: usize, kept_end: usize, pool: &Pool) -> Self {
        let freed = first - first % CHUNK;
        let mut stored =
            Self { freed, chunks: VecDeque::new(), end: first, kept_end, last: Eight::ZERO };
        if !first.is_multiple_of(CHUNK) && first < kept_end {
            stored.chunks.push_back(pool.take());
        }
        stored
    }

    /// The word past the last one that has been pushed.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// The word past the last one of those that windows read.
    #[inline(always)]
    pub(crate) fn windows_end(&self) -> usize {
        self.end.min(self.kept_end)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, word: Eight, pool: &Pool) {
        let at = self.end;
        self.end += 1;
        if at < self.kept_end {
            if at.is_multiple_of(CHUNK) {
                self.chunks.push_back(pool.take());
            }
            *self.get_mut(at) = word;
        } else {
            self.last = word;
        }
    }

    /// Counts words that are not kept, up to before `end`, the last of which is `last`.
    pub(crate) fn skip_to(&mut self, end: usize, last: Eight) {
        debug_assert!(self.end == self.kept_end && self.end < end);
        (self.end, self.last) = (end, last);
    }

    /// The last word, if no window reads it.
    pub(crate) fn last(&self) -> Option<&Eight> {
        (self.kept_end < self.end).then_some(&self.last)
    }

    /// Whether a word is not kept.
    pub(crate) fn forgets(&self, word: usize) -> bool {
        self.kept_end <= word && word + 1 < self.end
    }

    /// Any word that is needed, unless it is not kept.
    pub(crate) fn any(&self, word: usize) -> Option<&Eight> {
        match word {
            _ if word < self.windows_end() => Some(self.get(word)),
            _ if word + 1 == self.end => self.last(),
            _ => None,
        }
    }

    /// As [`Self::any`].
    pub(crate) fn any_mut(&mut self, word: usize) -> Option<&mut Eight> {
        match word {
            _ if word < self.windows_end() => Some(self.get_mut(word)),
            _ if word + 1 == self.end && self.kept_end < self.end => Some(&mut self.last),
            _ => None,
        }
    }

    /// A word from the first that is needed to before [`Self::windows_end`].
    #[inline(always)]
    pub(crate) fn get(&self, word: usize) -> &Eight {
        let at = word - self.freed;
        &self.chunks[at / CHUNK][at % CHUNK]
    }

    #[inline(always)]
    fn get_mut(&mut self, word: usize) -> &mut Eight {
        let at = word - self.freed;
        &mut self.chunks[at / CHUNK][at % CHUNK]
    }

    /// Asks for what is here.
    #[inline]
    pub(crate) fn prefetch_itself(&self) {
        prefetch(&self.freed);
        prefetch(&self.chunks);
        prefetch(&self.last);
    }

    /// Asks for the places where [`Self::prefetch`] will look.
    #[inline]
    pub(crate) fn prefetch_chunks(&self, word: usize) {
        let first = self.chunks.get(word.saturating_sub(self.freed) / CHUNK);
        first.into_iter().chain(self.chunks.back()).for_each(prefetch);
    }

    /// Asks for the words that the low window will reach from `word` on, and for the next to come.
    #[inline]
    pub(crate) fn prefetch(&self, word: usize) {
        let at = word.saturating_sub(self.freed);
        for at in at..at + CLIMB {
            if let Some(chunk) = self.chunks.get(at / CHUNK) {
                prefetch(&chunk[at % CHUNK]);
            }
        }
        if let Some(last) = self.chunks.back().filter(|_| self.end < self.kept_end) {
            last[self.end % CHUNK..].iter().take(3).for_each(prefetch);
        }
    }

    /// Frees what lies below `word`.
    pub(crate) fn free_below(&mut self, word: usize, pool: &Pool) {
        while self.freed + CHUNK <= word
            && let Some(chunk) = self.chunks.pop_front()
        {
            pool.chunks().push(chunk);
            self.freed += CHUNK;
        }
    }

    /// Frees everything.
    pub(crate) fn free(self, pool: &Pool) {
        pool.chunks().extend(self.chunks);
    }
}
