//! One row around its start: how its offsets settle into the pattern.

use record::{Periodic, Record};

use super::FigureError;
use super::chart::thousandths::{grouped, whole};
use super::chart::{AxisText, Entry, Figure, Ink, Page, Panel, Scale, colour, y_label};
use super::row::{offsets_in, require_column, require_offsets};

/// Columns that are drawn from the start on; a state recurs after a few.
const MOST_COLUMNS: u64 = 1 << 20;

const LEFT: i64 = Panel::LEFT;
const TOP: i64 = 850;
const HEIGHT: i64 = 5600;
const BREAK: i64 = 260;
const DOT: Ink = Ink::Dots(colour::BLUE, 100);
const TRACE: Ink = Ink::Line("#8fb8d6", 14);
const START: Ink = Ink::Line(colour::BLACK, 36);
const FROM: Ink = Ink::Dashes(colour::VERMILION, 36, "150 90");
const RECURS: Ink = Ink::Dashes(colour::VERMILION, 40, "40 70");
const PERIOD: Ink = Ink::Fill("#f3e2bd");

/// Draws offset against column around the start of one periodic row, with the columns of its
/// certificate.
///
/// # Errors
/// [`FigureError::NoOffsets`]; [`FigureError::TooFar`]; [`FigureError::NoPattern`].
pub fn settling_figure(record: &Record) -> Result<Figure, FigureError> {
    require_offsets(record)?;
    let (row, last) = (record.row(), record.settled().saturating_sub(1));
    let periodic = record.periodic().ok_or(FigureError::NoPattern { row, last })?;
    Settling::of(record, periodic).map(Settling::figure)
}

struct Settling<'a> {
    row: &'a Periodic,
    /// Column and offset.
    points: Vec<(u64, u64)>,
}

impl<'a> Settling<'a> {
    fn of(record: &Record, row: &'a Periodic) -> Result<Self, FigureError> {
        let before = (2 * row.period()).clamp(30, 400);
        let after = (2 * row.period()).max(30);
        let first = row.start.saturating_sub(before).max(row.row);
        let last = (row.start + after).max(row.certificate.recurs + 5);
        require_column(row.row, last, row.start + MOST_COLUMNS)?;
        Ok(Self { row, points: offsets_in(record, first..=last).collect() })
    }

    /// Ranges of offsets, the lower first: two with a gap between them if that saves a third of the
    /// height, else one.
    fn ranges(&self) -> Vec<(u64, u64)> {
        let mut offsets: Vec<u64> = self.points.iter().map(|point| point.1).collect();
        offsets.sort_unstable();
        let (least, most) = (offsets[0], offsets[offsets.len() - 1]);
        let gap = offsets.windows(2).map(|pair| (pair[0], pair[1])).max_by_key(|(a, b)| b - a);
        match gap {
            Some((below, above)) if 3 * (above - below) > most - least && above - below > 20 => {
                vec![(least, below), (above, most)]
            }
            _ => vec![(least, most)],
        }
    }

    /// One panel per range, from the bottom upwards; the upper one, with the pattern, is higher.
    fn panels(&self) -> Vec<Panel> {
        let (first, last) = (self.points[0].0, self.points[self.points.len() - 1].0);
        let x = Scale::with_room(whole(first), whole(last), 2, LEFT, Panel::RIGHT);
        let ranges = self.ranges();
        let heights: &[i64] =
            if ranges.len() == 1 { &[HEIGHT] } else { &[HEIGHT * 2 / 5, HEIGHT * 3 / 5] };
        let mut bottom = TOP + HEIGHT;
        let mut panels = Vec::new();
        for (&(least, most), height) in ranges.iter().zip(heights) {
            let most = most.max(least + 2);
            let top = bottom - height + if panels.is_empty() { 0 } else { BREAK };
            let y = Scale::with_room(whole(least), whole(most), 8, bottom, top);
            panels.push(Panel { x, y });
            bottom = top - BREAK;
        }
        panels
    }

    fn figure(self) -> Figure {
        let mut page = Page::new(&format!("Row {} settles", grouped(self.row.row)));
        let panels = self.panels();
        let x_text = AxisText::counts("column q (squares in the middle row)");
        let y_text = AxisText::counts("offset p − q (squares)").ticks(6);
        for panel in &panels {
            self.marks(&mut page, panel, [x_text, y_text]);
            panel.frame(&mut page);
            panel.y_ticks(&mut page, y_text);
        }
        y_label(&mut page, y_text.label, TOP, TOP + HEIGHT);
        let bottom = panels[0].x_axis(&mut page, x_text);
        let bottom = page.legend(bottom, &self.legend());
        page.caption(bottom, &self.caption(panels.len()))
    }

    fn marks(&self, page: &mut Page, panel: &Panel, texts: [AxisText; 2]) {
        let &Periodic { start, ref certificate, .. } = self.row;
        let end = start + self.row.period();
        page.path("period", panel.band(whole(start), whole(end)), PERIOD);
        panel.grid(page, texts);
        for (column, ink) in
            [(start, START), (certificate.from, FROM), (certificate.recurs, RECURS)]
        {
            page.path("mark", panel.upright(whole(column)), ink);
        }
        let point = |&(q, offset): &(u64, u64)| (whole(q), whole(offset));
        let inside = self.points.iter().map(point).filter(|&point| panel.holds(point));
        let points: Vec<_> = inside.collect();
        page.path("trace", panel.path(&points), TRACE);
        page.path("dots", panel.dots(points), DOT);
    }

    fn legend(&self) -> [Entry; 5] {
        let Periodic { row, start, certificate, .. } = self.row;
        [
            Entry::new(DOT, format!("P-position (p, q, {})", grouped(*row))),
            Entry::new(START, format!("start {}", grouped(*start))),
            Entry::new(PERIOD, format!("one period: {}", columns(self.row.period()))),
            Entry::new(FROM, format!("certificate: from {}", grouped(certificate.from))),
            Entry::new(RECURS, format!("recurs {}", grouped(certificate.recurs))),
        ]
    }

    fn caption(&self, panels: usize) -> String {
        let (first, last) = (self.points[0].0, self.points[self.points.len() - 1].0);
        let Periodic { row, start, certificate, .. } = self.row;
        let broken = if panels > 1 { " The vertical axis is broken." } else { "" };
        format!(
            "The offsets of row {} in columns q = {} to {}. From column {} on they repeat with period \
             {}, proved by the certificate in the row’s record: the same offsets are blocked when \
             columns {} and {} are reached.{broken}",
            grouped(*row),
            grouped(first),
            grouped(last),
            grouped(*start),
            grouped(self.row.period()),
            grouped(certificate.from),
            grouped(certificate.recurs),
        )
    }
}

fn columns(number: u64) -> String {
    if number == 1 { "1 column".to_owned() } else { format!("{} columns", grouped(number)) }
}
