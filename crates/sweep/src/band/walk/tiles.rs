//! The tiles of a slot, and what becomes of them (proofs/sweep.md, section 5).

use super::{
    block::Block,
    tile::{Columns, Values, decide},
};
use crate::{
    band::{
        below::Context,
        group::Held,
        schedule::{OCTET, group},
        simd::{Eight, Lanes, OnLanes, Register},
        units::{GroupIndex, LANES},
    },
    sink::{Cells, tell},
    units::Number,
};
use std::ops::Range;

/// The tiles of a slot, to be done on any lanes.
pub(crate) struct Tiles<'b, 'a, C> {
    pub(crate) block: &'b mut Block<'a, C>,
    pub(crate) slot: u64,
}

impl<C: Cells> OnLanes for Tiles<'_, '_, C> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { block, slot } = self;
        let Range { start, end } = block.schedule.under_way();
        for octet in start / OCTET..end.div_ceil(OCTET) {
            let first = octet * OCTET;
            let lanes = start.saturating_sub(first)..OCTET.min(end - first);
            block.octet_tiles::<L>(octet, &lanes, slot);
        }
    }
}

/// What a tile begins with in one lane.
struct Opened<L> {
    low: L,
    high: L,
    /// What enters the low windows of the rows.
    entering: u64,
    /// Whether the windows describe the group, and V5 holds.
    is_regular: bool,
}

impl<C: Cells> Block<'_, C> {
    /// The tiles of the bands of an octet that are under way in these lanes.
    #[inline(always)]
    fn octet_tiles<L: Lanes>(&mut self, octet: usize, lanes: &Range<usize>, slot: u64) {
        let first_band = octet * OCTET;
        let first_group = group(slot, first_band);
        let falls = self.shared.falls(first_group);
        let mut anchors = self.octets[octet].next_anchors(falls, self.shared.guard);
        let context = self.knowledge.context(self.shared);
        let (mut low, mut high) = ([Eight::ZERO; 8], [Eight::ZERO; 8]);
        let mut regular = [true; 8];
        for lane in lanes.clone() {
            let band = &self.bands[first_band + lane];
            let held = self.groups.get(first_group - lane as u64);
            let shift = anchors.shift.0[lane];
            let opened = open::<L>(held, band.lift, band.entering, shift, context);
            opened.low.store(&mut low[lane]);
            opened.high.store(&mut high[lane]);
            anchors.entering.0[lane] = opened.entering;
            regular[lane] = opened.is_regular && band.exceptions.is_none();
        }
        // Lane 7 of a group is its first column.
        let transposed = L::Register::transposed;
        let mut columns = Columns { low: transposed(&low), high: transposed(&high) };
        let weights = self.shared.weights(first_group);
        let mut values = [[Eight::ZERO; 8]; 8];
        let state = &mut self.octets[octet];
        let (before, after) = (&state.rows, &mut state.next);
        let faults = if C::SILENT {
            decide::<L::Register, false>(
                &anchors,
                weights,
                before,
                &mut columns,
                after,
                &mut values,
            )
        } else {
            decide::<L::Register, true>(&anchors, weights, before, &mut columns, after, &mut values)
        };
        let (low, high) = (transposed(&columns.low), transposed(&columns.high));
        for lane in lanes.clone() {
            let (k, g) = (first_band + lane, first_group - lane as u64);
            if faults.0[lane] == 0 && regular[lane] {
                let lift = self.bands[k].lift;
                self.groups.get_mut(g).settle::<L>(lift, &low[lane], &high[lane]);
                if !C::SILENT {
                    self.hear_tile(k, g, lane, &values);
                }
            } else {
                self.exact_tile(k, g);
            }
        }
        self.octets[octet].swap();
    }

    /// Tells of the cells of a tile.
    fn hear_tile(&mut self, k: usize, g: GroupIndex, lane: usize, values: &Values) {
        let rows = self.bands[k].index.first_row();
        for (r, values) in rows.up_to(rows + LANES).zip(values) {
            for (q, values) in g.first_column().up_to((g + 1).first_column()).zip(values) {
                tell(self.cells, q, r, Number(values.0[lane]));
            }
        }
    }
}

/// Opens a tile in one lane: the windows of a group as the band finds them, `lift` higher. What
/// enters the low window begins `entering` places up in the reach.
#[inline(always)]
fn open<L: Lanes>(
    held: &Held,
    lift: u32,
    entering: u64,
    shift: u64,
    context: Context,
) -> Opened<L> {
    let (group, reach) = (held.group(), &held.reach);
    let anchor = group.low_anchor();
    let seen = context.diagonals.free(anchor);
    let leaving = L::load(&group.low).and(L::splat(seen & ((1 << lift) - 1)));
    let fresh = if reach.knows(entering) {
        reach.at(entering)
    } else {
        held.fresh::<L>(anchor.0 + 64, context)
    };
    let [low, high] = group.raised(lift, fresh);
    Opened {
        low,
        high,
        entering: seen >> lift & ((1 << shift) - 1),
        is_regular: leaving.is_zero() && !group.has_exceptions(),
    }
}
