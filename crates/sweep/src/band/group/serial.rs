//! A group in a checkpoint: the data that does not follow from its index, its band and the windows
//! (proofs/sweep.md, section 7).

use super::columns::{CARRIED, Exceptions, Group, GroupPosition, Lists};
use crate::band::below::Context;
use crate::band::codec::{Decoder, invalid, put, put_eight, put_varint};
#[cfg(feature = "ranks")]
use crate::band::constants::complete_end;
use crate::band::constants::{Routes, source as source_of};
use crate::band::geometry::{LOW, Windows, low_bits};
#[cfg(feature = "ranks")]
use crate::band::schedule::{block_of, last_band};
use crate::band::simd::Eight;
#[cfg(feature = "ranks")]
use crate::units::{BandIndex, GroupIndex};
use crate::units::{BlockIndex, LANES, index};
use std::io::{self, Read};

impl Group {
    /// The least bytes of a group: a number, its words, two empty lists.
    pub(crate) const LEAST_BYTES: u64 = 8 + 64 * (3 + CARRIED as u64) + 2;

    /// Appends the group.
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        put(out, self.first_word() as u64);
        let words = [&self.windows, &self.partial, &self.last].into_iter();
        words.chain(&self.carried).for_each(|words| put_eight(out, words));
        self.save_exceptions(out);
    }

    /// Takes a group that [`Self::save`] has appended. The rows below give its position.
    pub(crate) fn restore(
        source: &mut Decoder<impl Read>,
        at: GroupPosition,
        windows: Windows,
    ) -> io::Result<Self> {
        let (stored, mut group) = (source.number()?, Self::default());
        group.take_words(source, at, windows, CARRIED)?;
        if stored != at.first_word {
            return Err(invalid("a group's stored words are not where they should be"));
        }
        Ok(group)
    }

    /// The least bytes of a group that [`Self::send`] appends.
    #[cfg(feature = "ranks")]
    pub const LEAST_SENT: usize = 2 * 8 + 1 + 3 * 64 + 2;

    /// Appends the group for another process, which knows its number and the last band that it has
    /// met.
    #[cfg(feature = "ranks")]
    pub fn send(&self, out: &mut Vec<u8>) {
        put(out, self.made.0);
        put(out, self.first_word() as u64);
        let carried = self.carried.iter().rposition(|words| *words != Eight::ZERO);
        let carried = carried.map_or(0, |last| last + 1);
        out.extend(u8::try_from(carried));
        let words = [&self.windows, &self.partial, &self.last].into_iter();
        words.chain(&self.carried[..carried]).for_each(|words| put_eight(out, words));
        self.save_exceptions(out);
    }

    /// Becomes the group that [`Self::send`] has appended, as the last band of a block has left it.
    ///
    /// # Errors
    /// If it cannot be read, or cannot exist.
    #[cfg(feature = "ranks")]
    pub fn receive(
        &mut self,
        source: &mut Decoder<&[u8]>,
        (index, band): (GroupIndex, BandIndex),
        windows: Windows,
    ) -> io::Result<()> {
        let (made, first_word) = (BlockIndex(source.number()?), source.number()?);
        if made > block_of(band) || first_word >= complete_end(last_band(made)) as u64 {
            return Err(invalid("a group has words that do not exist yet"));
        }
        let [carried] = source.array()?;
        let at = GroupPosition { index, band, made, first_word };
        self.take_words(source, at, windows, carried.into())
    }

    /// Becomes the group at this position, with the next words and exceptions.
    #[inline]
    fn take_words(
        &mut self,
        source: &mut Decoder<impl Read>,
        at: GroupPosition,
        windows: Windows,
        carried: usize,
    ) -> io::Result<()> {
        self.place(at, windows);
        for words in [&mut self.windows, &mut self.partial, &mut self.last] {
            *words = source.eight()?;
        }
        self.carried = [Eight::ZERO; CARRIED];
        let words = self.carried.get_mut(..carried);
        for words in words.ok_or_else(|| invalid("a group carries too many words"))? {
            *words = source.eight()?;
        }
        self.restore_exceptions(source)
    }

    /// Appends the two lists of numbers that the windows do not hold.
    fn save_exceptions(&self, out: &mut Vec<u8>) {
        let Some(exceptions) = &self.exceptions else {
            // Two empty lists.
            out.extend_from_slice(&[0, 0]);
            return;
        };
        for list in [&exceptions.free, &exceptions.blocked] {
            put_varint(out, list.len() as u64);
            for &(lane, p) in list {
                put_varint(out, lane as u64);
                put_varint(out, p);
            }
        }
    }

    /// Takes the lists that [`Self::save_exceptions`] has appended.
    fn restore_exceptions(&mut self, source: &mut Decoder<impl Read>) -> io::Result<()> {
        // Below the low window, and from its end to the greatest number that a row can block.
        let above = self.anchors.low_end()..LANES * (self.index.0 + self.band.0 + 2);
        let free = exceptions(source, 0..self.anchors.low)?;
        let list = Exceptions { free, blocked: exceptions(source, above)? };
        self.exceptions = (!list.is_empty()).then(|| Box::new(list));
        Ok(())
    }

    /// Whether the group is not too far right, and no old row blocks a number that is free in its
    /// low window.
    pub(crate) fn is_consistent(&self, context: Context) -> bool {
        if self.is_too_far_right() {
            return false;
        }
        let old = low_bits(self.base.saturating_sub(self.anchors.low).min(LOW) as u32);
        let known = context.old.free::<u64>(self.index, self.low_anchor()).0;
        known.iter().zip(self.windows.0).all(|(known, word)| word & old & !known == 0)
    }

    /// The words that wait for the group in the storage, as it comes from block `n`: the reader and
    /// the source of each, in their order.
    pub(crate) fn waiting(
        &self,
        n: BlockIndex,
        routes: &Routes,
    ) -> impl Iterator<Item = (BlockIndex, BlockIndex)> {
        let read_end = routes.read_end(n, self.origin).max(self.first_word());
        let mut near = n;
        (read_end..self.complete_end() - 1).map_while(move |word| {
            near = routes.reader(self.origin, word, near)?;
            Some((near, source_of(word).max(self.made)))
        })
    }
}

fn exceptions(source: &mut Decoder<impl Read>, numbers: std::ops::Range<u64>) -> io::Result<Lists> {
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
