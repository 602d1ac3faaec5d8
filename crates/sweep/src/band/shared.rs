//! What all workers share and, but for the pool, nobody changes.

use super::{
    geometry::{Frame, LOSSY, last_tile},
    stored::Pool,
    units::{BandIndex, GroupIndex, LANES},
};
use crate::units::index;
use record::column_weight;

/// The weights of the columns that a tile meets, in descending order of the column.
pub(crate) type Weights = [u64; 15];

/// Constants of a run, and its pool.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) frame: Frame,
    pub(crate) pool: Pool,
    /// Topmost places of the windows that the kernel must not use (V6, V7).
    pub(crate) guard: u32,
    /// `column_weight(q)`, by descending `q`, down to 0.
    weights: Vec<u64>,
    /// Sum of `q * column_weight(q)` over `q < 8 g`, by `g`.
    moments: Vec<u64>,
}

impl Shared {
    /// For a run of the bands before this one, no more than those of the frame.
    pub(crate) fn new(frame: Frame, bands: BandIndex, pool: Pool) -> Self {
        let groups = last_tile(bands) + 2;
        let weights: Vec<u64> = (0..groups.first_column().0).rev().map(column_weight).collect();
        let mut moment = 0u64;
        let mut moments = vec![0];
        for q in 0..groups.first_column().0 {
            moment = moment.wrapping_add(q.wrapping_mul(column_weight(q)));
            if (q + 1).is_multiple_of(LANES) {
                moments.push(moment);
            }
        }
        Self { frame, pool, guard: frame.windows.guard().max(LOSSY), weights, moments }
    }

    /// The weights of the columns from `8 g + 7` down.
    #[inline(always)]
    pub(crate) fn weights(&self, g: GroupIndex) -> &Weights {
        let first = self.weights.len() - index(g.first_column().0 + LANES);
        self.weights[first..].first_chunk().expect("tiles lie within the columns")
    }

    /// The sum of `q * column_weight(q)` over the columns of the groups from `first` to before
    /// `last`.
    pub(crate) fn moment(&self, first: GroupIndex, last: GroupIndex) -> u64 {
        self.moments[index(last.0)].wrapping_sub(self.moments[index(first.0)])
    }
}
