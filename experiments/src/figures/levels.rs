//! Levels: the periods and the starts of their rows.

use std::collections::{BTreeMap, BTreeSet};

use census::{Excess, Level, Levels};
use figures::chart::thousandths::{grouped, minus_sign, whole};
use figures::chart::{
    AxisText, Figure, Ink, Label, Page, Panel, Path, Scale, Shades, colour, draw_cells, y_label,
};
use figures::{FigureError, LARGEST_COLUMN, height, require_column};
use record::{Kind, Record, joined};

/// Two figures of levels 0 to G of three-rowed Chomp.
#[derive(Default)]
pub struct LevelsPlot {
    kinds: Levels,
    starts: BTreeMap<u64, Starts>,
    last: u64,
}

/// Where the periodic rows of a level start.
#[derive(Default)]
struct Starts {
    all: Vec<Excess>,
    /// The row from which on all are empty.
    empty_from: Option<u64>,
}

/// Empty, finite, or of this period.
type Behaviour = (Kind, u64);

const TOP: i64 = 1550;
const LEFT: i64 = Panel::LEFT;
/// The right end of panels: half of a number is to the right of it.
const RIGHT: i64 = Panel::RIGHT - 300;
/// Height of a line of the table.
const STRIP: i64 = 370;
const SIZE: i64 = 260;
const PANEL: i64 = 2300;
/// From a panel to the next, with the text above it.
const BETWEEN: i64 = 1000;
const DOT: Ink = Ink::Dots(colour::BLUE, 75);

impl LevelsPlot {
    /// Takes the record of a row of three-rowed Chomp; the rows of each level come in order.
    pub fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        let row = record.row();
        require_column(row, record.settled().max(row), LARGEST_COLUMN)?;
        self.last = self.last.max(row);
        self.kinds.add(record);
        let starts = self.starts.entry(record.key().level).or_default();
        let is_empty = record.statement().kind() == Kind::Empty;
        starts.empty_from = starts.empty_from.or(Some(row)).filter(|_| is_empty);
        starts.all.extend(record.periodic().map(|own| Excess { row, start: own.start }));
        Ok(())
    }

    /// A table of kinds and periods by level, with the number of rows in each cell.
    pub fn periods(&self) -> Figure {
        let levels: Vec<_> = self.kinds.iter().map(|level| (level.level, counts(level))).collect();
        let kinds: BTreeSet<Behaviour> =
            levels.iter().flat_map(|(_, counts)| counts.keys().copied()).collect();
        let mut page = Page::new("Empty and finite rows, and periods, by level");
        let width = (RIGHT - LEFT) / length(levels.len());
        let right = LEFT + width * length(levels.len());
        let columns = || (LEFT + width / 2..).step_by(step(width));
        for ((g, _), x) in levels.iter().zip(columns()) {
            text(&mut page, "level", grouped(*g), (x, TOP - 130), colour::BLACK);
        }
        let middle = i64::midpoint(LEFT, right);
        text(&mut page, "x-label", "level".to_owned(), (middle, TOP - 480), colour::BLACK);
        let bottom = TOP + STRIP * length(kinds.len());

        let numbers = |kind: &Behaviour| {
            let number = |(_, counts): &(u64, Counts)| counts.get(kind).copied().unwrap_or(0);
            levels.iter().map(number).collect()
        };
        let rows: Vec<Vec<u64>> = kinds.iter().map(numbers).collect();
        let shades = Shades::to(rows.iter().flatten().copied().max().unwrap_or(0));
        draw_cells(&mut page, (LEFT, TOP), (width, STRIP), &shades.of_rows(&rows));
        let bases = || (TOP + STRIP / 2 + 95..).step_by(step(STRIP));
        for (numbers, y) in rows.iter().zip(bases()) {
            for (&number, x) in numbers.iter().zip(columns()).filter(|(number, _)| **number > 0) {
                let is_dark = shades.of(number) > 1;
                let ink = if is_dark { colour::WHITE } else { colour::BLACK };
                text(&mut page, "number", grouped(number), (x, y), ink);
            }
        }
        lines(&mut page, right, kinds.len());
        for ((kind, period), y) in kinds.iter().zip(bases()) {
            let name = if *period == 0 { kind.to_string() } else { grouped(*period) };
            page.label(Label::new("y-tick", name, (LEFT - 120, y)).size(SIZE).end());
        }
        y_label(&mut page, "period (columns)", TOP, bottom);
        let caption = format!(
            "How many of the rows r = 0 to {} of each level of three-rowed Chomp are empty, finite, \
             or periodic with each period. {PROVED} Every period is the least one.",
            grouped(self.last),
        );
        page.caption(bottom, &caption)
    }

    /// `start - √2·r` against r, a panel for each level that is not empty from some row on.
    pub fn starts(&self) -> Figure {
        let mut page = Page::new("Where periodic rows start, by level");
        let x_text = AxisText::counts("row r");
        let (mut top, mut lowest) = (TOP, None);
        for (g, starts) in self.starts.iter().filter(|(_, starts)| starts.have_panel()) {
            let panel = starts.panel(self.last, top);
            let points = starts.all.iter().map(|&start| (whole(start.row), height(start)));
            let y_text = AxisText::counts("").ticks(5);
            panel.draw_with_y_ticks(&mut page, (x_text, y_text), |page| {
                page.path("dots", panel.dots(points), DOT);
            });
            page.label(Label::new("level", starts.words(*g), (LEFT, top - 130)).size(SIZE));
            panel.x_ticks(&mut page, x_text);
            lowest = Some(panel);
            top = panel.y.from + BETWEEN;
        }
        let bottom = lowest.map_or(TOP, |panel| panel.x_label(&mut page, x_text));
        y_label(&mut page, "start − √2·r (columns)", TOP, bottom - 920);
        let ended = self.starts.iter().filter(|(_, starts)| !starts.have_panel());
        let ended = joined(ended.map(|(g, starts)| starts.ending(*g)), ", ");
        let ended = if ended.is_empty() { ended } else { format!(" Without a panel: {ended}.") };
        let caption = format!(
            "The start of every periodic row less √2·r, for rows r = 0 to {} of each level of \
             three-rowed Chomp; the heights of the panels differ in scale.{ended} {PROVED} That starts \
             stay near √2·r is observed, not proved.",
            grouped(self.last),
        );
        page.caption(bottom, &caption)
    }
}

/// The number of rows of each behaviour.
type Counts = BTreeMap<Behaviour, u64>;

fn counts(level: &Level) -> Counts {
    let kinds = [((Kind::Empty, 0), level.empty), ((Kind::Finite, 0), level.finite)];
    let periods = level.periods.iter().map(|own| ((Kind::Periodic, own.period), own.rows));
    kinds.into_iter().filter(|&(_, rows)| rows > 0).chain(periods).collect()
}

/// The basis of the figures of levels.
const PROVED: &str = "Every row is proved: a finite one by computing it to its end, a periodic one \
                      by the certificate in its record, an empty one by the row that makes it so.";

impl Starts {
    fn have_panel(&self) -> bool {
        self.empty_from.is_none() && !self.all.is_empty()
    }

    fn panel(&self, last: u64, top: i64) -> Panel {
        let heights = self.all.iter().map(|&start| height(start));
        let (least, most) = heights.fold((0, 1000), |(a, b), y| (a.min(y), b.max(y)));
        Panel {
            x: Scale::new(0, whole(last.max(1)), LEFT, RIGHT),
            y: Scale::with_room(least, most, 6, top + PANEL, top),
        }
    }

    /// The text above its panel.
    fn words(&self, level: u64) -> String {
        let extreme = |start: Option<&Excess>| {
            start.map_or(String::new(), |start| {
                format!("{} (row {})", minus_sign(start), grouped(start.row))
            })
        };
        let (least, largest) = (self.all.iter().min(), self.all.iter().max());
        let rows = grouped(self.all.len() as u64);
        format!("level {level}: {rows} rows, from {} to {}", extreme(least), extreme(largest))
    }

    /// The reason why it has no panel.
    fn ending(&self, level: u64) -> String {
        match self.empty_from {
            Some(row) => format!("level {level} (empty from row {} on)", grouped(row)),
            None => format!("level {level} (no periodic row)"),
        }
    }
}

/// Between the kinds, and round all of them.
fn lines(page: &mut Page, right: i64, kinds: usize) {
    let mut path = Path::default();
    for y in (TOP..).step_by(step(STRIP)).take(kinds + 1) {
        path.line(&[(LEFT, y), (right, y)]);
    }
    page.path("strip", path, Ink::Line(colour::GRID, 12));
}

fn text(page: &mut Page, class: &'static str, text: String, at: (i64, i64), ink: &'static str) {
    page.label(Label::new(class, text, at).size(SIZE).middle().colour(ink));
}

fn length(count: usize) -> i64 {
    i64::try_from(count).expect("a number of cells")
}

fn step(length: i64) -> usize {
    usize::try_from(length).expect("a length")
}
