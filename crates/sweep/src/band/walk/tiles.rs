//! The tiles of a slot, and the checks of the window theorem (proofs/sweep.md, section 5).

use super::{band::Band, block::Block, tile::Tile};
use crate::{
    band::{
        geometry::{low_bits, top_bits},
        schedule::group,
        shared::Weights,
        simd::{Eight, Lanes, OnLanes},
        units::{GroupIndex, LANES},
    },
    sink::{Cells, tell},
    units::{Number, index},
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
        self.block.tiles::<L>(self.slot);
    }
}

impl<C: Cells> Block<'_, C> {
    /// All tiles of a slot, two at a time: one alone waits for its own results most of the time.
    #[inline(always)]
    fn tiles<L: Lanes>(&mut self, slot: u64) {
        let Range { start: mut k, end } = self.schedule.under_way();
        while L::FAST && k + 2 <= end {
            self.two_tiles::<L>(k, slot);
            k += 2;
        }
        for k in k..end {
            self.one_tile::<L>(k, slot);
        }
    }

    #[inline(always)]
    fn two_tiles<L: Lanes>(&mut self, k: usize, slot: u64) {
        let mut a = self.open::<L>(k, slot);
        let mut b = self.open::<L>(k + 1, slot);
        let shared = self.shared;
        let weights = [a.group, b.group].map(|g| shared.weights(g));
        let (mut values_a, mut values_b) = ([Eight::ZERO; 8], [Eight::ZERO; 8]);
        for (j, (value_a, value_b)) in values_a.iter_mut().zip(&mut values_b).enumerate() {
            let found = [a.tile.step(j, weights[0]), b.tile.step(j, weights[1])];
            if !C::SILENT {
                found[0].store(value_a);
                found[1].store(value_b);
            }
        }
        self.close(k, &a, &values_a);
        self.close(k + 1, &b, &values_b);
    }

    #[inline(always)]
    fn one_tile<L: Lanes>(&mut self, k: usize, slot: u64) {
        let mut open = self.open::<L>(k, slot);
        let weights = self.shared.weights(open.group);
        let values = if L::FAST {
            let mut values = [Eight::ZERO; 8];
            for (j, values) in values.iter_mut().enumerate() {
                open.tile.step(j, weights).store(values);
            }
            values
        } else {
            open.tile.by_rows(weights)
        };
        self.close(k, &open, &values);
    }

    /// Sets up a tile: moves the group to come to this band, and the windows of the rows and of the
    /// columns under way to that group. Finds faults with V6; V5 is checked as the group moves.
    #[inline(always)]
    fn open<L: Lanes>(&mut self, k: usize, slot: u64) -> Open<L> {
        let g = group(slot, k);
        let position = self.position(g);
        let band = &self.bands[k];
        let context = self.knowledge.context(self.shared);
        let shift = band.shift;
        let (mut outer_low, mut outer_high) = (L::splat(0), L::splat(0));
        let (mut next_shift, mut exceptional) = (0, band.exceptions.is_some());
        if g != band.last_tile {
            let group = &mut self.groups[position];
            group.advance::<L>(band.lift, context);
            (outer_low, outer_high) = (L::load(&group.low), L::load(&group.high));
            next_shift = group.shift();
            exceptional |= group.has_exceptions();
        }
        let low_anchor = band.low_anchor - u64::from(shift);
        let high_anchor = band.high_anchor + u64::from(shift);
        let entering = context.diagonals.free(Number(low_anchor)) & low_bits(shift);
        let row_low = L::load(&band.row_low);
        let row_high = L::load(&band.row_high);
        let leaving = row_low.and(L::splat(top_bits(shift)));
        let leaving = leaving.or(row_high.and(L::splat(low_bits(shift))));
        let row_low = row_low.shl(shift).or(L::splat(entering));
        let guarded = row_low.and(L::splat(top_bits(self.shared.guard)));
        let tile = Tile {
            row_low,
            row_high: row_high.shr(shift).or(L::splat(top_bits(shift))),
            column_low: L::load(&band.column_low).shl(shift),
            column_high: L::load(&band.column_high).rotr(shift),
            outer_low,
            outer_high,
            sum: L::load(&band.sum),
            low_top: L::splat(low_anchor + L::TOP),
            high_top: L::splat(high_anchor + L::TOP),
        };
        let fault = leaving.or(guarded);
        let before = [tile.row_low, tile.row_high];
        Open {
            group: g,
            shift,
            next_shift,
            low_anchor,
            high_anchor,
            exceptional,
            fault,
            before,
            tile,
        }
    }

    /// Keeps what a tile has found if V7 and V8, too, held, and has it done exactly if not.
    /// `values` are those found in each step, unless the cells are silent.
    #[inline(always)]
    fn close<L: Lanes>(&mut self, k: usize, open: &Open<L>, values: &[Eight; 8]) {
        let &Open { group: g, shift, next_shift, exceptional, fault, before, ref tile, .. } = open;
        let band = &mut self.bands[k];
        let top = L::splat(top_bits(self.shared.guard));
        let fault = fault
            .or(tile.row_high.and(top).xor(top))
            .or(tile.taken_since(before).xor(L::load(band.cells(g))));
        let position = index(g - self.first_group);
        let mut done = (g != band.first_tile).then(|| &mut self.groups[position - 1]);
        let exceptional = exceptional || done.as_ref().is_some_and(|group| group.has_exceptions());
        if exceptional || !fault.is_zero() {
            self.exact_tile(k, g, shift);
            self.bands[k].shift = next_shift;
            return;
        }
        if let Some(group) = &mut done {
            tile.outer_low.shr(shift).store(&mut group.low);
            tile.outer_high.rotl(shift).store(&mut group.high);
        }
        band.low_anchor = open.low_anchor;
        band.high_anchor = open.high_anchor;
        band.shift = next_shift;
        tile.row_low.store(&mut band.row_low);
        tile.row_high.store(&mut band.row_high);
        tile.column_low.store(&mut band.column_low);
        tile.column_high.store(&mut band.column_high);
        tile.sum.store(&mut band.sum);
        if g == band.first_tile || g == band.last_tile {
            forget_missing::<L>(band, g, self.shared.weights(g));
        }
        if !C::SILENT {
            self.hear_tile(k, g, values);
        }
    }

    /// Tells of the cells of a tile. Row `i` meets column `8 g + j - i` in step `j`.
    fn hear_tile(&mut self, k: usize, g: GroupIndex, values: &[Eight; 8]) {
        let band = &self.bands[k];
        let columns = band.first_tile.first_column()..band.last_tile.first_column();
        for (j, values) in (0..).zip(values) {
            for (i, p) in (0..LANES).zip(values.0) {
                let q = g.first_column() + j - i;
                if columns.contains(&q) {
                    tell(self.cells, q, band.index.first_row() + i, Number(p));
                }
            }
        }
    }
}

/// A tile between [`Block::open`] and [`Block::close`].
#[derive(Clone, Copy)]
struct Open<L> {
    group: GroupIndex,
    shift: u32,
    next_shift: u32,
    low_anchor: u64,
    high_anchor: u64,
    /// Whether the windows alone do not describe the rows, or the group to come.
    exceptional: bool,
    /// Not 0 if a hypothesis has failed.
    fault: L,
    /// The row-free numbers before the first step, low and high.
    before: [L; 2],
    tile: Tile<L>,
}

/// Takes from the fingerprints what the steps without a column have added at a band's first and
/// last tile: a cell that finds nothing counts as a fixed number.
///
/// Row `i` lacks columns of the group before in the first `i` steps of the first tile, and columns
/// of the group itself in the other steps of the last.
fn forget_missing<L: Lanes>(band: &mut Band, g: GroupIndex, weights: &Weights) {
    let nothing = band.high_anchor + L::TOP - L::NOTHING;
    for (i, sum) in band.sum.0.iter_mut().enumerate() {
        let missing = if g == band.first_tile { &weights[8..8 + i] } else { &weights[i..8] };
        let weight = missing.iter().fold(0u64, |sum, &weight| sum.wrapping_add(weight));
        *sum = sum.wrapping_sub(weight.wrapping_mul(nothing));
    }
}
