//! The density of the rows of each kind, with the errors of counting.

use census::Surd;
use figures::chart::thousandths::{self, grouped, whole};
use figures::chart::{
    AxisText, Entry, Figure, Ink, Label, Page, Panel, Path, Scale, colour, y_label,
};
use figures::{FigureError, Plot, SortedRows};
use record::Record;

/// Rows of each kind in a thousand, in twenty ranges of r.
#[derive(Default)]
pub struct DensitiesPlot {
    rows: SortedRows,
}

/// Rows of one kind in one range.
struct Bin {
    /// The first row of the range, and the first one past it.
    range: (u64, u64),
    number: u64,
}

const RANGES: u64 = 20;
/// Kinds with fewer rows are not drawn.
const FEWEST: usize = 40;
const TOP: i64 = 1350;
const HEIGHT: i64 = 1150;
const BETWEEN: i64 = 720;
const SIZE: i64 = 260;
const DOT: Ink = Ink::Dots(colour::BLUE, 120);
const ERROR: Ink = Ink::Line(colour::BLUE, 30);
const MEAN: Ink = Ink::Dashes(colour::VERMILION, 26, "150 90");

impl Plot for DensitiesPlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        self.rows.add(record)
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let last = self.rows.last()?;
        let mut page = Page::new("How many rows are of each kind");
        let x_text = AxisText::counts("row r").ticks(7);
        let (mut top, mut lowest) = (TOP, None);
        for (&period, rows) in self.rows.of.iter().filter(|(_, rows)| rows.len() >= FEWEST) {
            let bins = bins(rows, last);
            let mean = mean(period, rows.len() as u64, last);
            let panel = panel(&bins, mean, last, top);
            draw(&mut page, &panel, &bins, mean);
            let name = match period {
                0 => "finite; the line is 2 − √2".to_owned(),
                period => format!("period {}; the line is the mean", grouped(period)),
            };
            let words = format!("{name}: {} rows", grouped(rows.len() as u64));
            page.label(Label::new("kind", words, (Panel::LEFT, top - 120)).size(SIZE));
            top = panel.y.from + BETWEEN;
            lowest = Some(panel);
        }
        let mut bottom = TOP;
        if let Some(panel) = lowest {
            panel.x_ticks(&mut page, x_text);
            bottom = panel.x_label(&mut page, x_text);
            y_label(&mut page, "rows in 1000", TOP, panel.y.from);
        }
        let entries = [
            Entry::new(DOT, "rows in 1000, in a twentieth of the range"),
            Entry::new(ERROR, "error of counting"),
            Entry::new(MEAN, "line"),
        ];
        let bottom = page.legend(bottom, &entries);
        let caption = format!(
            "Rows 0 to {} by kind; kinds with fewer than {FEWEST} rows are left out. An error of \
             counting is that of so many independent trials, √(n(1\u{a0}−\u{a0}n/N)) for n of N \
             rows.",
            grouped(last)
        );
        Ok(page.caption(bottom, &caption))
    }

    /// The drawn numbers, and those of the kinds with too few rows, tab-separated: the period (0
    /// for finite rows), the first and the last row of the range, the number of rows, rows in 1000
    /// and the error of counting, to thousandths.
    fn tsv(&self) -> Option<String> {
        let mut lines = vec!["period\tfirst\tlast\trows\tin_1000\terror\n".to_owned()];
        let Ok(last) = self.rows.last() else { return Some(lines.concat()) };
        for (period, rows) in &self.rows.of {
            for bin in bins(rows, last) {
                let (first, end) = bin.range;
                let [density, error] =
                    [bin.density(), bin.error()].map(|number| thousandths::text(number, 3));
                let (last, number) = (end - 1, bin.number);
                lines.push(format!("{period}\t{first}\t{last}\t{number}\t{density}\t{error}\n"));
            }
        }
        Some(lines.concat())
    }
}

impl Bin {
    fn length(&self) -> u64 {
        self.range.1 - self.range.0
    }

    /// Rows in a thousand, in thousandths.
    fn density(&self) -> i64 {
        ratio(u128::from(self.number) * 1_000_000, self.length())
    }

    fn error(&self) -> i64 {
        let (number, length) = (u128::from(self.number), u128::from(self.length()));
        let variance = number * (length - number) * 1_000_000_000_000 / length;
        ratio(variance.isqrt(), self.length())
    }
}

fn ratio(part: u128, whole: u64) -> i64 {
    i64::try_from(part / u128::from(whole)).expect("at most a thousand, in thousandths")
}

/// Twenty ranges of nearly the same length; fewer if there are fewer rows.
fn bins(rows: &[u64], last: u64) -> Vec<Bin> {
    let all = last + 1;
    let edge = |place: u64| {
        let edge = u128::from(place) * u128::from(all) / u128::from(RANGES);
        u64::try_from(edge).expect("at most the number of rows")
    };
    let ranges = (0..RANGES).map(|place| (edge(place), edge(place + 1)));
    let below = |row: u64| rows.partition_point(|&other| other < row) as u64;
    let bin = |range: (u64, u64)| Bin { range, number: below(range.1) - below(range.0) };
    ranges.filter(|range| range.0 < range.1).map(bin).collect()
}

/// 2 - √2 for finite rows, else the density of all of them, in a thousand.
fn mean(period: u64, number: u64, last: u64) -> i64 {
    if period == 0 {
        return Surd::from_line(2000, Surd::ROOT_2, 1000).floor_of(1000);
    }
    ratio(u128::from(number) * 1_000_000, last + 1)
}

fn panel(bins: &[Bin], mean: i64, last: u64, top: i64) -> Panel {
    let low = bins.iter().map(|bin| bin.density() - bin.error()).min().unwrap_or(0).min(mean);
    let high = bins.iter().map(|bin| bin.density() + bin.error()).max().unwrap_or(0).max(mean);
    Panel {
        x: Scale::of_rows(last),
        y: Scale::with_room(low, high.max(low + 10), 10, top + HEIGHT, top),
    }
}

fn draw(page: &mut Page, panel: &Panel, bins: &[Bin], mean: i64) {
    let (mut dots, mut errors) = (Path::default(), Path::default());
    for bin in bins {
        let middle = whole(bin.range.0) / 2 + whole(bin.range.1 - 1) / 2;
        let (density, error) = (bin.density(), bin.error());
        dots.dot(panel.place((middle, density)));
        let ends = [density - error, density + error].map(|end| panel.place((middle, end)));
        errors.line(&ends);
    }
    let text = AxisText::counts("");
    panel.draw_with_y_ticks(page, (text.ticks(7), text.ticks(4).fractions()), |page| {
        page.path("mean", panel.path(&[(panel.x.least, mean), (panel.x.most, mean)]), MEAN);
        page.path("error", errors, ERROR);
        page.path("dots", dots, DOT);
    });
}
