//! A boundary from a checkpoint: the rows below it, the corner and the groups. They are believed,
//! except for the checks here (proofs/sweep.md, 7.3).

use super::{believed::BelievedRows, boundary::Boundary};
use crate::band::below::{Context, Knowledge};
use crate::band::codec::{Decoder, invalid};
use crate::band::geometry::{Frame, fall, first_tile, highest_base_offset, reach};
use crate::band::group::{ExpectedGroup, Group};
use crate::band::schedule::{FIRST_BAND, block_of, last_band};
use crate::band::units::{BandIndex, BlockIndex, GroupIndex, LANES};
use crate::band::walk::Corner;
use crate::band::words::Routes;
use crate::error::SweepError;
use crate::units::{RowIndex, index};
use record::Record;
use record::listeners::Done;
use std::collections::BTreeMap;
use std::io::{self, Read};

/// The description of a boundary in a checkpoint.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// The first row above it.
    pub row: RowIndex,
    /// The windows and the end of the run that wrote it.
    pub frame: Frame,
    /// The number of groups.
    pub groups: u64,
    /// The work done for the rows below.
    pub done: Done,
}

impl Described {
    /// Whether such a boundary can exist, if corner and groups have at most `columns` bytes, and
    /// the rows exactly `rows` bytes.
    pub fn is_consistent(&self, columns: u64, rows: u64) -> bool {
        let band = self.band();
        self.row.0.is_multiple_of(LANES)
            && band >= FIRST_BAND
            && band == last_band(block_of(band - 1)) + 1
            && band < self.frame.bands
            && self.frame.bands <= Frame::MOST_BANDS
            && self.row.0 <= rows
            && self.groups <= columns / Group::LEAST_BYTES
            && self.done.fallbacks <= self.done.cells / (LANES * LANES)
            && self.groups_end() >= reach(self.row - 1)
            && fall(self.groups_end()) <= self.frame.windows.rise(band - 1)
    }

    /// The first band above the boundary.
    pub fn band(&self) -> BandIndex {
        BandIndex::of_row(self.row)
    }

    fn first_group(&self) -> GroupIndex {
        first_tile(self.band()) - 1
    }

    fn groups_end(&self) -> GroupIndex {
        self.first_group() + self.groups
    }

    /// Begins to restore it, with the encoded rows below.
    pub fn restore(self, rows: &[u8]) -> Restoring<'_> {
        let believed = BelievedRows::new(rows, self.groups_end());
        Restoring { described: self, believed, knowledge: Knowledge::new() }
    }
}

/// The number of words that wait at a boundary, by reader and source.
pub type Waiting = BTreeMap<(BlockIndex, BlockIndex), usize>;

/// A boundary that is being restored.
pub struct Restoring<'a> {
    described: Described,
    believed: BelievedRows<'a>,
    knowledge: Knowledge,
}

impl Restoring<'_> {
    /// The next row, or the error of its bytes.
    ///
    /// # Errors
    /// A row that breaks a hypothesis.
    pub fn next_row(&mut self) -> Result<io::Result<Record>, SweepError> {
        let row = self.believed.next_row();
        if let Ok(row) = &row {
            self.knowledge.add_with_diagonal(row)?;
        }
        Ok(row)
    }

    /// Takes corner and groups, after all rows. Also returns which words wait for the groups.
    ///
    /// # Errors
    /// If they cannot be read, or contradict the rows or themselves.
    pub fn columns(self, source: &mut Decoder<impl Read>) -> io::Result<(Boundary, Waiting)> {
        let Self { described, believed, knowledge } = self;
        let (band, frame) = (described.band(), described.frame);
        let reached_by = believed.end(described.done.cells)?;
        let corner = Corner::restore(source, band, frame.windows)?;
        let (first, end) = (described.first_group(), described.groups_end());
        let (mut groups, mut waiting) = (Vec::new(), Waiting::new());
        let (n, routes) = (block_of(band - 1), Routes::new(frame));
        for (g, &row) in first.up_to(end).zip(&reached_by[index(first.0)..]) {
            let made = BandIndex::of_row(row).max(FIRST_BAND - 1);
            let highest_base = g.first_column().number(highest_base_offset(row));
            let Knowledge { old, diagonals, .. } = &knowledge;
            let context = Context { frame, old, diagonals };
            let expected = ExpectedGroup { index: g, band: band - 1, made, highest_base };
            let group = Group::restore(source, expected, frame.windows)?;
            if !group.is_consistent(context) {
                return Err(invalid("a group's window contradicts the rows"));
            }
            for way in group.waiting(n, &routes) {
                *waiting.entry(way).or_default() += 1;
            }
            groups.push(Box::new(group));
        }
        Ok((Boundary { band, knowledge, corner, groups }, waiting))
    }
}
