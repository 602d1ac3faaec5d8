//! A boundary from a checkpoint: the rows below it, the corner and the groups. They are believed,
//! except for the checks here (proofs/sweep.md, 7.3).

use crate::band::below::{Context, Knowledge};
use crate::band::codec::{Decoder, invalid};
use crate::band::constants::Routes;
use crate::band::geometry::{
    Frame, fall, first_tile, highest_base_offset, least_diagonal, least_value, reach,
};
use crate::band::group::{Group, GroupPosition};
use crate::band::run::Boundary;
use crate::band::schedule::{FIRST_BAND, block_of, last_band};
use crate::band::walk::Corner;
use crate::error::SweepError;
use crate::scalar::NumberSet;
use crate::units::{
    BandIndex, BlockIndex, ColumnIndex, GroupIndex, LANES, Number, RowIndex, index,
};
use record::Record;
use record::listeners::Done;
use std::collections::BTreeMap;
use std::io;

/// The description of a checkpoint: its first line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Described {
    /// The windows and the end of the run that wrote it.
    pub(super) frame: Frame,
    /// The rows below the boundary, and the work done for them.
    pub(super) done: Done,
    /// The number of files of words.
    pub(super) files: u64,
}

impl Described {
    /// Whether such a checkpoint can exist.
    pub(super) fn is_consistent(&self) -> bool {
        let band = self.band();
        self.done.rows.is_multiple_of(LANES)
            && band >= FIRST_BAND
            && band == last_band(block_of(band - 1)) + 1
            && band < self.frame.bands
            && self.frame.bands <= Frame::MOST_BANDS
            && self.done.fallbacks <= self.done.cells / (LANES * LANES)
    }

    /// The first row above the boundary.
    pub(super) fn row(&self) -> RowIndex {
        RowIndex(self.done.rows)
    }

    /// The first band above the boundary.
    pub(super) fn band(&self) -> BandIndex {
        BandIndex::of_row(self.row())
    }

    fn first_group(&self) -> GroupIndex {
        first_tile(self.band()) - 1
    }

    /// Begins to restore the boundary, from the rows below, the corner and the groups.
    pub(super) fn restore(self, state: &[u8]) -> Restoring<'_> {
        Restoring {
            described: self,
            source: Decoder(state),
            knowledge: Knowledge::new(),
            cells: 0,
            lasts: NumberSet::default(),
            reached_by: Vec::new(),
        }
    }
}

/// The number of words that wait at a boundary, by reader and source.
pub(super) type Waiting = BTreeMap<(BlockIndex, BlockIndex), usize>;

/// A boundary that is being restored: first its rows, one after the other, then its columns.
pub(super) struct Restoring<'a> {
    described: Described,
    pub(super) source: Decoder<'a>,
    /// The rows so far.
    knowledge: Knowledge,
    /// Their cells, and the columns where they end.
    cells: u64,
    lasts: NumberSet,
    /// For each group the row that has reached it first.
    reached_by: Vec<RowIndex>,
}

impl Restoring<'_> {
    /// The next row, or the error of its bytes.
    ///
    /// # Errors
    /// A row that breaks a hypothesis.
    pub(super) fn next_row(&mut self) -> Result<io::Result<Record>, SweepError> {
        let row = self.source.row(self.knowledge.old.rows).and_then(|row| {
            let checked = self.check(&row);
            checked.map_err(|what| invalid(format!("row {}: {what}", row.row()))).map(|()| row)
        });
        if let Ok(row) = &row {
            self.knowledge.add_with_diagonal(row)?;
        }
        Ok(row)
    }

    /// Checks a row, and enters its cells and its end.
    fn check(&mut self, row: &Record) -> Result<(), String> {
        let (r, first) = (RowIndex(row.row()), Number(row.diagonal()));
        let diagonals = &self.knowledge.diagonals;
        // The end of the columns that it has met.
        let end = row.periodic().map_or(row.settled(), |row| row.certificate.recurs);
        let end = ColumnIndex(end);
        let most = (self.source.0.len() / Group::LEAST_BYTES) as u64;
        if end > (self.described.first_group() + most).first_column() {
            return Err("it is too long".to_owned());
        }
        let last = row.finite().map(|row| row.last);
        if let Some(last) = last {
            if !diagonals.is_free(Number(last)) || self.lasts.contains(last) {
                return Err(format!("the column {last}, where it ends, is blocked there"));
            }
            self.lasts.insert(last);
        }
        if !diagonals.is_free(first) || first < least_diagonal(r) {
            return Err(format!("{} cannot be its diagonal value", first.0));
        }
        if let Some(row) = row.periodic()
            && let Some(value) = row.values.iter().find(|&&value| value < least_value(r))
        {
            return Err(format!("{value} is too small to be one of its values"));
        }
        self.cells += end - r.diagonal();
        // Where it ended or was found periodic.
        let next = GroupIndex::of_column(last.map_or(end, ColumnIndex));
        let met = if r < FIRST_BAND.first_row() { 0 } else { next.0 + 1 };
        let reached = index(reach(r).0.max(met)).max(self.reached_by.len());
        self.reached_by.resize(reached, r);
        Ok(())
    }

    /// Checks all rows together, and takes corner and groups. Compares the words that wait for the
    /// groups with those in files, if these have been counted.
    ///
    /// # Errors
    /// If they cannot be read, or contradict the rows or themselves.
    pub(super) fn columns(self, in_files: Option<&Waiting>) -> io::Result<Boundary> {
        let Self { described, mut source, knowledge, cells, lasts, reached_by } = self;
        let Described { frame, done, .. } = described;
        if cells != done.cells {
            return Err(invalid(format!("its rows have {cells} cells, not {}", done.cells)));
        }
        let Knowledge { old, diagonals, .. } = &knowledge;
        let is_missing = |n: &u64| diagonals.is_free(Number(*n)) && !lasts.contains(*n);
        if let Some(n) = (1..=done.rows).find(is_missing) {
            return Err(invalid(format!("{n} is no diagonal value, and no row ends there")));
        }
        let (band, source) = (described.band(), &mut source);
        let corner = Corner::restore(source, band, frame.windows)?;
        let (first, end) = (described.first_group(), GroupIndex(reached_by.len() as u64));
        if fall(end) > frame.windows.rise(band - 1) {
            return Err(invalid("its rows have met too many groups"));
        }
        let (mut groups, mut waiting) = (Vec::new(), Waiting::new());
        let (n, routes) = (block_of(band - 1), Routes::new(frame));
        let context = Context { frame, old, diagonals };
        for (g, &row) in first.up_to(end).zip(&reached_by[index(first.0)..]) {
            let made = BandIndex::of_row(row).max(FIRST_BAND - 1);
            let highest_base = g.first_column().number(highest_base_offset(row));
            let at = GroupPosition::new((g, band - 1), made, highest_base, frame.windows);
            let mut group = Box::<Group>::default();
            group.restore(source, at, frame.windows)?;
            if !group.is_consistent(context) {
                return Err(invalid("a group's window contradicts the rows"));
            }
            for way in group.waiting(n, &routes) {
                *waiting.entry(way).or_default() += 1;
            }
            groups.push(group);
        }
        if !source.0.is_empty() {
            return Err(invalid("there are bytes after the last group"));
        }
        if in_files.is_some_and(|in_files| *in_files != waiting) {
            return Err(invalid("the words that wait are not those of the groups"));
        }
        Ok(Boundary { band, knowledge, corner, groups })
    }
}
