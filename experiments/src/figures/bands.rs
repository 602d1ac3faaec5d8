//! The P-positions of several rows about two of the lines of Friedman and Landsberg.

use std::collections::BTreeMap;

use census::renormalization::{Line, ThreeLines};
use figures::chart::thousandths::{self, ONE, grouped};
use figures::chart::{AxisText, Entry, Figure, Ink, Label, Page, Panel, Scale, colour, y_label};
use figures::{FigureError, require_offsets_within_reach};
use record::{Record, joined};

/// The density of the P-positions of rows about the lower and the upper line, in squares of width 1
/// of the distance, each row in its colour.
pub struct BandsPlot {
    rows: BTreeMap<u64, Bands>,
}

/// The columns of a row, and how many of them have their P-position at a distance from the lower
/// line, and from the upper one; distances are rounded down.
#[derive(Default)]
struct Bands {
    columns: u64,
    counts: [BTreeMap<i64, u64>; 2],
}

const LINES: [&str; 2] = ["lower", "upper"];
const TOP: i64 = 1350;
const HEIGHT: i64 = 2900;
const BETWEEN: i64 = 1100;
/// Rows, in ascending order.
const COLOURS: [&str; BandsPlot::MOST_ROWS] =
    ["#e69f00", colour::VERMILION, colour::BLUE, "#009e73", "#cc79a7"];

impl BandsPlot {
    /// As many rows as there are colours.
    pub const MOST_ROWS: usize = 5;

    /// A plot of these rows.
    ///
    /// # Errors
    /// [`FigureError::NoOffsets`]; [`FigureError::TooFar`].
    pub fn of(records: &[Record]) -> Result<Self, FigureError> {
        records.iter().try_for_each(require_offsets_within_reach)?;
        let rows = records.iter().map(|record| (record.row(), Bands::of(record)));
        Ok(Self { rows: rows.collect() })
    }

    /// Draws them.
    pub fn figure(&self) -> Figure {
        let rows = &self.rows;
        let mut page = Page::new("The bands about two lines");
        let (mut top, mut bottom) = (TOP, TOP);
        let x_text = AxisText::counts("distance from the line (squares, rounded down)");
        for (line, name) in LINES.into_iter().enumerate() {
            let panel = panel(rows, line, top);
            let y_text = AxisText::counts("").ticks(6).fractions();
            panel.draw_with_y_ticks(&mut page, (x_text, y_text), |page| {
                for ((_, bands), ink) in rows.iter().zip(COLOURS) {
                    draw(page, &panel, &bands.densities(line), ink);
                }
            });
            panel.x_ticks(&mut page, x_text);
            let label = Label::new("line", format!("the {name} line"), (Panel::LEFT, top - 120));
            page.label(label.size(260));
            (top, bottom) = (panel.y.from + BETWEEN, panel.y.from);
            if line + 1 == LINES.len() {
                panel.x_label(&mut page, x_text);
            }
        }
        y_label(&mut page, "columns in 1000", TOP, bottom);
        let entry = |((row, _), ink): ((&u64, &Bands), &'static str)| {
            Entry::new(Ink::Line(ink, 50), format!("row {}", grouped(*row)))
        };
        let entries: Vec<Entry> = rows.iter().zip(COLOURS).map(entry).collect();
        let bottom = page.legend(bottom + 920, &entries);
        let share = |(row, bands): (&u64, &Bands)| {
            let share = bands.densities(0).iter().map(|(_, density)| density).sum();
            format!("{} in 1000 of row {}", thousandths::text(share, 1), grouped(*row))
        };
        let caption = format!(
            "P-positions (p, q, r) by their distance p\u{a0}−\u{a0}q\u{a0}−\u{a0}z from the nearer \
             of two lines, z\u{a0}=\u{a0}r/√2\u{a0}+\u{a0}(−1\u{a0}±\u{a0}1/√2)(q\u{a0}−\u{a0}r), \
             where they are apart: r/24 ≤ q − r ≤ (√2 − 1)r. Near the lower one are {}. Nothing is \
             scaled with r: that the curves agree is observed, not proved.",
            joined(rows.iter().map(share), ", ")
        );
        page.caption(bottom, &caption)
    }

    /// The drawn numbers, tab-separated: row, line, distance rounded down, number of columns, and
    /// columns in 1000.
    pub fn tsv(&self) -> String {
        let mut lines = vec!["row\tline\tdistance\tcolumns\tin_1000\n".to_owned()];
        for (row, bands) in &self.rows {
            for (line, name) in LINES.into_iter().enumerate() {
                let numbers = bands.counts[line].values();
                for ((distance, density), number) in bands.densities(line).iter().zip(numbers) {
                    let density = thousandths::text(*density, 3);
                    lines.push(format!("{row}\t{name}\t{distance}\t{number}\t{density}\n"));
                }
            }
        }
        lines.concat()
    }
}

impl Bands {
    /// Of the columns where the lines are apart.
    fn of(record: &Record) -> Self {
        let (row, mut bands) = (record.row(), Self::default());
        let lines = ThreeLines::new(row, (1, 1));
        let square = |n: u64| u128::from(n) * u128::from(n);
        let columns = row + row.div_ceil(24)..;
        for q in columns.take_while(|&q| square(q) <= 2 * square(row)) {
            let Ok(Some(offset)) = record.offset(q) else { break };
            let (line, height) = lines.nearest(q - row, offset);
            let counts = &mut bands.counts[usize::from(line != Line::Lower)];
            *counts.entry(height.floor_of(1)).or_default() += 1;
            bands.columns += 1;
        }
        bands
    }

    /// Columns in 1000, in thousandths, by distance.
    fn densities(&self, line: usize) -> Vec<(i64, i64)> {
        let all = u128::from(self.columns.max(1));
        let density = |number: u64| u128::from(number) * 1_000_000 / all;
        let density = |number| i64::try_from(density(number)).expect("at most a million");
        self.counts[line].iter().map(|(&distance, &number)| (distance, density(number))).collect()
    }
}

fn panel(rows: &BTreeMap<u64, Bands>, line: usize, top: i64) -> Panel {
    let points = || rows.values().flat_map(|bands| bands.densities(line));
    let least = points().map(|point| point.0).min().unwrap_or(0);
    let most = points().map(|point| point.0).max().unwrap_or(1).max(least + 1);
    let highest = points().map(|point| point.1).max().unwrap_or(0).max(ONE);
    Panel {
        x: Scale::with_room(least * ONE, most * ONE, 4, Panel::LEFT, Panel::RIGHT),
        y: Scale::with_room(0, highest, 6, top + HEIGHT, top),
    }
}

fn draw(page: &mut Page, panel: &Panel, densities: &[(i64, i64)], ink: &'static str) {
    let points: Vec<(i64, i64)> =
        densities.iter().map(|&(distance, density)| (distance * ONE, density)).collect();
    page.path("trace", panel.path(&points), Ink::Line(ink, 34));
    page.path("dots", panel.dots(points), Ink::Dots(ink, 120));
}
