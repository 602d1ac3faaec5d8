//! A group in a checkpoint: what does not follow from its index, its band and the windows
//! (proofs/sweep.md, section 7).

use super::{
    exceptions::Exceptions,
    windows::{Group, Masks, stored_end},
};
use crate::{
    band::{
        below::{BELOW_COLUMN, Context},
        codec::{Source, invalid, put, put_eight, put_varint},
        geometry::Frame,
        simd::Portable,
        stored::{Pool, Stored},
        units::{BandIndex, GroupIndex, LANES},
    },
    units::{Number, index},
};
use std::io::{self, Read};

impl Group {
    /// Appends the group.
    pub(crate) fn save(&self, out: &mut Vec<u8>) {
        let end = self.stored.windows_end();
        let needed = self.first_needed().min(end);
        put(out, (self.base - self.origin) / 64);
        put(out, needed as u64);
        for words in [&self.low, &self.high, &self.partial] {
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
    /// made at band `made`, whose base was to be at most `highest_base`.
    pub(crate) fn restore(
        source: &mut Source<impl Read>,
        (g, band): (GroupIndex, BandIndex),
        (made, highest_base): (BandIndex, Number),
        frame: Frame,
        pool: &Pool,
    ) -> io::Result<Self> {
        let (first_word, needed) = (source.number()?, source.number()?);
        let (end, kept, windows) = (stored_end(band), frame.kept_words(g), frame.windows);
        let low = windows.low(band, g).0.saturating_sub(windows.origin(g)) / 64;
        if first_word != Self::first_word(g, made, highest_base, windows)
            || needed != low.max(first_word).min(end).min(kept)
        {
            return Err(invalid("a group's stored words are not where they should be"));
        }
        let masks = Masks { low: source.eight()?, high: source.eight()?, partial: source.eight()? };
        let mut stored = Stored::new(index(needed), index(kept), pool);
        for _ in needed..end.min(kept) {
            stored.push(source.eight()?, pool);
        }
        if kept < end {
            stored.skip_to(index(end), source.eight()?);
        }
        let mut group = Self::with(g, band, frame, masks, first_word, stored);
        // Below the low window, and from where it ends to the greatest number that a row may block.
        let above = group.low_anchor + 64..LANES * (g.0 + band.0 + 2);
        let free = exceptions(source, 0..group.low_anchor)?;
        let list = Exceptions { free, blocked: exceptions(source, above)? };
        group.exceptions = Some(Box::new(list));
        group.drop_empty_exceptions();
        Ok(group)
    }

    /// Whether the group is not too far right, and the old rows and the stored words allow what the
    /// low window says is free.
    pub(crate) fn is_consistent(&self, context: Context) -> bool {
        if self.low_anchor() + BELOW_COLUMN < self.index.first_column().number(0) {
            return false;
        }
        let known = self.fresh::<Portable>(self.low_anchor, context).words();
        known.iter().zip(self.low.0).all(|(known, low)| low & !known == 0)
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
