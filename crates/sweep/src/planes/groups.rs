//! Groups of columns: a byte for each number.
//!
//! A group is made when a row reaches it. All rows below are old then: they repeat in its columns.
//! No row that is still to come has its values below the *level* of the group (V3). So the bytes
//! below it are those of old rows, which are the same in all groups of a class, and few others,
//! which are in a list. From the level on a group has bytes of its own.
//!
//! ```text
//! number   first column     low windows ->           level             high windows ->     end
//! byte          |  of old rows, or in the list         |  of the group                     |  0
//! ```
//!
//! While the group is in the planes, its bytes lack what the planes hold and what has left them in
//! the last slots. Eight groups share a *shelf*, in which their bytes alternate, so that lanes side
//! by side read the same pages of memory. A shelf is used again when no row will read its groups.
//!
//! ```text
//! shelf    numbers 0 to 255 of group 0, of group 1, ..., of group 7, numbers 256 to 511 of group 0, ...
//! ```

// What is called for each octet must be compiled with it.
#![allow(clippy::inline_always)]

use super::lanes::{Plane, SIDE, exchange_bits, exchange_bytes};
use super::old::{MARGIN, OldRows};
use crate::band::simd::prefetch;
use crate::band::units::GroupIndex;
use crate::error::SweepError;
use crate::repeating::Repeating;
use crate::scalar::NumberSet;
use crate::units::{ColumnIndex, index};
use record::Record;
use std::collections::VecDeque;
use std::ops::Range;

/// Bytes of a cache line.
const LINE: u64 = 64;

/// Consecutive numbers of a group in a shelf.
const RUN: usize = 256;

/// Bytes of a shelf from a run of a group to the next one.
const STRIDE: usize = SIDE * RUN;

/// Bytes of a shelf between two runs of a group.
const JUMP: u16 = 7 * 256;

/// The bytes of a shelf from a run of a group on that have its next one, too.
pub(super) type Window = [u8; MARGIN];

const _: () = assert!(MARGIN == 2 * STRIDE);

/// What is known of a group beside its bytes.
#[derive(Clone, Debug)]
struct State {
    /// From this number on the group has bytes of its own.
    level: u64,
    /// The numbers from this one on are free, and have arbitrary bytes.
    end: u64,
    /// Numbers below the level whose bytes are not those of old rows, and their bytes.
    others: Vec<(u64, u8)>,
    /// No number from the first column to this one is free in any column, but for diagonal values.
    blocked: u64,
    /// The lane in which the group went into the planes.
    entered: usize,
}

/// The bytes of eight groups.
#[derive(Clone, Debug)]
struct Shelf {
    /// The number of the first bytes.
    first: u64,
    /// Bit `j` of the byte of a number: it is taken in column `j`.
    bytes: Vec<u8>,
}

impl Shelf {
    /// The byte of number `p` of a group.
    #[inline(always)]
    fn at(&self, g: GroupIndex, p: u64) -> usize {
        index(g.0) % SIDE * RUN + place(index(p - self.first))
    }

    /// Makes it have bytes of the numbers below `end`, and a window from each of them on.
    #[inline(always)]
    fn reserve(&mut self, end: u64) {
        let needed = place(index(end - self.first)) + 3 * STRIDE;
        if self.bytes.len() < needed {
            self.bytes.resize(needed + needed / 4, 0);
        }
    }

    /// The parts of a range of numbers that are in one run.
    #[inline(always)]
    fn runs(&self, numbers: Range<u64>) -> impl Iterator<Item = Range<u64>> + use<> {
        let (first, mut start) = (self.first, numbers.start);
        std::iter::from_fn(move || {
            let after = RUN as u64 - (start - first) % RUN as u64;
            let run = start..numbers.end.min(start + after);
            start = run.end;
            (!run.is_empty()).then_some(run)
        })
    }
}

/// The byte of number `n` of a shelf, from the first byte of a group.
#[inline(always)]
fn place(n: usize) -> usize {
    n / RUN * STRIDE + n % RUN
}

/// Eight columns.
pub(super) struct Group<'a> {
    index: GroupIndex,
    state: &'a mut State,
    shelf: &'a mut Shelf,
    old: &'a OldRows,
}

impl Group<'_> {
    #[inline(always)]
    fn at(&self, p: u64) -> usize {
        self.shelf.at(self.index, p)
    }

    /// The columns in which a number is taken, or blocked for another reason.
    #[inline]
    pub(super) fn taken(&self, p: u64) -> u8 {
        if p >= self.state.end {
            0
        } else if p >= self.state.level {
            self.shelf.bytes[self.at(p)]
        } else if p < self.state.blocked {
            u8::MAX
        } else {
            let other = self.state.others.iter().find(|other| other.0 == p);
            other.map_or_else(|| self.old.taken(self.index, p), |other| other.1)
        }
    }

    /// Whether a number has a byte.
    pub(super) fn has_byte(&self, p: u64) -> bool {
        p < self.state.end
    }

    #[inline]
    pub(super) fn is_taken(&self, ColumnIndex(q): ColumnIndex, p: u64) -> bool {
        self.taken(p) >> (q % SIDE as u64) & 1 == 1
    }

    #[inline]
    pub(super) fn take(&mut self, ColumnIndex(q): ColumnIndex, p: u64) {
        self.set(p, self.taken(p) | 1 << (q % SIDE as u64));
    }

    /// Sets the columns in which a number is taken.
    pub(super) fn set(&mut self, p: u64, taken: u8) {
        if p >= self.state.level {
            self.extend(p + 1);
            let at = self.at(p);
            self.shelf.bytes[at] = taken;
        } else if let Some(other) = self.state.others.iter_mut().find(|other| other.0 == p) {
            other.1 = taken;
        } else {
            self.state.others.push((p, taken));
        }
    }

    /// Makes numbers up to `end` have bytes.
    #[inline]
    fn extend(&mut self, end: u64) {
        if end > self.state.end {
            self.shelf.reserve(end);
            for run in self.shelf.runs(self.state.end..end) {
                let at = self.at(run.start);
                self.shelf.bytes[at..at + index(run.end - run.start)].fill(0);
            }
            self.state.end = end;
        }
    }

    /// Sets the bytes from number `p` on, which is not below the level. These are the last that are
    /// not 0.
    #[inline(always)]
    pub(super) fn end_with(&mut self, p: u64, bytes: &[u8]) {
        let end = p + bytes.len() as u64;
        self.extend(p);
        self.shelf.reserve(end);
        for run in self.shelf.runs(p..end) {
            let at = self.at(run.start);
            let bytes = &bytes[index(run.start - p)..index(run.end - p)];
            self.shelf.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        }
        self.state.end = end;
        // The next call writes there.
        prefetch(&self.shelf.bytes[self.at(end + LINE)]);
    }

    /// The bytes of 64 numbers, given by their distances from the first of them, if those of 256
    /// numbers from there on are in one place: a window, and their places in it.
    #[inline(always)]
    pub(super) fn window(&self, p: u64, distances: [u8; 64]) -> Option<(&Window, [u16; 64])> {
        if p + RUN as u64 <= self.state.level {
            let State { blocked, others, .. } = &self.state;
            let is_old = *blocked <= p && others.iter().all(|other| other.0 < p);
            let class = is_old.then(|| self.old.class(self.index, p)).flatten()?;
            return Some((class, distances.map(u16::from)));
        }
        if p < self.state.level || p + RUN as u64 > self.state.end {
            return None;
        }
        // The next 64 ends are there.
        for line in 3..6 {
            prefetch(&self.shelf.bytes[self.at(p + line * LINE)]);
        }
        let first = (p - self.shelf.first) % RUN as u64;
        let n = u16::try_from(first).expect("a run is short");
        let places = distances.map(|distance| {
            let n = n + u16::from(distance);
            // Past the end of the run.
            if n < 256 { n } else { n + JUMP }
        });
        Some((self.shelf.bytes.get(self.at(p - first)..)?.first_chunk()?, places))
    }

    /// Prefetches the bytes of a few numbers from `p` on.
    pub(super) fn prefetch(&self, p: u64, lines: u64) {
        if p >= self.state.level {
            for line in 0..lines {
                let byte = self.shelf.bytes.get(self.at(p + line * LINE));
                byte.into_iter().for_each(prefetch);
            }
        }
    }

    /// Raises `blocked`, at most to `end`, and returns it. The diagonal values less than `end` are
    /// known.
    #[inline]
    pub(super) fn raise(&mut self, diagonals: &NumberSet, end: u64) -> u64 {
        while self.state.blocked < end
            && (self.taken(self.state.blocked) == u8::MAX || diagonals.contains(self.state.blocked))
        {
            self.state.blocked += 1;
        }
        self.state.blocked
    }

    /// All numbers less than `p` are blocked.
    pub(super) fn raise_to(&mut self, p: u64) {
        self.state.blocked = self.state.blocked.max(p);
        let blocked = self.state.blocked;
        self.state.others.retain(|other| other.0 >= blocked);
    }

    /// Whether every number from `p` on is free in all columns.
    pub(super) fn is_free_from(&self, p: u64) -> bool {
        (p..self.state.end).all(|p| self.taken(p) == 0)
    }

    /// The free numbers of the columns, `64 N` from `p` on.
    pub(super) fn free<const N: usize>(&self, p: u64) -> [[u64; N]; SIDE] {
        let mut free = [[0; N]; SIDE];
        for (word, p) in (0..N).zip((p..).step_by(64)) {
            let mut planes: [Plane<1>; SIDE] = std::array::from_fn(|i| {
                let bytes = std::array::from_fn(|n| {
                    let p = p + (SIDE * i + n) as u64;
                    if p < self.state.blocked { u8::MAX } else { self.taken(p) }
                });
                Plane([!u64::from_le_bytes(bytes)])
            });
            exchange_bytes(&mut planes);
            exchange_bits(&mut planes);
            for (column, plane) in free.iter_mut().zip(planes) {
                [column[word]] = plane.0;
            }
        }
        free
    }

    /// The lane in which the group went into the planes.
    pub(super) fn entered(&self) -> usize {
        self.state.entered
    }

    /// The group goes into the planes.
    pub(super) fn enter(&mut self, lane: usize) {
        self.state.entered = lane;
    }
}

/// The groups that rows have reached, and later rows will read.
#[derive(Default)]
pub(super) struct Groups {
    first: GroupIndex,
    kept: VecDeque<State>,
    /// From that of the first group on.
    shelves: VecDeque<Shelf>,
    old: OldRows,
    /// Shelves whose groups no row will read.
    spare: Vec<Vec<u8>>,
}

/// The shelf of a group.
fn shelf(GroupIndex(g): GroupIndex) -> usize {
    index(g) / SIDE
}

impl Groups {
    pub(super) fn end(&self) -> GroupIndex {
        self.first + self.kept.len() as u64
    }

    /// Adds the groups before `end`.
    ///
    /// A row that has not reached a column was certified before it, so its values hold there.
    pub(super) fn activate_to(&mut self, end: GroupIndex) {
        for g in self.end().up_to(end) {
            let level = g.first_column().0 + self.old.complete_below();
            self.add(level);
            for p in level..g.first_column().0 + self.old.end() {
                let taken = self.old.taken(g, p);
                self.get(g).set(p, taken);
            }
        }
    }

    /// Adds a group with no bytes of its own, which begin at this number.
    pub(super) fn add(&mut self, level: u64) {
        let g = self.end();
        if self.shelves.len() <= shelf(g) - shelf(self.first) {
            // The last row that reads the groups will need `(1 + 1 / √2) first` numbers, and levels
            // are about `√2 first`.
            let most = index(g.first_column().0) * 7 / 4;
            let needed = place(most.saturating_sub(index(level))) + 4 * STRIDE;
            let spare = self.spare.pop().filter(|spare| spare.len() >= needed);
            let bytes = spare.unwrap_or_else(|| vec![0; needed * 3 / 2]);
            self.shelves.push_back(Shelf { first: level, bytes });
        }
        let blocked = g.first_column().0;
        self.kept.push_back(State { level, end: level, others: Vec::new(), blocked, entered: 0 });
    }

    /// A row has ended, and has entered its values in the columns before `next`.
    pub(super) fn finish(&mut self, next: ColumnIndex, row: &Record) -> Result<(), SweepError> {
        self.old.add(row)?;
        if let Some(row) = row.periodic() {
            let row = Repeating::from(row);
            for q in next.up_to(self.end().first_column()) {
                self.get(GroupIndex::of_column(q)).take(q, q.0 + row.offset(q.0));
            }
        }
        Ok(())
    }

    /// Drops the groups before `first`.
    pub(super) fn drop_to(&mut self, first: GroupIndex) {
        while self.first < first {
            let old = shelf(self.first);
            self.kept.pop_front();
            self.first += 1;
            if shelf(self.first) > old {
                self.spare.extend(self.shelves.pop_front().map(|shelf| shelf.bytes));
            }
        }
    }

    #[inline(always)]
    pub(super) fn get(&mut self, g: GroupIndex) -> Group<'_> {
        let state = &mut self.kept[index(g - self.first)];
        let shelf = &mut self.shelves[shelf(g) - shelf(self.first)];
        Group { index: g, state, shelf, old: &self.old }
    }
}
