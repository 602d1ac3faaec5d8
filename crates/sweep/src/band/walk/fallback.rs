//! A tile that fails a check, done again by the exact path (proofs/sweep.md, 5.5).

use super::block::Block;
use crate::{
    band::{
        simd::Eight,
        units::{GroupIndex, LANES},
    },
    error::SweepError,
    sink::{Cells, tell},
    units::index,
};
use record::column_weight;

impl<C: Cells> Block<'_, C> {
    /// Does a tile by the exact path.
    #[cold]
    #[inline(never)]
    pub(super) fn exact_tile(&mut self, k: usize, g: GroupIndex, shift: u32) {
        self.done.fallbacks += 1;
        let position = self.position(g);
        let Self { shared, knowledge, groups, bands, failed, cells, .. } = self;
        let (band, context) = (&mut bands[k], knowledge.context(shared));
        if g != band.first_tile {
            groups[position - 1].low = band.column_low;
            groups[position - 1].high = band.column_high;
        }
        let (low_anchor, high_anchor) = (band.low_anchor, band.high_anchor);
        for i in 0..8 {
            (band.low_anchor, band.high_anchor) = (low_anchor, high_anchor);
            let mut row = band.exact_row(i);
            let first = g.first_column() - i as u64;
            if g != band.first_tile {
                row.next_group(first, shift, context);
            }
            let begin = first.max(band.first_tile.first_column());
            for q in begin.up_to((first + LANES).min(band.last_tile.first_column())) {
                let group = &mut groups[index(GroupIndex::of_column(q) + 1 - g) + position - 1];
                let p = match row.cell(q, group, context) {
                    Ok(p) => p,
                    Err(hypothesis) => {
                        let row = band.row(i);
                        *failed = Some(SweepError::hypothesis(q, row, hypothesis));
                        return;
                    }
                };
                band.sum.0[i] = band.sum.0[i].wrapping_add(p.0.wrapping_mul(column_weight(q.0)));
                tell(*cells, q, band.row(i), p);
            }
            (band.low_anchor, band.high_anchor) = (row.low_anchor, row.high_anchor);
            band.set_exact_row(i, row);
        }
        band.drop_empty_exceptions();
        if g == band.last_tile {
            (band.column_low, band.column_high) = (Eight::ZERO, Eight::ZERO);
        } else {
            (band.column_low, band.column_high) = (groups[position].low, groups[position].high);
        }
    }
}
