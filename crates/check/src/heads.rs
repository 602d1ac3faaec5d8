//! Depth *heads*: computes every pre-period again, from the rules (fact 1 of `proofs/README.md`).
//! Fact 8 proves that this module does so; the invariants H1 to H5 are defined there.
//!
//! The module takes the columns q = 0, 1, 2, ... in order, and in column q the rows r = 0, 1, ...,
//! q. Each row blocks offsets for the rows above it. A row's offset is the least that neither its
//! column nor the row itself blocks. The offsets that the column blocks are a set of bits, built
//! anew for each column; the least free one, `least`, only rises from row to row. The p that the
//! row itself blocks, by the diagonal or by its past, are an interval that contains its diagonal
//! value, and a few p near the two ends: the row takes the p that the diagonal left free,
//! downwards, and p above its largest, upwards. So two words are enough: the p that the row leaves
//! free below the interval, and above it.
//!
//! The words follow `least` and the interval, and nothing is assumed about the places of these: a
//! row that does not fit into its words is kept as intervals, and costs a search. In practice a
//! cell takes constant time. Rows 0 to R have about 0.21·R² cells. A row takes 80 bytes, and a
//! column one bit for each offset.
//!
//! The records must be certified at depth *tails* first. Both depths together prove every record
//! (fact 9): if the rows below r are as stated, the column blocks the offsets that fact 1 says, so
//! the offsets of row r up to `from`, and U(from), are right, and its certificate proves the rest.
//! From `from` on, or from an equivalent column on (Corollary 3a), the rows above use the `values`
//! of the row.

use std::collections::VecDeque;

use num_integer::Integer;
use record::{Certificate, Head, Periodic, Record, Statement, column_weight};

use crate::CheckWatch;
use crate::bit_set::BitSet;
use crate::certificate::value;
use crate::error::{EarlyEnd, Limit, Why};
use crate::intervals::Intervals;

/// Columns past this one are beyond 32-bit arithmetic on p, for p <= 2q + 1 (fact 8(e)).
const LARGEST_COLUMN: u64 = 1 << 30;

/// Cells beyond R² that rows 0 to R may take. They take about 0.23·R², counted with the words of
/// the columns. Where true certificates begin late, rows stay unsettled, and nothing bounds the
/// cost.
const CELLS_TO_LINGER: u64 = 1 << 31;

/// Checks the heads of rows 0, 1, ..., all of them certified at depth *tails*.
pub(crate) fn check(rows: &[Record], watch: &dyn CheckWatch) -> Result<(), EarlyEnd> {
    let count = rows.len() as u64;
    let cells = count.saturating_mul(count).saturating_add(CELLS_TO_LINGER);
    check_from(HeadCheck { common: Some(1), ..HeadCheck::default() }, cells, rows, watch)
}

fn check_from<'a>(
    mut check: HeadCheck<'a>,
    cells: u64,
    rows: &'a [Record],
    watch: &dyn CheckWatch,
) -> Result<(), EarlyEnd> {
    let mut left = cells;
    let last = rows.iter().map(last_column).max().unwrap_or(0);
    let mut due = rows.iter();
    for q in 0..=u32::try_from(last).unwrap_or(u32::MAX) {
        if watch.stop() {
            return Err(EarlyEnd::Interrupted);
        }
        watch.progress(u64::from(q), last);
        let new = due.next().map(|record| check.live(record, q)).transpose()?;
        check.live.extend(new);
        check.column(q)?;
        let Some(rest) = left.checked_sub(check.cells()) else {
            let row = check.live.front().map_or(0, |row| u64::from(row.row));
            return Err(EarlyEnd::Limit {
                row,
                limit: Limit::Cells { cells, column: u64::from(q) },
            });
        };
        left = rest;
        if due.len() == 0 && check.live.iter().all(|row| row.phase != Phase::Compute) {
            break;
        }
    }
    Ok(())
}

/// The last column of a row that is computed or compared.
fn last_column(record: &Record) -> u64 {
    match record.statement() {
        Statement::Empty { .. } => 0,
        Statement::Finite(finite) => finite.last,
        Statement::Periodic(periodic) => periodic.certificate.from,
    }
}

/// The state of the computation when a column is reached.
#[derive(Default)]
struct HeadCheck<'a> {
    /// The rows from the first unsettled one on.
    live: VecDeque<Live<'a>>,
    /// The offsets of the rows of period 1 before those, all of them settled.
    constant: BitSet,
    /// The longer periods before those.
    longer: Vec<&'a Periodic>,
    /// A common multiple of their periods, while it is less than 2^64.
    common: Option<u64>,
    /// A state of the first unsettled row, seen when all rows below it had settled.
    landmark: Option<Landmark>,
    /// The diagonal values of all rows before those, and 0.
    diagonal: BitSet,
    /// For each p the first row that it is blocked for by the diagonal.
    blocked_from: Vec<u32>,
    /// The largest diagonal value so far.
    highest: u32,
    /// The offsets that the column blocks for the current row.
    blocked: BitSet,
    /// Every row keeps intervals: for tests, since no known row needs them.
    all_far: bool,
}

/// The p blocked by a row itself, as seen from column q: `[q,q + filled)` and `above` that.
#[derive(PartialEq, Eq)]
struct Landmark {
    row: u32,
    column: u32,
    filled: u32,
    above: u64,
}

/// A row on its way to `from` or to its end.
struct Live<'a> {
    row: u32,
    /// The diagonal value.
    first: u32,
    phase: Phase,
    /// From this column on every offset is compared with the record.
    attend: u32,
    /// The last column in which there is something to do.
    last: u32,
    /// The p from `base` on that neither the diagonal nor the row's past blocks (H2 of fact 8).
    /// From `base + 64` to before `hi` there are none (H3), and the row has taken none before
    /// `base` (H1).
    base: u32,
    low: u64,
    /// The p from `hi` to `hi + 63` that the row's past does not block, nor, of those that were in
    /// the word when the row began, the diagonal (H4). From `hi + 64` on the row's past blocks none
    /// (H5).
    hi: u32,
    high: u64,
    /// The fingerprint so far.
    sum: u64,
    /// No p from here on is blocked by the diagonal.
    diagonal_end: u32,
    record: &'a Record,
    /// The p that the diagonal or the row's past blocks, if the words do not fit. Then they replace
    /// the words.
    far: Option<Box<Intervals>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Compute,
    /// Certified: its offset is one of `values`.
    Repeat,
    /// Finite, and ended.
    Done,
}

impl<'a> HeadCheck<'a> {
    /// The row that begins in column q.
    fn live(&mut self, record: &'a Record, q: u32) -> Result<Live<'a>, EarlyEnd> {
        let (row, column) = (u64::from(q), last_column(record));
        if column > LARGEST_COLUMN {
            return Err(EarlyEnd::Limit { row, limit: Limit::Column { column } });
        }
        let attend = match (record.head(), record.statement()) {
            (Some(Head::Fingerprint(_)), Statement::Finite(finite)) => finite.last,
            (Some(Head::Fingerprint(_)), Statement::Periodic(periodic)) => {
                periodic.start.saturating_sub(1)
            }
            _ => 0,
        };
        Ok(Live {
            row: q,
            first: 0,
            phase: Phase::Compute,
            attend: u32::try_from(attend).unwrap_or(u32::MAX),
            last: u32::try_from(column).unwrap_or(u32::MAX),
            base: q,
            low: 0,
            hi: q,
            high: u64::MAX,
            sum: 0,
            diagonal_end: self.highest.saturating_add(1),
            record,
            far: None,
        })
    }

    /// Computes column q in all rows.
    fn column(&mut self, q: u32) -> Result<(), EarlyEnd> {
        self.absorb();
        self.first_recurs(q)?;
        if q == 0 {
            self.diagonal.insert(0);
            self.block_from(0, 0);
        }
        self.blocked.column(&self.constant, &self.diagonal, q);
        for periodic in &self.longer {
            self.blocked.insert(offset_of(periodic, q));
        }
        let weight = column_weight(u64::from(q));
        let mut least = self.blocked.next_free(0);
        let mut live = std::mem::take(&mut self.live);
        for row in &mut live {
            match row.phase {
                Phase::Compute => {
                    if q == row.last {
                        row.compare_state(q, &self.blocked_from)?;
                    }
                    least = self.blocked.next_free(least);
                    let offset = if q == row.row {
                        let first = q.saturating_add(least);
                        let (stated, computed) =
                            (row.record.first().unwrap_or(0), u64::from(first));
                        if stated != computed {
                            return row.refuted(Why::WrongFirst { stated, computed });
                        }
                        row.begin(first, &self.blocked_from);
                        if self.all_far {
                            row.keep_far(q);
                        }
                        self.block_from(first, q.saturating_add(1));
                        self.highest = self.highest.max(first);
                        least
                    } else {
                        row.offset(q, least, &self.blocked, &self.blocked_from)
                    };
                    row.sum = row.sum.wrapping_add(weight.wrapping_mul(u64::from(offset)));
                    if offset == 0 || q >= row.attend {
                        row.compare(q, offset)?;
                    }
                    self.blocked.insert(offset);
                }
                Phase::Repeat => {
                    if let Some(periodic) = row.record.periodic() {
                        self.blocked.insert(offset_of(periodic, q));
                    }
                }
                Phase::Done => {}
            }
            if let Some(offset) = row.first.checked_sub(q) {
                self.blocked.insert(offset);
            }
        }
        self.live = live;
        Ok(())
    }

    /// The cost of a column: its rows, those of longer periods, and its bits.
    fn cells(&self) -> u64 {
        let cells = [self.live.len(), self.longer.len(), self.blocked.len_in_words()];
        cells.into_iter().fold(0, |sum, part| sum.saturating_add(part as u64))
    }

    /// Settled rows below all unsettled ones are the same for every row to come.
    fn absorb(&mut self) {
        while self.live.front().is_some_and(|row| row.phase != Phase::Compute) {
            let Some(row) = self.live.pop_front() else { return };
            self.diagonal.insert(row.first);
            match row.record.statement() {
                Statement::Periodic(periodic) if periodic.values.len() == 1 => {
                    self.constant.insert(offset_of(periodic, u32::MAX));
                }
                Statement::Periodic(periodic) => {
                    let period = periodic.values.len() as u64;
                    self.longer.push(periodic);
                    self.common = self.common.and_then(|common| {
                        common.checked_mul(period)?.checked_div(common.gcd(&period))
                    });
                }
                Statement::Empty { .. } | Statement::Finite(_) => {}
            }
        }
    }

    /// Fast-forwards a row that takes unusually long to settle: when all rows below have settled
    /// and its state recurs, it repeats (facts 3 and 8(d)), U(from) is its state in every column at
    /// the same place of that repetition, and from there on `values` holds (Corollary 3a). Without
    /// this a record could keep the computation going for years.
    fn first_recurs(&mut self, q: u32) -> Result<(), EarlyEnd> {
        let Some(row) = self.live.front_mut() else { return Ok(()) };
        let Some(now) = row.landmark(q) else { return Ok(()) };
        if let Some(then) = &self.landmark
            && (then.row, then.filled, then.above) == (now.row, now.filled, now.above)
            && let distance = q.abs_diff(then.column)
            && self.common.is_some_and(|common| u64::from(distance).is_multiple_of(common))
        {
            row.repeats(then.column, q)?;
        }
        if q.is_power_of_two() || self.landmark.as_ref().is_none_or(|then| then.row != now.row) {
            self.landmark = Some(now);
        }
        Ok(())
    }

    /// Notes that p is blocked by the diagonal for `row` and the rows above it.
    fn block_from(&mut self, p: u32, row: u32) {
        let place = p as usize;
        if self.blocked_from.len() <= place {
            self.blocked_from.resize(place.saturating_add(1), u32::MAX);
        }
        if let Some(from) = self.blocked_from.get_mut(place) {
            *from = row.min(*from);
        }
    }
}

/// The offset of a certified row; all its offsets are at most r + 1, far below 2^32.
fn offset_of(periodic: &Periodic, q: u32) -> u32 {
    u32::try_from(value(periodic, u64::from(q))).unwrap_or(u32::MAX)
}

impl Live<'_> {
    fn refuted<T>(&self, why: Why) -> Result<T, EarlyEnd> {
        Err(EarlyEnd::Refuted { row: u64::from(self.row), why })
    }

    /// The first column: its p is the diagonal value.
    fn begin(&mut self, first: u32, blocked_from: &[u32]) {
        self.first = first;
        self.base = first.saturating_sub(u64::BITS - 1);
        self.hi = self.base.saturating_add(u64::BITS);
        self.low = self.left_by_diagonal(self.base, u64::BITS, blocked_from);
        self.high = self.left_by_diagonal(self.hi, u64::BITS, blocked_from);
        if let Some(bit) = 1_u64.checked_shl(first.saturating_sub(self.base)) {
            self.low &= !bit;
        }
    }

    /// The state of a row that should have settled long ago, where its words determine the state.
    fn landmark(&self, q: u32) -> Option<Landmark> {
        let Self { row, hi, high, diagonal_end, .. } = *self;
        let late = q > row.saturating_mul(2).saturating_add(64);
        let told = self.far.is_none() && self.least_free(q) == hi && diagonal_end <= hi;
        let filled = hi.saturating_sub(q);
        (late && told).then_some(Landmark { row, column: q, filled, above: !high })
    }

    /// Its state in column `then` recurs in column `now`, and so do the columns.
    fn repeats(&mut self, then: u32, now: u32) -> Result<(), EarlyEnd> {
        match self.record.periodic() {
            Some(periodic) if periodic.start <= u64::from(then) => {
                let places = self.last.saturating_sub(now).checked_rem(now.saturating_sub(then));
                self.last = now.saturating_add(places.unwrap_or(0));
                Ok(())
            }
            _ => {
                let (column, again) = (u64::from(then), u64::from(now));
                self.refuted(Why::RepeatsBefore { column, again })
            }
        }
    }

    fn by_diagonal(&self, p: u32, blocked_from: &[u32]) -> bool {
        blocked_from.get(p as usize).is_some_and(|&row| row <= self.row)
    }

    /// The p from `first` on, `places` of them, that the diagonal does not block.
    fn left_by_diagonal(&self, first: u32, places: u32, blocked_from: &[u32]) -> u64 {
        (first..).zip(0..places).fold(0, |word, (p, place)| {
            word | u64::from(!self.by_diagonal(p, blocked_from)) << place
        })
    }

    /// Whether the words or the intervals have p as blocked.
    fn by_past(&self, p: u32) -> bool {
        if let Some(far) = &self.far {
            return far.interval_of(p).is_some();
        }
        let free =
            |word: u64, place: u32| word.checked_shr(place).is_some_and(|word| word & 1 == 1);
        match (p.checked_sub(self.base), p.checked_sub(self.hi)) {
            (_, Some(up)) => up < u64::BITS && !free(self.high, up),
            (Some(up), None) => !free(self.low, up),
            (None, None) => false,
        }
    }

    /// The least p from q on that the words leave free, if they cover all from q on.
    fn least_free(&self, q: u32) -> u32 {
        let Some(skip) = q.checked_sub(self.base) else { return q };
        match self.low.checked_shr(skip).unwrap_or(0) {
            0 => self.hi.max(q),
            low => q.saturating_add(low.trailing_zeros()),
        }
    }

    /// The offset of column q, where `least` is the least that the column leaves free; takes it.
    fn offset(&mut self, q: u32, least: u32, blocked: &BitSet, blocked_from: &[u32]) -> u32 {
        let from = q.saturating_add(least);
        if (from < self.base || self.base < q) && self.far.is_none() {
            self.follow(q, from, blocked_from);
        }
        if self.far.is_some() {
            return self.far_offset(q, least, blocked);
        }
        let column = |p: u32| !blocked.word_at(p.saturating_sub(q));
        let (low, high) = (self.low & column(self.base), self.high & column(self.hi));
        // All ones or nothing: a branch on it would be mispredicted half the time.
        let if_high = u64::from(low == 0).wrapping_neg();
        let (low, high) = (low & low.wrapping_neg(), high & high.wrapping_neg() & if_high);
        if low | high == 0 {
            self.keep_far(q);
            return self.far_offset(q, least, blocked);
        }
        let start = if low == 0 { self.hi } else { self.base };
        self.low ^= low;
        self.high ^= high;
        let used = self.high.trailing_zeros();
        self.hi = self.hi.saturating_add(used);
        self.high = !(!self.high).checked_shr(used).unwrap_or(0);
        start.saturating_add((low | high).trailing_zeros()).saturating_sub(q)
    }

    /// Moves the words, so that no p from `from` on that is free lies below them.
    fn follow(&mut self, q: u32, from: u32, blocked_from: &[u32]) {
        const STEP: u32 = 16;
        while from < self.base {
            let (leaving, Some(base)) =
                (self.low >> (u64::BITS - STEP), self.base.checked_sub(STEP))
            else {
                return self.keep_far(q);
            };
            if leaving != 0 {
                return self.keep_far(q);
            }
            self.base = base;
            self.low = self.low << STEP | self.left_by_diagonal(base, STEP, blocked_from);
        }
        if let Some(passed) = q.checked_sub(self.base) {
            self.base = q;
            self.low = self.low.checked_shr(passed).unwrap_or(0);
        }
        if let Some(passed) = q.checked_sub(self.hi) {
            self.hi = q;
            self.high = !(!self.high).checked_shr(passed).unwrap_or(0);
        }
    }

    /// From now on, column q, the row keeps intervals.
    #[cold]
    fn keep_far(&mut self, q: u32) {
        let mut far = Intervals::default();
        let near = self.base.max(q)..self.base.saturating_add(u64::BITS).min(self.hi);
        near.filter(|&p| self.by_past(p)).for_each(|p| far.insert(p));
        let between = self.base.saturating_add(u64::BITS).max(q)..self.hi;
        far.append(between);
        let above = self.hi..self.hi.saturating_add(u64::BITS);
        above.filter(|&p| self.by_past(p)).for_each(|p| far.insert(p));
        self.far = Some(Box::new(far));
    }

    /// As [`Live::offset`], for a row with intervals.
    #[cold]
    fn far_offset(&mut self, q: u32, least: u32, blocked: &BitSet) -> u32 {
        let Some(far) = &mut self.far else { return 0 };
        let mut p = q.saturating_add(least);
        while let Some((_, end)) = far.interval_of(p) {
            p = q.saturating_add(blocked.next_free(end.saturating_sub(q)));
        }
        far.insert(p);
        far.forget_below(q);
        p.saturating_sub(q)
    }

    /// At `from`, before its offset is computed: compares U(from).
    fn compare_state(&self, q: u32, blocked_from: &[u32]) -> Result<(), EarlyEnd> {
        let Some(Periodic { certificate, .. }) = self.record.periodic() else { return Ok(()) };
        let &Certificate { from, filled: stated_filled, above: ref stated_above, .. } = certificate;
        let (filled, above) = self.state(q, blocked_from);
        if (filled, &above) == (stated_filled, stated_above) {
            return Ok(());
        }
        let stated_above = stated_above.clone();
        self.refuted(Why::WrongState { from, stated_filled, stated_above, filled, above })
    }

    /// U(q), as the least offset that is not in it and the members above that.
    fn state(&self, q: u32, blocked_from: &[u32]) -> (u64, Vec<u64>) {
        let blocks = |p: u32| self.by_past(p) || self.by_diagonal(p, blocked_from);
        let in_words = self.hi.saturating_add(u64::BITS);
        let end = in_words.max(self.diagonal_end).max(self.far.as_ref().map_or(0, |far| far.end()));
        let mut free = if self.far.is_some() { q } else { self.least_free(q) };
        while blocks(free) {
            free = free.saturating_add(1);
        }
        let above = (free..end).filter(|&p| blocks(p)).map(|p| u64::from(p.saturating_sub(q)));
        (u64::from(free.saturating_sub(q)), above.collect())
    }

    /// Compares the offset of column q with the record.
    #[cold]
    fn compare(&mut self, q: u32, offset: u32) -> Result<(), EarlyEnd> {
        let (column, computed) = (u64::from(q), u64::from(offset));
        match self.record.statement() {
            Statement::Empty { .. } => Ok(()),
            Statement::Finite(finite) => {
                self.compare_with_head(column, computed)?;
                if column == finite.last {
                    if offset != 0 {
                        return self.refuted(Why::GoesOn { last: column, computed });
                    }
                    self.phase = Phase::Done;
                    self.compare_fingerprint()
                } else if offset == 0 {
                    self.refuted(Why::Ends { column })
                } else {
                    Ok(())
                }
            }
            Statement::Periodic(periodic) => {
                if offset == 0 {
                    return self.refuted(Why::Ends { column });
                }
                if column >= periodic.start {
                    if q == self.last {
                        self.phase = Phase::Repeat;
                    }
                    return self.compare_offset(column, value(periodic, column), computed);
                }
                self.compare_with_head(column, computed)?;
                if column.saturating_add(1) < periodic.start {
                    return Ok(());
                }
                if periodic.values.last() == Some(&computed) {
                    return self.refuted(Why::StartNotLeast { start: periodic.start });
                }
                self.compare_fingerprint()
            }
        }
    }

    fn compare_with_head(&self, column: u64, computed: u64) -> Result<(), EarlyEnd> {
        let Some(Head::Offsets(offsets)) = self.record.head() else { return Ok(()) };
        let place = column.saturating_sub(u64::from(self.row));
        let stated = usize::try_from(place).ok().and_then(|place| offsets.get(place));
        self.compare_offset(column, stated.copied().unwrap_or(u64::MAX), computed)
    }

    fn compare_offset(&self, column: u64, stated: u64, computed: u64) -> Result<(), EarlyEnd> {
        if stated == computed {
            return Ok(());
        }
        self.refuted(Why::WrongOffset { column, stated, computed })
    }

    fn compare_fingerprint(&self) -> Result<(), EarlyEnd> {
        match self.record.head() {
            Some(&Head::Fingerprint(stated)) if stated != self.sum => {
                self.refuted(Why::WrongFingerprint { stated, computed: self.sum })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
