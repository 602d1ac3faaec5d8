//! A group as the exact path sees it: one column at a time, whatever the picture.

use super::{exceptions::Exceptions, windows::Group};
use crate::{
    band::{
        below::Context,
        geometry::members,
        simd::{Eight, Portable},
    },
    hypothesis::Hypothesis,
    units::{Number, index},
};

impl Group {
    /// Whether `p` is free in the column of `lane`; if that is not known, the hypothesis that
    /// fails.
    pub(crate) fn is_free(
        &self,
        lane: usize,
        p: Number,
        context: Context,
    ) -> Result<bool, Hypothesis> {
        let Number(p) = p;
        let low = self.low_anchor;
        if p < low {
            return Ok(self.free_below(lane).any(|free| free == p));
        }
        if self.exceptions.as_ref().is_some_and(|list| list.blocked.contains(&(lane, p))) {
            return Ok(false);
        }
        let high = self.high_anchor;
        if p < low + 64 {
            return Ok(self.low.0[lane] >> (p - low) & 1 == 1);
        }
        if p >= high {
            return Ok(p >= high + 64 || self.high.0[lane] >> (p - high) & 1 == 1);
        }
        if p < self.base {
            let complete = context.old.complete_below_offset();
            let known = Number(p) < self.index.first_column().number(complete);
            let free = context.old.free::<Portable>(self.index, Number(p)).words();
            return if known { Ok(free[lane] & 1 == 1) } else { Err(Hypothesis::LeastValues) };
        }
        if self.is_forgotten(p) {
            return Err(Hypothesis::KeptWords);
        }
        let bit = p - self.origin;
        let free = self.upper_word::<Portable>(index(bit / 64)).words();
        Ok(free[lane] >> (bit % 64) & 1 == 1)
    }

    /// Whether the stored word of `p` is not kept.
    pub(super) fn is_forgotten(&self, p: u64) -> bool {
        p >= self.base && self.stored.forgets(index((p - self.origin) / 64))
    }

    /// The free numbers below the low window.
    pub(crate) fn free_below(&self, lane: usize) -> impl Iterator<Item = u64> {
        let list = self.exceptions.iter().flat_map(|list| &list.free);
        list.filter(move |entry| entry.0 == lane).map(|entry| entry.1)
    }

    /// Blocks `p` in the column of `lane`.
    pub(crate) fn block(&mut self, lane: usize, Number(p): Number) {
        let low = self.low_anchor;
        let high = self.high_anchor;
        if p < low {
            self.exceptions().free.retain(|&entry| entry != (lane, p));
            self.drop_empty_exceptions();
            return;
        }
        if p < low + 64 {
            self.low.0[lane] &= !(1 << (p - low));
            return;
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
            let started = self.band.first_row().0 % 64;
            self.partial.0[lane] &= !(1 << (bit % 64 + 64 - started));
        }
    }

    /// Says that `p`, below the low window, is free in the column of `lane`.
    pub(crate) fn free_below_window(&mut self, lane: usize, Number(p): Number) {
        debug_assert!(p < self.low_anchor);
        self.exceptions().free.push((lane, p));
    }

    fn exceptions(&mut self) -> &mut Exceptions {
        self.exceptions.get_or_insert_default()
    }

    pub(super) fn drop_empty_exceptions(&mut self) {
        if self.exceptions.as_deref() == Some(&Exceptions::default()) {
            self.exceptions = None;
        }
    }

    #[cold]
    pub(super) fn spill(&mut self, anchor: u64, free: Eight) {
        for (lane, &word) in free.0.iter().enumerate() {
            let list = &mut self.exceptions().free;
            list.extend(members(anchor, word).map(|p| (lane, p)));
        }
    }

    /// Brings the exceptions back into the windows where these have reached them.
    #[cold]
    pub(super) fn place_exceptions(&mut self, context: Context) {
        let low = self.low_anchor;
        let high = self.high_anchor;
        let mut list = *self.exceptions.take().expect("it has exceptions");
        list.free.retain(|&(_, p)| context.diagonals.is_free(Number(p)));
        for (lane, p) in std::mem::take(&mut list.blocked) {
            if (low..low + 64).contains(&p) {
                self.low.0[lane] &= !(1 << (p - low));
            }
            if (high..high + 64).contains(&p) {
                self.high.0[lane] &= !(1 << (p - high));
            } else if p >= low + 64 {
                list.blocked.push((lane, p));
            }
        }
        self.exceptions = Some(Box::new(list));
        self.drop_empty_exceptions();
    }
}
