//! The P-positions of several rows about two of the lines of Friedman and Landsberg.

use std::collections::BTreeMap;

use record::{Record, joined};

use super::axes::{AxisText, Panel, Scale, y_label};
use super::legend::{self, Entry};
use super::offsets::Offsets;
use super::page::{Ink, Label, Page, colour};
use super::thousandths::{self, ONE, grouped, half_root_two, minus, whole};
use super::{Figure, FigureError, Plot, require_within_reach, table_line};

/// The density of the P-positions of rows about the lower and the upper line, in squares of width 1
/// of the distance, each row in its colour.
#[derive(Clone, Debug)]
pub struct BandsPlot {
    /// The data of the rows that are drawn.
    rows: BTreeMap<u64, Option<Bands>>,
}

/// The positions of a row, by their distance from a line, rounded down.
#[derive(Clone, Debug, Default)]
struct Bands {
    columns: u64,
    lower: BTreeMap<i64, u64>,
    upper: BTreeMap<i64, u64>,
}

const TOP: i64 = 1350;
const HEIGHT: i64 = 2900;
const BETWEEN: i64 = 1100;
const SIZE: i64 = 260;
/// Rows, in ascending order.
const COLOURS: [&str; 5] = ["#e69f00", colour::VERMILION, colour::BLUE, "#009e73", "#cc79a7"];

impl BandsPlot {
    /// As many rows as there are colours.
    pub const MOST_ROWS: usize = COLOURS.len();

    /// A plot of these rows; it needs the records of these rows only. Rows beyond
    /// [`BandsPlot::MOST_ROWS`], the larger ones, are left out.
    #[must_use]
    pub fn new(rows: impl IntoIterator<Item = u64>) -> Self {
        let all: BTreeMap<u64, Option<Bands>> = rows.into_iter().map(|row| (row, None)).collect();
        Self { rows: all.into_iter().take(Self::MOST_ROWS).collect() }
    }
}

impl Plot for BandsPlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        if let Some(bands) = self.rows.get_mut(&record.row()) {
            require_within_reach(record)?;
            *bands = Some(Bands::of(record)?);
        }
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let rows = self.known()?;
        let mut page = Page::new("The bands about two lines");
        let mut top = TOP;
        let mut lowest = panel(&rows, LINES[0].1, TOP);
        let x_text = AxisText::counts("distance from the line (squares, rounded down)");
        for (name, of) in LINES {
            let panel = panel(&rows, of, top);
            let y_text = AxisText { label: "", ticks: 6, unit: 1 };
            panel.grid(&mut page, x_text, y_text);
            for ((_, bands), ink) in rows.iter().zip(COLOURS) {
                draw(&mut page, &panel, &bands.densities(of(bands)), ink);
            }
            panel.frame(&mut page);
            panel.y_ticks(&mut page, y_text);
            panel.x_ticks(&mut page, x_text);
            page.label(Label::new("line", name, (Panel::LEFT, top - 120)).size(SIZE));
            top = panel.y.from + BETWEEN;
            lowest = panel;
        }
        let bottom = lowest.x_label(&mut page, x_text);
        y_label(&mut page, "columns in 1000", TOP, bottom - 920);
        let entry = |((row, _), ink): (&(u64, &Bands), &'static str)| {
            Entry::new(Ink::Line(ink, 50), format!("row {}", grouped(*row)))
        };
        let entries: Vec<Entry> = rows.iter().zip(COLOURS).map(entry).collect();
        let bottom = legend::draw(&mut page, bottom, &entries);
        let share = |(row, bands): &(u64, &Bands)| {
            let share = bands.densities(&bands.lower).iter().map(|(_, density)| density).sum();
            format!("{} in 1000 of row {}", thousandths::text(share, 1), grouped(*row))
        };
        let caption = format!(
            "P-positions (p, q, r) by their distance p\u{a0}−\u{a0}q\u{a0}−\u{a0}z from the nearer \
             of two lines, z\u{a0}=\u{a0}r/√2\u{a0}+\u{a0}(−1\u{a0}±\u{a0}1/√2)(q\u{a0}−\u{a0}r), \
             where they are apart: r/24 ≤ q − r ≤ (√2 − 1)r. Near the lower one are {}. Nothing is \
             scaled with r: that the curves agree is observed, not proved.",
            joined(rows.iter().map(share), ", ")
        );
        Ok(page.caption(bottom, &caption))
    }

    /// The drawn numbers, tab-separated: row, line, distance rounded down, number of columns, and
    /// columns in 1000.
    fn tsv(&self) -> Option<String> {
        let mut text = "row\tline\tdistance\tcolumns\tin_1000\n".to_owned();
        for (row, bands) in &self.rows {
            let Some(bands) = bands else { continue };
            for (line, counts) in [("lower", &bands.lower), ("upper", &bands.upper)] {
                for ((distance, density), number) in
                    bands.densities(counts).iter().zip(counts.values())
                {
                    let density = thousandths::text(*density, 3);
                    table_line(
                        &mut text,
                        format_args!("{row}\t{line}\t{distance}\t{number}\t{density}"),
                    );
                }
            }
        }
        Some(text)
    }
}

type Of = fn(&Bands) -> &BTreeMap<i64, u64>;

const LINES: [(&str, Of); 2] =
    [("the lower line", |bands| &bands.lower), ("the upper line", |bands| &bands.upper)];

impl BandsPlot {
    fn known(&self) -> Result<Vec<(u64, &Bands)>, FigureError> {
        let rows = self.rows.iter();
        rows.map(|(&row, bands)| Ok((row, bands.as_ref().ok_or(FigureError::Missing { row })?)))
            .collect()
    }
}

impl Bands {
    fn of(record: &Record) -> Result<Self, FigureError> {
        let (row, offsets) = (record.row(), Offsets::of(record)?);
        let mut bands = Self::default();
        let square = |n: u64| u128::from(n) * u128::from(n);
        let columns = row + row.div_ceil(24)..;
        for q in columns.take_while(|&q| square(q) <= 2 * square(row)) {
            let Some(offset) = offsets.at(q) else { break };
            // p - r = z + y, less r/√2 - y/√2 on the lower line, and r/√2 + y/√2 on the upper.
            let (along, y) = (whole(offset + q - row), q - row);
            let lower = minus(along, half_root_two(row - y));
            let upper = minus(along, half_root_two(row + y));
            let (band, distance) = if lower.abs() < upper.abs() {
                (&mut bands.lower, lower)
            } else {
                (&mut bands.upper, upper)
            };
            *band.entry(distance.div_euclid(ONE)).or_default() += 1;
            bands.columns += 1;
        }
        Ok(bands)
    }

    /// Columns in 1000, in thousandths, by distance.
    fn densities(&self, counts: &BTreeMap<i64, u64>) -> Vec<(i64, i64)> {
        let all = u128::from(self.columns.max(1));
        let density = |number: u64| u128::from(number) * 1_000_000 / all;
        let density = |number| i64::try_from(density(number)).expect("at most a million");
        counts.iter().map(|(&distance, &number)| (distance, density(number))).collect()
    }
}

fn panel(rows: &[(u64, &Bands)], of: Of, top: i64) -> Panel {
    let points = || rows.iter().flat_map(|(_, bands)| bands.densities(of(bands)));
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
