//! A group of eight columns, and what it must remember (proofs/sweep.md, section 4).
//!
//! From low to high `p`, a column consists of: numbers below the low window, none of them free; the
//! low window; the old rows' table, which all columns share; the stored words; the high window; and
//! numbers above it, all of them free. What breaks this picture goes into two lists, and a group
//! with such a list is left to the exact path.

use super::{
    codec::{Source, invalid, put, put_eight, put_varint},
    diagonals::Diagonals,
    geometry::{LANES, Windows, fall, low_bits, members, stored_from},
    lanes::{Eight, Lanes, Portable, prefetch},
    old::OldRows,
};
use crate::tail::index;
use std::{
    collections::VecDeque,
    io::{self, Read},
};

/// The topmost places of a low window, which re-anchoring may lose and reads again.
pub(crate) const LOSSY: u32 = 6;

/// Places of a low window that re-anchoring keeps.
const KEPT: u64 = 64 - LOSSY as u64;

/// Words that the low window climbs through in a block, and one more.
const AHEAD: usize = 9;

/// Words in a segment of a group's memory.
const SEGMENT: usize = 32;

/// Words of 64 values by 8 columns, pushed on top and freed from below in segments.
#[derive(Clone, Debug)]
struct Stored {
    /// Words that have been freed, in whole segments; the word of that number comes first.
    freed: usize,
    segments: VecDeque<Box<[Eight; SEGMENT]>>,
    /// The word past the last one.
    end: usize,
}

impl Stored {
    /// Nothing, from word `first` on.
    fn new(first: usize) -> Self {
        let mut stored =
            Self { freed: first - first % SEGMENT, segments: VecDeque::new(), end: first };
        if !first.is_multiple_of(SEGMENT) {
            stored.segments.push_back(Box::new([Eight::ZERO; SEGMENT]));
        }
        stored
    }

    fn push(&mut self, word: Eight) {
        if self.end.is_multiple_of(SEGMENT) {
            self.segments.push_back(Box::new([Eight::ZERO; SEGMENT]));
        }
        self.end += 1;
        *self.word_mut(self.end - 1) = word;
    }

    #[inline(always)]
    fn word(&self, word: usize) -> &Eight {
        let at = word - self.freed;
        &self.segments[at / SEGMENT][at % SEGMENT]
    }

    fn word_mut(&mut self, word: usize) -> &mut Eight {
        let at = word - self.freed;
        &mut self.segments[at / SEGMENT][at % SEGMENT]
    }

    /// Asks for the words that the low window will reach from `word` on, and for the next to come.
    #[inline]
    fn prefetch(&self, word: usize) {
        let at = word.saturating_sub(self.freed);
        for at in at..at + AHEAD {
            if let Some(segment) = self.segments.get(at / SEGMENT) {
                prefetch(&segment[at % SEGMENT]);
            }
        }
        if let Some(last) = self.segments.back() {
            last[self.end % SEGMENT..].iter().take(3).for_each(prefetch);
        }
    }

    /// Frees what lies below `word`.
    fn free_below(&mut self, word: usize) {
        while self.freed + SEGMENT <= word && !self.segments.is_empty() {
            self.segments.pop_front();
            self.freed += SEGMENT;
        }
    }
}

/// What the walk along the columns reads but does not change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) windows: Windows,
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

/// Words of a column that is too near the diagonal for windows.
pub(crate) const WIDE: usize = 4;

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
    pub(crate) fn activate(g: u64, band: u64, row: u64, context: Context) -> Self {
        let limit = LANES * g + stored_from(row);
        Self::build(g, band, limit, context.windows, |p| Eight(context.old.free(g, p)))
    }

    /// A group at `band`, with stored words that begin at most 64 places below `limit`; `free(p)` gives the free
    /// numbers from `p` on, 64 of them.
    pub(crate) fn build(
        g: u64,
        band: u64,
        limit: u64,
        windows: Windows,
        free: impl Fn(u64) -> Eight,
    ) -> Self {
        let (origin, high_anchor) = (windows.origin(g), windows.high(band, g));
        let first_word = (limit.min(high_anchor - 64) - origin) / 64;
        let mut stored = Stored::new(index(first_word));
        let end = stored_end(band);
        for word in first_word..end {
            stored.push(free(origin + 64 * word));
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
        Self::with(g, band, windows, masks, first_word, stored)
    }

    fn with(
        g: u64,
        band: u64,
        windows: Windows,
        masks: Masks,
        first_word: u64,
        stored: Stored,
    ) -> Self {
        let Masks { low, high, pending } = masks;
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

    /// Whether the windows alone describe the group.
    pub(crate) fn is_plain(&self) -> bool {
        self.exceptions.is_none()
    }

    /// Moves the windows to the next band, whose anchors lie `lift` and 8 higher. Checks W1: what
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
        self.raise_high::<L>();
        let kept = L::splat(low_bits(64 - lift - self.shift));
        let fresh = self.fresh::<L>(self.low_anchor, context);
        let low = low.shr(lift);
        fresh.xor(fresh.xor(low).and(kept)).store(&mut self.low);
        if self.exceptions.is_some() {
            self.settle_exceptions(context);
        }
    }

    #[inline(always)]
    fn raise_high<L: Lanes>(&mut self) {
        let high = L::load(&self.high);
        let pending = L::load(&self.pending).shr(8).or(high.shl(56));
        high.shr(8).or(L::splat(0xFF << 56)).store(&mut self.high);
        pending.store(&mut self.pending);
        if self.band.is_multiple_of(8) {
            self.stored.push(self.pending);
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
        let (low, high) = if word + 1 < self.stored.end {
            (L::load(self.stored.word(word)), L::load(self.stored.word(word + 1)))
        } else {
            (self.upper_word::<L>(word), self.upper_word::<L>(word + 1))
        };
        low.shr(shift).or(high.shl(64 - shift))
    }

    /// A word in stored coordinates, put together from the high window where it is not stored yet.
    fn upper_word<L: Lanes>(&self, word: usize) -> L {
        let shift = (LANES * self.band % 64) as u32;
        let high = L::load(&self.high);
        match word.checked_sub(self.stored.end) {
            None => L::load(self.stored.word(word)),
            Some(0) if shift == 0 => high,
            Some(0) => L::load(&self.pending).shr(64 - shift).or(high.shl(shift)),
            Some(1) => high.shr(64 - shift).or(L::splat(low_bits(64 - shift) << (shift % 64))),
            Some(_) => L::splat(u64::MAX),
        }
    }

    /// Whether the old rows' table, complete below `complete`, does not say whether `p` is free.
    pub(crate) fn is_undecided(&self, p: u64, complete: u64) -> bool {
        p < self.base && p >= LANES * self.index + complete
    }

    /// No offset from this one on is read from the old rows' table.
    pub(crate) fn stored_from(&self) -> u64 {
        self.base + 64 - LANES * self.index
    }

    /// Asks for the memory that the next bands will use.
    #[inline]
    pub(crate) fn prefetch(&self) {
        let next = self.low_anchor.max(self.base) + 64 - self.origin;
        self.stored.prefetch(index(next / 64));
    }

    /// Frees the stored words that the low window has passed.
    pub(crate) fn shrink(&mut self) {
        self.stored.free_below(self.first_needed());
    }

    /// The stored words before this one will not be read again.
    fn first_needed(&self) -> usize {
        index((self.low_anchor.max(self.base) - self.origin) / 64)
    }

    /// The columns as [`WIDE`] words from `base` on, all above being free. Numbers below the low
    /// window are blocked. Nothing, if an exception keeps that from being so.
    pub(crate) fn wide(&self, base: u64, context: Context) -> Option<[Eight; WIDE]> {
        let anchor = self.low_anchor;
        let seen = anchor + KEPT;
        let mut words = [Eight::ZERO; WIDE];
        for (word, from) in words.iter_mut().zip((base..).step_by(64)) {
            let read = from.max(seen);
            if read < from + 64 {
                let fresh: Portable = self.fresh(read, context);
                *word = Eight(fresh.map(|free| free << (read - from)));
            }
            for (lane, word) in word.0.iter_mut().enumerate() {
                let low = self.low.0[lane] & low_bits(64 - LOSSY);
                for p in members(anchor, low).filter(|p| (from..from + 64).contains(p)) {
                    *word |= 1 << (p - from);
                }
            }
        }
        self.is_plain().then_some(words)
    }
}

/// A group in a checkpoint: what does not follow from its index, its band and the windows
/// (proofs/sweep.md, section 7).
impl Group {
    /// Appends the group.
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        let needed = self.first_needed().min(self.stored.end);
        put(out, (self.base - self.origin) / 64);
        put(out, needed as u64);
        for words in [&self.low, &self.high, &self.pending] {
            put_eight(out, words);
        }
        for word in needed..self.stored.end {
            put_eight(out, self.stored.word(word));
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

    /// Takes the group that [`Self::save`] appended, of this index, as `band` has left it.
    pub(crate) fn restore(
        source: &mut Source<impl Read>,
        g: u64,
        band: u64,
        windows: Windows,
    ) -> io::Result<Self> {
        let (first_word, needed) = (source.number()?, source.number()?);
        let end = stored_end(band);
        if first_word > needed || needed > end {
            return Err(invalid("a group's stored words are out of order"));
        }
        let masks = Masks { low: source.eight()?, high: source.eight()?, pending: source.eight()? };
        let mut stored = Stored::new(index(needed));
        for _ in needed..end {
            stored.push(source.eight()?);
        }
        let mut group = Self::with(g, band, windows, masks, first_word, stored);
        let list = Exceptions { free: exceptions(source)?, blocked: exceptions(source)? };
        group.exceptions = Some(Box::new(list));
        group.drop_empty_exceptions();
        Ok(group)
    }
}

fn exceptions(source: &mut Source<impl Read>) -> io::Result<Vec<(usize, u64)>> {
    let length = source.varint()?;
    let entry = |_| {
        let lane = source.varint()?;
        if lane >= LANES {
            return Err(invalid("a column is not in its group"));
        }
        Ok((index(lane), source.varint()?))
    };
    (0..length).map(entry).collect()
}

/// The exact path: one column at a time, whatever the picture.
impl Group {
    /// Whether `p` is free in the column of `lane`.
    pub(crate) fn is_free(&self, lane: usize, p: u64, context: Context) -> bool {
        let low = self.low_anchor;
        if p < low {
            return self.free_below(lane).any(|free| free == p);
        }
        if self.exceptions.as_ref().is_some_and(|list| list.blocked.contains(&(lane, p))) {
            return false;
        }
        let high = self.high_anchor;
        if p < low + KEPT {
            self.low.0[lane] >> (p - low) & 1 == 1
        } else if p < high {
            let fresh: Portable = self.fresh(p, context);
            fresh[lane] & 1 == 1
        } else {
            p >= high + 64 || self.high.0[lane] >> (p - high) & 1 == 1
        }
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
        if word < self.stored.end {
            self.stored.word_mut(word).0[lane] &= !(1 << (bit % 64));
        } else {
            let started = LANES * self.band % 64;
            self.pending.0[lane] &= !(1 << (bit % 64 + 64 - started));
        }
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

    /// A group with exceptions on both sides, and words that have been passed, comes back.
    #[test]
    fn groups_come_back() {
        let (old, diagonals) = (OldRows::new(), Diagonals::new());
        let windows = Windows::default();
        let context = Context { windows, old: &old, diagonals: &diagonals };
        let (g, limit) = (150, LANES * 150 + 60);
        let mut group = Group::build(g, 127, limit, windows, |p| Eight([0x5A5A << (p % 40); 8]));
        for step in 0..40 {
            group.block(3, group.low_anchor + 300 + step);
            group.block(5, group.high_anchor + 70 + step);
            group.advance::<Portable>(19 + u32::from(step % 3 == 0), context);
        }
        group.shrink();
        assert!(!group.is_plain() && group.free_below(0).next().is_some());
        let mut bytes = Vec::new();
        group.save(&mut bytes);
        let mut source = Source(bytes.as_slice());
        let back = Group::restore(&mut source, g, group.band, windows).unwrap();
        assert!(source.0.is_empty());
        let mut again = Vec::new();
        back.save(&mut again);
        assert_eq!(bytes, again);
        for lane in 0..8 {
            for p in LANES * g + 8..group.high_anchor + 200 {
                assert_eq!(group.is_free(lane, p, context), back.is_free(lane, p, context), "{p}");
            }
        }
        for length in 0..bytes.len() {
            let mut source = Source(&bytes[..length]);
            assert!(Group::restore(&mut source, g, group.band, windows).is_err());
        }
    }
}
