//! The claim about Friedman and Landsberg's picture: with `y = q - r`, `z = p - q`, the P-positions
//! of row r are near `z = (α - 1)(r ± y) - y` to `y = (2α - 3)r`, and then near
//! `z = (4 - 2α)r`, for the slope `α = 1 + 1/√2` of the diagonal.

use byrnes::{InstantWinners, Perturbation};
use census::Surd;

use crate::evidence::Evidence;
use crate::verdict::Finding;

/// Random first sheets, the last row of each, and the greatest distance from the lines there, in
/// squares: a 32nd of the row's number.
const RANDOM_SHEETS: u64 = 9;
const SHEET_ROW: u32 = 2048;
const NEAR: u64 = 2048 / 32;

/// From Chomp's first sheet and from random ones, the map from an instant-winner sheet to the next
/// leads to P-positions within a distance of the three lines that does not grow with r: x and y of
/// the slope of the diagonal, `α = x + y/√2`, both 1 in the paper. One counterexample at most.
pub fn three_lines(_: &Evidence, (alpha,): ((i64, i64),)) -> Finding {
    let starts =
        [Perturbation::default()].into_iter().chain((0..RANDOM_SHEETS).map(Perturbation::random));
    let far = starts.map(|start| greatest_distance(&start, alpha)).max().expect("there are sheets");
    let counterexample = (far > NEAR).then(|| format!("{far} squares from the lines"));
    let cases = format!(
        "{} first sheets, each with y and z to 3r/4: in row {SHEET_ROW} all P-positions are within \
         {far} squares of the lines",
        RANDOM_SHEETS + 1
    );
    Finding::in_cases(cases, counterexample).by(format!(
        "fact 1 as a map on sheets, iterated from Chomp's first sheet and from the first \
         {RANDOM_SHEETS} random perturbations"
    ))
}

/// How far a P-position of row [`SHEET_ROW`] with `y < 3r/4` is from its line, in squares, rounded
/// up. Time: the square of the row.
fn greatest_distance(start: &Perturbation, alpha: (i64, i64)) -> u64 {
    let mut sheet = InstantWinners::new(start, SHEET_ROW / 4 * 7);
    (0..SHEET_ROW).for_each(|_| drop(sheet.next_sheet()));
    let values = (SHEET_ROW..).zip(sheet.p_positions()).take(SHEET_ROW as usize / 4 * 3);
    let distances = values.map(|(q, p)| distance((q - SHEET_ROW).into(), (p - q).into(), alpha));
    distances.max().map_or(0, |far| far.floor_of(1).unsigned_abs() + 1)
}

/// How far a P-position is from its line, the nearer one of lower and upper, and past
/// `y = (2α - 3)r` of lower and last. The end of a finite row may be past it, near the lower line.
fn distance(y: u64, z: u64, (whole, over_root): (i64, i64)) -> Surd {
    let (row, slope) = (u64::from(SHEET_ROW), Surd::new(whole - 1, over_root));
    let magnitude = |distance: Surd| distance.max(Surd::new(0, 0) - distance);
    let lower = Surd::from_line(y + z, slope, row - y);
    // The lower line is at z = 0 for y = (2α - 3)r, where the upper one meets the last.
    let is_past = Surd::from_line(y, slope, row - y) > Surd::new(0, 0);
    let other = if is_past {
        Surd::from_line(z, Surd::new(4 - 2 * whole, -2 * over_root), row)
    } else {
        Surd::from_line(y + z, slope, row + y)
    };
    magnitude(lower).min(magnitude(other))
}
