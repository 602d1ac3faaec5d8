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

/// Words in a segment of a group's memory.
const SEGMENT: usize = 32;

/// Words that the low window climbs through in a block, and one more.
const CLIMB: usize = 9;

type Segment = Box<[Eight; SEGMENT]>;

/// Segments that groups have freed, for groups that need one. What is in them does not matter. All
/// workers share the pool, since one may free more than it needs and another less.
#[derive(Debug, Default)]
pub(crate) struct Pool(Mutex<Vec<Segment>>);

impl Pool {
    fn take(&self) -> Segment {
        let segment = self.segments().pop();
        segment.unwrap_or_else(|| Box::new([Eight::ZERO; SEGMENT]))
    }

    fn segments(&self) -> MutexGuard<'_, Vec<Segment>> {
        self.0.lock().expect("nobody panics while holding it")
    }
}

/// The words from some on, of which the lowest have been freed. Of the highest, which no window of
/// the run will read, only the last one is kept, for the exact path (V4).
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    /// Words that have been freed, in whole segments; the word of that number comes first.
    freed: usize,
    segments: VecDeque<Segment>,
    /// The word past the last one.
    end: usize,
    /// The words before this one are kept.
    limit: usize,
    /// The last word, if it is not one of those.
    last: Eight,
}

impl Stored {
    /// Nothing, from word `first` on; of the words from `limit` on only the last will be kept.
    pub(crate) fn new(first: usize, limit: usize, pool: &Pool) -> Self {
        let freed = first - first % SEGMENT;
        let mut stored =
            Self { freed, segments: VecDeque::new(), end: first, limit, last: Eight::ZERO };
        if !first.is_multiple_of(SEGMENT) && first < limit {
            stored.segments.push_back(pool.take());
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
        self.end.min(self.limit)
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, word: Eight, pool: &Pool) {
        let at = self.end;
        self.end += 1;
        if at < self.limit {
            if at.is_multiple_of(SEGMENT) {
                self.segments.push_back(pool.take());
            }
            *self.get_mut(at) = word;
        } else {
            self.last = word;
        }
    }

    /// Counts words that are not kept, up to before `end`, the last of which is `last`.
    pub(crate) fn skip_to(&mut self, end: usize, last: Eight) {
        debug_assert!(self.end == self.limit && self.end < end);
        (self.end, self.last) = (end, last);
    }

    /// The last word, if no window reads it.
    pub(crate) fn last(&self) -> Option<&Eight> {
        (self.limit < self.end).then_some(&self.last)
    }

    /// Whether a word is not kept.
    pub(crate) fn forgets(&self, word: usize) -> bool {
        self.limit <= word && word + 1 < self.end
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
            _ if word + 1 == self.end && self.limit < self.end => Some(&mut self.last),
            _ => None,
        }
    }

    /// A word from the first that is needed to before [`Self::windows_end`].
    #[inline(always)]
    pub(crate) fn get(&self, word: usize) -> &Eight {
        let at = word - self.freed;
        &self.segments[at / SEGMENT][at % SEGMENT]
    }

    #[inline(always)]
    fn get_mut(&mut self, word: usize) -> &mut Eight {
        let at = word - self.freed;
        &mut self.segments[at / SEGMENT][at % SEGMENT]
    }

    /// Asks for the places where [`Self::prefetch`] will look.
    #[inline]
    pub(crate) fn prefetch_segments(&self, word: usize) {
        let first = self.segments.get(word.saturating_sub(self.freed) / SEGMENT);
        first.into_iter().chain(self.segments.back()).for_each(prefetch);
    }

    /// Asks for the words that the low window will reach from `word` on, and for the next to come.
    #[inline]
    pub(crate) fn prefetch(&self, word: usize) {
        let at = word.saturating_sub(self.freed);
        for at in at..at + CLIMB {
            if let Some(segment) = self.segments.get(at / SEGMENT) {
                prefetch(&segment[at % SEGMENT]);
            }
        }
        if let Some(last) = self.segments.back().filter(|_| self.end < self.limit) {
            last[self.end % SEGMENT..].iter().take(3).for_each(prefetch);
        }
    }

    /// Frees what lies below `word`.
    pub(crate) fn free_below(&mut self, word: usize, pool: &Pool) {
        while self.freed + SEGMENT <= word
            && let Some(segment) = self.segments.pop_front()
        {
            pool.segments().push(segment);
            self.freed += SEGMENT;
        }
    }

    /// Frees everything.
    pub(crate) fn free(self, pool: &Pool) {
        pool.segments().extend(self.segments);
    }
}
