//! The map on sheets, iterated: how near sheets come to one picture after scaling with r.
//!
//! Friedman and Landsberg's picture, in the numbers of the 2005 paper: with `y = q - r`,
//! `z = p - q`, the P-positions of row r are near `z = (α - 1)(r ± y) - y` to `y = (2α - 3)r`, and
//! then near `z = (4 - 2α)r`. For `α = 1 + 1/√2` these are the lines that figures show.

use std::ops::Range;

use serde::Serialize;

use crate::Surd;

/// The three lines of a row for a slope α of the diagonal.
#[derive(Clone, Copy, Debug)]
pub struct ThreeLines {
    row: u64,
    /// α - 1 and 4 - 2α.
    slopes: (Surd, Surd),
}

/// One of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// `z = (α - 1)(r - y) - y`.
    Lower,
    /// `z = (α - 1)(r + y) - y`.
    Upper,
    /// `z = (4 - 2α)r`, for y past `(2α - 3)r`.
    Last,
}

impl ThreeLines {
    /// The lines of row r if the diagonal has the slope `whole + over_root/√2`. For the slope of
    /// Chomp, both are 1.
    #[must_use]
    pub fn new(row: u64, (whole, over_root): (i64, i64)) -> Self {
        let last = Surd::new(4 - 2 * whole, -2 * over_root);
        Self { row, slopes: (Surd::new(whole - 1, over_root), last) }
    }

    /// The line that a position of the sheet belongs to, and its height above it: the nearer one of
    /// lower and upper, and past `y = (2α - 3)r` of lower and last. The end of a finite row may be
    /// past it, near the lower line.
    #[must_use]
    pub fn nearest(&self, y: u64, z: u64) -> (Line, Surd) {
        let (slope, last) = self.slopes;
        let lower = Surd::from_line(y + z, slope, self.row.saturating_sub(y));
        let upper = Surd::from_line(y + z, slope, self.row + y);
        // The lower line is at z = 0 for y = (2α - 3)r, where the upper one meets the last.
        let is_past = Surd::from_line(y, slope, self.row.saturating_sub(y)) > Surd::new(0, 0);
        let other = if is_past {
            (Line::Last, Surd::from_line(z, last, self.row))
        } else {
            (Line::Upper, upper)
        };
        if magnitude(lower) < magnitude(other.1) { (Line::Lower, lower) } else { other }
    }
}

fn magnitude(distance: Surd) -> Surd {
    distance.max(Surd::new(0, 0) - distance)
}

/// The sheet of a row, to `y < 3r/4` and `z < 3r/4`, and how far it is from the lines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sheet {
    /// The row.
    pub row: u64,
    /// `p - q` of the P-positions, for y = 0, 1, ...
    pub offsets: Vec<u64>,
    /// Columns whose P-position is nearer to the lower line.
    pub lower: u64,
    /// Those of the upper line.
    pub upper: u64,
    /// The mean distance of a P-position from its line, in thousandths of a square, rounded down.
    pub mean: u64,
    /// The greatest distance, in squares, rounded up.
    pub greatest: u64,
    /// Instant winners in each of [`Sheet::CELLS`] cells a side, row by row from y = z = 0.
    pub winners: Vec<u64>,
}

impl Sheet {
    /// Cells each way.
    pub const CELLS: u64 = 32;

    /// The rows that have sheets: each is twice the one before it, and cells have whole sides.
    pub const FIRST_ROW: u32 = 128;

    /// The sheet of row r, with its P-positions as `p - q` for y = 0, 1, ..., and the test whether
    /// (p, q, r) is an instant winner, which takes p and q. The lines have the slope of
    /// [`ThreeLines::new`].
    #[must_use]
    pub fn of(
        row: u64,
        alpha: (i64, i64),
        offsets: impl IntoIterator<Item = u64>,
        is_winner: impl Fn(u64, u64) -> bool,
    ) -> Self {
        let end = row / 4 * 3;
        let offsets: Vec<u64> = (0..end).zip(offsets).map(|(_, offset)| offset).collect();
        let lines = ThreeLines::new(row, alpha);
        let nearest = (0..).zip(&offsets).map(|(y, &z)| lines.nearest(y, z));
        let nearest: Vec<(Line, Surd)> = nearest.collect();
        let number = |line| nearest.iter().filter(|own| own.0 == line).count() as u64;
        let far: Vec<u64> =
            nearest.iter().map(|own| magnitude(own.1).floor_of(1000).unsigned_abs()).collect();
        Self {
            row,
            lower: number(Line::Lower),
            upper: number(Line::Upper),
            mean: far.iter().sum::<u64>() / (far.len() as u64).max(1),
            greatest: far.iter().max().map_or(0, |most| most / 1000 + 1),
            offsets,
            winners: cells(end, |y, z| is_winner(row + y + z, row + y)),
        }
    }

    /// The share of lower among the columns before the bend, in thousandths.
    #[must_use]
    pub fn lower_in_1000(&self) -> u64 {
        1000 * self.lower / (self.lower + self.upper).max(1)
    }

    /// The mean difference of the densities of instant winners in a cell, after scaling, in
    /// thousandths, rounded down.
    #[must_use]
    pub fn difference(&self, other: &Self) -> u64 {
        let area = |sheet: &Self| (sheet.row * 3 / 4 / Self::CELLS).pow(2).max(1);
        let density = |sheet: &Self, winners: u64| 1_000_000 * winners / area(sheet);
        let pairs = self.winners.iter().zip(&other.winners);
        let apart: u64 =
            pairs.map(|(&own, &its)| density(self, own).abs_diff(density(other, its))).sum();
        apart / (1000 * Self::CELLS.pow(2))
    }
}

/// The number of winners in each cell of a square with this side.
fn cells(end: u64, is_winner: impl Fn(u64, u64) -> bool) -> Vec<u64> {
    let side = (end / Sheet::CELLS).max(1);
    let cell = |cell: u64| cell % Sheet::CELLS * side..(cell % Sheet::CELLS + 1) * side;
    let count = |(y, z): (Range<u64>, Range<u64>)| {
        let of_column = |y: u64| z.clone().filter(|&z| is_winner(y, z)).count() as u64;
        y.map(of_column).sum::<u64>()
    };
    let cells = 0..Sheet::CELLS.pow(2);
    cells.map(|place| count((cell(place), cell(place / Sheet::CELLS)))).collect()
}
