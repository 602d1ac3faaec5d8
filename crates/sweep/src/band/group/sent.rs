//! A group on its way to another process.
//!
//! Between two blocks a group is two windows, the last word that is complete, the one that is not,
//! and up to two words that it carries; all else follows from its index, its band and the windows.
//! The upper places of the high window are free there, and the lowest of the word that is not
//! complete are still those of the word before, which nobody reads: both together take twelve bytes
//! a column, not sixteen.

use super::windows::{CARRIED, Group};
use crate::{
    band::{
        below::BELOW_COLUMN,
        codec::{Source, eight, invalid, put_eight},
        geometry::Frame,
        post::{MARGIN, complete_end},
        schedule::{FIRST_BAND, block_of, last_band},
        simd::Eight,
        units::{BandIndex, BlockIndex, GroupIndex},
    },
    units::index,
};
use std::io;

/// The last byte of the head says how many words the group carries; and whether more follows: the
/// high window as it is, and the exceptions. Its other bits are 0.
const CARRIES: u8 = 3;
const MORE_FOLLOWS: u8 = 4;

/// Four numbers, and that byte.
const HEAD: usize = 4 * size_of::<u32>() + 1;

/// Where the words begin.
const LOW: usize = HEAD;
const LAST: usize = LOW + 64;
const LOWER: usize = LAST + 64;
const UPPER: usize = LOWER + 64;
const CARRIED_WORDS: usize = UPPER + 32;

/// So many places of the high window take those of the word that is not complete: the lower part of
/// both. The next 32 are the upper part.
const SHARED: u32 = 8;

const LOWEST: u64 = (1 << SHARED) - 1;

/// The places of the high window above these are free, if nothing follows.
const FREE: u64 = u64::MAX << (SHARED + u32::BITS);

type Bytes = [u8; Group::MOST_BYTES];

impl Group {
    /// Bytes that a group takes on its way, if nothing follows.
    pub(crate) const MOST_BYTES: usize = CARRIED_WORDS + 64 * CARRIED;

    /// Writes the group into `out`, from `at` on, as the last band of a block has left it. Says
    /// where it ends: what comes after that means nothing.
    #[inline]
    pub(crate) fn send(&self, out: &mut Vec<u8>, at: usize) -> usize {
        if out.len() < at + Self::MOST_BYTES {
            out.resize(at + Self::MOST_BYTES, 0);
        }
        let bytes: &mut Bytes = out[at..].first_chunk_mut().expect("there is room");
        let numbers = [self.index.0, self.band.0, self.made.0, self.first_word() as u64];
        let numbers = numbers.map(|n| u32::try_from(n).expect("no run is as long").to_le_bytes());
        bytes[..HEAD - 1].copy_from_slice(numbers.as_flattened());
        let [first, second] = &self.carried;
        let carries = if any(second) != 0 { 2 } else { u8::from(any(first) != 0) };
        let more_follows = self.needs_more();
        bytes[HEAD - 1] = carries | if more_follows { MORE_FOLLOWS } else { 0 };
        write(bytes, LOW, &self.low);
        write(bytes, LAST, &self.last);
        let lowest = if more_follows { &self.partial } else { &self.high };
        write(bytes, LOWER, &joined(lowest, &self.partial));
        write_halves(bytes, UPPER, &self.high);
        write(bytes, CARRIED_WORDS, first);
        write(bytes, CARRIED_WORDS + 64, second);
        let end = at + CARRIED_WORDS + 64 * usize::from(carries);
        if more_follows { self.send_rest(out, end) } else { end }
    }

    /// Whether the words alone do not say all.
    #[inline]
    fn needs_more(&self) -> bool {
        let all = self.high.0.iter().fold(u64::MAX, |all, word| all & word);
        any(&self.below_partial()) != 0 || all & FREE != FREE || self.exceptions.is_some()
    }

    /// Where the word that is not complete differs below its bits from the end of the last one.
    #[inline]
    fn below_partial(&self) -> Eight {
        let below = |lane: usize| self.partial.0[lane] ^ self.last.0[lane] >> (u64::BITS - SHARED);
        Eight(std::array::from_fn(|lane| below(lane) & LOWEST))
    }

    #[cold]
    fn send_rest(&self, out: &mut Vec<u8>, end: usize) -> usize {
        out.truncate(end);
        put_eight(out, &self.high);
        self.save_exceptions(out);
        out.len()
    }

    /// Becomes the next group that [`Self::send`] has written, in a run with this frame.
    #[inline]
    pub(crate) fn receive(&mut self, source: &mut Source<&[u8]>, frame: Frame) -> io::Result<()> {
        let last;
        let bytes: &Bytes = if let Some(bytes) = source.0.first_chunk() {
            bytes
        } else {
            last = padded(source.0);
            &last
        };
        let numbers = bytes[..HEAD - 1].as_chunks().0;
        let [g, band, made, first] =
            std::array::from_fn(|i| u64::from(u32::from_le_bytes(numbers[i])));
        self.put(GroupIndex(g), BandIndex(band), frame)?;
        (self.made, self.base) = (BlockIndex(made), self.origin + 64 * first);
        let said = bytes[HEAD - 1];
        let carries = usize::from(said & CARRIES);
        if said & !(CARRIES | MORE_FOLLOWS) != 0 || !self.has_its_words(carries) {
            return Err(invalid("a group does not have the words that it should"));
        }
        (self.low, self.last) = (eight(bytes, LOW), eight(bytes, LAST));
        (self.partial, self.high) = (eight(bytes, LOWER), read_halves(bytes, UPPER));
        for (high, word) in self.high.0.iter_mut().zip(&self.partial.0) {
            *high = *high << SHARED | FREE | word & LOWEST;
        }
        for (word, last) in self.partial.0.iter_mut().zip(&self.last.0) {
            *word = *word & !LOWEST | last >> (u64::BITS - SHARED);
        }
        for (i, words) in self.carried.iter_mut().enumerate() {
            *words = if i < carries { eight(bytes, CARRIED_WORDS + 64 * i) } else { Eight::ZERO };
        }
        self.exceptions = None;
        let rest = source.0.get(CARRIED_WORDS + 64 * carries..);
        source.0 = rest.ok_or(io::ErrorKind::UnexpectedEof)?;
        if said & MORE_FOLLOWS == 0 { Ok(()) } else { self.receive_rest(bytes, source) }
    }

    /// Takes what [`Self::send_rest`] has written. It must be needed, and have the part of the high
    /// window that has come before.
    #[cold]
    fn receive_rest(&mut self, bytes: &Bytes, source: &mut Source<&[u8]>) -> io::Result<()> {
        (self.partial, self.high) = (eight(bytes, LOWER), source.eight()?);
        self.restore_exceptions(source)?;
        let mut again = [0; Self::MOST_BYTES];
        write_halves(&mut again, UPPER, &self.high);
        let is_same = again[UPPER..CARRIED_WORDS] == bytes[UPPER..CARRIED_WORDS];
        if is_same && self.needs_more() {
            Ok(())
        } else {
            Err(invalid("a group contradicts itself"))
        }
    }

    /// Whether a group of these windows can have its first stored word there, and carry so many.
    #[inline]
    fn has_its_words(&self, carries: usize) -> bool {
        let made = self.band.min(last_band(self.made));
        let read_end = (self.low_anchor + 64 + MARGIN - self.origin).div_ceil(64);
        let carried_end = index(read_end).min(self.complete_end() - 1);
        self.made <= block_of(self.band)
            && self.first_word() < complete_end(made)
            && (carries == 0 || self.next_word() + carries <= carried_end)
    }

    /// Puts the windows where this band has left those of this group: the last of a block.
    #[inline]
    fn put(&mut self, g: GroupIndex, band: BandIndex, frame: Frame) -> io::Result<()> {
        let nowhere = || invalid("a group is where none can be");
        let is_of_run = (FIRST_BAND..frame.bands).contains(&band);
        if !is_of_run || last_band(block_of(band)) != band || !(band.0..2 * band.0).contains(&g.0) {
            return Err(nowhere());
        }
        let windows = frame.windows;
        (self.index, self.band, self.origin) = (g, band, windows.origin(g));
        (self.low_anchor, self.high_anchor) = (windows.low(band, g).0, windows.high(band, g).0);
        let is_too_far = self.low_anchor + BELOW_COLUMN < g.first_column().0;
        if is_too_far { Err(nowhere()) } else { Ok(()) }
    }
}

#[inline]
fn any(words: &Eight) -> u64 {
    words.0.iter().fold(0, |any, word| any | word)
}

/// The lowest places of some words, and the others of other words.
#[inline]
fn joined(lowest: &Eight, others: &Eight) -> Eight {
    let word = |lane: usize| lowest.0[lane] & LOWEST | others.0[lane] & !LOWEST;
    Eight(std::array::from_fn(word))
}

/// The last group of a message is shorter than the longest.
#[cold]
fn padded(bytes: &[u8]) -> Bytes {
    let mut padded = [0; Group::MOST_BYTES];
    padded[..bytes.len()].copy_from_slice(bytes);
    padded
}

#[inline]
fn write(bytes: &mut Bytes, at: usize, words: &Eight) {
    bytes[at..at + 64].copy_from_slice(words.0.map(u64::to_le_bytes).as_flattened());
}

/// 32 places from [`SHARED`] on of each word.
#[inline]
fn write_halves(bytes: &mut Bytes, at: usize, words: &Eight) {
    let halves = words.0.map(|word| {
        let [_, a, b, c, d, ..] = word.to_le_bytes();
        [a, b, c, d]
    });
    bytes[at..at + 32].copy_from_slice(halves.as_flattened());
}

/// What [`write_halves`] has written, from place 0 on.
#[inline]
fn read_halves(bytes: &Bytes, at: usize) -> Eight {
    let halves = bytes[at..at + 32].as_chunks().0;
    Eight(std::array::from_fn(|lane| u32::from_le_bytes(halves[lane]).into()))
}
