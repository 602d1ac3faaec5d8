//! The families HIGH and LOW: the median and the largest d for each a.

use boards::four_rows::{Counts, FourRows, Lower};

use figures::chart::thousandths::{self, grouped, whole};
use figures::chart::{AxisText, Entry, Figure, Ink, Label, Page, Panel, Scale};

use super::four_rows::{left, name, of_opening};

/// For each a the median and the largest d/a, coloured by the row of the winning opening of 4 × a.
pub struct FamiliesPlot {
    points: Vec<Point>,
}

/// The values drawn for an a.
#[derive(Clone, Copy, Debug)]
struct Point {
    a: u16,
    row: u8,
    left: u16,
    family: &'static str,
    number: u64,
    /// Thousandths of a, in thousandths, rounded to nearest.
    median: i64,
    longest: u16,
}

const TOP: i64 = 1350;
const BETWEEN: i64 = 800;
const HEIGHT: i64 = 3600;
const DOT: i64 = 60;
/// The height of a point.
type Height = fn(&Point) -> i64;
/// The panels: title, range, and points.
const PANELS: [(&str, (i64, i64), Height); 2] = [
    ("the median of d", (100_000, 320_000), |point| point.median),
    ("the largest d", (400_000, 1_000_000), Point::largest),
];
/// Only for smaller a the medians are beyond the panel.
const FIRST: u16 = 20;

impl Point {
    fn of(a: u16, four_rows: &FourRows) -> Option<Self> {
        let counts: &Counts = four_rows.of(a);
        let (opening, _) = left(a, counts)?;
        let median = four_rows.median(Lower::Last, a..=a, |_| true)?;
        let per_million = (2_000_000 * median.part + median.whole) / (2 * median.whole);
        Some(Self {
            a,
            row: opening.row,
            left: opening.left,
            family: name(counts.family()),
            number: counts.number(),
            median: i64::try_from(per_million).expect("at most a million"),
            longest: counts.longest_last(),
        })
    }

    /// The largest d, in the same unit as the median.
    fn largest(&self) -> i64 {
        let (d, a) = (i64::from(self.longest), i64::from(self.a));
        (2_000_000 * d + a) / (2 * a)
    }
}

impl FamiliesPlot {
    /// A plot of all a that have just one winning opening.
    pub fn of(four_rows: &FourRows) -> Self {
        let all = (FIRST..=four_rows.to()).filter_map(|a| Point::of(a, four_rows));
        Self { points: all.collect() }
    }

    /// The drawn numbers, tab-separated: a, the family, the row of the winning opening and the
    /// squares that it leaves there, the number of P-positions, the median of 1000·d/a to
    /// thousandths, and the largest d.
    pub fn tsv(&self) -> String {
        let mut lines = vec!["a\tfamily\topening\tleft\tpositions\tmedian\tlargest\n".to_owned()];
        for point in &self.points {
            let Point { a, row, left, family, number, longest, .. } = point;
            let median = thousandths::text(point.median, 3);
            lines.push(format!("{a}\t{family}\t{row}\t{left}\t{number}\t{median}\t{longest}\n"));
        }
        lines.concat()
    }

    /// Draws the medians, and below them the largest d.
    pub fn figure(&self) -> Figure {
        let mut page = Page::new("The families HIGH and LOW of four rows");
        let to = self.points.last().map_or(1, |point| point.a.max(1));
        let x_text = AxisText::counts("a (squares)").ticks(7);
        let x = Scale::new(0, whole(to.into()), Panel::LEFT, Panel::RIGHT - 200);
        let mut top = TOP;
        let mut bottom = TOP;
        for (what, (least, most), height) in PANELS {
            let panel = Panel { x, y: Scale::new(least, most, top + HEIGHT, top) };
            let y_text = AxisText { label: "thousandths of a", ticks: 7, unit: 1000 };
            panel.grid(&mut page, x_text, y_text);
            for row in [2, 3, 4] {
                let points = self.points.iter().filter(|point| point.row == row);
                let points = points.map(|point| (whole(point.a.into()), height(point)));
                let dots = panel.dots(points.filter(|&point| panel.holds(point)));
                page.path("dots", dots, Ink::Dots(of_opening(row), DOT));
            }
            panel.frame(&mut page);
            page.label(Label::new("panel", what, (Panel::LEFT, top - 120)).size(260));
            panel.y_axis(&mut page, y_text);
            panel.x_ticks(&mut page, x_text);
            top = panel.y.from + BETWEEN + 300;
            bottom = panel.x_label(&mut page, x_text);
        }
        let words = ["row 2, and leaves (a, x, x, x): LOW", "row 3: HIGH", "row 4: HIGH"];
        let bottom = page.heading(bottom, "The winning opening of 4 × a is in");
        let entries: Vec<Entry> = (2_u8..)
            .zip(words)
            .map(|(row, words)| Entry::new(Ink::Dots(of_opening(row), 130), words))
            .collect();
        let bottom = page.legend(bottom, &entries);
        let low = self.points.iter().filter(|point| point.row == 2).count() as u64;
        let caption = format!(
            "P-positions (a, b, c, d), a from {FIRST} to {}: of {} a, {} are LOW. If the opening \
             leaves (a, x, x, x), all other P-positions with this a have d < x, so x is the \
             largest d (proved). That the medians form two bands is observed.",
            grouped(to.into()),
            grouped(self.points.len() as u64),
            grouped(low)
        );
        page.caption(bottom, &caption)
    }
}
