//! A group as tiles see it: two windows that move up from band to band, and what they read.

use super::exceptions::Exceptions;
use crate::{
    band::{
        below::{BELOW_COLUMN, Context, OldRows},
        geometry::{Frame, WIDE, Windows, highest_base_offset, low_bits},
        simd::{Eight, Lanes, Portable, prefetch},
        stored::{CLIMB, Pool, Stored},
        units::{BandIndex, GroupIndex, LANES},
    },
    hypothesis::Hypothesis,
    units::{Number, RowIndex, index},
};

/// What a new group knows of its windows.
#[derive(Clone, Copy)]
pub(super) struct Masks {
    pub(super) low: Eight,
    pub(super) high: Eight,
    pub(super) partial: Eight,
}

/// The stored words that are complete after `band` end before this one.
pub(super) fn stored_end(band: BandIndex) -> u64 {
    band.first_row().0 / 64
}

/// Eight columns as the bands up to [`Group::band`] have left them. Bits say *free of (C)*.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(super) index: GroupIndex,
    pub(super) band: BandIndex,
    /// The number that bit 0 of the stored word 0 would be.
    pub(super) origin: u64,
    pub(super) low_anchor: u64,
    pub(super) high_anchor: u64,
    /// The low window.
    pub(crate) low: Eight,
    /// The high window.
    pub(crate) high: Eight,
    /// The stored word that is not complete yet: its bits are the topmost.
    pub(super) partial: Eight,
    pub(super) stored: Stored,
    /// The first number that the stored words cover. Up to 64 places more are read from the old
    /// rows; the high window lies above those.
    pub(super) base: u64,
    pub(super) exceptions: Option<Box<Exceptions>>,
}

impl Group {
    /// A group that the rows below `row` know only as old rows; `row` belongs to `band`.
    ///
    /// Checks V5, by the low window beginning below the columns, though not below what the table of
    /// old rows knows; and that no old row has a value above the high window (V2).
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
        let free = |p| Eight(context.old.free::<Portable>(g, p).words());
        let highest_base = first.number(highest_base_offset(row));
        let group = Self::build(g, band, highest_base, context.frame, context.pool, free);
        if (first + (LANES - 1)).number(context.old.largest()) >= group.end() {
            return Err(Hypothesis::OldRows);
        }
        Ok(group)
    }

    /// A group at `band`, whose base is at most `highest_base`, and at most 64 places below it;
    /// `free(p)` gives the free numbers from `p` on, 64 of them.
    pub(crate) fn build(
        g: GroupIndex,
        band: BandIndex,
        highest_base: Number,
        frame: Frame,
        pool: &Pool,
        free: impl Fn(Number) -> Eight,
    ) -> Self {
        let windows = frame.windows;
        let origin = windows.origin(g);
        let first_word = Self::first_word(g, band, highest_base, windows);
        let mut stored = Stored::new(index(first_word), index(frame.kept_words(g)), pool);
        let end = stored_end(band);
        for word in first_word..end {
            stored.push(free(Number(origin + 64 * word)), pool);
        }
        let started = (band.first_row().0 % 64) as u32;
        let partial = free(Number(origin + 64 * end))
            .0
            .map(|word| if started == 0 { 0 } else { word << (64 - started) });
        let masks = Masks {
            low: free(windows.low(band, g)),
            high: free(windows.high(band, g)),
            partial: Eight(partial),
        };
        Self::with(g, band, frame, masks, first_word, stored)
    }

    /// The first stored word of a group that is made at `band`.
    pub(super) fn first_word(
        g: GroupIndex,
        band: BandIndex,
        highest_base: Number,
        windows: Windows,
    ) -> u64 {
        (highest_base.min(windows.high(band, g) - 64).0 - windows.origin(g)) / 64
    }

    pub(super) fn with(
        g: GroupIndex,
        band: BandIndex,
        frame: Frame,
        masks: Masks,
        first_word: u64,
        stored: Stored,
    ) -> Self {
        let Masks { low, high, partial } = masks;
        let windows = frame.windows;
        let origin = windows.origin(g);
        Self {
            index: g,
            band,
            origin,
            low_anchor: windows.low(band, g).0,
            high_anchor: windows.high(band, g).0,
            low,
            high,
            partial,
            stored,
            base: origin + 64 * first_word,
            exceptions: None,
        }
    }

    pub(crate) fn index(&self) -> GroupIndex {
        self.index
    }

    /// The number at bit 0 of the low window.
    pub(crate) fn low_anchor(&self) -> Number {
        Number(self.low_anchor)
    }

    /// The number past the high window.
    pub(crate) fn end(&self) -> Number {
        Number(self.high_anchor + 64)
    }

    /// Whether the windows alone do not describe the group.
    pub(crate) fn has_exceptions(&self) -> bool {
        self.exceptions.is_some()
    }

    /// Moves the windows to the next band, whose anchors lie `lift` and 8 higher. Checks V5: what
    /// leaves the low window is blocked.
    pub(crate) fn advance<L: Lanes>(&mut self, lift: u32, context: Context) {
        let anchor = self.low_anchor;
        let low = L::load(&self.low);
        let leaving = low.and(L::splat(low_bits(lift) & context.diagonals.free(Number(anchor))));
        if !leaving.is_zero() {
            let mut free = Eight::ZERO;
            leaving.store(&mut free);
            self.spill(anchor, free);
        }
        let raised = self.raised(lift, self.fresh::<L>(anchor + 64, context));
        let mut words = [Eight::ZERO; 2];
        raised.into_iter().zip(&mut words).for_each(|(lanes, words)| lanes.store(words));
        self.settle::<L>(lift, &words[0], &words[1], context.pool);
        if self.has_exceptions() {
            self.place_exceptions(context);
        }
    }

    /// The windows as the next band finds them, whose anchors lie `lift` and 8 higher; `entering`
    /// are the numbers from the end of the low window on. The topmost 8 places of the high windows
    /// are free; V8 follows from that.
    #[inline(always)]
    pub(crate) fn raised<L: Lanes>(&self, lift: u32, entering: L) -> [L; 2] {
        let high = L::load(&self.high).shr(8).or(L::splat(0xFF << 56));
        [L::load(&self.low).shr_pair(entering, lift), high]
    }

    /// Moves to the next band, which leaves these windows.
    #[inline(always)]
    pub(crate) fn settle<L: Lanes>(&mut self, lift: u32, low: &Eight, high: &Eight, pool: &Pool) {
        let partial = L::load(&self.partial).shr(8).or(L::load(&self.high).shl(56));
        partial.store(&mut self.partial);
        (self.low, self.high) = (*low, *high);
        self.band += 1;
        self.low_anchor += u64::from(lift);
        self.high_anchor += LANES;
        if self.band.0.is_multiple_of(8) {
            self.stored.push(self.partial, pool);
        }
    }

    /// The free numbers from `p` on, whatever remembers them, 64 for every column. What the rows
    /// took in the low window only is not seen.
    #[inline(always)]
    pub(crate) fn fresh<L: Lanes>(&self, p: u64, context: Context) -> L {
        if p < self.base {
            return context.old.free(self.index, Number(p));
        }
        let bit = p - self.origin;
        let (word, shift) = (index(bit / 64), (bit % 64) as u32);
        let (low, high) = if word + 1 < self.stored.windows_end() {
            (L::load(self.stored.get(word)), L::load(self.stored.get(word + 1)))
        } else {
            (self.upper_word::<L>(word), self.upper_word::<L>(word + 1))
        };
        low.shr(shift).or(high.shl(64 - shift))
    }

    /// So many words from the end of the low window on are whole, and final.
    pub(super) fn final_words(&self) -> usize {
        let end = self.origin + 64 * self.stored.windows_end() as u64;
        // `fresh` reads a word more than it needs if it begins where a word does.
        index((end.max(self.base) - 1).saturating_sub(self.low_anchor + 64) / 64)
    }

    /// A word in stored coordinates, put together from the high window where it is not stored yet.
    pub(super) fn upper_word<L: Lanes>(&self, word: usize) -> L {
        let shift = (self.band.first_row().0 % 64) as u32;
        let high = L::load(&self.high);
        match word.checked_sub(self.stored.end()) {
            None => L::load(self.stored.any(word).expect("windows read no word that is not kept")),
            Some(0) if shift == 0 => high,
            Some(0) => L::load(&self.partial).shr(64 - shift).or(high.shl(shift)),
            Some(1) => high.shr(64 - shift).or(L::splat(low_bits(64 - shift) << (shift % 64))),
            Some(_) => L::splat(u64::MAX),
        }
    }

    /// No offset from this one on is read from the old rows' table.
    pub(crate) fn old_rows_end(&self) -> u64 {
        self.index.first_column().offset(Number(self.base + 64))
    }

    /// Asks for the group itself.
    #[inline]
    pub(crate) fn prefetch(&self) {
        prefetch(&self.low);
        prefetch(&self.high);
        prefetch(&self.partial);
        self.stored.prefetch_itself();
        prefetch(&self.base);
        prefetch(&self.index);
    }

    /// Asks for the places where its stored words are to be found.
    #[inline]
    pub(crate) fn prefetch_chunks(&self) {
        self.stored.prefetch_chunks(self.next_word());
    }

    /// Asks for the stored words that the next bands will use.
    #[inline]
    pub(crate) fn prefetch_words(&self, old: &OldRows) {
        self.stored.prefetch(self.next_word());
        let old_words = self.base.saturating_sub(self.low_anchor).div_ceil(64) + 1;
        old.prefetch(self.index, self.low_anchor() + 64, index(old_words).min(CLIMB));
    }

    /// The stored word that will enter the low window next.
    fn next_word(&self) -> usize {
        index((self.low_anchor.max(self.base) + 64 - self.origin) / 64)
    }

    /// Frees the stored words that the low window has passed.
    pub(crate) fn shrink(&mut self, pool: &Pool) {
        self.stored.free_below(self.first_needed(), pool);
    }

    /// Ends the group: no row will meet it again.
    pub(crate) fn discard(self, pool: &Pool) {
        self.stored.free(pool);
    }

    /// The stored words before this one will not be read again.
    pub(super) fn first_needed(&self) -> usize {
        index((self.low_anchor.max(self.base) - self.origin) / 64)
    }

    /// The columns as [`WIDE`] words from `floor` on; or the hypothesis that fails. Checks V11:
    /// every number below the words is blocked, and every number above them is free.
    pub(crate) fn wide(
        &self,
        floor: Number,
        context: Context,
    ) -> Result<[Eight; WIDE], Hypothesis> {
        let Number(floor) = floor;
        let end = floor + 64 * WIDE as u64;
        // Whole words below `floor`, down to the low window.
        let first = floor - floor.saturating_sub(self.low_anchor).next_multiple_of(64);
        if first.max(self.low_anchor + 64) < self.base + 64 {
            return Err(Hypothesis::LeastValues);
        }
        if (first..=end + 64).step_by(64).any(|p| self.is_forgotten(p)) {
            return Err(Hypothesis::KeptWords);
        }
        let below = (first..floor).step_by(64).any(|from| {
            let seen = context.diagonals.free(Number(from));
            self.free(from, context).0.iter().any(|word| word & seen != 0)
        });
        let list = self.exceptions.as_deref();
        let above = list.is_some_and(|list| list.blocked.iter().any(|&(_, p)| p >= end));
        let is_lost = |&(_, p): &(usize, u64)| p < first && context.diagonals.is_free(Number(p));
        let lost = list.is_some_and(|list| list.free.iter().any(is_lost));
        if below || above || lost || self.end().0 > end {
            return Err(Hypothesis::Corner);
        }
        Ok(std::array::from_fn(|word| self.free(floor + 64 * word as u64, context)))
    }

    /// The free numbers from `from` on, 64 of them, whatever describes them.
    fn free(&self, from: u64, context: Context) -> Eight {
        let seen = from.max(self.low_anchor + 64);
        let mut free = Eight::ZERO;
        if seen < from + 64 {
            let fresh = self.fresh::<Portable>(seen, context).words();
            free = Eight(fresh.map(|word| word << (seen - from)));
        }
        for (word, low) in free.0.iter_mut().zip(self.low.0) {
            *word |= moved(low, self.low_anchor, from);
        }
        if let Some(list) = &self.exceptions {
            list.free.iter().for_each(|&(lane, p)| free.0[lane] |= moved(1, p, from));
            list.blocked.iter().for_each(|&(lane, p)| free.0[lane] &= !moved(1, p, from));
        }
        free
    }
}

/// The members of a word that begins at the number `from`, in a word that begins at `to`.
fn moved(word: u64, from: u64, to: u64) -> u64 {
    let places = u32::try_from(from.abs_diff(to)).unwrap_or(64);
    let moved = if from < to { word.checked_shr(places) } else { word.checked_shl(places) };
    moved.unwrap_or(0)
}
