//! A group in a checkpoint: what does not follow from its index, its band and the windows
//! (proofs/sweep.md, section 7).

use super::{
    exceptions::Exceptions,
    held::first_word,
    windows::{CARRIED, Group},
};
use crate::{
    band::{
        below::{BELOW_COLUMN, Context},
        codec::{Source, invalid, put, put_eight, put_varint},
        geometry::{Frame, low_bits},
        post::{Routes, source as source_of},
        schedule::block_of,
        simd::Portable,
        units::{BandIndex, BlockIndex, GroupIndex, LANES},
    },
    units::{Number, index},
};
use std::io::{self, Read};

impl Group {
    /// No group takes fewer bytes: a number, its words, two empty lists.
    pub(crate) const LEAST_BYTES: u64 = 8 + 64 * (4 + CARRIED as u64) + 2;

    /// Appends the group.
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        put(out, self.first_word() as u64);
        for words in [&self.low, &self.high, &self.partial, &self.last] {
            put_eight(out, words);
        }
        self.carried.iter().for_each(|words| put_eight(out, words));
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
    /// made at band `made`, whose base was to be at most `highest_base`.
    pub(crate) fn restore(
        source: &mut Source<impl Read>,
        (g, band): (GroupIndex, BandIndex),
        (made, highest_base): (BandIndex, Number),
        frame: Frame,
    ) -> io::Result<Self> {
        let mut group = Self::NONE;
        let first = group.read(source, (g, band), block_of(made), frame)?;
        if first != first_word(g, made, highest_base, frame.windows) as u64 {
            return Err(invalid("a group's stored words are not where they should be"));
        }
        Ok(group)
    }

    /// Bytes that most groups take on their way to another process.
    pub(crate) const USUAL_BYTES: usize = 24 + Self::LEAST_BYTES as usize;

    /// Appends the group, as it goes to another process.
    pub(crate) fn send(&self, out: &mut Vec<u8>) {
        for number in [self.index.0, self.band.0, self.made.0] {
            put(out, number);
        }
        self.save(out);
    }

    /// Becomes the group that [`Self::send`] appended.
    pub(crate) fn receive(&mut self, source: &mut Source<&[u8]>, frame: Frame) -> io::Result<()> {
        let (g, band) = (GroupIndex(source.number()?), BandIndex(source.number()?));
        let made = BlockIndex(source.number()?);
        self.read(source, (g, band), made, frame).map(drop)
    }

    /// Takes what [`Self::save`] appended; says which word is the first stored one.
    #[inline]
    fn read(
        &mut self,
        source: &mut Source<impl Read>,
        (g, band): (GroupIndex, BandIndex),
        made: BlockIndex,
        frame: Frame,
    ) -> io::Result<u64> {
        let first = source.number()?;
        let (origin, low_anchor, high_anchor) = frame.windows.anchors(band, g);
        (self.index, self.band, self.made) = (g, band, made);
        (self.origin, self.low_anchor, self.high_anchor) = (origin, low_anchor, high_anchor);
        self.base = origin + 64 * first;
        for words in [&mut self.low, &mut self.high, &mut self.partial, &mut self.last] {
            *words = source.eight()?;
        }
        for words in &mut self.carried {
            *words = source.eight()?;
        }
        // Below the low window, and from where it ends to the greatest number that a row may block.
        let above = low_anchor + 64..LANES * (g.0 + band.0 + 2);
        let free = exceptions(source, 0..low_anchor)?;
        let blocked = exceptions(source, above)?;
        self.exceptions = if free.is_empty() && blocked.is_empty() {
            None
        } else {
            Some(Box::new(Exceptions { free, blocked }))
        };
        Ok(first)
    }

    /// Whether the group is not too far right, and the old rows allow what the low window says is
    /// free.
    pub(crate) fn is_consistent(&self, context: Context) -> bool {
        if self.low_anchor() + BELOW_COLUMN < self.index.first_column().number(0) {
            return false;
        }
        let old = low_bits(self.base.saturating_sub(self.low_anchor).min(64) as u32);
        let known = context.old.free::<Portable>(self.index, self.low_anchor()).words();
        known.iter().zip(self.low.0).all(|(known, low)| low & old & !known == 0)
    }

    /// The words that wait for the group in the post, as it comes from block `n`: the reader and
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
