//! A group for the exact path: one column at a time, with exceptions.

use super::columns::{Exceptions, Group};
use super::in_block::GroupInBlock;
use crate::band::below::Context;
use crate::band::geometry::members;
use crate::band::simd::Eight;
use crate::hypothesis::Hypothesis;
use crate::units::{Number, index};

impl GroupInBlock {
    /// Whether `p` is free in the column of `lane`; if that is not known, the hypothesis that
    /// fails.
    pub(crate) fn is_free(
        &self,
        lane: usize,
        p: Number,
        context: Context,
    ) -> Result<bool, Hypothesis> {
        let Number(p) = p;
        let group = self.group();
        let anchors = group.anchors;
        if p < anchors.low {
            return Ok(group.free_below(lane).any(|free| free == p));
        }
        // No number of a window is in the list `blocked`.
        let bit = anchors.bit(p);
        if bit != 0 {
            return Ok(group.windows.0[lane] & bit != 0);
        }
        if group.exceptions.as_ref().is_some_and(|list| list.blocked.contains(&(lane, p))) {
            return Ok(false);
        }
        if p >= anchors.high {
            return Ok(true);
        }
        if p < group.base {
            let complete = context.old.complete_below_offset();
            if p >= group.index.first_column().number(complete).0 {
                return Err(Hypothesis::LeastValues);
            }
        }
        let bit = p - group.origin;
        let word = self.word(index(bit / 64), context).ok_or(Hypothesis::WordsAtHand)?;
        Ok(word.0[lane] >> (bit % 64) & 1 == 1)
    }

    /// Blocks `p` in the column of `lane`.
    pub(crate) fn block(&mut self, lane: usize, Number(p): Number) {
        let anchors = self.group().anchors;
        let bit = anchors.bit(p);
        if p < anchors.low {
            self.group_mut().take_below(lane, p);
        } else if bit != 0 {
            self.group_mut().windows.0[lane] &= !bit;
        } else if p >= anchors.high || !self.block_word(lane, p) {
            self.group_mut().exceptions().blocked.insert((lane, p));
        }
    }

    /// Blocks `p`, below the high window, in its word, if the group has that word. Returns whether
    /// it has it; words of old rows do not count.
    fn block_word(&mut self, lane: usize, p: u64) -> bool {
        let in_reach = self.ahead.block(lane, Number(p));
        let group = self.group.as_mut().expect("the group is held");
        if p < group.base {
            return false;
        }
        let (bit, complete) = (p - group.origin, group.complete_end());
        let (word, mask) = (index(bit / 64), !(1 << (bit % 64)));
        if word >= complete {
            let started = group.band.first_row().0 % 64;
            group.partial.0[lane] &= !(1 << (bit % 64 + 64 - started));
        } else if word + 1 == complete {
            group.last.0[lane] &= mask;
        } else if let Some(at) = (word + 1 + self.released.len()).checked_sub(complete) {
            self.released[at].0[lane] &= mask;
        } else {
            return in_reach;
        }
        true
    }
}

impl Group {
    /// The free numbers below the low window, ascending.
    pub(crate) fn free_below(&self, lane: usize) -> impl Iterator<Item = u64> {
        let lists = self.exceptions.iter();
        lists.flat_map(move |lists| lists.free.range((lane, 0)..(lane + 1, 0))).map(|&(_, p)| p)
    }

    /// Blocks `p`, below the low window, in the column of `lane`.
    fn take_below(&mut self, lane: usize, p: u64) {
        self.exceptions().free.remove(&(lane, p));
        self.drop_empty_exceptions();
    }

    /// Enters that `p`, below the low window, is free in the column of `lane`.
    pub(crate) fn free_below_window(&mut self, lane: usize, Number(p): Number) {
        assert!(p < self.anchors.low);
        self.exceptions().free.insert((lane, p));
    }

    fn exceptions(&mut self) -> &mut Exceptions {
        self.exceptions.get_or_insert_default()
    }

    pub(super) fn drop_empty_exceptions(&mut self) {
        self.exceptions.take_if(|list| list.is_empty());
    }

    /// Enters free numbers that the low window has left below it.
    #[cold]
    pub(super) fn leave_below(&mut self, anchor: u64, free: Eight) {
        for (lane, &word) in free.0.iter().enumerate() {
            let list = &mut self.exceptions().free;
            list.extend(members(anchor, word).map(|p| (lane, p)));
        }
    }

    /// Moves the exceptions into the windows where these have reached them.
    #[cold]
    pub(super) fn place_exceptions(&mut self, context: Context) {
        let anchors = self.anchors;
        let mut list = *self.exceptions.take().expect("it has exceptions");
        list.free.retain(|&(_, p)| context.diagonals.is_free(Number(p)));
        list.blocked.retain(|&(lane, p)| {
            let bit = anchors.bit(p);
            self.windows.0[lane] &= !bit;
            bit == 0 && p >= anchors.low_end()
        });
        self.exceptions = Some(Box::new(list));
        self.drop_empty_exceptions();
    }
}
