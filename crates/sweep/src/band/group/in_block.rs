//! A group in a block: two windows that rise from band to band, and the words that they read.

use super::columns::{CARRIED, Exceptions, Group, GroupPool, GroupPosition, WORDS};
use crate::band::below::{BELOW_COLUMN, Context};
use crate::band::constants::{Routes, complete_end, source, source_end};
use crate::band::geometry::{
    HIGH, LIFT, LOW, WIDE, Windows, fall, highest_base_offset, joined, low_bits, members,
};
use crate::band::simd::{Eight, LOW_PART, Register};
use crate::band::words::{Inbox, Outbox};
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::units::{BandIndex, BlockIndex, GroupIndex, LANES, Number, RowIndex, index};

/// A place for a group in a block, with the words that the block knows of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupInBlock {
    pub(super) group: Option<Box<Group>>,
    pub(crate) ahead: WordsAhead,
    /// The words that this block has released, in their order, up to the one before the last
    /// complete word.
    pub(super) released: Vec<Eight>,
}

impl GroupInBlock {
    #[inline(always)]
    pub(crate) fn group(&self) -> &Group {
        self.group.as_ref().expect("the group is held")
    }

    #[inline(always)]
    pub(crate) fn group_mut(&mut self) -> &mut Group {
        self.group.as_mut().expect("the group is held")
    }

    /// A new group, which `row` of band `band` reaches first: all rows below are old rows there.
    ///
    /// Checks V5: the low window begins below the columns, though not below the table of old rows.
    /// Values of old rows above the high window are exceptions.
    pub(crate) fn activate(
        g: GroupIndex,
        band: BandIndex,
        row: RowIndex,
        context: Context,
    ) -> Result<Self, Hypothesis> {
        let (first, low) = (g.first_column(), context.frame.windows.low(band, g));
        if !(low..=low + BELOW_COLUMN).contains(&first.number(0)) {
            return Err(Hypothesis::NothingBelow);
        }
        let free = |p| context.old.free::<u64>(g, p);
        let highest_base = first.number(highest_base_offset(row));
        let mut held = Self::build(g, band, highest_base, context.frame.windows, free);
        let largest = (first + (LANES - 1)).number(context.old.largest);
        for start in held.group().end().up_to(largest + 1).step_by(64) {
            for (lane, free) in free(start).0.into_iter().enumerate() {
                members(start.0, !free).for_each(|p| held.block(lane, Number(p)));
            }
        }
        Ok(held)
    }

    /// A group at `band`, whose base is at most `highest_base`, and at most 64 places below it;
    /// `free(p)` gives the free numbers from `p` on, 64 of them.
    pub(crate) fn build(
        g: GroupIndex,
        band: BandIndex,
        highest_base: Number,
        windows: Windows,
        free: impl Fn(Number) -> Eight,
    ) -> Self {
        let (mut group, complete) = (Box::<Group>::default(), complete_end(band));
        group.place(GroupPosition::new((g, band), band, highest_base, windows), windows);
        let (origin, anchors) = (group.origin, group.anchors);
        let word = |word: usize| free(Number(origin + 64 * word as u64));
        // There is at least one, since the base is below the high window.
        let released = (group.first_word()..complete - 1).map(word).collect();
        let started = (band.first_row().0 % 64) as u32;
        let partial =
            word(complete).0.map(|word| if started == 0 { 0 } else { word << (64 - started) });
        let (low, high) = (free(Number(anchors.low)), free(Number(anchors.high)));
        group.windows = Eight(std::array::from_fn(|lane| joined(low.0[lane], high.0[lane])));
        (group.partial, group.last) = (Eight(partial), word(complete - 1));
        Self { group: Some(group), ahead: WordsAhead::default(), released }
    }

    /// Takes a group from the block before block `n`, and gathers the words that the low windows of
    /// block `n` will reach.
    #[inline(always)]
    pub(crate) fn join<R: Register>(
        &mut self,
        group: Box<Group>,
        n: BlockIndex,
        routes: &Routes,
        inbox: &mut Inbox,
        context: Context,
    ) {
        let (first, base) = (group.next_word(), group.first_word());
        let last = group.complete_end() - 1;
        let carried_end = group.carries(n - 1, routes).end;
        let end = routes.read_end(n, group.origin).min(last + 1).max(first);
        let start = group.origin + 64 * first as u64;
        let words = self.ahead.begin(first, start, group.anchors.low_end());
        let words = &mut words[..end - first];
        // From the old rows, from the group, from the storage, and the last word.
        let old_rows = base.clamp(first, end) - first;
        context.old.fill::<R>(group.index, Number(start), &mut words[..old_rows]);
        let mut at = old_rows;
        while first + at < carried_end {
            words[at] = group.carried[at];
            at += 1;
        }
        let stored_end = end.min(last);
        while first + at < stored_end {
            let source = source(first + at).max(group.made);
            let next = source_end(source).min(stored_end) - first;
            inbox.take(source, &mut words[at..next]);
            at = next;
        }
        if first + at < end {
            words[at] = group.last;
        }
        self.ahead.set_words(end - first);
        self.group = Some(group);
    }

    /// Fills the reach of a group that was made in this block, where `below` is the last band
    /// before the block, with the words that the reach would have if the group had joined the
    /// block. Leaves the reach empty if these words would begin below the first word of the group.
    pub(crate) fn begin_words_ahead(&mut self, below: BandIndex, context: Context) {
        let group = self.group();
        let end = context.frame.windows.rise(below) + LOW;
        let Some(bits) = end.checked_sub(group.origin + fall(group.index)) else { return };
        let (end, first) = (group.origin + bits, index(bits / 64));
        let (next, complete_end) = (group.next_word(), group.complete_end());
        self.ahead.begin(first, group.origin + 64 * first as u64, end);
        self.ahead.set_words(0);
        for word in first..complete_end {
            // Words that the low window has passed are not read.
            let known = if word < next { Some(Eight::ZERO) } else { self.word(word, context) };
            if !known.is_some_and(|known| self.ahead.push(&known)) {
                break;
            }
        }
    }

    /// Adds words to the reach that have become complete in this block. Returns whether there were
    /// any.
    pub(crate) fn extend_words_ahead(&mut self) -> bool {
        let Self { group, ahead, released } = self;
        let group = group.as_ref().expect("the group is held");
        let before = group.complete_end() - 1 - released.len();
        let Some(known) = ahead.end().checked_sub(before) else { return false };
        let new = released.iter().chain([&group.last]).skip(known);
        new.filter(|word| ahead.push(word)).count() > 0
    }

    /// The group leaves block `n`: stores the words that later blocks read.
    pub(crate) fn leave(
        &mut self,
        n: BlockIndex,
        routes: &Routes,
        outbox: &mut Outbox,
    ) -> Result<Box<Group>, SweepError> {
        let mut group = self.group.take().expect("the group is held");
        let carries = group.carries(n, routes);
        let read_end = routes.read_end(n, group.origin);
        let released_end = group.complete_end() - 1;
        let released = released_end - self.released.len();
        let next = group.next_word();
        group.carried = [Eight::ZERO; CARRIED];
        for word in carries {
            let known = self.ahead.word(word);
            let content = known.unwrap_or_else(|| &self.released[word - released]);
            group.carried[word - next] = *content;
        }
        for (word, content) in (released..released_end).zip(&self.released) {
            if word >= read_end {
                outbox.add(group.origin, word, content)?;
            }
        }
        self.ahead.clear();
        self.released.clear();
        Ok(group)
    }

    /// Discards the group: no row will meet it again.
    pub(crate) fn discard(&mut self, spare: &GroupPool) {
        spare.put(self.group.take());
        self.ahead.clear();
        self.released.clear();
    }

    /// Moves the group to a place in memory close to the groups made before.
    pub(crate) fn move_to(&mut self, spare: &GroupPool) {
        let mut place = spare.take();
        std::mem::swap(&mut *place, self.group_mut());
        self.group = Some(place);
    }

    /// Moves the windows to the next band, whose anchors lie `lift` and 8 places higher. Checks V5:
    /// numbers that leave the low window are blocked.
    pub(crate) fn advance(&mut self, lift: u32, context: Context) {
        let entering = self.fresh(self.group().anchors.low_end(), context);
        let group = self.group_mut();
        let anchor = group.anchors.low;
        let lost = low_bits(lift) & context.diagonals.free(Number(anchor));
        let leaving = group.windows.0.map(|word| word & lost);
        if leaving != [0; 8] {
            group.leave_below(anchor, Eight(leaving));
        }
        let columns = group.windows.0.iter_mut().zip(&mut group.partial.0);
        for ((windows, partial), entering) in columns.zip(entering.0) {
            let (low, high) = (*windows & LOW_PART, *windows >> LOW);
            *partial = *partial >> 8 | high << 56;
            let low = low >> lift | entering << (LOW - u64::from(lift));
            // The topmost 8 places are free; V8 follows from that.
            *windows = joined(low, high >> 8) | 0xFF << 56;
        }
        group.band += 1;
        group.anchors.low += u64::from(lift);
        group.anchors.high += LANES;
        if group.has_exceptions() {
            group.place_exceptions(context);
        }
        if group.band.0.is_multiple_of(8) {
            let word = group.partial;
            self.complete(word);
        }
    }

    /// A word has become complete.
    #[inline(always)]
    pub(crate) fn complete(&mut self, word: Eight) {
        let group = self.group.as_mut().expect("the group is held");
        self.released.push(std::mem::replace(&mut group.last, word));
    }

    /// The free numbers from `p` on, 64 for every column, where `p` is above the low window. The
    /// block knows those that the next band can read.
    pub(crate) fn fresh(&self, p: u64, context: Context) -> Eight {
        let bit = p - self.group().origin;
        let (word, shift) = (index(bit / 64), bit % 64);
        // Unknown words are not read.
        let [low, high] =
            [word, word + 1].map(|word| self.word(word, context).unwrap_or(Eight::ZERO));
        let place = |lane: usize| low.0[lane] >> shift | high.0[lane] << 1 << (63 - shift);
        Eight(std::array::from_fn(place))
    }

    /// A word that is stored or will be stored; `None` if the block does not know it.
    pub(super) fn word(&self, word: usize, context: Context) -> Option<Eight> {
        let group = self.group();
        let last = group.complete_end() - 1;
        if word >= last {
            return Some(group.upper_word(word));
        }
        if let Some(known) = self.ahead.word(word) {
            return Some(*known);
        }
        if word < group.first_word() {
            let start = Number(group.origin + 64 * word as u64);
            return Some(context.old.free::<u64>(group.index, start));
        }
        let released = last - self.released.len();
        word.checked_sub(released).map(|at| self.released[at])
    }

    /// The columns as [`WIDE`] words from `floor` on; or the hypothesis that fails. Checks V11:
    /// every number below the words is blocked, and every number above them is free.
    pub(crate) fn wide(
        &self,
        floor: Number,
        context: Context,
    ) -> Result<[Eight; WIDE], Hypothesis> {
        let Number(floor) = floor;
        let group = self.group();
        let end = floor + 64 * WIDE as u64;
        // Whole words below `floor`, down to the low window.
        let first = floor - floor.saturating_sub(group.anchors.low).next_multiple_of(64);
        if first.max(group.anchors.low_end()) < group.base {
            return Err(Hypothesis::LeastValues);
        }
        if (first.max(group.anchors.low_end())..end + 64).any(|p| !self.knows(p)) {
            return Err(Hypothesis::WordsAtHand);
        }
        let below = (first..floor).step_by(64).any(|from| {
            let seen = context.diagonals.free(Number(from));
            self.free(from, context).0.iter().any(|word| word & seen != 0)
        });
        let list = group.exceptions.as_deref();
        let above = list.is_some_and(|list| list.blocked.iter().any(|&(_, p)| p >= end));
        let is_lost = |&(_, p): &(usize, u64)| p < first && context.diagonals.is_free(Number(p));
        let lost = list.is_some_and(|list| list.free.iter().any(is_lost));
        if below || above || lost || group.end().0 > end {
            return Err(Hypothesis::Corner);
        }
        Ok(std::array::from_fn(|word| self.free(floor + 64 * word as u64, context)))
    }

    /// Whether the block knows the word of a number above the base.
    pub(super) fn knows(&self, p: u64) -> bool {
        let group = self.group();
        let (word, last) = (index((p - group.origin) / 64), group.complete_end() - 1);
        word + self.released.len() >= last || self.ahead.word(word).is_some()
    }

    /// The free numbers among the 64 from `from` on, by the windows, words and exceptions.
    fn free(&self, from: u64, context: Context) -> Eight {
        let group = self.group();
        let seen = from.max(group.anchors.low_end());
        let mut free = Eight::ZERO;
        if seen < from + 64 {
            free = Eight(self.fresh(seen, context).0.map(|word| word << (seen - from)));
        }
        for (word, windows) in free.0.iter_mut().zip(group.windows.0) {
            *word |= moved(windows & LOW_PART, group.anchors.low, from);
        }
        if let Some(Exceptions { free: list, blocked }) = group.exceptions.as_deref() {
            for &(lane, p) in list {
                free.0[lane] |= moved(1, p, from);
            }
            for &(lane, p) in blocked {
                free.0[lane] &= !moved(1, p, from);
            }
        }
        free
    }
}

impl Group {
    /// A word from the last complete one on. Words that are not complete are assembled from the
    /// high window.
    fn upper_word(&self, word: usize) -> Eight {
        let shift = (self.band.first_row().0 % 64) as u32;
        // Everything above the high window is free.
        let high = self.windows.0.map(|word| word >> LOW | u64::MAX << HIGH);
        let partial = self.partial.0;
        match word + 1 - self.complete_end() {
            0 => self.last,
            1 if shift == 0 => Eight(high),
            1 => Eight(std::array::from_fn(|lane| {
                partial[lane] >> (64 - shift) | high[lane] << shift
            })),
            2 if shift == 0 => Eight::ONES,
            2 => Eight(high.map(|word| word >> (64 - shift) | u64::MAX << shift)),
            _ => Eight::ONES,
        }
    }
}

/// Converts a word that begins at the number `from` to a word that begins at `to`.
fn moved(word: u64, from: u64, to: u64) -> u64 {
    let places = u32::try_from(from.abs_diff(to)).unwrap_or(64);
    let moved = if from < to { word.checked_shr(places) } else { word.checked_shl(places) };
    moved.unwrap_or(0)
}

/// The stored words from the first one above the low window with which a group joined the block:
/// all complete words that the block will read (5.2). A bit means *free of (C)*.
#[derive(Clone, Debug, Default)]
pub(crate) struct WordsAhead {
    words: [Eight; WORDS],
    /// The number of places that are known.
    places: u64,
    /// The index of the first word, and its first number.
    first: usize,
    start: u64,
    /// The number of places from its first number to the end of the low window.
    skew: u64,
}

impl WordsAhead {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.places = 0;
    }

    /// Begins with stored word `first`, whose first number is `start`; the low window ends at the
    /// number `end` in this word. Returns the place for the words.
    #[inline(always)]
    pub(super) fn begin(&mut self, first: usize, start: u64, end: u64) -> &mut [Eight; WORDS] {
        (self.first, self.start, self.skew) = (first, start, end - start);
        &mut self.words
    }

    /// Sets the number of words that are known.
    #[inline(always)]
    pub(super) fn set_words(&mut self, words: usize) {
        self.places = 64 * words as u64;
    }

    /// The known words end before this one.
    #[inline(always)]
    pub(super) fn end(&self) -> usize {
        self.first + index(self.places / 64)
    }

    /// Adds a word at the end. Returns whether there was room for it.
    pub(super) fn push(&mut self, word: &Eight) -> bool {
        let place = self.words.get_mut(index(self.places / 64));
        place.map(|place| (*place, self.places) = (*word, self.places + 64)).is_some()
    }

    /// Whether the [`LIFT`] numbers are known that begin `offset` places above the low window with
    /// which the group joined.
    #[inline(always)]
    pub(crate) fn knows(&self, offset: u64) -> bool {
        self.skew + offset + LIFT <= self.places
    }

    /// The numbers from `offset` places above that window on. The first [`LIFT`] of them are valid.
    #[inline(always)]
    pub(crate) fn at<R: Register>(&self, offset: u64) -> Eight {
        let offset = self.skew + offset;
        let (word, shift) = (index(offset / 64), (offset % 64) as u32);
        self.words[word].shr_pair::<R>(&self.words[word + 1], shift)
    }

    /// A stored word, if it is known.
    #[inline(always)]
    pub(super) fn word(&self, word: usize) -> Option<&Eight> {
        let known = index(self.places / 64);
        let at = word.checked_sub(self.first)?;
        self.words[..known].get(at)
    }

    /// Blocks `p` in the column of `lane`. Returns whether its word is known.
    pub(super) fn block(&mut self, lane: usize, Number(p): Number) -> bool {
        let is_known = (self.start..self.start + self.places).contains(&p);
        if is_known {
            let places = p - self.start;
            self.words[index(places / 64)].0[lane] &= !(1 << (places % 64));
        }
        is_known
    }
}
