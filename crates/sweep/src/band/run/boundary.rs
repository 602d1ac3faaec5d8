//! The boundary where the pipeline begins.

use super::link::Visits;
use crate::band::below::Knowledge;
use crate::band::constants::Routes;
use crate::band::geometry::{
    Frame, first_tile, highest_base_offset, lane, low_bits, members, reach,
};
use crate::band::group::{Group, GroupInBlock};
use crate::band::schedule::{FIRST_BAND, block_of};
use crate::band::simd::Eight;
use crate::band::walk::{Corner, Listen};
use crate::band::words::{Outbox, Store};
use crate::error::SweepError;
use crate::hypothesis::Hypothesis;
use crate::scalar::Oracle;
use crate::scalar::pointer::Pointers;
use crate::units::{BandIndex, ColumnIndex, GroupIndex, LANES, Number, RowIndex};
use record::listeners::Done;
use std::sync::Arc;

/// A boundary where the pipeline can begin: between a band and the rows below it, all finished.
pub struct Boundary {
    /// The band.
    pub(crate) band: BandIndex,
    /// The rows below.
    pub(crate) knowledge: Knowledge,
    /// The messages that the block below would have sent.
    pub(crate) corner: Corner,
    pub(crate) groups: Vec<Box<Group>>,
}

impl Boundary {
    /// The first boundary, by the pointer engine. `None` if the visitor wants no more rows.
    pub(super) fn seed(
        frame: Frame,
        visits: &mut Visits,
        cells: &mut dyn Listen,
    ) -> Result<Option<Self>, SweepError> {
        let mut oracle = Oracle::new(Pointers::default());
        let (mut knowledge, mut rows) = (Knowledge::new(), Vec::new());
        for _ in RowIndex(0).up_to(visits.end.min(FIRST_BAND.first_row())) {
            let (row, offsets) = oracle.next_row()?;
            let r = RowIndex(row.row());
            for (q, offset) in (r.0..).map(ColumnIndex).zip(offsets) {
                cells.cell(q, r, q.number(offset));
            }
            knowledge.add_with_diagonal(&row)?;
            rows.push(row);
        }
        let done = Done { rows: 0, ..oracle.done() };
        if !visits.block(Ok((Arc::new(rows), done)))? || visits.end <= FIRST_BAND.first_row() {
            return Ok(None);
        }
        let (corner, groups) = seed_columns(&mut oracle, &knowledge, frame, visits.storage)?;
        Ok(Some(Self { band: FIRST_BAND, knowledge, corner, groups }))
    }
}

/// The corner and the groups that the block below the first one would have sent.
fn seed_columns(
    oracle: &mut Oracle<Pointers>,
    knowledge: &Knowledge,
    frame: Frame,
    storage: &Store,
) -> Result<(Corner, Vec<Box<Group>>), SweepError> {
    let b = FIRST_BAND;
    let end = reach(b.first_row() - 1);
    // Columns are reached from left to right.
    for q in b.first_row().diagonal().up_to(end.first_column()) {
        oracle.columns.activate(q);
    }
    let free = |g: GroupIndex, p: Number| {
        Eight(std::array::from_fn(|lane| {
            let q = g.first_column() + (LANES - 1 - lane as u64);
            let is_free = |i: &u64| p + *i >= q.number(0) && oracle.columns.is_free(q, p + *i);
            (0..64).filter(is_free).fold(0, |word, i| word | 1 << i)
        }))
    };
    let columns = &oracle.columns;
    let is_free =
        |q: ColumnIndex, p: Number| columns.is_free(q, p) && knowledge.diagonals.is_free(p);
    let corner = Corner::build(b, frame.windows, free);
    for q in b.first_row().diagonal().up_to((first_tile(b) - 1).first_column()) {
        // V11: numbers below the words are blocked, numbers above them are free.
        if q.number(0).up_to(corner.floor).any(|p| is_free(q, p)) || columns.end(q) > corner.end() {
            return Err(SweepError::hypothesis(q, b.first_row(), Hypothesis::Corner));
        }
    }
    let (seed, routes) = (block_of(b - 1), &Routes::new(frame));
    let mut outbox = Outbox::new(seed, 0, storage, routes);
    let group = |g: GroupIndex| -> Result<Box<Group>, SweepError> {
        let activating =
            (0..).map(RowIndex).find(|&r| reach(r) > g).expect("rows reach every group");
        let highest_base = g.first_column().number(highest_base_offset(activating));
        let mut held = GroupInBlock::build(g, b - 1, highest_base, frame.windows, |p| free(g, p));
        let group = held.group();
        let (low, low_end, base, high_end) =
            (group.low_anchor(), group.low_end(), group.base(), group.end());
        // Numbers that the windows cannot hold are exceptions. So V5 need not hold; and a row that
        // is not in the table of old rows can have taken a number above the low window.
        for start in low_end.up_to(base).step_by(64) {
            let below_base = low_bits((base - start).min(64) as u32);
            let known = knowledge.old.free::<u64>(g, start).0;
            for (lane, (known, free)) in known.into_iter().zip(free(g, start).0).enumerate() {
                // V2, for a group that no row has activated: the old rows have settled.
                if free & !known & below_base != 0 {
                    let q = g.first_column();
                    return Err(SweepError::hypothesis(q, activating, Hypothesis::OldRows));
                }
                let taken = known & !free & below_base;
                members(start.0, taken).for_each(|p| held.block(lane, Number(p)));
            }
        }
        for q in g.first_column().up_to((g + 1).first_column()) {
            for p in q.number(0).up_to(low).filter(|&p| is_free(q, p)) {
                held.group_mut().free_below_window(lane(q), p);
            }
            for p in high_end.up_to(columns.end(q)).filter(|&p| !columns.is_free(q, p)) {
                held.block(lane(q), p);
            }
        }
        held.leave(seed, routes, &mut outbox)
    };
    let groups = (first_tile(b) - 1).up_to(end).map(group).collect::<Result<_, SweepError>>()?;
    outbox.close()?;
    Ok((corner, groups))
}
