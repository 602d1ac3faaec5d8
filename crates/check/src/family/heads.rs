//! Depth *heads*: every pre-period computed again from the rules of facts 12 and 13, column by
//! column, and in a column the rows in their order, so that those below come first.
//!
//! It rests on the verdict of depth *tails*, as `crate::heads` does for three-rowed Chomp, and by
//! the same proof (fact 9): a row is computed to `from`, and from there on its `values` are used.

use std::collections::BTreeSet;

use record::{Record, Statement, column_weight};
use serde_json::json;

use super::rows::{Bite, FamilyRows, NONE};
use crate::CheckWatch;
use crate::certificate::value;
use crate::error::{EarlyEnd, refuted};
use crate::sets::BitSet;
use crate::stated::{Stated, common_multiple, last_column, too_many_cells};

/// The most look-ups: hours.
const MOST_LOOKUPS: u64 = 1 << 42;

/// Checks the heads of all rows, which have passed depth *tails*.
pub(super) fn check(rows: &FamilyRows, watch: &dyn CheckWatch) -> Result<(), EarlyEnd> {
    let (mut last, mut all) = (0, 0_u64);
    for number in rows.numbers() {
        let Some(stated) = rows.stated(number) else { continue };
        let column = last_column(stated.record);
        stated.require_reachable(column.max(rows.most_offset(number)))?;
        last = last.max(column);
        let columns = column.saturating_sub(rows.first_column(number)).saturating_add(1);
        let lookups = (rows.below(number).count() as u64).saturating_add(1);
        all = all.saturating_add(columns.saturating_mul(lookups));
    }
    let mut check = HeadCheck::new(rows);
    for q in 0..=u32::try_from(last).unwrap_or(u32::MAX) {
        if watch.stop() {
            return Err(EarlyEnd::Interrupted);
        }
        let done = MOST_LOOKUPS.saturating_sub(check.left);
        watch.progress(done.min(all), 0, all);
        if !check.column(q)? {
            break;
        }
    }
    Ok(())
}

struct HeadCheck<'a> {
    rows: &'a FamilyRows<'a>,
    /// The p of the rows in the current column, as far as they are known; [`NONE`] if there is
    /// none.
    now: Vec<u32>,
    /// The same for each row in its first columns, to the last one that a later column needs.
    early: Vec<Vec<u32>>,
    last_early: u32,
    /// The rows that are still computed.
    live: Vec<Option<Live<'a>>>,
    /// The offsets that the rows below block for the current row.
    blocked: BitSet,
    /// The look-ups that are left.
    left: u64,
}

/// A row that is being computed, to `from` or to its end.
struct Live<'a> {
    stated: Stated<'a>,
    /// The numbers p + shift that 0, (D) and (R) block.
    blocked: BitSet,
    /// All p from q to before this one are blocked.
    filled_to: u32,
    sum: u64,
    /// The last column in which there is something to do.
    last: u32,
    /// The column from which all rows below have settled.
    settled: u64,
    /// A common multiple of their periods, if it is less than 2^64.
    common: Option<u64>,
    landmark: Option<Landmark>,
}

/// A state in a column where all rows below have settled. When it recurs, the row repeats.
struct Landmark {
    column: u32,
    state: (u64, Vec<u64>),
}

impl<'a> HeadCheck<'a> {
    fn new(rows: &'a FamilyRows<'a>) -> Self {
        let count = rows.records.len();
        Self {
            rows,
            now: vec![NONE; count],
            early: vec![Vec::new(); count],
            last_early: rows.last_irregular(),
            live: (0..count).map(|_| None).collect(),
            blocked: BitSet::default(),
            left: MOST_LOOKUPS,
        }
    }

    /// Computes column q of all rows that have begun. Returns whether there is more to do.
    fn column(&mut self, q: u32) -> Result<bool, EarlyEnd> {
        let mut more = false;
        for number in self.rows.numbers() {
            let regular_from = self.rows.first_column(number);
            if regular_from > u64::from(q) {
                more = true;
            }
            if self.rows.begins(number) > q {
                continue;
            }
            let p = if regular_from > u64::from(q) {
                self.irregular(number, q)?
            } else {
                let (offset, is_live) = self.regular(number, q)?;
                more |= is_live;
                self.p_of(offset, q)
            };
            if let Some(now) = self.now.get_mut(number) {
                *now = p;
            }
            if q <= self.last_early
                && let Some(early) = self.early.get_mut(number)
            {
                early.push(p);
            }
        }
        Ok(more)
    }

    /// The offset of a row in a regular column, and whether there is more to do for it.
    fn regular(&mut self, number: usize, q: u32) -> Result<(u32, bool), EarlyEnd> {
        if self.rows.first_column(number) == u64::from(q) {
            self.begin(number, q)?;
        }
        let Some(mut live) = self.live.get_mut(number).and_then(Option::take) else {
            return Ok((self.stated(number, q), false));
        };
        let offset = self.compute(number, &mut live, q)?;
        let is_live = q < live.last;
        if is_live && let Some(place) = self.live.get_mut(number) {
            *place = Some(live);
        }
        Ok((offset, is_live))
    }

    /// The offset of a row whose computation is complete.
    fn stated(&self, number: usize, q: u32) -> u32 {
        let periodic = self.rows.periodic(number);
        periodic.map_or(NONE, |row| u32::try_from(value(row, u64::from(q))).unwrap_or(NONE))
    }

    /// The p of an offset.
    fn p_of(&self, offset: u32, q: u32) -> u32 {
        if offset == NONE {
            return NONE;
        }
        let p = i64::from(q).saturating_add(offset.into()).saturating_sub(self.rows.shift);
        u32::try_from(p).unwrap_or(NONE)
    }

    /// The number p + shift, if it is not less than q.
    fn number_of(&self, p: u32, q: u32) -> Option<u32> {
        let number = u32::try_from(i64::from(p).saturating_add(self.rows.shift)).ok()?;
        (number >= q).then_some(number)
    }

    /// The p of a row in column q or an earlier one.
    fn p(&self, number: usize, column: u32, q: u32) -> u32 {
        if column == q {
            return self.now.get(number).copied().unwrap_or(NONE);
        }
        let since = column.checked_sub(self.rows.begins(number));
        let early = since.and_then(|since| self.early.get(number)?.get(since as usize));
        early.copied().unwrap_or(NONE)
    }

    /// The p that bites to fixed columns and the row's earlier columns block in column q, and the
    /// least p from which on they block all.
    fn blocked(
        &self,
        number: usize,
        q: u32,
        bites: impl Iterator<Item = (Bite, usize)>,
    ) -> (BTreeSet<u32>, u32) {
        let (mut blocked, mut end) = (BTreeSet::new(), self.rows.limits(number).0);
        for (bite, row) in bites {
            let p = self.p(row, bite.column(q), q);
            if p == NONE {
                continue;
            }
            if p == bite.p {
                end = end.min(p);
            }
            if !bite.in_c {
                blocked.insert(p);
            }
        }
        let earlier = self.early.get(number).map_or(&[][..], Vec::as_slice);
        for (column, &p) in (self.rows.begins(number)..q).zip(earlier) {
            if p != NONE {
                blocked.insert(p);
                if self.rows.first_d(p) == column.checked_add(1) {
                    end = end.min(p);
                }
            }
        }
        (blocked, end)
    }

    /// The p of a row in an irregular column, compared with the record.
    fn irregular(&mut self, number: usize, q: u32) -> Result<u32, EarlyEnd> {
        let rows = self.rows;
        let bites = || rows.fixed(number).chain(rows.open(number));
        let earlier = q.saturating_sub(rows.begins(number));
        let lookups = (bites().count() as u64).saturating_add(earlier.into());
        self.count(number, lookups, q)?;
        let (mut blocked, end) = self.blocked(number, q, bites());
        blocked.extend(rows.lower(number).map(|lower| self.p(lower, q, q)));
        let mut p = rows.least_p(number, q);
        while blocked.contains(&p) {
            p = p.saturating_add(1);
        }
        let is_past = p >= end || q >= rows.limits(number).1;
        let computed = (!is_past).then_some(u64::from(p));
        let early = rows.record(number).map_or(&[][..], Record::early);
        let stated = early.iter().find(|(column, _)| *column == u64::from(q)).map(|(_, p)| *p);
        if stated != computed {
            let shown = |p: Option<u64>| p.map_or("no position".to_owned(), |p| format!("p = {p}"));
            let is = shown(computed);
            let words = format!("early says {} for column {q}, but it is {is}", shown(stated));
            let details = json!({ "column": q, "stated": stated, "computed": computed });
            return refuted(number as u64, "wrong_early", details, words);
        }
        Ok(if is_past { NONE } else { p })
    }

    /// The first regular column of a row: are there positions, and which p are blocked from here
    /// on?
    fn begin(&mut self, number: usize, q: u32) -> Result<(), EarlyEnd> {
        let rows = self.rows;
        let (of_bites, end) = self.blocked(number, q, rows.fixed(number));
        let limits = rows.limits(number);
        let empty_by = match (end, q >= limits.1) {
            (_, true) => Some(0),
            (NONE, false) => None,
            (end, false) => Some(u64::from(end)),
        };
        let Some(stated) = rows.stated(number) else { return Ok(()) };
        match (stated.record.statement(), empty_by) {
            (&Statement::Empty { by }, Some(x)) if by == x => return Ok(()),
            (&Statement::Empty { by }, computed) => {
                let is = computed.map_or("not empty".to_owned(), |x| format!("empty by {x}"));
                let words = format!("by is {by}, but the row is {is}");
                let details = json!({ "stated": by, "computed": computed });
                return refuted(stated.number, "wrong_by", details, words);
            }
            (_, Some(by)) => {
                let words = format!("the row is empty by {by}, but its record states positions");
                return refuted(stated.number, "empty", json!({ "by": by }), words);
            }
            (_, None) => {}
        }
        let mut blocked = BitSet::default();
        for number in of_bites.iter().filter_map(|p| self.number_of(*p, q)) {
            blocked.insert(number);
        }
        let least = self.number_of(rows.least_p(number, q), q).unwrap_or(q);
        (q..least).for_each(|number| blocked.insert(number));
        let below = rows.below(number).filter_map(|below| rows.record(below));
        let settled = below.map(Record::settled).max().unwrap_or(0);
        let periods = rows.below(number).filter_map(|below| rows.periodic(below));
        let common = periods.map(record::Periodic::period).fold(Some(1), common_multiple);
        let last = u32::try_from(last_column(stated.record)).unwrap_or(u32::MAX);
        let (filled_to, sum, landmark) = (q, 0, None);
        let live = Live { stated, blocked, filled_to, sum, last, settled, common, landmark };
        if let Some(place) = self.live.get_mut(number) {
            *place = Some(live);
        }
        Ok(())
    }

    /// Computes the offset of a row in column q, and compares.
    fn compute(&mut self, number: usize, live: &mut Live<'a>, q: u32) -> Result<u32, EarlyEnd> {
        live.filled_to = live.blocked.next_free(live.filled_to.max(q));
        live.first_recurs(q)?;
        let stated = live.stated;
        if q == live.last {
            let (filled, above) = live.state(q);
            stated.compare_state(filled, &above)?;
        }
        let offset = self.offset(number, live, q)?;
        let (column, p) = (u64::from(q), q.saturating_add(offset));
        if stated.record.row() == column {
            stated.compare_first(p.into())?;
        }
        live.blocked.insert(p);
        stated.compare_offset(column, offset.into())?;
        live.sum = live.sum.wrapping_add(column_weight(column).wrapping_mul(offset.into()));
        stated.compare_fingerprint(column, live.sum)?;
        Ok(offset)
    }

    /// The least offset that is neither in U nor blocked by a row below.
    fn offset(&mut self, number: usize, live: &Live, q: u32) -> Result<u32, EarlyEnd> {
        self.blocked.clear();
        let mut lookups = 1_u64;
        let rows = self.rows;
        for (bite, row) in rows.open(number) {
            lookups = lookups.saturating_add(1);
            let p = self.p(row, q, q);
            if p != NONE && p == bite.p {
                let words = format!(
                    "column {q} has no position past p = {p}, though it is regular; this is a \
                     defect of the program, please report it"
                );
                return refuted(number as u64, "irregular", json!({ "column": q, "p": p }), words);
            }
            self.block(p, q, bite.in_c);
        }
        for row in rows.lower(number) {
            lookups = lookups.saturating_add(1);
            let p = self.p(row, q, q);
            self.block(p, q, false);
        }
        self.count(number, lookups, q)?;
        let mut offset = live.filled_to.saturating_sub(q);
        loop {
            let by_row = live.blocked.word_at(q.saturating_add(offset));
            let taken = (by_row | self.blocked.word_at(offset)).trailing_ones();
            offset = offset.saturating_add(taken);
            if taken < u64::BITS {
                return Ok(offset);
            }
        }
    }
}

impl HeadCheck<'_> {
    /// Counts look-ups for column q.
    fn count(&mut self, number: usize, lookups: u64, q: u32) -> Result<(), EarlyEnd> {
        let Some(left) = self.left.checked_sub(lookups) else {
            return too_many_cells(number as u64, MOST_LOOKUPS, q);
        };
        self.left = left;
        Ok(())
    }

    /// Blocks the offset of a p in column q; of a bite in c nothing but its own p is excluded.
    fn block(&mut self, p: u32, q: u32, in_c: bool) {
        if p == NONE || in_c {
            return;
        }
        if let Some(offset) = self.number_of(p, q).and_then(|number| number.checked_sub(q)) {
            self.blocked.insert(offset);
        }
    }
}

impl Live<'_> {
    /// Fast-forwards a row that takes unusually long to settle: when all rows below have settled
    /// and its state recurs, it repeats (facts 3 and 12(e)), U(from) is its state in every column
    /// at the same place of that repetition, and from there on `values` holds (Corollary 3a).
    /// Without this a record could keep the computation going for years.
    fn first_recurs(&mut self, q: u32) -> Result<(), EarlyEnd> {
        // True certificates do not begin so late.
        let late = self.settled.saturating_mul(2).saturating_add(64);
        if u64::from(q) < late.max(self.stated.record.row()) {
            return Ok(());
        }
        let now = Landmark { column: q, state: self.state(q) };
        if let Some(then) = &self.landmark
            && then.state == now.state
            && let distance = q.abs_diff(then.column)
            && self.common.is_some_and(|common| u64::from(distance).is_multiple_of(common))
        {
            self.last = self.stated.last_if_repeats(then.column, q, self.last)?;
        }
        if q.is_power_of_two() || self.landmark.is_none() {
            self.landmark = Some(now);
        }
        Ok(())
    }

    /// U(q), as the least offset that is not in it and the members above that.
    fn state(&self, q: u32) -> (u64, Vec<u64>) {
        let members = (self.filled_to..self.blocked.end())
            .filter(|p| self.blocked.word_at(*p) & 1 == 1)
            .map(|p| u64::from(p.saturating_sub(q)));
        (u64::from(self.filled_to.saturating_sub(q)), members.collect())
    }
}
