//! Constants that all workers share.

use super::geometry::{Frame, LEAST_SHIFT, SHIFT, fall, last_tile};
use super::units::{BandIndex, GroupIndex, LANES};
use super::words::Routes;
use crate::units::index;
use record::column_weight;

/// Constants of a run.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) frame: Frame,
    pub(crate) routes: Routes,
    /// `fall(g)`, by descending `g`, down to 0.
    falls: Vec<u64>,
    /// `column_weight(8 g + j)`, for each `j` by descending `g`, down to 0.
    weights: [Vec<u64>; 8],
    /// Sum of `q * column_weight(q)` over `q < 8 g`, by `g`.
    moments: Vec<u64>,
}

impl Shared {
    /// For a run of the bands before `bands`, which is at most the end of the frame.
    pub(crate) fn new(frame: Frame, bands: BandIndex, routes: Routes) -> Self {
        // The lanes of finished bands are up to eight groups ahead.
        let groups = last_tile(bands) + 2 + LANES;
        let descending = || (0..groups.0).rev().map(GroupIndex);
        let falls: Vec<u64> = descending().map(fall).collect();
        let mut shifts = falls.iter().zip(&falls[1..]).map(|(fall, before)| fall - before);
        let is_least_or_next = |shift| (LEAST_SHIFT.into()..=SHIFT).contains(&shift);
        assert!(shifts.all(is_least_or_next), "the kernel moves anchors by no other distance");
        let weight = |j| descending().map(|g| column_weight(g.first_column().0 + j)).collect();
        let weights = [0, 1, 2, 3, 4, 5, 6, 7].map(weight);
        let mut moment = 0u64;
        let mut moments = vec![0];
        for q in 0..groups.first_column().0 {
            moment = moment.wrapping_add(q.wrapping_mul(column_weight(q)));
            if (q + 1).is_multiple_of(LANES) {
                moments.push(moment);
            }
        }
        Self { frame, routes, falls, weights, moments }
    }

    /// The place of group `g` in the tables.
    #[inline(always)]
    fn at(&self, g: GroupIndex) -> usize {
        self.falls.len() - 1 - index(g.0)
    }

    /// The falls of group `g` and of the seven to its left, descending.
    #[inline(always)]
    pub(crate) fn falls(&self, g: GroupIndex) -> &[u64; 8] {
        eight(&self.falls, self.at(g))
    }

    /// The number of places by which the anchors move from the group on the left to group `g`.
    pub(crate) fn shift(&self, g: GroupIndex) -> u32 {
        let [fall, before, ..] = self.falls(g);
        u32::try_from(fall - before).expect("5 or 6")
    }

    /// The weights of columns `0..8` of the same groups.
    #[inline(always)]
    pub(crate) fn weights(&self, g: GroupIndex) -> [&[u64; 8]; 8] {
        let at = self.at(g);
        // A closure would not be inlined.
        macro_rules! of {
            ($($j:literal)*) => { [$(eight(&self.weights[$j], at)),*] };
        }
        of!(0 1 2 3 4 5 6 7)
    }

    /// The sum of `q * column_weight(q)` over the columns of the groups from `first` to before
    /// `last`.
    pub(crate) fn moment(&self, first: GroupIndex, last: GroupIndex) -> u64 {
        self.moments[index(last.0)].wrapping_sub(self.moments[index(first.0)])
    }
}

/// Eight entries of a table. The end of the range is the same for all tables, so the compiler
/// checks it once.
#[inline(always)]
fn eight(table: &[u64], at: usize) -> &[u64; 8] {
    let entries = table.get(at..at + 8).and_then(<[u64]>::first_chunk);
    entries.expect("no band meets the first groups")
}
