//! Four sequences that stay near a line, each less that line: the number of periodic rows, and
//! the sequences of section 8 of the 2005 paper.

use census::Surd;
use census::statistics::PeriodicRows;
use record::Record;

use super::chart::thousandths::{self, grouped, whole};
use super::chart::{AxisText, Cloud, Figure, Label, Page, Panel, Scale, y_label};
use super::row::require_within_reach;
use super::{FigureError, Plot};

/// D(r), `d_n - αn`, `r_n - αn` and `q_n - βn`, one below the other.
#[derive(Clone, Debug, Default)]
pub struct StripsPlot {
    discrepancy: Vec<(i64, i64)>,
    diagonal: Vec<(i64, i64)>,
    finite_rows: Vec<(i64, i64)>,
    ends: Vec<u64>,
}

/// A sequence less a line.
struct Strip {
    name: &'static str,
    index: &'static str,
    points: Vec<(i64, i64)>,
}

const TOP: i64 = 1350;
const HEIGHT: i64 = 1500;
const BETWEEN: i64 = 1050;
const SIZE: i64 = 260;

impl Plot for StripsPlot {
    fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        require_within_reach(record)?;
        let row = record.row();
        if let Some(finite) = record.finite() {
            self.ends.push(finite.last);
            self.finite_rows.push(point(self.ends.len() as u64, row, Surd::ALPHA));
        }
        self.diagonal.push(point(row, record.diagonal(), Surd::ALPHA));
        let periodic = self.rows() - self.ends.len() as u64;
        let discrepancy = PeriodicRows::discrepancy_at(periodic, row);
        self.discrepancy.push((whole(row), discrepancy.floor_of(1000)));
        Ok(())
    }

    fn figure(&self) -> Result<Figure, FigureError> {
        let last = self.rows().checked_sub(1).ok_or(FigureError::Missing { row: 0 })?;
        let mut page = Page::new("Near their lines");
        let (mut top, mut bottom) = (TOP, TOP);
        for strip in self.strips().iter().filter(|strip| strip.points.len() > 1) {
            let panel = strip.panel(top);
            let text = AxisText::counts("");
            let cloud = Cloud::of(&panel, &strip.points);
            let texts = [7, 5].map(|ticks| text.ticks(ticks));
            panel.grid(&mut page, texts);
            cloud.draw(&mut page);
            panel.frame_and_axes(&mut page, texts);
            page.label(Label::new("strip", strip.words(), (Panel::LEFT, top - 130)).size(SIZE));
            bottom = panel.y.from + 400;
            top = panel.y.from + BETWEEN;
        }
        y_label(&mut page, "distance (rows, columns or squares)", TOP, bottom - 400);
        let caption = format!(
            "From rows 0 to {}, each computed. D(r) is the number of periodic rows to row r less \
             (√2\u{a0}−\u{a0}1)(r\u{a0}+\u{a0}1). The others are of section 8 of the 2005 paper: dₙ \
             is the diagonal value, rₙ the n-th finite row, qₙ the n-th column in which a row ends; \
             α\u{a0}=\u{a0}1\u{a0}+\u{a0}1/√2, β\u{a0}=\u{a0}1\u{a0}+\u{a0}√2. That they stay near \
             their lines is observed, not proved. Cells stand out more, the more terms they hold.",
            grouped(last)
        );
        Ok(page.caption(bottom, &caption))
    }

    /// The drawn numbers, tab-separated: the sequence, r or n, and the distance, rounded down to
    /// thousandths.
    fn tsv(&self) -> Option<String> {
        let mut lines = vec!["sequence\tindex\tdistance\n".to_owned()];
        for strip in self.strips() {
            for (index, distance) in strip.points {
                let distance = thousandths::text(distance, 3).replace('−', "-");
                let index = index / thousandths::ONE;
                lines.push(format!("{}\t{index}\t{distance}\n", strip.name));
            }
        }
        Some(lines.concat())
    }
}

impl StripsPlot {
    /// The number of rows.
    fn rows(&self) -> u64 {
        self.diagonal.len() as u64
    }

    fn strips(&self) -> [Strip; 4] {
        let mut ends = self.ends.clone();
        ends.sort_unstable();
        // No later row ends in one of these columns (fact 5).
        let known = ends.into_iter().take_while(|&q| q <= self.rows());
        let ends = (1..).zip(known).map(|(n, q)| point(n, q, Surd::BETA));
        let strip = |name, index, points: Vec<(i64, i64)>| Strip { name, index, points };
        [
            strip("D(r)", "r", self.discrepancy.clone()),
            strip("dₙ − αn", "n", self.diagonal.clone()),
            strip("rₙ − αn", "n", self.finite_rows.clone()),
            strip("qₙ − βn", "n", ends.collect()),
        ]
    }
}

/// The n-th term of a sequence, less a line with this slope.
fn point(n: u64, term: u64, slope: Surd) -> (i64, i64) {
    (whole(n), Surd::from_line(term, slope, n).floor_of(1000))
}

impl Strip {
    fn extremes(&self) -> (i64, i64) {
        let heights = || self.points.iter().map(|point| point.1);
        (heights().min().unwrap_or(0), heights().max().unwrap_or(0))
    }

    fn panel(&self, top: i64) -> Panel {
        let (least, most) = self.extremes();
        let last = self.points.last().map_or(0, |point| point.0).max(1);
        Panel {
            x: Scale { least: 0, most: last, from: Panel::LEFT, to: Panel::RIGHT - 600 },
            y: Scale::with_room(least, most.max(least + 1000), 8, top + HEIGHT, top),
        }
    }

    fn words(&self) -> String {
        let (least, most) = self.extremes();
        // Distances are rounded down.
        let [least, most] = [least, most + 1].map(|distance| thousandths::text(distance, 3));
        format!("{}, against {}: from {least} to {most}", self.name, self.index)
    }
}
