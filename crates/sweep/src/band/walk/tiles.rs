//! The tiles of a slot, before and after the kernel; and those that fail a check, which the exact
//! path computes again (proofs/sweep.md, section 5).

use super::block::Block;
use super::octet::{Octet, OctetColumns};
use super::tile::{Values, decide};
use crate::band::geometry::Anchors;
use crate::band::group::Masks;
use crate::band::schedule::{OCTET, group};
use crate::band::simd::{Eight, OnLanes, Register};
use crate::error::SweepError;
use crate::units::{BandIndex, GroupIndex, LANES};
use record::column_weight;
use std::ops::Range;

/// The tiles of a slot, for any lanes.
pub(crate) struct Tiles<'b, 'a, const HEARD: bool> {
    pub(crate) block: &'b mut Block<'a, HEARD>,
    pub(crate) slot: u64,
}

impl<const HEARD: bool> OnLanes for Tiles<'_, '_, HEARD> {
    #[inline(always)]
    fn run<R: Register>(self) {
        let Self { block, slot } = self;
        let Range { start, end } = block.schedule.under_way();
        if start == end {
            return;
        }
        block.take_in::<R>(start, slot);
        let newest = &block.bands[end - 1];
        if group(slot, end - 1) == newest.first_tile {
            block.octets[(end - 1) / OCTET].begin((end - 1) % OCTET, newest);
        }
        // Octets in descending order: each takes groups from the octet below it, before the octet
        // below changes.
        for octet in (start / OCTET..end.div_ceil(OCTET)).rev() {
            let first = octet * OCTET;
            let lanes = start.saturating_sub(first)..OCTET.min(end - first);
            block.octet_tiles::<R>(octet, &lanes, slot);
        }
        block.let_out(end - 1, slot);
        if group(slot, start) + 1 == block.bands[start].last_tile && start + 1 < end {
            block.let_out(start, slot);
        }
    }
}

/// Lanes whose windows do not suffice for their tiles.
struct Unready {
    /// Not 0 in the lanes that the exact path must compute.
    exact: Eight,
    /// The words that other lanes read in place of the
    /// [`EnteringWords`](super::lane_words::EnteringWords).
    words: [Option<Eight>; 8],
}

impl Unready {
    #[cold]
    fn replace<'a>(&'a self, words: &mut [&'a Eight; 8]) {
        for (word, other) in words.iter_mut().zip(&self.words) {
            *word = other.as_ref().unwrap_or(word);
        }
    }
}

/// An octet, and the columns of the one below it.
#[inline(always)]
fn with_below<'a>(
    gate: &'a OctetColumns,
    octets: &'a mut [Octet],
    octet: usize,
) -> (&'a OctetColumns, &'a mut Octet) {
    let (lower, upper) = octets.split_at_mut(octet);
    (lower.last().map_or(gate, |octet| &octet.columns), &mut upper[0])
}

impl<const HEARD: bool> Block<'_, HEARD> {
    /// The columns with the group that band `k` meets next, and its lane.
    #[inline(always)]
    fn below(&mut self, k: usize) -> (&mut OctetColumns, usize) {
        match k.checked_sub(1) {
            None => (&mut self.gate, OCTET - 1),
            Some(k) => (&mut self.octets[k / OCTET].columns, k % OCTET),
        }
    }

    /// The group that band `k` meets in this slot enters the lanes. Band `k` is the first one under
    /// way.
    #[inline(always)]
    fn take_in<R: Register>(&mut self, k: usize, slot: u64) {
        let g = group(slot, k);
        let held = self.groups.get(g);
        let unready = self.entering.read::<R>(g, held);
        let masks = held.group().masks();
        let (columns, lane) = self.below(k);
        columns.set(lane, &masks, unready);
    }

    /// The group that band `k` has met in this slot leaves the lanes.
    #[inline(always)]
    fn let_out(&mut self, k: usize, slot: u64) {
        let octet = &self.octets[k / OCTET];
        let (masks, anchors) = (octet.columns.masks(k % OCTET), octet.anchors(k % OCTET));
        self.give_back(group(slot, k), self.bands[k].index, anchors, &masks);
    }

    /// Updates group `g` from the lanes, as `band` has left it, with these anchors.
    #[inline(always)]
    fn give_back(&mut self, g: GroupIndex, band: BandIndex, anchors: Anchors, masks: &Masks) {
        let held = self.groups.get_mut(g);
        held.group_mut().set_masks(band, anchors, masks);
        for word in self.completed.take(g) {
            held.complete(*word);
        }
    }

    /// The tiles of the bands of an octet that are under way in these lanes.
    #[inline(always)]
    fn octet_tiles<R: Register>(&mut self, octet: usize, lanes: &Range<usize>, slot: u64) {
        let first_group = group(slot, octet * OCTET);
        let (falls, guard) = (self.shared.falls(first_group), self.shared.frame.windows.guard());
        let (below, state) = with_below(&self.gate, &mut self.octets, octet);
        let (anchors, leaving) = state.next_anchors::<R>(falls, guard, &self.knowledge.diagonals);
        let unready = state.next_columns.take_unready::<R>(&state.columns, below, &state.rise);
        let unready = Eight::union::<R, 2>([&unready, &state.exceptions]);
        let unready = unready.map(|unready| self.prepare(octet, lanes, slot, &unready));
        let mut words = self.entering.words(octet, first_group);
        if let Some(unready) = &unready {
            unready.replace(&mut words);
        }
        let weights = self.shared.weights(first_group);
        let (below, state) = with_below(&self.gate, &mut self.octets, octet);
        // One reference, so that the compiler knows that these are the same columns.
        let columns = &mut *state.next_columns;
        let entering = R::transposed(words, &state.rise.places);
        let risen = columns.raise::<R>((&state.columns, below), &state.rise, &entering, &leaving);
        let mut values = [[Eight::ZERO; 8]; 8];
        let (before, columns, after) = (&*state.rows, &mut columns.windows, &mut *state.next);
        let faults = decide::<R, HEARD>(&anchors, weights, before, columns, after, &mut values);
        let exact = unready.map_or(Eight::ZERO, |unready| unready.exact);
        let failed = Eight::union::<R, 3>([&faults, &risen, &exact]);
        self.keep(octet, lanes, slot, failed, &values);
    }

    /// Keeps the results of the tiles of an octet. The exact path computes the tiles whose words in
    /// `failed` are not 0.
    #[inline(always)]
    fn keep(
        &mut self,
        octet: usize,
        lanes: &Range<usize>,
        slot: u64,
        failed: Option<Eight>,
        values: &Values,
    ) {
        if let Some(faults) = &failed {
            self.exact_tiles(octet, lanes, slot, faults);
        }
        let faults = failed.unwrap_or(Eight::ZERO);
        let first_group = group(slot, octet * OCTET);
        let completing = self.octets[octet].completing;
        if lanes.contains(&completing) && faults.0[completing] == 0 {
            let word = self.octets[octet].next_columns.partial(completing);
            self.completed.push(first_group - completing as u64, word);
        }
        if HEARD {
            for lane in lanes.clone().filter(|&lane| faults.0[lane] == 0) {
                let q = (first_group - lane as u64).first_column();
                let r = self.bands[octet * OCTET + lane].index.first_row();
                self.cells.tile(q, r, lane, values);
            }
        }
        self.octets[octet].swap();
    }

    /// Updates group `g`, which band `k` is about to meet, from the lanes.
    fn bring_back(&mut self, k: usize, g: GroupIndex) {
        let (columns, lane) = self.below(k);
        let masks = columns.masks(lane);
        let Anchors { low, high } = self.octets[k / OCTET].anchors(k % OCTET);
        let (band, lift) = (self.bands[k].index, u64::from(self.bands[k].lift));
        let anchors = Anchors { low: low - lift, high: high - LANES };
        self.give_back(g, band - 1, anchors, &masks);
    }

    /// Prepares the lanes that are not ready.
    #[cold]
    #[inline(never)]
    fn prepare(
        &mut self,
        octet: usize,
        lanes: &Range<usize>,
        slot: u64,
        unready: &Eight,
    ) -> Unready {
        let mut prepared = Unready { exact: Eight::ZERO, words: [const { None }; 8] };
        for lane in lanes.clone().filter(|&lane| unready.0[lane] != 0) {
            let k = octet * OCTET + lane;
            let g = group(slot, k);
            self.bring_back(k, g);
            let held = self.groups.get_mut(g);
            if held.extend_words_ahead() {
                let still_unready = self.entering.read::<u64>(g, held);
                let columns = &mut self.octets[octet].next_columns;
                columns.set_unready(lane, still_unready);
                if still_unready >> k & 1 == 0 && !self.bands[k].has_exceptions() {
                    continue;
                }
            }
            let group = held.group();
            if group.has_exceptions() || self.bands[k].has_exceptions() {
                prepared.exact.0[lane] = u64::MAX;
                continue;
            }
            let context = self.knowledge.context(self.shared);
            let fresh = held.fresh(group.low_end().0, context);
            let bit = self.entering.bit(k);
            prepared.words[lane] = Some(Eight(fresh.0.map(|word| word << bit)));
        }
        prepared
    }

    /// Computes the tiles that have failed by the exact path.
    #[cold]
    #[inline(never)]
    fn exact_tiles(&mut self, octet: usize, lanes: &Range<usize>, slot: u64, faults: &Eight) {
        for lane in lanes.clone().filter(|&lane| faults.0[lane] != 0) {
            let k = octet * OCTET + lane;
            let g = group(slot, k);
            self.bring_back(k, g);
            self.exact_tile(k, g);
            let held = self.groups.get(g);
            let unready = self.entering.read::<u64>(g, held);
            let octet = &mut self.octets[octet];
            octet.next_columns.set(lane, &held.group().masks(), unready);
            octet.look_for_exceptions(lane, &self.bands[k]);
        }
    }
}

impl<const HEARD: bool> Block<'_, HEARD> {
    /// Computes the tile of band `k` and group `g` by the exact path.
    #[cold]
    #[inline(never)]
    pub(super) fn exact_tile(&mut self, k: usize, g: GroupIndex) {
        self.done.fallbacks += 1;
        let Self { shared, knowledge, groups, bands, octets, failed, cells, .. } = self;
        let (octet, lane) = (&mut octets[k / OCTET], k % OCTET);
        let (band, held) = (&mut bands[k], groups.get_mut(g));
        let context = knowledge.context(shared);
        held.advance(band.lift, context);
        let is_first = g == band.first_tile;
        for i in 0..8 {
            let mut row = octet.exact_row(lane, i, band, if is_first { g } else { g - 1 });
            if !is_first {
                row.next_group(g.first_column(), shared.shift(g), context);
            }
            let mut sum = octet.rows.sum[i].0[lane];
            for q in g.first_column().up_to((g + 1).first_column()) {
                let p = match row.cell(q, held, context) {
                    Ok(p) => p,
                    Err(hypothesis) => {
                        *failed = Some(SweepError::hypothesis(q, band.row(i), hypothesis));
                        return;
                    }
                };
                sum = sum.wrapping_add(p.0.wrapping_mul(column_weight(q.0)));
                if HEARD {
                    cells.cell(q, band.row(i), p);
                }
            }
            octet.next.set_exact(lane, i, row, sum, &mut band.exceptions[i]);
        }
    }
}
