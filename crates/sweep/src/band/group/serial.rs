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
#[cfg(feature = "ranks")]
use crate::units::{BandIndex, GroupIndex};
use crate::units::{BlockIndex, LANES, index};
use std::io;

impl Group {
    /// The least bytes of a group: a number, its words, two empty lists.
    pub const LEAST_BYTES: usize = 8 + 64 * (3 + CARRIED) + 2;

    /// Appends the group.
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        put(out, self.first_word() as u64);
        let words = [&self.windows, &self.partial, &self.last].into_iter();
        words.chain(&self.carried).for_each(|words| put_eight(out, words));
        // Two lists of numbers that the windows do not hold.
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

    /// Becomes the group that [`Self::save`] has appended, at this position.
    ///
    /// # Errors
    /// If it cannot be read, or has other stored words.
    pub(crate) fn restore(
        &mut self,
        source: &mut Decoder<'_>,
        at: GroupPosition,
        windows: Windows,
    ) -> io::Result<()> {
        if source.number()? != at.first_word {
            return Err(invalid("a group's stored words are not where they should be"));
        }
        self.place(at, windows);
        let words = [&mut self.windows, &mut self.partial, &mut self.last].into_iter();
        for words in words.chain(&mut self.carried) {
            *words = source.eight()?;
        }
        // Below the low window, and from its end to the greatest number that a row can block.
        let above = self.anchors.low_end()..LANES * (self.index.0 + self.band.0 + 2);
        let free = exceptions(source, 0..self.anchors.low)?;
        let list = Exceptions { free, blocked: exceptions(source, above)? };
        self.exceptions = (!list.is_empty()).then(|| Box::new(list));
        Ok(())
    }

    /// Appends the group for another process, which knows its number and the last band that it has
    /// met.
    #[cfg(feature = "ranks")]
    pub fn send(&self, out: &mut Vec<u8>) {
        put(out, self.made.0);
        self.save(out);
    }

    /// Becomes the group that [`Self::send`] has appended, as the last band of a block has left it.
    ///
    /// # Errors
    /// If it cannot be read, or cannot exist.
    #[cfg(feature = "ranks")]
    pub fn receive(
        &mut self,
        source: &mut Decoder<'_>,
        (index, band): (GroupIndex, BandIndex),
        windows: Windows,
    ) -> io::Result<()> {
        let made = BlockIndex(source.number()?);
        let first_word = Decoder(source.0).number()?;
        if made > block_of(band) || first_word >= complete_end(last_band(made)) as u64 {
            return Err(invalid("a group has words that do not exist yet"));
        }
        self.restore(source, GroupPosition { index, band, made, first_word }, windows)
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

fn exceptions(source: &mut Decoder<'_>, numbers: std::ops::Range<u64>) -> io::Result<Lists> {
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
