//! A group between blocks: its windows and words, the numbers that these cannot hold, and memory
//! for groups.

use crate::band::below::{BELOW_COLUMN, OldRows};
use crate::band::constants::{MARGIN, Routes, complete_end};
use crate::band::geometry::{Anchors, LIFT, Windows};
use crate::band::schedule::{BLOCK, block_of};
use crate::band::simd::{Eight, prefetch};
use crate::band::words::lock;
use crate::units::{BandIndex, BlockIndex, GroupIndex, Number, index};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Mutex;

/// The words that the low windows of a block's bands touch, with the [`MARGIN`] above them.
pub(super) const WORDS: usize = 22;

const _: () = assert!(BLOCK * LIFT + MARGIN <= 64 * (WORDS as u64 - 1));

/// The most words that a group carries from one block to the next.
pub const CARRIED: usize = 2;

/// The windows of a group, and its partial word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Masks {
    pub(crate) windows: Eight,
    pub(crate) partial: Eight,
}

/// The number of a group and its progress: all its numbers that the windows do not give.
#[derive(Clone, Copy, Debug)]
pub struct GroupPosition {
    /// Its number.
    pub index: GroupIndex,
    /// The last band that it has met.
    pub band: BandIndex,
    /// The block that has made it.
    pub made: BlockIndex,
    /// Its first stored word.
    pub first_word: u64,
}

impl GroupPosition {
    /// The position of a group that is made at band `made`, after `band`. Its base is at most
    /// `highest_base`, and at most 64 places below it.
    pub(crate) fn new(
        (index, band): (GroupIndex, BandIndex),
        made: BandIndex,
        highest_base: Number,
        windows: Windows,
    ) -> Self {
        let base = highest_base.min(windows.high(made, index) - 64);
        let first_word = (base.0 - windows.origin(index)) / 64;
        Self { index, band, made: block_of(made), first_word }
    }
}

/// Eight columns as the bands up to `band` have left them. Bits mean *free of (C)*.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// Its number.
    pub index: GroupIndex,
    /// The last band that it has met.
    pub(crate) band: BandIndex,
    /// The block that has made it.
    pub made: BlockIndex,
    /// The number of bit 0 of stored word 0.
    pub origin: u64,
    pub(crate) anchors: Anchors,
    /// The first number of the first stored word. Numbers below are read from the table of old
    /// rows.
    pub(super) base: u64,
    /// The windows: the low one in the lowest 40 places.
    pub windows: Eight,
    /// The partial word: its bits are the topmost ones.
    pub partial: Eight,
    /// The last stored word that is complete.
    pub last: Eight,
    /// Stored words from [`Self::next_word`] on, which the last block has read and the next one
    /// also needs. The others are 0.
    pub carried: [Eight; CARRIED],
    pub(super) exceptions: Option<Box<Exceptions>>,
}

impl Group {
    /// Becomes the group at this position. Does not set its words.
    #[inline]
    pub fn place(&mut self, at: GroupPosition, windows: Windows) {
        let GroupPosition { index, band, made, first_word } = at;
        (self.index, self.band, self.made) = (index, band, made);
        self.origin = windows.origin(index);
        self.base = self.origin + 64 * first_word;
        self.anchors = windows.anchors(band, index);
        self.exceptions = None;
    }

    /// Whether its low window begins below the table of old rows.
    pub fn is_too_far_right(&self) -> bool {
        self.anchors.low + BELOW_COLUMN < self.index.first_column().0
    }

    /// The number at bit 0 of the low window.
    pub fn low_anchor(&self) -> Number {
        Number(self.anchors.low)
    }

    /// The number past the low window.
    pub fn low_end(&self) -> Number {
        Number(self.anchors.low_end())
    }

    /// Numbers below are read from the table of old rows.
    pub(crate) fn base(&self) -> Number {
        Number(self.base)
    }

    /// The number past the high window.
    pub(crate) fn end(&self) -> Number {
        Number(self.anchors.high_end())
    }

    /// Whether the windows alone do not describe the group.
    pub fn has_exceptions(&self) -> bool {
        self.exceptions.is_some()
    }

    /// The stored word that has the first number above the low window.
    pub fn next_word(&self) -> usize {
        index((self.anchors.low_end() - self.origin) / 64)
    }

    /// The first stored word.
    pub fn first_word(&self) -> usize {
        index((self.base - self.origin) / 64)
    }

    /// The data that changes as the group passes through the lanes of an octet.
    #[inline(always)]
    pub(crate) fn masks(&self) -> Masks {
        Masks { windows: self.windows, partial: self.partial }
    }

    /// Takes the data that `band` has left, with its anchors, but not the words that have become
    /// [complete](super::GroupInBlock::complete).
    #[inline(always)]
    pub(crate) fn set_masks(&mut self, band: BandIndex, anchors: Anchors, masks: &Masks) {
        (self.windows, self.partial) = (masks.windows, masks.partial);
        (self.anchors, self.band) = (anchors, band);
    }

    /// The complete stored words end before this one.
    pub fn complete_end(&self) -> usize {
        complete_end(self.band)
    }

    /// The words that it carries between blocks, if it comes from block `n`. The last complete word
    /// is not among them.
    pub(super) fn carries(&self, n: BlockIndex, routes: &Routes) -> std::ops::Range<usize> {
        let next = self.next_word();
        let end = routes.read_end(n, self.origin).min(self.complete_end() - 1);
        // There are more only if the run ends within the block, and then nobody reads them.
        next.max(self.first_word())..end.min(next + CARRIED)
    }

    /// The old rows must be complete below this offset before the group may join block `n` (V3).
    pub(crate) fn old_rows_end(&self, n: BlockIndex, routes: &Routes) -> u64 {
        let read_end = self.origin + 64 * routes.read_end(n, self.origin) as u64;
        let end = self.base.min(read_end);
        end.saturating_sub(self.index.first_column().0)
    }

    /// Prefetches the group.
    #[inline]
    pub fn prefetch(&self) {
        for words in [&self.windows, &self.partial, &self.last] {
            prefetch(words);
        }
        self.carried.iter().for_each(prefetch);
        prefetch(&self.index);
        prefetch(&self.exceptions);
    }

    /// Prefetches the old rows that the next block can read.
    #[inline]
    pub(crate) fn prefetch_old_rows(&self, old: &OldRows) {
        let words = self.base.saturating_sub(self.anchors.low).div_ceil(64);
        old.prefetch(self.index, self.low_end(), index(words).min(WORDS));
    }
}

/// Numbers that the windows of a group cannot hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Exceptions {
    /// Free for the column, but below its low window.
    pub(super) free: Lists,
    /// Blocked for the column, but not in windows or words.
    pub(super) blocked: Lists,
}

impl Exceptions {
    pub(super) fn is_empty(&self) -> bool {
        self.free.is_empty() && self.blocked.is_empty()
    }
}

/// Numbers, each with its lane.
pub(super) type Lists = BTreeSet<(usize, u64)>;

/// Places for groups, which all workers share.
///
/// Groups begin and end in their order, and places are reused in the order in which they have
/// become free. If all places are made at the beginning, consecutive groups are therefore
/// consecutive in memory. With places from the allocator, a tenth of the time to 3·10⁵ rows was
/// spent on waiting for groups.
#[derive(Debug, Default)]
pub struct GroupPool(Mutex<VecDeque<Box<Group>>>);

impl GroupPool {
    /// Makes more places.
    pub(crate) fn grow(&self, places: usize) {
        self.put((0..places).map(|_| Box::default()));
    }

    /// Takes back the places of groups that are no longer needed.
    pub fn put(&self, places: impl IntoIterator<Item = Box<Group>>) {
        lock(&self.0).extend(places);
    }

    /// A place, with arbitrary content.
    pub(crate) fn take(&self) -> Box<Group> {
        lock(&self.0).pop_front().unwrap_or_default()
    }

    /// Takes the places that were put back last, which are still in the cache. For groups from
    /// another process.
    #[cfg(feature = "ranks")]
    pub fn take_last(&self, count: usize) -> Vec<Box<Group>> {
        let mut places = lock(&self.0);
        let first = places.len().saturating_sub(count);
        let mut taken = Vec::with_capacity(count);
        taken.extend(places.drain(first..));
        taken.resize_with(count, Box::default);
        taken
    }
}
