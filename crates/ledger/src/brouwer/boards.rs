//! Claims about boards with any number of rows, decided by the solver of `boards`; and the claim
//! about Friedman and Landsberg's picture: with `y = q - r`, `z = p - q`, the P-positions of row r
//! are near `z = (α - 1)(r ± y) - y` to `y = (2α - 3)r`, and then near `z = (4 - 2α)r`, for the
//! slope `α = 1 + 1/√2` of the diagonal.

use std::num::NonZero;
use std::ops::ControlFlow;

use cascade::{Perturbation, PerturbedColumns};
use census::Surd;
use game::{Board, Square};
use record::joined;

use crate::evidence::Evidence;
use crate::oracles::{BOARDS, SIDE};
use crate::verdict::Finding;
use boards::openings::Openings;

/// A square by its column and row.
pub fn at((column, row): (u16, u16)) -> Square {
    Square { row, column }
}

/// Squares as Cho names them: column and row.
pub fn squares(squares: &[Square]) -> String {
    let names = squares.iter().map(|Square { row, column }| format!("({column},{row})"));
    if squares.is_empty() { "none".to_owned() } else { joined(names, ", ") }
}

/// The winning openings, and the boards that they leave.
pub fn winning(rows: u16, columns: u16) -> (Vec<Square>, Vec<Board>) {
    let found = Openings::of(&*BOARDS, rows, columns).expect("a rectangle that was solved");
    let rectangle = Board::rectangle(rows, columns).expect("not empty");
    let leave = found.bites.iter().filter_map(|&bite| rectangle.after(bite)).collect();
    (found.bites, leave)
}

/// A statement about each n from this one on.
pub fn each_side(from: u16, wrong: impl Fn(u16) -> Option<String>) -> Finding {
    let wrong = |n| wrong(u16::try_from(n).expect("a side"));
    Finding::each(from.into()..=SIDE.into(), wrong)
}

/// On n × n, n >= from, the bite at a square (column, row) wins; if `alone` is set, no other does.
pub fn square_opening(_: &Evidence, (from, square, alone): (u16, (u16, u16), bool)) -> Finding {
    each_side(from, |n| {
        let found = winning(n, n).0;
        let right = found.contains(&at(square)) && (!alone || found.len() == 1);
        (!right).then(|| format!("{n}x{n}: {}", squares(&found)))
    })
}

/// On m × n, from <= m <= n, taking the corner square alone loses.
pub fn corner_loses(_: &Evidence, (from,): (u16,)) -> Finding {
    each_side(from, |n| {
        let wins = |&m: &u16| winning(m, n).0.contains(&Square { row: m, column: n });
        (from..=n).find(wins).map(|m| format!("{m}x{n}: the corner square wins"))
    })
}

/// Rectangles have these numbers of winning openings: rows, columns and number.
pub fn number_of_openings(_: &Evidence, (said,): (Vec<(u16, u16, usize)>,)) -> Finding {
    let parts = said.into_iter().map(|(rows, columns, number)| {
        let found = winning(rows, columns).0;
        (found.len() == number, format!("{rows}x{columns}: {}", squares(&found)))
    });
    Finding::all(parts, "; ")
}

/// The first Grundy values of 3 × 1, 3 × 2, ..., by a full table.
pub fn grundy_values(_: &Evidence, (terms,): (Vec<u64>,)) -> Finding {
    let columns = u16::try_from(terms.len()).expect("the ledger has a short list");
    let rectangles: Vec<[u16; 3]> = (1..=columns).map(|n| [n; 3]).collect();
    let go_on = |_| ControlFlow::Continue(());
    let found = boards::grundy::values(&rectangles, NonZero::<usize>::MIN, &go_on);
    let found = found.expect("a small table").into_iter().map(u64::from);
    Finding::terms(1, &terms, found, |n, value| format!("3x{n} has the value {value}"))
        .by(format!("all positions of 3x{columns}"))
}

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
/// up. The instant winners of a sheet are what (C) and (D) block, so fact 1, column by column, has
/// the P-positions of all sheets. Time: the square of the row.
fn greatest_distance(start: &Perturbation, alpha: (i64, i64)) -> u64 {
    let columns = (0..SHEET_ROW / 4 * 7).zip(PerturbedColumns::new(start, SHEET_ROW));
    let distances = columns.filter_map(|(q, values)| match values.last() {
        Some((SHEET_ROW, p)) => Some(distance((q - SHEET_ROW).into(), (p - q).into(), alpha)),
        _ => None,
    });
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
