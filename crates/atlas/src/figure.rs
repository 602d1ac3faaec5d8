//! One period of a row, drawn: the offsets that the rows below block, the hole, and the offsets of
//! the row. The style sheet has the colours, so the figure is dark where the page is.

use cascade::why::Explanation;

use crate::html::put;

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
    let mut svg = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"One period of row {}\">",
        row.row
    );
    path(&mut svg, "f", &frame.outline());
    path(&mut svg, "b", &frame.blocked(row));
    if row.holes.is_none() {
        path(&mut svg, "h", &holes(row));
    }
    path(&mut svg, "o", &offsets(row));
    frame.names(&mut svg, row);
    svg.push_str("</svg>");
    Some(svg)
}

fn path(svg: &mut String, class: &str, data: &str) {
    if !data.is_empty() {
        put(svg, format_args!("<path class=\"{class}\" d=\"{data}\"/>"));
    }
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
        let mut data = String::new();
        for height in (self.lowest..=1).rev() {
            let is_blocked =
                |column: u64| row.cluster.iter().any(|below| below.at(column) == Some(height));
            let mut squares = (0..).zip(&row.hole).map(|(at, hole)| (at, is_blocked(hole.column)));
            while let Some((from, _)) = squares.find(|(_, blocked)| *blocked) {
                let more = squares.by_ref().take_while(|(_, blocked)| *blocked).count();
                let (x, y) = corner(from, height);
                let width = SIDE * (1 + i64::try_from(more).unwrap_or(0));
                put(&mut data, format_args!("M{x} {y}h{width}v{SIDE}h-{width}z"));
            }
        }
        data
    }

    /// The names of all heights, and of the first column and the last.
    fn names(&self, svg: &mut String, row: &Explanation) {
        for height in self.lowest..=1 {
            let name = match height {
                1 => "mean + 1".to_owned(),
                0 => "mean".to_owned(),
                below => format!("mean − {}", -below),
            };
            let y = middle(0, height).1 + 4;
            put(
                svg,
                format_args!(
                    "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\">{name}</text>",
                    LEFT - 8
                ),
            );
        }
        let y = self.heights() * SIDE + 17;
        let (Some(first), Some(last)) = (row.hole.first(), row.hole.last()) else { return };
        let name = format!("q = {}", first.column);
        put(svg, format_args!("<text x=\"{LEFT}\" y=\"{y}\">{name}</text>"));
        if self.columns > 6 {
            let x = LEFT + self.columns * SIDE;
            let name = last.column;
            put(svg, format_args!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{name}</text>"));
        }
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
    let mut data = String::new();
    for (column, at) in (0..).zip(&row.hole).filter(|(_, at)| at.blocked) {
        let (x, y) = middle(column, -at.depth.cast_signed());
        put(&mut data, format_args!("M{} {y}a6 6 0 1 0 12 0a6 6 0 1 0-12 0", x - 6));
    }
    data
}

fn offsets(row: &Explanation) -> String {
    let mut data = String::new();
    for (column, at) in (0..).zip(&row.hole) {
        let (x, y) = middle(column, at.height);
        put(&mut data, format_args!("M{x} {y}h0"));
    }
    data
}
