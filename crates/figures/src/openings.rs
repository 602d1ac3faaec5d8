//! The numbers of winning openings of rectangles, by rows and columns.

use std::collections::BTreeMap;

use boards::openings::Openings;

use super::chart::{Entry, Figure, Ink, Label, MARGIN, Page, Path, WIDTH, colour};

/// The longest side with a cell that holds a number.
pub const LONGEST_SIDE: u16 = 24;

const TOP: i64 = 1300;
const LEFT: i64 = 1000;
/// The largest size of a cell.
const LARGEST_CELL: i64 = 700;
const SIZE: i64 = 240;

/// Draws the numbers of winning openings of all a × b, a and b up to some side of at most
/// [`LONGEST_SIDE`], as a heat map: rows downwards, columns to the right; the number, where it is
/// not 1.
pub fn openings_figure(openings: &[Openings]) -> Figure {
    let mut page = Page::new("Numbers of winning openings");
    let side = openings.iter().map(|of| i64::from(of.rows.max(of.columns))).max().unwrap_or(0);
    let cell = ((WIDTH - MARGIN - LEFT) / side.max(1)).min(LARGEST_CELL);
    let (end, middle) = (side * cell, |number: i64| number * cell - cell / 2);
    let mut by_number: BTreeMap<usize, (Path, u64)> = BTreeMap::new();
    for of in openings {
        let (path, boards) = by_number.entry(of.bites.len()).or_default();
        let [x, y] = [of.columns, of.rows].map(|number| (i64::from(number) - 1) * cell);
        path.rectangle((LEFT + x, TOP + y), cell, cell);
        *boards += 1;
    }
    let mut entries = Vec::new();
    for (number, (path, boards)) in by_number {
        let ink = Ink::Cells(shade(number));
        page.path("cells", path, ink);
        let words = match number {
            0 => format!("none ({boards})"),
            1 => format!("1 opening ({boards})"),
            _ => format!("{number} openings ({boards})"),
        };
        entries.push(Entry::new(ink, words));
    }
    for of in openings.iter().filter(|of| of.bites.len() != 1) {
        let [x, y] = [of.columns, of.rows].map(|number| middle(number.into()));
        let ink = if of.bites.is_empty() { colour::BLACK } else { colour::WHITE };
        text(&mut page, "number", &of.bites.len(), (LEFT + x, TOP + y + 85), ink);
    }
    let mut lines = Path::default();
    for place in (0..=side).map(|place| place * cell) {
        lines.line(&[(LEFT, TOP + place), (LEFT + end, TOP + place)]);
        lines.line(&[(LEFT + place, TOP), (LEFT + place, TOP + end)]);
    }
    page.path("grid", lines, Ink::Line(colour::WHITE, 20));
    for side in 1..=side {
        text(&mut page, "x-tick", &side, (LEFT + middle(side), TOP - 130), colour::BLACK);
        let label = Label::new("y-tick", side.to_string(), (LEFT - 120, TOP + middle(side) + 85));
        page.label(label.size(SIZE).end());
    }
    text(&mut page, "x-label", &"columns", (LEFT + end / 2, TOP - 440), colour::BLACK);
    let rows = Label::new("y-label", "rows", (MARGIN + 200, TOP + end / 2));
    page.label(rows.size(SIZE).middle().upwards());
    let bottom = page.legend(TOP + end, &entries);
    let caption = format!(
        "The number of bites of the full board that leave a P-position, for all boards of up to \
         {side} rows and {side} columns; in brackets, the number of boards. The board of one square \
         has no bite. Boards that are each other's mirror images have the same number."
    );
    page.caption(bottom, &caption)
}

fn shade(number: usize) -> &'static str {
    match number {
        0 => colour::GRID,
        1 => colour::SHADES[0],
        2 => colour::SHADES[3],
        3 => colour::VERMILION,
        _ => colour::BLACK,
    }
}

fn text(
    page: &mut Page,
    class: &'static str,
    text: &impl ToString,
    at: (i64, i64),
    ink: &'static str,
) {
    page.label(Label::new(class, text.to_string(), at).size(SIZE).middle().colour(ink));
}

#[cfg(test)]
mod tests {
    use game::Square;

    use super::*;

    fn opened(rows: u16, columns: u16, number: usize) -> Openings {
        Openings { rows, columns, bites: vec![Square::POISON; number] }
    }

    #[test]
    fn numbers_are_shown_where_there_is_not_one_opening() {
        let boards = [(1, 1, 0), (1, 2, 1), (2, 1, 1), (2, 2, 3)];
        let figure = openings_figure(&boards.map(|(a, b, number)| opened(a, b, number)));
        assert_eq!(figure.cut_texts(), [""; 0]);
        let svg = figure.svg();
        assert_eq!(svg.matches("class=\"number\"").count(), 2);
        for words in ["none (1)", "1 opening (2)", "3 openings (1)", "up to 2 rows"] {
            assert!(svg.contains(words), "{words}");
        }
    }

    #[test]
    fn the_largest_figure_fits() {
        let sides = || 1..=LONGEST_SIDE;
        let all = sides().flat_map(|a| sides().map(move |b| opened(a, b, usize::from(a % 5))));
        assert_eq!(openings_figure(&all.collect::<Vec<_>>()).cut_texts(), [""; 0]);
    }
}
