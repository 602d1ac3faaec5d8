//! Levels: the periods and the starts of their rows.

use std::collections::{BTreeMap, BTreeSet};

use census::Excess;
use record::{Kind, Periodic, Record, joined};

use super::axes::{AxisText, Panel, Scale, y_label};
use super::density::{Shades, draw_cells};
use super::page::{Align, Ink, Label, Page, Path, colour};
use super::thousandths::{grouped, minus, root_two, whole};
use super::trend::minus_sign;
use super::{Figure, FigureError, LARGEST_COLUMN, require_column};

/// Two figures of levels 0 to G of three-rowed Chomp.
#[derive(Clone, Debug, Default)]
pub struct LevelsPlot {
    levels: BTreeMap<u64, Level>,
    last: u64,
}

/// The rows of a level.
#[derive(Clone, Debug, Default)]
struct Level {
    kinds: BTreeMap<Behaviour, u64>,
    starts: Vec<Excess>,
    /// The row from which on all are empty.
    empty_from: Option<u64>,
}

/// Empty, finite, or of this period.
type Behaviour = (Kind, Option<u64>);

const TOP: i64 = 1550;
const LEFT: i64 = 1700;
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
    /// The highest level with a column.
    pub const HIGHEST: u64 = 9;

    /// Takes the record of a row; the rows of each level come in order, from row 0.
    ///
    /// # Errors
    /// [`FigureError::NotThreeRowed`]; [`FigureError::HighLevel`]; [`FigureError::TooFar`].
    pub fn add(&mut self, record: &Record) -> Result<(), FigureError> {
        let key = record.key();
        let tail = || FigureError::NotThreeRowed { tail: key.tail().to_string() };
        let row = key.row().ok_or_else(tail)?;
        if key.level > Self::HIGHEST {
            return Err(FigureError::HighLevel { level: key.level });
        }
        require_column(row, record.settled().max(row), LARGEST_COLUMN)?;
        self.last = self.last.max(row);
        self.levels.entry(key.level).or_default().add(record);
        Ok(())
    }

    /// A table of kinds and periods by level, with the number of rows in each cell.
    ///
    /// # Errors
    /// [`FigureError::Missing`] if there are no rows.
    pub fn periods(&self) -> Result<Figure, FigureError> {
        self.require_rows()?;
        let kinds: BTreeSet<Behaviour> =
            self.levels.values().flat_map(|level| level.kinds.keys().copied()).collect();
        let mut page = Page::new("Empty and finite rows, and periods, by level");
        let width = (RIGHT - LEFT) / length(self.levels.len());
        let right = LEFT + width * length(self.levels.len());
        for (g, x) in self.levels.keys().zip((LEFT + width / 2..).step_by(step(width))) {
            text(&mut page, "level", grouped(*g), (x, TOP - 130), colour::BLACK);
        }
        let middle = i64::midpoint(LEFT, right);
        text(&mut page, "x-label", "level".to_owned(), (middle, TOP - 480), colour::BLACK);
        let bottom = TOP + STRIP * length(kinds.len());
        self.cells(&mut page, &kinds, width);
        lines(&mut page, right, &kinds);
        for (kind, y) in kinds.iter().zip((TOP..).step_by(step(STRIP))) {
            let name = kind.1.map_or(kind.0.to_string(), grouped);
            let label = Label::new("y-tick", name, (LEFT - 120, y + STRIP / 2 + 95));
            page.label(label.size(SIZE).align(Align::End));
        }
        y_label(&mut page, "period (columns)", TOP, bottom);
        Ok(page.caption(bottom, &self.periods_caption()))
    }

    /// `start - √2·r` against r, a panel for each level that is not empty from some row on.
    ///
    /// # Errors
    /// [`FigureError::Missing`] if there are no rows.
    pub fn starts(&self) -> Result<Figure, FigureError> {
        self.require_rows()?;
        let mut page = Page::new("Where periodic rows start, by level");
        let x_text = AxisText::counts("row r");
        let mut top = TOP;
        let mut lowest = None;
        for (g, level) in self.levels.iter().filter(|(_, level)| level.has_panel()) {
            let panel = level.panel(self.last, top);
            level.draw(&mut page, &panel, x_text);
            let words = level.words(*g);
            page.label(Label::new("level", words, (LEFT, top - 130)).size(SIZE));
            panel.x_ticks(&mut page, x_text);
            lowest = Some(panel);
            top = panel.y.from + BETWEEN;
        }
        let bottom = lowest.map_or(TOP, |panel| panel.x_label(&mut page, x_text));
        y_label(&mut page, "start − √2·r (columns)", TOP, bottom - 920);
        Ok(page.caption(bottom, &self.starts_caption()))
    }

    /// The number of rows of each kind, darker for more.
    fn cells(&self, page: &mut Page, kinds: &BTreeSet<Behaviour>, width: i64) {
        let count = |level: &Level, kind: &Behaviour| level.kinds.get(kind).copied().unwrap_or(0);
        let largest = self.levels.values().flat_map(|level| level.kinds.values()).max();
        let shades = Shades::to(largest.copied().unwrap_or(0));
        let shade = |number: u64| (number > 0).then(|| shades.of(number));
        let line = |kind| self.levels.values().map(|level| shade(count(level, kind))).collect();
        let rows: Vec<Vec<Option<usize>>> = kinds.iter().map(line).collect();
        draw_cells(page, (LEFT, TOP), (width, STRIP), &rows);
        for (kind, y) in kinds.iter().zip((TOP + STRIP / 2 + 95..).step_by(step(STRIP))) {
            for (level, x) in self.levels.values().zip((LEFT + width / 2..).step_by(step(width))) {
                let number = count(level, kind);
                let dark = shade(number).is_some_and(|shade| shade > 1);
                let ink = if dark { colour::WHITE } else { colour::BLACK };
                if number > 0 {
                    text(page, "number", grouped(number), (x, y), ink);
                }
            }
        }
    }

    fn periods_caption(&self) -> String {
        format!(
            "How many of the rows r = 0 to {} of each level of three-rowed Chomp are empty, finite, \
             or periodic with each period. {PROVED} Every period is the least one.",
            grouped(self.last),
        )
    }

    fn starts_caption(&self) -> String {
        let ended = self.levels.iter().filter(|(_, level)| !level.has_panel());
        let ended = joined(ended.map(|(g, level)| level.ending(*g)), ", ");
        let ended = if ended.is_empty() { ended } else { format!(" Without a panel: {ended}.") };
        format!(
            "The start of every periodic row less √2·r, for rows r = 0 to {} of each level of \
             three-rowed Chomp; the heights of the panels differ in scale.{ended} {PROVED} That starts \
             stay near √2·r is observed, not proved.",
            grouped(self.last),
        )
    }

    fn require_rows(&self) -> Result<(), FigureError> {
        if self.levels.is_empty() { Err(FigureError::Missing { row: 0 }) } else { Ok(()) }
    }
}

/// The basis of the figures of levels.
const PROVED: &str = "Every row is proved: a finite one by computing it to its end, a periodic one \
                      by the certificate in its record, an empty one by the row that makes it so.";

impl Level {
    fn add(&mut self, record: &Record) {
        let (row, kind) = (record.row(), record.statement().kind());
        let periodic = record.periodic();
        self.starts.extend(periodic.map(|periodic| Excess { row, start: periodic.start }));
        *self.kinds.entry((kind, periodic.map(Periodic::period))).or_default() += 1;
        self.empty_from = self.empty_from.or(Some(row)).filter(|_| kind == Kind::Empty);
    }

    fn has_panel(&self) -> bool {
        self.empty_from.is_none() && !self.starts.is_empty()
    }

    fn panel(&self, last: u64, top: i64) -> Panel {
        let heights = || self.starts.iter().map(|&start| height(start));
        let (least, most) = (heights().min().unwrap_or(0), heights().max().unwrap_or(0));
        Panel {
            x: Scale { least: 0, most: whole(last.max(1)), from: LEFT, to: RIGHT },
            y: Scale::with_room(least.min(0), most.max(1000), 6, top + PANEL, top),
        }
    }

    fn draw(&self, page: &mut Page, panel: &Panel, x_text: AxisText) {
        let y_text = AxisText { ticks: 5, ..AxisText::counts("") };
        panel.grid(page, x_text, y_text);
        let points = self.starts.iter().map(|&start| (whole(start.row), height(start)));
        page.path("dots", panel.dots(points), DOT);
        panel.frame(page);
        panel.y_ticks(page, y_text);
    }

    /// The text above its panel.
    fn words(&self, level: u64) -> String {
        let extreme = |start: Option<&Excess>| {
            start.map_or(String::new(), |start| {
                format!("{} (row {})", minus_sign(start), grouped(start.row))
            })
        };
        format!(
            "level {level}: {} rows, from {} to {}",
            grouped(self.starts.len() as u64),
            extreme(self.starts.iter().min()),
            extreme(self.starts.iter().max()),
        )
    }

    /// The reason why it has no panel.
    fn ending(&self, level: u64) -> String {
        match self.empty_from {
            Some(row) => format!("level {level} (empty from row {} on)", grouped(row)),
            None => format!("level {level} (no periodic row)"),
        }
    }
}

fn height(start: Excess) -> i64 {
    minus(whole(start.start), root_two(start.row))
}

/// Between the kinds, and round all of them.
fn lines(page: &mut Page, right: i64, kinds: &BTreeSet<Behaviour>) {
    let mut path = Path::default();
    for y in (TOP..).step_by(step(STRIP)).take(kinds.len() + 1) {
        path.line(&[(LEFT, y), (right, y)]);
    }
    page.path("strip", path, Ink::Line(colour::GRID, 12));
}

fn text(page: &mut Page, class: &'static str, text: String, at: (i64, i64), ink: &'static str) {
    page.label(Label::new(class, text, at).size(SIZE).align(Align::Middle).colour(ink));
}

fn length(count: usize) -> i64 {
    i64::try_from(count).expect("a number of cells")
}

fn step(length: i64) -> usize {
    usize::try_from(length).expect("a length")
}
