//! A group of eight columns, and what it must remember (proofs/sweep.md, section 4).
//!
//! From low to high `p`, a column consists of: numbers below the low window, none of them free; the
//! low window; the old rows' table, which all columns share; the stored words; the high window; and
//! numbers above it, all of them free. What breaks this picture goes into two lists, and a group
//! with such a list is left to the exact path.

use super::{
    codec::{Source, invalid, put, put_eight, put_varint},
    diagonals::Diagonals,
    geometry::{Frame, LANES, WIDE, Windows, fall, low_bits, members, stored_from},
    lanes::{Eight, Lanes, Portable, prefetch},
    old::{BELOW_COLUMN, OldRows},
    stored::{Pool, Stored},
};
use crate::{hypothesis::Hypothesis, tail::index};
use std::io::{self, Read};

/// The topmost places of a low window, which re-anchoring may lose and reads again.
pub(crate) const LOSSY: u32 = 6;

/// Places of a low window that re-anchoring keeps.
const KEPT: u64 = 64 - LOSSY as u64;

/// What the walk along the columns reads but does not change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) frame: Frame,
    pub(crate) pool: &'a Pool,
    pub(crate) old: &'a OldRows,
    pub(crate) diagonals: &'a Diagonals,
}

/// Numbers that break the picture of the windows, each with its lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Exceptions {
    /// Free for the column, but below its low window.
    free: Vec<(usize, u64)>,
    /// Blocked for the column, but neither window nor stored words say so.
    blocked: Vec<(usize, u64)>,
}

/// What a new group knows of its windows.
#[derive(Clone, Copy)]
struct Masks {
    low: Eight,
    high: Eight,
    pending: Eight,
}

/// The stored words that are complete after `band` end before this one.
fn stored_end(band: u64) -> u64 {
    LANES * band / 64
}

/// Eight columns as the bands up to [`Group::band`] have left them. Bits say *free of (C)*.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    index: u64,
    band: u64,
    /// How far the anchors move to the next group.
    shift: u32,
    /// The number that bit 0 of the stored word 0 would be.
    origin: u64,
    low_anchor: u64,
    high_anchor: u64,
    /// The low window. Its topmost [`LOSSY`] places are read again when it moves.
    pub(crate) low: Eight,
    /// The high window.
    pub(crate) high: Eight,
    /// The stored word that is not complete yet: its bits are the topmost.
    pending: Eight,
    stored: Stored,
    /// The first number that the stored words cover. Up to 64 places more are read from the old
    /// rows; the high window lies above those.
    base: u64,
    exceptions: Option<Box<Exceptions>>,
}

impl Group {
    /// A group that the rows below `row` know only as old rows; `row` belongs to `band`.
    ///
    /// Checks V5, by the low window beginning below the columns, though not below what the table of
    /// old rows knows; and that no old row has a value above the high window (V2).
    pub(crate) fn activate(
        g: u64,
        band: u64,
        row: u64,
        context: Context,
    ) -> Result<Self, Hypothesis> {
        let (first, low) = (LANES * g, context.frame.windows.low(band, g));
        if !(low..=low + BELOW_COLUMN).contains(&first) {
            return Err(Hypothesis::NothingBelow);
        }
        let free = |p| Eight(context.old.free(g, p));
        let limit = first + stored_from(row);
        let group = Self::build(g, band, limit, context.frame, context.pool, free);
        if first + (LANES - 1) + context.old.largest() >= group.end() {
            return Err(Hypothesis::OldRows);
        }
        Ok(group)
    }

    /// A group at `band`, with stored words that begin at most 64 places below `limit`; `free(p)` gives the free
    /// numbers from `p` on, 64 of them.
    pub(crate) fn build(
        g: u64,
        band: u64,
        limit: u64,
        frame: Frame,
        pool: &Pool,
        free: impl Fn(u64) -> Eight,
    ) -> Self {
        let windows = frame.windows;
        let origin = windows.origin(g);
        let first_word = Self::first_word(g, band, limit, windows);
        let mut stored = Stored::new(index(first_word), index(frame.kept_words(g)), pool);
        let end = stored_end(band);
        for word in first_word..end {
            stored.push(free(origin + 64 * word), pool);
        }
        let started = (LANES * band % 64) as u32;
        let pending = free(origin + 64 * end)
            .0
            .map(|word| if started == 0 { 0 } else { word << (64 - started) });
        let masks = Masks {
            low: free(windows.low(band, g)),
            high: free(windows.high(band, g)),
            pending: Eight(pending),
        };
        Self::with(g, band, frame, masks, first_word, stored)
    }

    /// The first stored word of a group that is made at `band`.
    fn first_word(g: u64, band: u64, limit: u64, windows: Windows) -> u64 {
        (limit.min(windows.high(band, g) - 64) - windows.origin(g)) / 64
    }

    fn with(
        g: u64,
        band: u64,
        frame: Frame,
        masks: Masks,
        first_word: u64,
        stored: Stored,
    ) -> Self {
        let Masks { low, high, pending } = masks;
        let windows = frame.windows;
        let origin = windows.origin(g);
        Self {
            index: g,
            band,
            origin,
            low_anchor: windows.low(band, g),
            high_anchor: windows.high(band, g),
            shift: u32::try_from(fall(g + 1) - fall(g)).expect("5 or 6"),
            low,
            high,
            pending,
            stored,
            base: origin + 64 * first_word,
            exceptions: None,
        }
    }

    pub(crate) fn index(&self) -> u64 {
        self.index
    }

    /// How far the anchors move to the next group.
    pub(crate) fn shift(&self) -> u32 {
        self.shift
    }

    /// The number at bit 0 of the low window.
    pub(crate) fn low_anchor(&self) -> u64 {
        self.low_anchor
    }

    /// The number past the high window.
    pub(crate) fn end(&self) -> u64 {
        self.high_anchor + 64
    }

    /// Whether the windows alone describe the group.
    pub(crate) fn is_plain(&self) -> bool {
        self.exceptions.is_none()
    }

    /// Moves the windows to the next band, whose anchors lie `lift` and 8 higher. Checks V5: what
    /// leaves the low window is blocked.
    #[inline(always)]
    pub(crate) fn advance<L: Lanes>(&mut self, lift: u32, context: Context) {
        let anchor = self.low_anchor;
        let low = L::load(&self.low);
        let leaving = low.and(L::splat(low_bits(lift) & context.diagonals.free(anchor)));
        if !leaving.is_zero() {
            let mut free = Eight::ZERO;
            leaving.store(&mut free);
            self.spill(anchor, free);
        }
        self.band += 1;
        self.low_anchor += u64::from(lift);
        self.high_anchor += LANES;
        self.raise_high::<L>(context.pool);
        let kept = L::splat(low_bits(64 - lift - self.shift));
        let fresh = self.fresh::<L>(self.low_anchor, context);
        let low = low.shr(lift);
        fresh.xor(fresh.xor(low).and(kept)).store(&mut self.low);
        if self.exceptions.is_some() {
            self.settle_exceptions(context);
        }
    }

    #[inline(always)]
    fn raise_high<L: Lanes>(&mut self, pool: &Pool) {
        let high = L::load(&self.high);
        let pending = L::load(&self.pending).shr(8).or(high.shl(56));
        high.shr(8).or(L::splat(0xFF << 56)).store(&mut self.high);
        pending.store(&mut self.pending);
        if self.band.is_multiple_of(8) {
            self.stored.push(self.pending, pool);
        }
    }

    /// The free numbers from `p` on, whatever remembers them, 64 for every column. What the rows
    /// took in the low window only is not seen.
    #[inline(always)]
    fn fresh<L: Lanes>(&self, p: u64, context: Context) -> L {
        if p < self.base {
            return context.old.free(self.index, p);
        }
        let bit = p - self.origin;
        let (word, shift) = (index(bit / 64), (bit % 64) as u32);
        // Within four bands it is the turn of the next one.
        if word + 2 < self.stored.windows_end() {
            prefetch(self.stored.get(word + 2));
        }
        let (low, high) = if word + 1 < self.stored.windows_end() {
            (L::load(self.stored.get(word)), L::load(self.stored.get(word + 1)))
        } else {
            (self.upper_word::<L>(word), self.upper_word::<L>(word + 1))
        };
        low.shr(shift).or(high.shl(64 - shift))
    }

    /// A word in stored coordinates, put together from the high window where it is not stored yet.
    fn upper_word<L: Lanes>(&self, word: usize) -> L {
        let shift = (LANES * self.band % 64) as u32;
        let high = L::load(&self.high);
        match word.checked_sub(self.stored.end()) {
            None => L::load(self.stored.any(word).expect("windows read no word that is not kept")),
            Some(0) if shift == 0 => high,
            Some(0) => L::load(&self.pending).shr(64 - shift).or(high.shl(shift)),
            Some(1) => high.shr(64 - shift).or(L::splat(low_bits(64 - shift) << (shift % 64))),
            Some(_) => L::splat(u64::MAX),
        }
    }

    /// No offset from this one on is read from the old rows' table.
    pub(crate) fn stored_from(&self) -> u64 {
        self.base + 64 - LANES * self.index
    }

    /// Asks for the group itself.
    #[inline]
    pub(crate) fn prefetch(&self) {
        prefetch(&self.low);
        prefetch(&self.high);
        prefetch(&self.pending);
        prefetch(&self.stored);
        prefetch(&self.base);
        prefetch(&self.index);
    }

    /// Asks for the places where its stored words are to be found.
    #[inline]
    pub(crate) fn prefetch_segments(&self) {
        self.stored.prefetch_segments(self.next_word());
    }

    /// Asks for the stored words that the next bands will use.
    #[inline]
    pub(crate) fn prefetch_words(&self) {
        self.stored.prefetch(self.next_word());
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
    pub(crate) fn retire(self, pool: &Pool) {
        self.stored.free(pool);
    }

    /// The stored words before this one will not be read again.
    fn first_needed(&self) -> usize {
        index((self.low_anchor.max(self.base) - self.origin) / 64)
    }

    /// The columns as [`WIDE`] words from `base` on; or the hypothesis that fails. Checks V11: every
    /// number below the words is blocked, and every number above them is free.
    pub(crate) fn wide(&self, base: u64, context: Context) -> Result<[Eight; WIDE], Hypothesis> {
        let end = base + 64 * WIDE as u64;
        // Whole words below `base`, down to the low window.
        let first = base - base.saturating_sub(self.low_anchor).next_multiple_of(64);
        if first.max(self.low_anchor + KEPT) < self.base + 64 {
            return Err(Hypothesis::LeastValues);
        }
        if (first..=end + 64).step_by(64).any(|p| self.is_forgotten(p)) {
            return Err(Hypothesis::KeptWords);
        }
        let below = (first..base).step_by(64).any(|from| {
            let seen = context.diagonals.free(from);
            self.free(from, context).0.iter().any(|word| word & seen != 0)
        });
        let list = self.exceptions.as_deref();
        let above = list.is_some_and(|list| list.blocked.iter().any(|&(_, p)| p >= end));
        let is_lost = |&(_, p): &(usize, u64)| p < first && context.diagonals.is_free(p);
        let lost = list.is_some_and(|list| list.free.iter().any(is_lost));
        if below || above || lost || self.end() > end {
            return Err(Hypothesis::Corner);
        }
        Ok(std::array::from_fn(|word| self.free(base + 64 * word as u64, context)))
    }

    /// The free numbers from `from` on, 64 of them, whatever describes them.
    fn free(&self, from: u64, context: Context) -> Eight {
        let seen = from.max(self.low_anchor + KEPT);
        let mut free = Eight::ZERO;
        if seen < from + 64 {
            let fresh: Portable = self.fresh(seen, context);
            free = Eight(fresh.map(|word| word << (seen - from)));
        }
        for (word, low) in free.0.iter_mut().zip(self.low.0) {
            *word |= moved(low & low_bits(64 - LOSSY), self.low_anchor, from);
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

/// A group in a checkpoint: what does not follow from its index, its band and the windows
/// (proofs/sweep.md, section 7).
impl Group {
    /// Appends the group.
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        let end = self.stored.windows_end();
        let needed = self.first_needed().min(end);
        put(out, (self.base - self.origin) / 64);
        put(out, needed as u64);
        for words in [&self.low, &self.high, &self.pending] {
            put_eight(out, words);
        }
        for word in needed..end {
            put_eight(out, self.stored.get(word));
        }
        if let Some(last) = self.stored.last() {
            put_eight(out, last);
        }
        let none = Exceptions::default();
        let Exceptions { free, blocked } = self.exceptions.as_deref().unwrap_or(&none);
        for list in [free, blocked] {
            put_varint(out, list.len() as u64);
            for &(lane, p) in list {
                put_varint(out, lane as u64);
                put_varint(out, p);
            }
        }
    }

    /// Takes the group that [`Self::save`] appended, of this index, as `band` has left it; it was
    /// made at band `made`, with this limit.
    pub(crate) fn restore(
        source: &mut Source<impl Read>,
        (g, band): (u64, u64),
        (made, limit): (u64, u64),
        frame: Frame,
        pool: &Pool,
    ) -> io::Result<Self> {
        let (first_word, needed) = (source.number()?, source.number()?);
        let (end, kept, windows) = (stored_end(band), frame.kept_words(g), frame.windows);
        let low = windows.low(band, g).saturating_sub(windows.origin(g)) / 64;
        if first_word != Self::first_word(g, made, limit, windows)
            || needed != low.max(first_word).min(end).min(kept)
        {
            return Err(invalid("a group's stored words are not where they should be"));
        }
        let masks = Masks { low: source.eight()?, high: source.eight()?, pending: source.eight()? };
        let mut stored = Stored::new(index(needed), index(kept), pool);
        for _ in needed..end.min(kept) {
            stored.push(source.eight()?, pool);
        }
        if kept < end {
            stored.skip_to(index(end), source.eight()?);
        }
        let mut group = Self::with(g, band, frame, masks, first_word, stored);
        // Below the low window, and from where it ends to the greatest number that a row may block.
        let above = group.low_anchor + KEPT..LANES * (g + band + 2);
        let free = exceptions(source, 0..group.low_anchor)?;
        let list = Exceptions { free, blocked: exceptions(source, above)? };
        group.exceptions = Some(Box::new(list));
        group.drop_empty_exceptions();
        Ok(group)
    }

    /// Whether the group is not too far right, and the old rows and the stored words allow what the
    /// low window says is free.
    pub(crate) fn is_consistent(&self, context: Context) -> bool {
        if self.low_anchor + BELOW_COLUMN < LANES * self.index {
            return false;
        }
        let known: Portable = self.fresh(self.low_anchor, context);
        known.iter().zip(self.low.0).all(|(known, low)| low & !known & low_bits(64 - LOSSY) == 0)
    }
}

fn exceptions(
    source: &mut Source<impl Read>,
    numbers: std::ops::Range<u64>,
) -> io::Result<Vec<(usize, u64)>> {
    let length = source.varint()?;
    let entry = |_| {
        let (lane, p) = (source.varint()?, source.varint()?);
        if lane >= LANES || !numbers.contains(&p) {
            return Err(invalid("an exception is not of its group"));
        }
        Ok((index(lane), p))
    };
    (0..length).map(entry).collect()
}

/// The exact path: one column at a time, whatever the picture.
impl Group {
    /// Whether `p` is free in the column of `lane`; if that is not known, the hypothesis that fails.
    pub(crate) fn is_free(
        &self,
        lane: usize,
        p: u64,
        context: Context,
    ) -> Result<bool, Hypothesis> {
        let low = self.low_anchor;
        if p < low {
            return Ok(self.free_below(lane).any(|free| free == p));
        }
        if self.exceptions.as_ref().is_some_and(|list| list.blocked.contains(&(lane, p))) {
            return Ok(false);
        }
        let high = self.high_anchor;
        if p < low + KEPT {
            return Ok(self.low.0[lane] >> (p - low) & 1 == 1);
        }
        if p >= high {
            return Ok(p >= high + 64 || self.high.0[lane] >> (p - high) & 1 == 1);
        }
        if p < self.base {
            let known = p < LANES * self.index + context.old.complete_below();
            let free: Portable = context.old.free(self.index, p);
            return if known { Ok(free[lane] & 1 == 1) } else { Err(Hypothesis::LeastValues) };
        }
        if self.is_forgotten(p) {
            return Err(Hypothesis::KeptWords);
        }
        let bit = p - self.origin;
        let free: Portable = self.upper_word(index(bit / 64));
        Ok(free[lane] >> (bit % 64) & 1 == 1)
    }

    /// Whether the stored word of `p` is not kept.
    fn is_forgotten(&self, p: u64) -> bool {
        p >= self.base && self.stored.forgets(index((p - self.origin) / 64))
    }

    /// The free numbers below the low window.
    pub(crate) fn free_below(&self, lane: usize) -> impl Iterator<Item = u64> {
        let list = self.exceptions.iter().flat_map(|list| &list.free);
        list.filter(move |entry| entry.0 == lane).map(|entry| entry.1)
    }

    /// Blocks `p` in the column of `lane`.
    pub(crate) fn block(&mut self, lane: usize, p: u64) {
        let low = self.low_anchor;
        let high = self.high_anchor;
        if p < low {
            self.exceptions().free.retain(|&entry| entry != (lane, p));
            self.drop_empty_exceptions();
            return;
        }
        if p < low + 64 {
            self.low.0[lane] &= !(1 << (p - low));
            if p < low + KEPT {
                return;
            }
        }
        if (high..high + 64).contains(&p) {
            self.high.0[lane] &= !(1 << (p - high));
            return;
        }
        if (self.base..high).contains(&p) {
            self.block_stored(lane, p);
        }
        if p < self.base + 64 || p >= high {
            self.exceptions().blocked.push((lane, p));
        }
    }

    fn block_stored(&mut self, lane: usize, p: u64) {
        let bit = p - self.origin;
        let word = index(bit / 64);
        if let Some(word) = self.stored.any_mut(word) {
            word.0[lane] &= !(1 << (bit % 64));
        } else if word >= self.stored.end() {
            let started = LANES * self.band % 64;
            self.pending.0[lane] &= !(1 << (bit % 64 + 64 - started));
        }
    }

    /// Says that `p`, below the low window, is free in the column of `lane`.
    pub(crate) fn free_below_window(&mut self, lane: usize, p: u64) {
        debug_assert!(p < self.low_anchor);
        self.exceptions().free.push((lane, p));
    }

    fn exceptions(&mut self) -> &mut Exceptions {
        self.exceptions.get_or_insert_default()
    }

    fn drop_empty_exceptions(&mut self) {
        if self.exceptions.as_deref() == Some(&Exceptions::default()) {
            self.exceptions = None;
        }
    }

    #[cold]
    fn spill(&mut self, anchor: u64, free: Eight) {
        for (lane, &word) in free.0.iter().enumerate() {
            let list = &mut self.exceptions().free;
            list.extend(members(anchor, word).map(|p| (lane, p)));
        }
    }

    /// Brings the exceptions back into the windows where these have reached them.
    #[cold]
    fn settle_exceptions(&mut self, context: Context) {
        let low = self.low_anchor;
        let high = self.high_anchor;
        let mut list = *self.exceptions.take().expect("it has exceptions");
        list.free.retain(|&(_, p)| context.diagonals.is_free(p));
        for (lane, p) in std::mem::take(&mut list.blocked) {
            if (low..low + 64).contains(&p) {
                self.low.0[lane] &= !(1 << (p - low));
            }
            if (high..high + 64).contains(&p) {
                self.high.0[lane] &= !(1 << (p - high));
            } else if p >= low + KEPT {
                list.blocked.push((lane, p));
            }
        }
        self.exceptions = Some(Box::new(list));
        self.drop_empty_exceptions();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::band::geometry::Windows;

    /// A group with exceptions on both sides, and words that have been passed, comes back.
    #[test]
    fn groups_come_back() {
        let (old, diagonals) = (OldRows::new(), Diagonals::new());
        let pool = &Pool::default();
        for bands in [500, 168] {
            let frame = Frame { windows: Windows::default(), bands };
            let context = Context { frame, pool, old: &old, diagonals: &diagonals };
            let (g, limit) = (150, LANES * 150 + 60);
            let mut group =
                Group::build(g, 127, limit, frame, pool, |p| Eight([0x5A5A << (p % 40); 8]));
            for step in 0..40 {
                group.block(3, group.low_anchor + 150 + step);
                group.block(5, group.high_anchor + 70 + step);
                let rise = |band| frame.windows.rise(band);
                let lift = u32::try_from(rise(128 + step) - rise(127 + step)).unwrap();
                group.advance::<Portable>(lift, context);
            }
            group.shrink(pool);
            assert!(!group.is_plain() && group.free_below(0).next().is_some());
            let mut bytes = Vec::new();
            group.save(&mut bytes);
            let mut source = Source(bytes.as_slice());
            let back =
                Group::restore(&mut source, (g, group.band), (127, limit), frame, pool).unwrap();
            assert!(source.0.is_empty());
            let mut again = Vec::new();
            back.save(&mut again);
            assert_eq!(bytes, again);
            for lane in 0..8 {
                for p in LANES * g + 8..group.high_anchor + 200 {
                    assert_eq!(
                        group.is_free(lane, p, context),
                        back.is_free(lane, p, context),
                        "{p}"
                    );
                }
            }
            for length in 0..bytes.len() {
                let mut source = Source(&bytes[..length]);
                let back = Group::restore(&mut source, (g, group.band), (127, limit), frame, pool);
                assert!(back.is_err());
            }
        }
    }

    /// A group that meets the corner: what its words must hold, they hold, or V11 fails.
    #[test]
    fn words_of_the_corner() {
        let (old, pool) = (OldRows::new(), &Pool::default());
        let frame = Frame { windows: Windows::default(), bands: 500 };
        let (g, band) = (135, 127);
        let free = |p: u64| {
            Eight(std::array::from_fn(|lane| 0x0123_4567_89AB_CDEF << (p % 7 + lane as u64)))
        };
        let group = || Group::build(g, band, LANES * g + 60, frame, pool, free);
        let (low, end) = (group().low_anchor, group().end());
        let mut diagonals = Diagonals::new();
        diagonals.add(low + 4);
        let context = Context { frame, pool, old: &old, diagonals: &diagonals };

        // What is told is what there is, wherever the words begin.
        for base in low - 70..low {
            let mut group = group();
            group.free_below_window(2, low - 1);
            group.block(3, low + 100);
            group.block(5, end + 1);
            let words = group.wide(base, context).unwrap();
            for (lane, p) in (0..8).flat_map(|lane| (base..base + 256).map(move |p| (lane, p))) {
                let word = words[index((p - base) / 64)].0[lane];
                let is_free = word >> ((p - base) % 64) & 1 == 1;
                assert_eq!(group.is_free(lane, p, context), Ok(is_free), "{base} {lane} {p}");
            }
        }

        // A free number below the words, in the low window or below it, unless it is a diagonal value.
        let lowest = |bits: u64| {
            let mut group = group();
            group.low.0.iter_mut().for_each(|word| *word = *word << 10 | bits);
            group
        };
        assert_eq!(lowest(1 << 4).wide(low + 10, context).map(drop), Ok(()));
        assert_eq!(lowest(1 << 5).wide(low + 5, context).map(drop), Ok(()));
        assert_eq!(lowest(1 << 5).wide(low + 6, context), Err(Hypothesis::Corner));
        for (p, expected) in
            [(low + 1, Ok(())), (low, Err(Hypothesis::Corner)), (low - 65, Err(Hypothesis::Corner))]
        {
            let mut group = group();
            group.low = Eight::ZERO;
            group.low_anchor += 2;
            group.free_below_window(1, p);
            assert_eq!(group.wide(low + 1, context).map(drop), expected, "{p}");
        }

        // A blocked number above the words, or a high window that reaches above them.
        let mut group_above = group();
        group_above.block(0, low + 190);
        assert_eq!(group_above.wide(low - 65, context).map(drop), Ok(()));
        assert_eq!(group_above.wide(low - 66, context), Err(Hypothesis::Corner));
        assert_eq!(group().wide(end - 257, context), Err(Hypothesis::Corner));
        // Numbers that only the table of old rows tells.
        let table = Group::build(g + 1, band + 1, u64::MAX, frame, pool, free);
        assert_eq!(table.wide(table.low_anchor, context), Err(Hypothesis::LeastValues));
    }

    /// A new group is what the old rows say, if its windows hold what these do not.
    #[test]
    fn groups_that_cannot_be_activated() {
        let (diagonals, pool) = (Diagonals::new(), &Pool::default());
        let frame = Frame { windows: Windows::default(), bands: 500 };
        let largest = |value: u64| {
            let mut old = OldRows::new();
            let certificate = record::Certificate {
                from: 0,
                recurs: 1,
                modulus: 1_u32.into(),
                filled: 0,
                above: vec![],
            };
            let kind = crate::row::Kind::Periodic { start: 0, values: vec![value], certificate };
            old.add(&crate::row::Row { row: 0, first: 0, head: 0, kind });
            old
        };
        let activate = |g, old: &OldRows| {
            let context = Context { frame, pool, old, diagonals: &diagonals };
            Group::activate(g, 200, 1600, context).map(drop)
        };
        let g = 290;
        assert_eq!(activate(g, &OldRows::new()), Ok(()));
        for far in [270, 320] {
            assert_eq!(activate(far, &OldRows::new()), Err(Hypothesis::NothingBelow));
        }
        let top = frame.windows.high(200, g) + 63;
        assert_eq!(activate(g, &largest(top - (LANES * g + 7))), Ok(()));
        assert_eq!(activate(g, &largest(top - (LANES * g + 7) + 1)), Err(Hypothesis::OldRows));
    }

    /// What the bands of a run will read is kept, and asking for more is an error (V4).
    #[test]
    fn words_that_are_not_kept() {
        let (old, diagonals) = (OldRows::new(), Diagonals::new());
        let pool = &Pool::default();
        let (g, limit) = (150, LANES * 150 + 60);
        let [mut whole, mut cut] = [10_000, 135].map(|bands| {
            let frame = Frame { windows: Windows::default(), bands };
            let group =
                Group::build(g, 127, limit, frame, pool, |p| Eight([0x5A5A << (p % 40); 8]));
            (group, Context { frame, pool, old: &old, diagonals: &diagonals })
        });
        let mut forgotten = 0;
        for band in 128..180 {
            for (group, context) in [&mut whole, &mut cut] {
                group.block(3, group.high_anchor + 5);
                group.block(4, group.low_anchor + 200);
                // Here the low window stays where it is, as words beyond its reach are pushed.
                group.band = band;
                group.high_anchor += LANES;
                group.raise_high::<Portable>(pool);
                assert_ne!(group.wide(group.low_anchor, *context), Err(Hypothesis::KeptWords));
            }
            for (lane, p) in (0..8).flat_map(|lane| (0..2500).map(move |p| (lane, LANES * g + p))) {
                let expected = whole.0.is_free(lane, p, whole.1);
                let found = cut.0.is_free(lane, p, cut.1);
                assert!(found == expected || found == Err(Hypothesis::KeptWords), "{p}");
                if found.is_err() {
                    forgotten += 1;
                    assert!(p > cut.0.low_anchor + 256);
                }
            }
        }
        assert!(forgotten > 0);
    }
}
