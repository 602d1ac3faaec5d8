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
use crate::stated::{Landmark, State, Stated, common_multiple, last_column, too_many_cells};

/// The most look-ups: hours.
const MOST_LOOKUPS: u64 = 1 << 42;

/// Checks the heads of all rows, which have passed depth *tails*.
pub(super) fn check(rows: &FamilyRows, watch: &dyn CheckWatch) -> Result<(), EarlyEnd> {
    let (mut last, mut all) = (0, 0_u64);
    for (number, record) in rows.records.iter().enumerate() {
        let (column, stated) = (last_column(record), Stated { number: number as u64, record });
        stated.require_reachable(column.max(rows.most_offset(number)))?;
        last = last.max(column);
        let columns = column.saturating_sub(record.row()).saturating_add(1);
        all = all.saturating_add(columns.saturating_mul(rows.lookups(number)));
    }
    let mut live: Vec<_> = rows.records.iter().map(|_| None).collect();
    let mut check = HeadCheck {
        rows,
        now: Vec::new(),
        early: vec![Vec::new(); live.len()],
        last_early: rows.last_irregular(),
        blocked: BitSet::default(),
        left: MOST_LOOKUPS,
    };
    for q in 0..=u32::try_from(last).unwrap_or(u32::MAX) {
        if watch.stop() {
            return Err(EarlyEnd::Interrupted);
        }
        let done = MOST_LOOKUPS.saturating_sub(check.left);
        watch.progress(done.min(all), 0, all);
        if !check.column(&mut live, q)? {
            break;
        }
    }
    Ok(())
}

struct HeadCheck<'a> {
    rows: &'a FamilyRows<'a>,
    /// The p of the rows in the current column, as far as they are known.
    now: Vec<Option<u32>>,
    /// The same for each row in its first columns, to the last one that a later column needs.
    early: Vec<Vec<Option<u32>>>,
    last_early: u32,
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
    landmark: Landmark,
}

impl<'a> HeadCheck<'a> {
    /// Computes column q of all rows that have begun. Returns whether there is more to do.
    fn column(&mut self, live: &mut [Option<Live<'a>>], q: u32) -> Result<bool, EarlyEnd> {
        let mut more = false;
        self.now.clear();
        for ((number, record), live) in self.rows.records.iter().enumerate().zip(live) {
            let (column, regular_from) = (u64::from(q), record.row());
            let p = if self.rows.ideal(number).begins > q {
                None
            } else if column < regular_from {
                self.irregular(number, record, q)?
            } else {
                if column == regular_from {
                    *live = self.begin(number, record, q)?;
                }
                let offset = match (&mut *live, record.periodic()) {
                    (Some(live), _) => Some(self.compute(number, live, q)?),
                    (None, Some(row)) => u32::try_from(value(row, column)).ok(),
                    (None, None) => None,
                };
                live.take_if(|live| live.last <= q);
                offset.and_then(|offset| self.p_of(offset, q))
            };
            more |= column < regular_from || live.is_some();
            self.now.push(p);
            if q <= self.last_early
                && q >= self.rows.ideal(number).begins
                && let Some(early) = self.early.get_mut(number)
            {
                early.push(p);
            }
        }
        Ok(more)
    }

    /// The p of an offset.
    fn p_of(&self, offset: u32, q: u32) -> Option<u32> {
        let p = i64::from(q).saturating_add(offset.into()).saturating_sub(self.rows.shift);
        u32::try_from(p).ok()
    }

    /// The number p + shift, if it is not less than q.
    fn number_of(&self, p: u32, q: u32) -> Option<u32> {
        let number = u32::try_from(i64::from(p).saturating_add(self.rows.shift)).ok()?;
        (number >= q).then_some(number)
    }

    /// The p of a row in column q or an earlier one.
    fn p(&self, number: usize, column: u32, q: u32) -> Option<u32> {
        if column == q {
            return *self.now.get(number)?;
        }
        let since = column.checked_sub(self.rows.ideal(number).begins)?;
        *self.early.get(number)?.get(since as usize)?
    }

    /// The p that bites to fixed columns and the row's earlier columns block in column q, and the
    /// least p from which on they block all.
    fn blocked(
        &self,
        number: usize,
        q: u32,
        bites: impl Iterator<Item = (Bite, usize)>,
    ) -> (BTreeSet<u32>, u32) {
        let ideal = self.rows.ideal(number);
        let (mut blocked, mut end) = (BTreeSet::new(), ideal.limits.0);
        for (bite, row) in bites {
            let Some(p) = self.p(row, bite.column(q), q) else { continue };
            if p == bite.p {
                end = end.min(p);
            }
            if !bite.in_c {
                blocked.insert(p);
            }
        }
        let earlier = (ideal.begins..q).zip(self.early.get(number).into_iter().flatten());
        for (column, p) in earlier.filter_map(|(column, p)| Some((column, (*p)?))) {
            blocked.insert(p);
            if self.rows.first_d(p) == column.checked_add(1) {
                end = end.min(p);
            }
        }
        (blocked, end)
    }

    /// The p of a row in an irregular column, compared with the record.
    fn irregular(
        &mut self,
        number: usize,
        record: &Record,
        q: u32,
    ) -> Result<Option<u32>, EarlyEnd> {
        let rows = self.rows;
        let bites = || rows.fixed(number).chain(rows.open(number));
        let earlier = q.saturating_sub(rows.ideal(number).begins);
        let lookups = (bites().count() as u64).saturating_add(earlier.into());
        self.count(number, lookups, q)?;
        let (mut blocked, end) = self.blocked(number, q, bites());
        blocked.extend(rows.lower(number).filter_map(|lower| self.p(lower, q, q)));
        let mut p = rows.least_p(number, q);
        while blocked.contains(&p) {
            p = p.saturating_add(1);
        }
        let computed = Some(p).filter(|p| *p < end && q < rows.ideal(number).limits.1);
        let early = record.early().iter().find(|(column, _)| *column == u64::from(q));
        let stated = early.map(|(_, p)| *p);
        if stated != computed.map(u64::from) {
            let shown = |p: Option<u64>| p.map_or("no position".to_owned(), |p| format!("p = {p}"));
            let is = shown(computed.map(u64::from));
            let words = format!("early says {} for column {q}, but it is {is}", shown(stated));
            let details = json!({ "column": q, "stated": stated, "computed": computed });
            return refuted(number as u64, "wrong_early", details, words);
        }
        Ok(computed)
    }

    /// The first regular column of a row: are there positions, and which p are blocked from here
    /// on? `None` for an empty row.
    fn begin(
        &mut self,
        number: usize,
        record: &'a Record,
        q: u32,
    ) -> Result<Option<Live<'a>>, EarlyEnd> {
        let (rows, stated) = (self.rows, Stated { number: number as u64, record });
        let (of_bites, end) = self.blocked(number, q, rows.fixed(number));
        let is_past = q >= rows.ideal(number).limits.1;
        let empty_by = if is_past { Some(0) } else { Some(end).filter(|end| *end != NONE) };
        match (record.statement(), empty_by.map(u64::from)) {
            (&Statement::Empty { by }, computed) if computed != Some(by) => {
                let is = computed.map_or("not empty".to_owned(), |x| format!("empty by {x}"));
                let words = format!("by is {by}, but the row is {is}");
                let details = json!({ "stated": by, "computed": computed });
                return refuted(stated.number, "wrong_by", details, words);
            }
            (Statement::Empty { .. }, _) => return Ok(None),
            (_, Some(by)) => {
                let words = format!("the row is empty by {by}, but its record states positions");
                return refuted(stated.number, "empty", json!({ "by": by }), words);
            }
            (_, None) => {}
        }
        let mut blocked = BitSet::default();
        let least = self.number_of(rows.least_p(number, q), q).unwrap_or(q);
        let of_bites = of_bites.iter().filter_map(|p| self.number_of(*p, q));
        of_bites.chain(q..least).for_each(|number| blocked.insert(number));
        let below = || rows.below(number).filter_map(|below| rows.records.get(below));
        let periods = below().filter_map(Record::periodic).map(record::Periodic::period);
        Ok(Some(Live {
            stated,
            blocked,
            filled_to: q,
            sum: 0,
            last: u32::try_from(last_column(record)).unwrap_or(u32::MAX),
            settled: below().map(Record::settled).max().unwrap_or(0),
            common: periods.fold(Some(1), common_multiple),
            landmark: Landmark::default(),
        }))
    }

    /// Computes the offset of a row in column q, and compares.
    fn compute(&mut self, number: usize, live: &mut Live<'a>, q: u32) -> Result<u32, EarlyEnd> {
        live.filled_to = live.blocked.next_free(live.filled_to.max(q));
        live.first_recurs(q)?;
        let stated = live.stated;
        if q == live.last {
            stated.compare_state(live.state(q))?;
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
        let rows = self.rows;
        self.count(number, rows.lookups(number), q)?;
        self.blocked.clear();
        for (bite, row) in rows.open(number) {
            let Some(p) = self.p(row, q, q) else { continue };
            if p == bite.p {
                let words = format!(
                    "column {q} has no position past p = {p}, though it is regular; this is a \
                     defect of the program, please report it"
                );
                return refuted(number as u64, "irregular", json!({ "column": q, "p": p }), words);
            }
            // Of a bite in c nothing but its own p is excluded.
            if !bite.in_c {
                self.block(p, q);
            }
        }
        for row in rows.lower(number) {
            if let Some(p) = self.p(row, q, q) {
                self.block(p, q);
            }
        }
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

    /// Counts look-ups for column q.
    fn count(&mut self, number: usize, lookups: u64, q: u32) -> Result<(), EarlyEnd> {
        let Some(left) = self.left.checked_sub(lookups) else {
            return too_many_cells(number as u64, MOST_LOOKUPS, q);
        };
        self.left = left;
        Ok(())
    }

    /// Blocks the offset of a p in column q.
    fn block(&mut self, p: u32, q: u32) {
        if let Some(offset) = self.number_of(p, q).and_then(|number| number.checked_sub(q)) {
            self.blocked.insert(offset);
        }
    }
}

impl Live<'_> {
    /// Fast-forwards a row that takes unusually long to settle. True certificates do not begin so
    /// late.
    fn first_recurs(&mut self, q: u32) -> Result<(), EarlyEnd> {
        let late = self.settled.saturating_mul(2).saturating_add(64);
        if u64::from(q) >= late.max(self.stated.record.row()) {
            let now = (q, self.state(q));
            self.last = self.landmark.last(self.stated, now, self.common, self.last)?;
        }
        Ok(())
    }

    /// U(q).
    fn state(&self, q: u32) -> State {
        let members = (self.filled_to..self.blocked.end())
            .filter(|p| self.blocked.word_at(*p) & 1 == 1)
            .map(|p| u64::from(p.saturating_sub(q)));
        (u64::from(self.filled_to.saturating_sub(q)), members.collect())
    }
}
