//! One period of a row, drawn: the offsets that the rows below block, the hole, and the offsets of
//! the row. The style sheet has the colours, so the figure is dark where the page is.

use std::fmt::Display;

use cascade::why::{Explanation, HoleColumn};
use record::joined;

/// The side of a square, in pixels.
const SIDE: i64 = 26;
/// The room for the names of heights and of columns.
const LEFT: i64 = 84;
const BELOW: i64 = 24;
/// The least width: room for two columns' names.
const LEAST_WIDTH: i64 = 190;
/// No more heights are drawn, nor columns.
const MOST: i64 = 100;

/// The figure of a row's period; `None` if it is too large.
pub(crate) fn period(row: &Explanation) -> Option<String> {
    let columns = i64::try_from(row.hole.len()).ok().filter(|&columns| columns <= MOST)?;
    let heights = row.hole.iter().map(|at| at.height);
    let depths = row.hole.iter().map(|at| -at.depth.cast_signed());
    let lowest = heights.chain(depths).min()?.min(0);
    let frame = Frame { lowest, columns };
    if frame.heights() > MOST {
        return None;
    }
    let (width, height) = (frame.width(), frame.heights() * SIDE + BELOW);
    let holes = if row.holes.is_none() { holes(row) } else { String::new() };
    let paths =
        [("f", frame.outline()), ("b", frame.blocked(row)), ("h", holes), ("o", offsets(row))];
    let paths = paths.iter().filter(|(_, data)| !data.is_empty());
    let paths = paths.map(|(class, data)| format!("<path class=\"{class}\" d=\"{data}\"/>"));
    Some(format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"One period of row {}\">{}{}</svg>",
        row.row,
        joined(paths, ""),
        frame.names(row)
    ))
}

struct Frame {
    /// The lowest height; the highest is 1.
    lowest: i64,
    columns: i64,
}

impl Frame {
    fn heights(&self) -> i64 {
        2 - self.lowest
    }

    fn width(&self) -> i64 {
        (LEFT + self.columns * SIDE + SIDE).max(LEAST_WIDTH)
    }

    fn outline(&self) -> String {
        let (width, height) = (self.columns * SIDE, self.heights() * SIDE);
        format!("M{LEFT} 0h{width}v{height}h-{width}z")
    }

    /// The squares that the rows of the cluster block, those side by side as one.
    fn blocked(&self, row: &Explanation) -> String {
        let of_height = |height: i64| {
            let is_blocked =
                |column: u64| row.cluster.iter().any(|below| below.at(column) == Some(height));
            let squares: Vec<(i64, bool)> =
                (0..).zip(&row.hole).map(|(at, hole)| (at, is_blocked(hole.column))).collect();
            let runs = squares.chunk_by(|one, next| one.1 == next.1).filter(|run| run[0].1);
            let drawn = runs.map(|run| {
                let ((x, y), number) = (corner(run[0].0, height), run[run.len() - 1].0 - run[0].0);
                let width = SIDE * (1 + number);
                format!("M{x} {y}h{width}v{SIDE}h-{width}z")
            });
            joined(drawn, "")
        };
        joined((self.lowest..=1).rev().map(of_height), "")
    }

    /// The names of all heights, and of the first column and the last.
    fn names(&self, row: &Explanation) -> String {
        let end = |x: i64, y: i64, name: &dyn Display| {
            format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{name}</text>")
        };
        let heights = (self.lowest..=1).map(|height| {
            let name = match height {
                1 => "mean + 1".to_owned(),
                0 => "mean".to_owned(),
                below => format!("mean − {}", -below),
            };
            end(LEFT - 8, middle(0, height).1 + 4, &name)
        });
        let y = self.heights() * SIDE + 17;
        let first = row
            .hole
            .first()
            .map(|at| format!("<text x=\"{LEFT}\" y=\"{y}\">q = {}</text>", at.column));
        let last = row.hole.last().filter(|_| self.columns > 6);
        let last = last.map(|at| end(LEFT + self.columns * SIDE, y, &at.column));
        joined(heights.chain(first).chain(last), "")
    }
}

/// The upper left corner of a square.
fn corner(column: i64, height: i64) -> (i64, i64) {
    (LEFT + column * SIDE, (1 - height) * SIDE)
}

fn middle(column: i64, height: i64) -> (i64, i64) {
    let (x, y) = corner(column, height);
    (x + SIDE / 2, y + SIDE / 2)
}

/// Rings where the hole is blocked.
fn holes(row: &Explanation) -> String {
    let blocked = (0..).zip(&row.hole).filter(|(_, at)| at.blocked);
    let ring = |(column, at): (i64, &HoleColumn)| {
        let (x, y) = middle(column, -at.depth.cast_signed());
        format!("M{} {y}a6 6 0 1 0 12 0a6 6 0 1 0-12 0", x - 6)
    };
    joined(blocked.map(ring), "")
}

fn offsets(row: &Explanation) -> String {
    let dot = |(column, at): (i64, &HoleColumn)| {
        let (x, y) = middle(column, at.height);
        format!("M{x} {y}h0")
    };
    joined((0..).zip(&row.hole).map(dot), "")
}
