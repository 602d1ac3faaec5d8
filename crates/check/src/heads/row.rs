//! One row on its way to its end, or to its certificate's `from`.
//!
//! *Life.* `Worker::begun` creates row r ([`Live::new`]) in the group of columns that has column r,
//! after the rows below it. At any time one portion owns it, and the thread that has this portion
//! is the only one that changes it. In each group [`Live::cells`] computes its cells, and the
//! portion goes to the thread of the next group. Its phase is `Compute` up to column `last`; there
//! it becomes `Repeat` or `Done`, and never changes again. `Absorbed::absorb` takes the record and
//! the diagonal value, and drops the row, at the start of the first group before which neither this
//! row nor one below is computed any more. A checkpoint has a copy of each row that is alive.
//!
//! *Example.* Row 120 is stated as `Periodic(first: 206, start: 170, values: [72, 70], ..)`, with
//! `from: 170, filled: 71, above: []` and a fingerprint, so `last` is 170 and `attend` 169.
//!
//! | columns | phase | what happens |
//! |---|---|---|
//! | 120 | `Compute` | the least free p is 206, which is `first`; the words begin |
//! | 121 to 168 | `Compute` | it takes 205, 207, 208, 203, ..., 239; nothing is compared |
//! | 169 | `Compute` | it takes 172. This is not the last value, 70, so `start` is the least; the head ends, and its fingerprint is compared |
//! | 170 | `Compute`, then `Repeat` | U is `[0,71)`, as stated; it takes 242, the offset 72 |
//! | 171 to 191 | `Repeat` | it blocks 241, 244, 243, ..., by `values`, to the end of the group |
//! | from 192 | none | it is absorbed, if all rows below are |

use std::collections::BTreeSet;
use std::slice::IterMut;

use record::{Head, Record};

use super::column::{Column, Columns};
use super::words::{Diagonal, Words};
use crate::error::EarlyEnd;
use crate::stated::{State, Stated, ends, last_column};

/// A row that has begun. T is the set of the p that it has taken, D the set of the diagonal values
/// below it (fact 8).
pub(super) struct Live<'a> {
    pub(super) row: u32,
    /// The diagonal value, once it is known.
    pub(super) first: u32,
    pub(super) phase: Phase,
    /// From this column on every offset is compared with the record. At most `last`.
    pub(super) attend: u32,
    /// The last column in which there is something to do.
    pub(super) last: u32,
    pub(super) words: Words,
    /// The fingerprint so far.
    pub(super) sum: u64,
    pub(super) record: &'a Record,
    /// The p in D or T, if the words do not fit. Then they replace the words.
    #[expect(clippy::box_collection, reason = "no known row has one, and so a row takes less")]
    pub(super) far: Option<Box<BTreeSet<u32>>>,
}

/// The numbers are those of checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Compute = 0,
    /// Certified: its offset is one of `values`.
    Repeat = 1,
    /// Finite, and over.
    Done = 2,
}

/// An error, the column, if a row takes its number: there the row ends.
fn require_beyond(column: &Column, p: u32) -> Result<(), u32> {
    if p == column.q { Err(p) } else { Ok(()) }
}

impl<'a> Live<'a> {
    /// The row that begins in column q.
    pub(super) fn new(record: &'a Record, q: u32) -> Result<Self, EarlyEnd> {
        let column = last_column(record);
        Stated { number: q.into(), record }.require_reachable(column)?;
        let is_listed = matches!(record.head(), Some(Head::Offsets(_)));
        let attend = if is_listed { 0 } else { record.settled().saturating_sub(1) };
        Ok(Self {
            row: q,
            first: 0,
            phase: Phase::Compute,
            attend: u32::try_from(attend.min(column)).unwrap_or(u32::MAX),
            last: u32::try_from(column).unwrap_or(u32::MAX),
            words: Words::empty(0),
            sum: 0,
            record,
            far: None,
        })
    }

    pub(super) fn is_computed(&self) -> bool {
        self.phase == Phase::Compute
    }

    pub(super) fn stated(&self) -> Stated<'a> {
        Stated { number: self.row.into(), record: self.record }
    }

    /// The cells of this row in a group of columns, which are consecutive.
    pub(super) fn cells(
        &mut self,
        columns: &mut Columns,
        diagonal: &Diagonal,
    ) -> Result<(), EarlyEnd> {
        let (Some(first), Some(last)) = (columns.all.first(), columns.all.last()) else {
            return Ok(());
        };
        let floor = first.floor;
        let ordinary = self.is_computed() && self.row < first.q && last.q < self.attend;
        self.words.raise(floor);
        if ordinary
            && (columns.are_filled_to(self.words.base)
                || self.words.lower_to(columns.filled, floor, self.row, diagonal))
        {
            let cells = self.ordinary_cells(&mut columns.all, diagonal);
            return cells.or_else(|q| ends(self.row.into(), q.into()));
        }
        for column in &mut columns.all {
            if self.row <= column.q {
                self.cell(column, diagonal)?;
            }
        }
        Ok(())
    }

    /// Cells of a row that is computed, in which nothing is compared. No free p of the columns is
    /// less than `base`. The error is a column in which the row ends: with a larger type the loop
    /// over the columns took 8 % more instructions (x86-64).
    fn ordinary_cells(&mut self, columns: &mut [Column], diagonal: &Diagonal) -> Result<(), u32> {
        // A diagonal value that is less than q does no harm: no p that counts is less.
        for column in &mut *columns {
            column.block(self.first);
        }
        self.words.raise_hi();
        let mut columns = columns.iter_mut();
        loop {
            let Some(column) = self.take_in_all(&mut columns)? else { return Ok(()) };
            let p = self.take_elsewhere(column, diagonal);
            require_beyond(column, p)?;
            self.sum = self.sum.wrapping_add(column.weighted(p));
        }
    }

    /// Takes p in columns while the words show them. Returns the first column in which they do not.
    fn take_in_all<'c, 'f>(
        &mut self,
        columns: &mut IterMut<'c, Column<'f>>,
    ) -> Result<Option<&'c mut Column<'f>>, u32> {
        let &mut Self { mut words, mut sum, .. } = self;
        for column in columns {
            let Some(p) = words.take(column) else {
                (self.words, self.sum) = (words, sum);
                return Ok(Some(column));
            };
            require_beyond(column, p)?;
            sum = sum.wrapping_add(column.weighted(p));
        }
        (self.words, self.sum) = (words, sum);
        Ok(None)
    }

    #[cold]
    fn cell(&mut self, column: &mut Column, diagonal: &Diagonal) -> Result<(), EarlyEnd> {
        let q = column.q;
        match self.phase {
            Phase::Compute => {
                if q == self.last && self.record.periodic().is_some() {
                    self.stated().compare_state(self.state(q, diagonal))?;
                }
                let p = if q == self.row {
                    self.begin(column, diagonal)?
                } else {
                    self.take(column, diagonal)
                };
                let offset = p.saturating_sub(q);
                self.sum = self.sum.wrapping_add(column.weighted(p));
                if offset == 0 || q >= self.attend {
                    self.compare(q, offset)?;
                }
            }
            Phase::Repeat => {
                if let Some(periodic) = self.record.periodic() {
                    column.block_value(periodic);
                }
            }
            Phase::Done => {}
        }
        column.block(self.first);
        Ok(())
    }

    /// The first column: its p is the diagonal value.
    fn begin(&mut self, column: &mut Column, diagonal: &Diagonal) -> Result<u32, EarlyEnd> {
        let first = column.next_free(column.q);
        self.stated().compare_first(first.into())?;
        self.take_first(first, column, diagonal);
        Ok(first)
    }

    pub(super) fn take_first(&mut self, first: u32, column: &mut Column, diagonal: &Diagonal) {
        self.first = first;
        column.block(first);
        self.words = Words::begin(first, self.row, diagonal);
        self.words.raise(column.floor);
        if diagonal.all_far {
            self.keep_far(column.q);
        }
    }

    /// Takes the least p from q on that neither the column nor D nor T blocks, from the column too.
    pub(super) fn take(&mut self, column: &mut Column, diagonal: &Diagonal) -> u32 {
        if column.is_filled_to(self.words.base)
            && let Some(p) = self.words.take(column)
        {
            return p;
        }
        self.take_elsewhere(column, diagonal)
    }

    /// As [`Live::take`], if the words have to move, or do not fit.
    #[cold]
    fn take_elsewhere(&mut self, column: &mut Column, diagonal: &Diagonal) -> u32 {
        if self.far.is_none() {
            let filled = column.fill();
            self.words.raise_hi();
            if self.words.lower_to(filled, column.floor, self.row, diagonal)
                && let Some(p) = self.words.take(column)
            {
                return p;
            }
            self.keep_far(column.q);
        }
        self.take_from_set(column)
    }

    /// From now on, column q, the row keeps a set. No p is less than `base` then, so that the words
    /// show nothing.
    #[cold]
    fn keep_far(&mut self, q: u32) {
        self.far = Some(Box::new(self.words.taken(q).collect()));
        self.words = Words::empty(u32::MAX);
    }

    #[cold]
    fn take_from_set(&mut self, column: &mut Column) -> u32 {
        let q = column.q;
        let Some(far) = &mut self.far else { return q };
        let mut p = column.next_free(q);
        while far.contains(&p) {
            p = column.next_free(p.saturating_add(1));
        }
        far.insert(p);
        **far = far.split_off(&q);
        column.block(p);
        p
    }

    /// Whether p is in T, or in D as far as the words or the set hold that.
    fn has_taken(&self, p: u32) -> bool {
        match &self.far {
            Some(far) => far.contains(&p),
            None => self.words.has_taken(p),
        }
    }

    /// U(q).
    pub(super) fn state(&self, q: u32, diagonal: &Diagonal) -> State {
        let blocks = |p: u32| self.has_taken(p) || diagonal.blocks(p, self.row);
        let (mut free, end) = match &self.far {
            Some(far) => (q, far.last().map_or(0, |last| last.saturating_add(1))),
            None => (self.words.least_free(q), self.words.end()),
        };
        let end = end.max(diagonal.end(self.row));
        while blocks(free) {
            free = free.saturating_add(1);
        }
        let above = (free..end).filter(|&p| blocks(p)).map(|p| u64::from(p.saturating_sub(q)));
        (u64::from(free.saturating_sub(q)), above.collect())
    }

    /// Compares the offset of column q with the record.
    fn compare(&mut self, q: u32, offset: u32) -> Result<(), EarlyEnd> {
        let (column, stated) = (u64::from(q), self.stated());
        stated.compare_offset(column, offset.into())?;
        if q == self.last {
            let repeats = self.record.periodic().is_some();
            self.phase = if repeats { Phase::Repeat } else { Phase::Done };
        }
        stated.compare_fingerprint(column, self.sum)
    }
}
