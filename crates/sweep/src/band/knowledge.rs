//! What a worker knows besides its groups: constants that all share, and the rows below.

use super::{
    diagonals::Diagonals,
    geometry::{Frame, LANES, last_tile},
    group::{Context, LOSSY},
    old::OldRows,
    stored::Pool,
    tile::Weights,
};
use crate::{
    below::RowsBelow,
    error::Error,
    hypothesis::Hypothesis,
    row::{Kind, Row},
    tail::index,
};
use record::column_weight;

/// What all workers share and, but for the pool, nobody changes.
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
    pub(crate) fn new(frame: Frame, bands: u64, pool: Pool) -> Self {
        let groups = last_tile(bands) + 2;
        let weights: Vec<u64> = (0..LANES * groups).rev().map(column_weight).collect();
        let mut moment = 0u64;
        let mut moments = vec![0];
        for q in 0..LANES * groups {
            moment = moment.wrapping_add(q.wrapping_mul(column_weight(q)));
            if (q + 1).is_multiple_of(LANES) {
                moments.push(moment);
            }
        }
        Self { frame, pool, guard: frame.windows.guard().max(LOSSY), weights, moments }
    }

    /// The weights of the columns from `8 g + 7` down.
    #[inline(always)]
    pub(crate) fn weights(&self, g: u64) -> &Weights {
        let first = self.weights.len() - index(LANES * g + LANES);
        self.weights[first..].first_chunk().expect("tiles lie within the columns")
    }

    /// The sum of `q * column_weight(q)` over the columns of the groups from `first` to before `last`.
    pub(crate) fn moment(&self, first: u64, last: u64) -> u64 {
        self.moments[index(last)].wrapping_sub(self.moments[index(first)])
    }
}

/// What a worker knows of the rows below.
#[derive(Clone, Debug)]
pub(crate) struct Knowledge {
    pub(crate) old: OldRows,
    pub(crate) diagonals: Diagonals,
    pub(crate) below: RowsBelow,
}

impl Knowledge {
    pub(crate) fn new() -> Self {
        Self { old: OldRows::new(), diagonals: Diagonals::new(), below: RowsBelow::default() }
    }

    /// Enters the next row, finished, whose diagonal value is known already. Checks V3.
    pub(crate) fn add(&mut self, row: &Row) -> Result<(), Error> {
        if let Kind::Periodic { start, values, .. } = &row.kind
            && values.iter().any(|&value| value < self.old.complete_below())
        {
            return Err(Error::Hypothesis {
                column: *start,
                row: row.row,
                hypothesis: Hypothesis::LeastValues,
            });
        }
        self.old.add(row);
        self.below.add(&row.kind);
        Ok(())
    }

    /// Enters the next row, and first its diagonal value.
    pub(crate) fn add_with_diagonal(&mut self, row: &Row) -> Result<(), Error> {
        self.diagonals.add(row.first);
        self.add(row)
    }

    #[inline]
    pub(crate) fn context<'a>(&'a self, shared: &'a Shared) -> Context<'a> {
        Context {
            frame: shared.frame,
            pool: &shared.pool,
            old: &self.old,
            diagonals: &self.diagonals,
        }
    }
}
