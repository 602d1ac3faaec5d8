//! Groups of columns: a byte for each number.
//!
//! A group begins with the bytes of its class: the numbers that periodic rows block in columns that
//! are equal modulo 72. Rows that reach it enter their numbers. While it is in the planes, its
//! bytes lack what the planes hold and what has left them in the last slots. Eight groups share a
//! *shelf*, in which their bytes alternate, so that lanes side by side read the same pages of
//! memory. A shelf is used again when no row will read its groups.
//!
//! ```text
//! shelf    numbers 0 to 255 of group 0, of group 1, ..., of group 7, numbers 256 to 511 of group 0, ...
//! ```

// What is called for each octet must be compiled with it.
#![allow(clippy::inline_always)]

use super::lanes::{Plane, SIDE, exchange_bits, exchange_bytes};
use crate::band::simd::prefetch;
use crate::band::units::GroupIndex;
use crate::repeating::Repeating;
use crate::scalar::NumberSet;
use crate::units::{ColumnIndex, index};
use record::Record;
use std::collections::VecDeque;
use std::ops::Range;

/// Groups whose first columns are equal modulo 72, which most periods divide.
const CLASSES: usize = 9;

/// Columns that are equal modulo 72.
const MODULUS: u64 = 72;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Consecutive numbers of a group in a shelf.
const RUN: usize = 256;

/// Bytes of a shelf from a run of a group to the next one.
const STRIDE: usize = SIDE * RUN;

/// Bytes of a shelf between two runs of a group.
const JUMP: u16 = 7 * 256;

/// The bytes of a shelf from a run of a group on that have its next one, too.
pub(super) type Window = [u8; 2 * STRIDE];

/// What is known of a group beside its bytes.
#[derive(Clone, Debug)]
struct State {
    /// The numbers from this one on are free, and have arbitrary bytes. It is counted, as all
    /// numbers of bytes, from the first column of the shelf.
    end: usize,
    /// No number from the first column to this one is free in any column, but for diagonal values.
    blocked: u64,
    /// The lane in which the group went into the planes.
    entered: usize,
}

/// Eight columns.
pub(super) struct Group<'a> {
    index: GroupIndex,
    state: &'a mut State,
    /// Bit `j` of the byte of a number: it is taken in column `j`.
    shelf: &'a mut Vec<u8>,
}

/// The byte of number `n` of a shelf, from the first byte of a group.
#[inline(always)]
fn place(n: usize) -> usize {
    n / RUN * STRIDE + n % RUN
}

impl Group<'_> {
    /// A number, counted from the first column of the shelf.
    #[inline(always)]
    fn number(&self, p: u64) -> usize {
        index(p - self.index.0 / SIDE as u64 * 64)
    }

    #[inline(always)]
    fn at(&self, n: usize) -> usize {
        index(self.index.0) % SIDE * RUN + place(n)
    }

    /// The columns in which a number is taken.
    #[inline]
    pub(super) fn taken(&self, p: u64) -> u8 {
        let n = self.number(p);
        if n < self.state.end { self.shelf[self.at(n)] } else { 0 }
    }

    /// Whether a number has a byte.
    pub(super) fn has_byte(&self, p: u64) -> bool {
        self.number(p) < self.state.end
    }

    #[inline]
    pub(super) fn is_taken(&self, ColumnIndex(q): ColumnIndex, p: u64) -> bool {
        self.taken(p) >> (q % SIDE as u64) & 1 == 1
    }

    #[inline]
    pub(super) fn take(&mut self, ColumnIndex(q): ColumnIndex, p: u64) {
        *self.byte(p) |= 1 << (q % SIDE as u64);
    }

    /// Sets the columns in which a number is taken.
    pub(super) fn set(&mut self, p: u64, taken: u8) {
        *self.byte(p) = taken;
    }

    #[inline]
    fn byte(&mut self, p: u64) -> &mut u8 {
        let n = self.number(p);
        self.extend(n + 1);
        let at = self.at(n);
        &mut self.shelf[at]
    }

    /// Makes the shelf have bytes of the numbers below `end`, and a window from each of them on.
    fn reserve(&mut self, end: usize) {
        let needed = place(end) + 3 * STRIDE;
        if self.shelf.len() < needed {
            self.shelf.resize(needed + needed / 4, 0);
        }
    }

    /// Makes numbers up to `end` have bytes.
    #[inline]
    fn extend(&mut self, end: usize) {
        if end > self.state.end {
            self.reserve(end);
            for run in runs(self.state.end..end) {
                let at = self.at(run.start);
                self.shelf[at..at + run.len()].fill(0);
            }
            self.state.end = end;
        }
    }

    /// Sets the bytes from number `n` of the shelf on. These are the last that are not 0.
    #[inline(always)]
    fn end_with_from(&mut self, n: usize, bytes: &[u8]) {
        let end = n + bytes.len();
        self.extend(n);
        self.reserve(end);
        for run in runs(n..end) {
            let at = self.at(run.start);
            self.shelf[at..at + run.len()].copy_from_slice(&bytes[run.start - n..run.end - n]);
        }
        self.state.end = end;
        // The next call writes there.
        prefetch(&self.shelf[self.at(end + LINE)]);
    }

    /// Sets the bytes from number `p` on. These are the last that are not 0.
    #[inline(always)]
    pub(super) fn end_with(&mut self, p: u64, bytes: &[u8]) {
        self.end_with_from(self.number(p), bytes);
    }

    /// The bytes of 64 numbers, given by their distances from the first of them, if the group has
    /// bytes of 256 numbers from there on: a window, and their places in it.
    #[inline(always)]
    pub(super) fn window(&self, p: u64, distances: [u8; 64]) -> Option<(&Window, [u16; 64])> {
        let n = self.number(p);
        if n + RUN > self.state.end {
            return None;
        }
        // The next 64 ends are there.
        for line in 3..6 {
            prefetch(&self.shelf[self.at(n + line * LINE)]);
        }
        let first = u16::try_from(n % RUN).expect("a run is short");
        let places = distances.map(|distance| {
            let n = first + u16::from(distance);
            // Past the end of the run.
            if n < 256 { n } else { n + JUMP }
        });
        Some((self.shelf.get(self.at(n / RUN * RUN)..)?.first_chunk()?, places))
    }

    /// Prefetches the bytes of a few numbers from `p` on.
    pub(super) fn prefetch(&self, p: u64, lines: usize) {
        let p = p.max(self.index.first_column().0);
        for line in 0..lines {
            let byte = self.shelf.get(self.at(self.number(p) + line * LINE));
            byte.into_iter().for_each(prefetch);
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
    }

    /// Whether every number from `p` on is free in all columns.
    pub(super) fn is_free_from(&self, p: u64) -> bool {
        (self.number(p)..self.state.end).all(|n| self.shelf[self.at(n)] == 0)
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

/// The parts of a range of numbers that are in one run.
#[inline(always)]
fn runs(numbers: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = numbers.start;
    std::iter::from_fn(move || {
        let run = start..numbers.end.min((start / RUN + 1) * RUN);
        start = run.end;
        (!run.is_empty()).then_some(run)
    })
}

/// The groups that rows have reached, and later rows will read.
#[derive(Default)]
pub(super) struct Groups {
    first: GroupIndex,
    kept: VecDeque<State>,
    /// From that of the first group on.
    shelves: VecDeque<Vec<u8>>,
    /// The groups of a class that no row has reached, as bytes from their first columns on.
    classes: [Vec<u8>; CLASSES],
    /// Periodic rows whose periods do not divide 72.
    odd: Vec<Repeating>,
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
            let class = std::mem::take(&mut self.classes[index(g.0) % CLASSES]);
            self.add(&class);
            self.classes[index(g.0) % CLASSES] = class;
            for k in 0..self.odd.len() {
                for q in g.first_column().up_to((g + 1).first_column()) {
                    let p = q.0 + self.odd[k].offset(q.0);
                    self.get(g).take(q, p);
                }
            }
        }
    }

    /// Adds a group with these bytes from its first column on.
    pub(super) fn add(&mut self, taken: &[u8]) {
        let g = self.end();
        if self.shelves.len() <= shelf(g) - shelf(self.first) {
            // The last row that reads the groups will need `first / √2` numbers.
            let needed = place(index(g.first_column().0) * 3 / 4) + 4 * STRIDE;
            let spare = self.spare.pop().filter(|spare| spare.len() >= needed);
            self.shelves.push_back(spare.unwrap_or_else(|| vec![0; needed * 3 / 2]));
        }
        let first = g.first_column().0;
        let start = SIDE * (index(g.0) % SIDE);
        self.kept.push_back(State { end: start, blocked: first, entered: 0 });
        let mut group = self.get(g);
        group.end_with_from(start, taken);
        for n in 0..SIDE {
            // A column has no numbers below it.
            *group.byte(first + n as u64) |= 0xFE << n;
        }
    }

    /// A row has ended, and has entered its values in the columns before `next`.
    pub(super) fn finish(&mut self, next: ColumnIndex, row: &Record) {
        if let Some(row) = row.periodic().map(Repeating::from) {
            for q in next.up_to(self.end().first_column()) {
                self.get(GroupIndex::of_column(q)).take(q, q.0 + row.offset(q.0));
            }
            if MODULUS.is_multiple_of(row.period()) {
                for q in 0..MODULUS {
                    let class = &mut self.classes[index(q) / SIDE];
                    let at = index(q) % SIDE + index(row.offset(q));
                    if at >= class.len() {
                        class.resize(at + 1, 0);
                    }
                    class[at] |= 1 << (q % SIDE as u64);
                }
            } else {
                self.odd.push(row);
            }
        }
    }

    /// Drops the groups before `first`.
    pub(super) fn drop_to(&mut self, first: GroupIndex) {
        while self.first < first {
            let old = shelf(self.first);
            self.kept.pop_front();
            self.first += 1;
            if shelf(self.first) > old {
                self.spare.extend(self.shelves.pop_front());
            }
        }
    }

    #[inline(always)]
    pub(super) fn get(&mut self, g: GroupIndex) -> Group<'_> {
        let state = &mut self.kept[index(g - self.first)];
        Group { index: g, state, shelf: &mut self.shelves[shelf(g) - shelf(self.first)] }
    }
}
