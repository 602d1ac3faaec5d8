//! A tile that fails a check, computed again by the exact path (proofs/sweep.md, 5.5).

use super::block::Block;
use crate::band::schedule::OCTET;
use crate::band::units::GroupIndex;
use crate::error::SweepError;
use record::column_weight;

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
            octet.next.set_exact(lane, i, row, sum, band);
        }
        band.drop_empty_exceptions();
    }
}
