//! A block of bands: the walk of a worker along the columns.
//!
//! In slot `s` of a block, its `k`-th band meets group `s - 2 k`: two groups behind the band below
//! it, which by then has finished that group. A band passes three zones: from the diagonal, in words
//! wide enough for both windows ([`Corner`]); the tiles; and the tail, row by row, until every row
//! has ended or has its certificate.

use super::{
    cells::Cells,
    corner::Corner,
    exact::{ExactRow, RowExceptions, lane},
    geometry::{
        LANES, WIDE, first_tile, last_tile, least_diagonal, low_bits, members, reach, top_bits,
    },
    group::{Context, Group, LOSSY},
    knowledge::{Knowledge, Shared},
    lanes::{Eight, Lanes, Portable},
    tile::{Tile, Weights},
};
use crate::{
    below::RowsBelow,
    error::Error,
    hypothesis::Hypothesis,
    row::{Kind, Report, Row},
    tail::{Blocked, Tail, index},
};
use record::column_weight;
use std::collections::VecDeque;

/// Eight consecutive rows between two tiles.
#[derive(Clone, Debug)]
struct Band {
    index: u64,
    /// How far the low anchors lie above those of the band below.
    lift: u32,
    /// The tiles are `first..=last`. Only residues of columns meet the last, only new columns the
    /// first, so that together they make a rectangle.
    first: u64,
    last: u64,
    /// The anchors of the tile met last, or of the first.
    low_anchor: u64,
    high_anchor: u64,
    /// How far they move to the next tile.
    shift: u32,
    row_low: Eight,
    row_high: Eight,
    column_low: Eight,
    column_high: Eight,
    head: Eight,
    diagonal: [u64; 8],
    exceptions: Option<Box<[RowExceptions; 8]>>,
}

impl Band {
    fn new(b: u64, shared: &Shared) -> Self {
        let windows = shared.frame.windows;
        let (first, last) = (first_tile(b), last_tile(b));
        let moment = shared.moment(first, last);
        Self {
            index: b,
            lift: u32::try_from(windows.rise(b) - windows.rise(b - 1)).expect("19 or 20"),
            first,
            last,
            low_anchor: windows.low(b, first),
            high_anchor: windows.high(b, first),
            shift: 0,
            row_low: Eight::ZERO,
            row_high: Eight::ZERO,
            column_low: Eight::ZERO,
            column_high: Eight::ZERO,
            head: Eight([moment.wrapping_neg(); 8]),
            diagonal: [0; 8],
            exceptions: None,
        }
    }

    fn row(&self, i: usize) -> u64 {
        LANES * self.index + i as u64
    }

    /// Row `i`, for the exact path.
    fn exact_row(&self, i: usize) -> ExactRow {
        ExactRow {
            low: self.row_low.0[i],
            high: self.row_high.0[i],
            low_anchor: self.low_anchor,
            high_anchor: self.high_anchor,
            exceptions: self
                .exceptions
                .as_ref()
                .map_or_else(Default::default, |list| list[i].clone()),
        }
    }

    fn set_exact_row(&mut self, i: usize, row: ExactRow) {
        self.row_low.0[i] = row.low;
        self.row_high.0[i] = row.high;
        if self.exceptions.is_some() || !row.exceptions.is_empty() {
            self.exceptions.get_or_insert_default()[i] = row.exceptions;
        }
    }

    fn drop_empty_exceptions(&mut self) {
        if self.exceptions.as_ref().is_some_and(|list| list.iter().all(RowExceptions::is_empty)) {
            self.exceptions = None;
        }
    }

    /// How many cells of each row a tile decides.
    fn cells(&self, g: u64) -> &'static Eight {
        const INNER: Eight = Eight([8; 8]);
        const FIRST: Eight = Eight([8, 7, 6, 5, 4, 3, 2, 1]);
        const LAST: Eight = Eight([0, 1, 2, 3, 4, 5, 6, 7]);
        if g == self.first {
            &FIRST
        } else if g == self.last {
            &LAST
        } else {
            &INNER
        }
    }
}

/// A block of bands under way, with the groups that it holds.
#[derive(Debug)]
pub(crate) struct Block<'a, C> {
    shared: &'a Shared,
    pub(crate) knowledge: &'a mut Knowledge,
    /// Hears of every cell.
    cells: &'a mut C,
    pub(crate) corner: Corner,
    /// Consecutive groups, and the index of the first.
    groups: VecDeque<Box<Group>>,
    first_group: u64,
    /// All bands that have started, and from which of them on they have not finished.
    bands: Vec<Band>,
    finished: usize,
    first_band: u64,
    bands_end: u64,
    /// A cell that the exact path could not decide.
    failed: Option<Error>,
    /// The rows of the finished bands.
    pub(crate) rows: Vec<Row>,
    pub(crate) report: Report,
}

impl<'a, C: Cells> Block<'a, C> {
    /// The bands from `first_band` to before `bands_end`.
    pub(crate) fn new(
        first_band: u64,
        bands_end: u64,
        corner: Corner,
        knowledge: &'a mut Knowledge,
        cells: &'a mut C,
        shared: &'a Shared,
    ) -> Self {
        Self {
            shared,
            knowledge,
            cells,
            corner,
            groups: VecDeque::new(),
            first_group: first_tile(first_band) - 1,
            bands: Vec::new(),
            finished: 0,
            first_band,
            bands_end,
            failed: None,
            rows: Vec::new(),
            report: Report::default(),
        }
    }

    /// The old rows must be complete below this offset before the group may join the block (V3).
    pub(crate) fn needs_old_rows(&self, group: &Group) -> u64 {
        let complete = self.knowledge.old.complete_below();
        let stored = group.stored_from();
        if stored <= complete {
            return stored;
        }
        let highest = self.shared.frame.windows.low(self.bands_end - 1, group.index()) + 64;
        stored.min(highest.saturating_sub(LANES * group.index()))
    }

    /// Takes the next group.
    pub(crate) fn push_group(&mut self, group: Box<Group>) {
        debug_assert_eq!(group.index(), self.groups_end());
        self.groups.push_back(group);
    }

    /// Gives away the first group, if its index is below `end`.
    pub(crate) fn pop_group(&mut self, end: u64) -> Option<Box<Group>> {
        if self.first_group >= end {
            return None;
        }
        let mut group = self.groups.pop_front()?;
        self.first_group += 1;
        group.shrink(&self.shared.pool);
        Some(group)
    }

    fn position(&self, g: u64) -> usize {
        index(g - self.first_group)
    }

    /// The groups held end before this one.
    pub(crate) fn groups_end(&self) -> u64 {
        self.first_group + self.groups.len() as u64
    }

    /// The slot in which band `k` of the block starts.
    fn start_slot(&self, k: usize) -> u64 {
        first_tile(self.first_band + k as u64) + 2 * k as u64
    }

    pub(crate) fn first_slot(&self) -> u64 {
        self.start_slot(0)
    }

    /// The band that starts in this slot needs the groups before this one.
    pub(crate) fn starting(&self, slot: u64) -> Option<u64> {
        let k = self.bands.len();
        (self.first_band + (k as u64) < self.bands_end && self.start_slot(k) == slot)
            .then(|| first_tile(self.first_band + k as u64))
    }

    /// The tiles of this slot need the groups before this one.
    pub(crate) fn needed(&self, slot: u64) -> u64 {
        let band = self.bands.get(self.finished);
        band.map_or(0, |band| (slot - 2 * self.finished as u64 + 1).min(band.last))
    }

    /// Whether the first band under way ends its tiles in this slot.
    pub(crate) fn finishing(&self, slot: u64) -> bool {
        let band = self.bands.get(self.finished);
        band.is_some_and(|band| slot - 2 * self.finished as u64 == band.last)
    }

    /// The diagonal values of the rows that have started, in order.
    pub(crate) fn diagonals(&self) -> Vec<u64> {
        self.bands.iter().flat_map(|band| band.diagonal).collect()
    }

    pub(crate) fn all_started(&self) -> bool {
        self.first_band + self.bands.len() as u64 == self.bands_end
    }

    pub(crate) fn all_finished(&self) -> bool {
        self.first_band + self.finished as u64 == self.bands_end
    }

    /// After this slot, the groups before this one have met all bands.
    pub(crate) fn released(&self, slot: u64) -> u64 {
        if self.all_finished() {
            u64::MAX
        } else if self.all_started() {
            slot - 2 * (self.bands.len() as u64 - 1)
        } else {
            0
        }
    }

    /// Sweeps the next band from the diagonal to its first tile.
    pub(crate) fn start_band(&mut self) -> Result<(), Error> {
        let b = self.first_band + self.bands.len() as u64;
        let windows = self.shared.frame.windows;
        let mut band = Band::new(b, self.shared);
        let (column, row) = (LANES * band.first, LANES * b);
        let failed = |hypothesis| Error::Hypothesis { column, row, hypothesis };
        if self.knowledge.diagonals.complete_below() < band.low_anchor + u64::from(LOSSY) {
            return Err(failed(Hypothesis::Diagonals));
        }
        if band.low_anchor + 64 > band.high_anchor || windows.low(b, band.last) < LANES * band.last
        {
            return Err(failed(Hypothesis::WindowsFit));
        }
        let group = self.groups.pop_front().expect("the group of the corner is there");
        self.first_group += 1;
        debug_assert_eq!(group.index(), band.first - 1);
        self.corner.raise(b, windows, &self.knowledge.diagonals)?;
        if self.corner.base < column || self.corner.base > band.low_anchor {
            return Err(failed(Hypothesis::Corner));
        }
        let context = self.knowledge.context(self.shared);
        let wide = group.wide(self.corner.base, context).map_err(failed)?;
        group.retire(&self.shared.pool);
        self.corner.columns.push_back(wide);
        for i in 0..8 {
            let row = self.start_row(&mut band, i)?;
            band.set_exact_row(i, row);
        }
        self.corner.columns.pop_front();
        self.bands.push(band);
        Ok(())
    }

    fn start_row(&mut self, band: &mut Band, i: usize) -> Result<ExactRow, Error> {
        let r = band.row(i);
        let end = LANES * band.first;
        debug_assert_eq!(self.knowledge.diagonals.rows(), r);
        let mut free = self.corner.row_free(r, &self.knowledge.diagonals)?;
        let mut head = 0u64;
        let mut below = Vec::new();
        for q in r..end {
            let nth = index(q / LANES - band.index);
            let value = self.corner.cell(&mut free, nth, lane(q));
            let p = value.ok_or(Error::Hypothesis {
                column: q,
                row: r,
                hypothesis: Hypothesis::Corner,
            })?;
            head = head.wrapping_add((p - q).wrapping_mul(column_weight(q)));
            self.cells.cell(q, r, p);
            if q == r {
                band.diagonal[i] = p;
            }
            below.extend((p < band.low_anchor).then_some(p));
        }
        band.head.0[i] = band.head.0[i].wrapping_add(head);
        let mut row = self.gather(band, &free);
        for p in below {
            row.take(p);
        }
        self.enter_diagonal(r, band.diagonal[i])?;
        Ok(row)
    }

    /// The row whose row-free numbers are `free`, in the windows of its first tile.
    fn gather(&self, band: &Band, free: &[u64; WIDE]) -> ExactRow {
        let base = self.corner.base;
        let bits = free.iter().zip((base..).step_by(64)).flat_map(|(&w, from)| members(from, w));
        ExactRow::gather(band.low_anchor, band.high_anchor, self.corner.end(), bits)
    }

    /// Enters a diagonal value. Checks V9.
    fn enter_diagonal(&mut self, r: u64, p: u64) -> Result<(), Error> {
        if p < least_diagonal(r) {
            return Err(Error::Hypothesis { column: r, row: r, hypothesis: Hypothesis::Diagonals });
        }
        self.knowledge.diagonals.add(p);
        Ok(())
    }

    /// The error of a tile that could not be decided.
    pub(crate) fn check(&mut self) -> Result<(), Error> {
        self.failed.take().map_or(Ok(()), Err)
    }

    /// All tiles of a slot, two at a time: one alone waits for its own results most of the time.
    #[inline(always)]
    pub(crate) fn tiles<L: Lanes>(&mut self, slot: u64) {
        let mut k = self.finished;
        while L::FAST && k + 2 <= self.bands.len() {
            self.two_tiles::<L>(k, slot);
            k += 2;
        }
        for k in k..self.bands.len() {
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
        let g = slot - 2 * k as u64;
        let position = self.position(g);
        let band = &self.bands[k];
        let context = self.knowledge.context(self.shared);
        let shift = band.shift;
        let (mut outer_low, mut outer_high) = (L::splat(0), L::splat(0));
        let (mut next_shift, mut plain) = (0, band.exceptions.is_none());
        if g != band.last {
            let group = &mut self.groups[position];
            group.advance::<L>(band.lift, context);
            (outer_low, outer_high) = (L::load(&group.low), L::load(&group.high));
            next_shift = group.shift();
            plain &= group.is_plain();
        }
        let low_anchor = band.low_anchor - u64::from(shift);
        let high_anchor = band.high_anchor + u64::from(shift);
        let entering = context.diagonals.free(low_anchor) & low_bits(shift);
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
            head: L::load(&band.head),
            low_top: L::splat(low_anchor + L::TOP),
            high_top: L::splat(high_anchor + L::TOP),
        };
        let fault = leaving.or(guarded);
        let before = [tile.row_low, tile.row_high];
        Open { group: g, shift, next_shift, low_anchor, high_anchor, plain, fault, before, tile }
    }

    /// Keeps what a tile has found if V7 and V8, too, held, and has it done exactly if not. `values`
    /// are those found in each step, if somebody wants to hear of them.
    #[inline(always)]
    fn close<L: Lanes>(&mut self, k: usize, open: &Open<L>, values: &[Eight; 8]) {
        let &Open { group: g, shift, next_shift, plain, fault, before, ref tile, .. } = open;
        let band = &mut self.bands[k];
        let top = L::splat(top_bits(self.shared.guard));
        let fault = fault
            .or(tile.row_high.and(top).xor(top))
            .or(tile.taken_since(before).xor(L::load(band.cells(g))));
        let position = index(g - self.first_group);
        let mut done = (g != band.first).then(|| &mut self.groups[position - 1]);
        let plain = plain && done.as_ref().is_none_or(|group| group.is_plain());
        if !plain || !fault.is_zero() {
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
        tile.head.store(&mut band.head);
        if g == band.first || g == band.last {
            forget_missing::<L>(band, g, self.shared.weights(g));
        }
        if !C::SILENT {
            self.hear_tile(k, g, values);
        }
    }

    /// Tells of the cells of a tile. Row `i` meets column `8 g + j - i` in step `j`.
    fn hear_tile(&mut self, k: usize, g: u64, values: &[Eight; 8]) {
        let band = &self.bands[k];
        let columns = LANES * band.first..LANES * band.last;
        for (j, values) in (LANES * g..).zip(values) {
            for ((q, r), p) in (0..LANES).map(|i| (j - i, LANES * band.index + i)).zip(values.0) {
                if columns.contains(&q) {
                    self.cells.cell(q, r, p);
                }
            }
        }
    }

    /// Does a tile by the exact path.
    #[cold]
    #[inline(never)]
    fn exact_tile(&mut self, k: usize, g: u64, shift: u32) {
        self.report.fallbacks += 1;
        let position = self.position(g);
        let Self { shared, knowledge, groups, bands, failed, cells, .. } = self;
        let (band, context) = (&mut bands[k], knowledge.context(shared));
        if g != band.first {
            groups[position - 1].low = band.column_low;
            groups[position - 1].high = band.column_high;
        }
        let (low_anchor, high_anchor) = (band.low_anchor, band.high_anchor);
        for i in 0..8 {
            (band.low_anchor, band.high_anchor) = (low_anchor, high_anchor);
            let mut row = band.exact_row(i);
            let first = LANES * g - i as u64;
            if g != band.first {
                row.next_group(first, shift, context);
            }
            for q in first.max(LANES * band.first)..(first + LANES).min(LANES * band.last) {
                let group = &mut groups[index(q / LANES + 1 - g) + position - 1];
                let p = match row.cell(q, group, context) {
                    Ok(p) => p,
                    Err(hypothesis) => {
                        let row = band.row(i);
                        *failed = Some(Error::Hypothesis { column: q, row, hypothesis });
                        return;
                    }
                };
                band.head.0[i] = band.head.0[i].wrapping_add(p.wrapping_mul(column_weight(q)));
                cells.cell(q, band.row(i), p);
            }
            (band.low_anchor, band.high_anchor) = (row.low_anchor, row.high_anchor);
            band.set_exact_row(i, row);
        }
        band.drop_empty_exceptions();
        if g == band.last {
            (band.column_low, band.column_high) = (Eight::ZERO, Eight::ZERO);
        } else {
            (band.column_low, band.column_high) = (groups[position].low, groups[position].high);
        }
    }

    /// Sweeps the tails of the first band under way, row by row. All rows below are finished.
    pub(crate) fn finish_band(&mut self) -> Result<(), Error> {
        let k = self.finished;
        let (b, last, lift) = (self.bands[k].index, self.bands[k].last, self.bands[k].lift);
        let position = self.position(last);
        for group in self.groups.iter_mut().skip(position) {
            let context = self.knowledge.context(self.shared);
            group.advance::<Portable>(lift, context);
        }
        for i in 0..8 {
            let r = self.bands[k].row(i);
            while self.groups_end() < reach(r) {
                self.activate(b, r)?;
            }
            let row = self.finish_row(k, i)?;
            self.knowledge.add(&row)?;
            self.rows.push(row);
        }
        self.finished += 1;
        Ok(())
    }

    /// Adds a group on the right. Checks V2: the old rows are all settled there.
    fn activate(&mut self, b: u64, r: u64) -> Result<(), Error> {
        let g = self.groups_end();
        let failed = |hypothesis| Error::Hypothesis { column: LANES * g, row: r, hypothesis };
        if self.knowledge.below.settled() > LANES * g {
            return Err(failed(Hypothesis::OldRows));
        }
        let context = self.knowledge.context(self.shared);
        let group = Group::activate(g, b, r, context).map_err(failed)?;
        self.groups.push_back(Box::new(group));
        Ok(())
    }

    fn finish_row(&mut self, k: usize, i: usize) -> Result<Row, Error> {
        let band = &self.bands[k];
        let (b, r, kept) = (band.index, band.row(i), LANES * band.last);
        let mut row = band.exact_row(i);
        let below = &self.knowledge.below;
        let mut tail = Tail::resumed(r, kept, band.head.0[i], band.diagonal[i], below)?;
        loop {
            let q = tail.column();
            if q / LANES >= self.groups_end() {
                self.activate(b, r)?;
            }
            let position = self.position(q / LANES);
            let context = self.knowledge.context(self.shared);
            if q > kept && q.is_multiple_of(LANES) {
                row.next_group(q, self.groups[position - 1].shift(), context);
            }
            if tail.counts()
                && let Some(found) = certify(&mut tail, &row, context, &self.knowledge.below)?
            {
                self.report.cells += q - r;
                self.fill(q, &found);
                return Ok(found);
            }
            let cell = row.cell(q, &mut self.groups[position], context);
            let p =
                cell.map_err(|hypothesis| Error::Hypothesis { column: q, row: r, hypothesis })?;
            tail.push(p - q);
            self.cells.cell(q, r, p);
            if p == q {
                self.report.cells += q + 1 - r;
                return Ok(tail.finite());
            }
        }
    }

    /// Enters the values of a periodic row in the columns from `q` on.
    fn fill(&mut self, q: u64, row: &Row) {
        let Kind::Periodic { start, values, .. } = &row.kind else { return };
        let first = self.first_group;
        for q in q..LANES * self.groups_end() {
            let value = values[index((q - start) % values.len() as u64)];
            self.groups[index(q / LANES - first)].block(lane(q), q + value);
        }
    }
}

/// A tile between [`Block::open`] and [`Block::close`].
#[derive(Clone, Copy)]
struct Open<L> {
    group: u64,
    shift: u32,
    next_shift: u32,
    low_anchor: u64,
    high_anchor: u64,
    /// Whether the windows describe the rows and the group to come.
    plain: bool,
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
fn forget_missing<L: Lanes>(band: &mut Band, g: u64, weights: &Weights) {
    let nothing = band.high_anchor + L::TOP - L::NOTHING;
    for (i, head) in band.head.0.iter_mut().enumerate() {
        let missing = if g == band.first { &weights[8..8 + i] } else { &weights[i..8] };
        let weight = missing.iter().fold(0u64, |sum, &weight| sum.wrapping_add(weight));
        *head = head.wrapping_sub(weight.wrapping_mul(nothing));
    }
}

/// Shows the next column to the tail of a row.
fn certify(
    tail: &mut Tail,
    row: &ExactRow,
    context: Context,
    below: &RowsBelow,
) -> Result<Option<Row>, Error> {
    let q = tail.column();
    if !row.has_low(q, context) {
        let (least, above) = row.upper_part(q);
        return tail.recurs(Blocked::new(least - q, above), below);
    }
    tail.skip(row.gap()).map(|()| None)
}
