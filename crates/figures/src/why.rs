//! Why a row has its period: the row among the rows just below it, its hole, and the balls.

use cascade::why::{Balls, Explanation, Neighbour};

use super::FigureError;
use super::chart::thousandths::{ONE, grouped, whole};
use super::chart::{AxisText, Entry, Figure, Ink, Page, Panel, Path, Scale, colour};
use super::row::{LARGEST_COLUMN, require_column};

/// One row from the starts of its companions on, for two periods: the blocked offsets, the balls,
/// the hole, and the offsets of the row. Heights are offsets less the mean.
#[derive(Clone, Debug)]
pub struct WhyPlot {
    row: Explanation,
    /// The first column that is drawn, and the last.
    columns: (u64, u64),
}

/// Columns that are drawn after the first one of the certificate: two periods, but within these.
const LEAST: u64 = 20;
const MOST: u64 = 240;
/// Columns that are drawn before the start, at most.
const BEFORE: u64 = 30;
/// Heights that are drawn, at most.
const DEEPEST: u64 = 40;

const TOP: i64 = 850;
/// Height of a square of the picture.
const SQUARE: (i64, i64) = (260, 700);
/// Height of the panel, at least: the name of its axis stands beside it.
const LOWEST: i64 = 3600;
const STANDS: &str = "#c4c4c4";
/// Companions, one after the other.
const MOVES: [&str; 4] = ["#e3e3e3", "#d2d2d2", "#efefef", "#dadada"];
/// The ball of the row, and the others.
const BALLS: [&str; 7] =
    [colour::VERMILION, colour::BLUE, "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c6d31"];
const PERIOD: Ink = Ink::Fill("#fdf3dc");
const START: Ink = Ink::Line(colour::BLACK, 30);

impl WhyPlot {
    /// A plot of this explanation.
    ///
    /// # Errors
    /// [`FigureError::TooFar`].
    pub fn new(row: Explanation) -> Result<Self, FigureError> {
        let from = row.hole.first().map_or(row.start, |at| at.column);
        require_column(row.row, from.saturating_add(MOST), LARGEST_COLUMN)?;
        let starts = row.cluster.iter().map(|below| below.start);
        let first = starts.min().unwrap_or(row.start).min(row.start);
        let first = first.max(row.start.saturating_sub(BEFORE)).saturating_sub(1).max(row.row);
        let last = from + row.period.saturating_mul(2).clamp(LEAST, MOST);
        Ok(Self { row, columns: (first, last) })
    }

    /// Draws it.
    pub fn figure(&self) -> Figure {
        let Explanation { row, period, .. } = self.row;
        let mut page =
            Page::new(&format!("Why row {} has period {}", grouped(row), grouped(period)));
        let panel = self.panel();
        let x_text = AxisText::counts("column q (squares in the middle row)");
        let label = format!("p − q − {} (squares)", grouped(self.row.mean));
        let y_text = AxisText::counts(&label).ticks(12);
        let start = whole(self.row.start) - ONE / 2;
        let end = start + whole(self.row.period.min(MOST));
        page.path("period", panel.band(start, end), PERIOD);
        self.blocked(&mut page, &panel);
        panel.grid(&mut page, [x_text, y_text]);
        page.path("start", panel.upright(start), START);
        self.draw_balls(&mut page, &panel);
        self.draw_row(&mut page, &panel);
        let bottom = panel.frame_and_axes(&mut page, [x_text, y_text]);
        let bottom = page.legend(bottom, &self.legend(&panel));
        page.caption(bottom, &self.caption())
    }

    fn depth(&self) -> u64 {
        let free = self.row.balls.iter().flat_map(|balls| &balls.depths).copied();
        let own = self.row.hole.iter().map(|at| at.depth);
        free.chain(own).max().unwrap_or(0).clamp(1, DEEPEST)
    }

    fn panel(&self) -> Panel {
        let (first, last) = self.columns;
        let half = ONE / 2;
        let (least, most) = (whole(first) - half, whole(last) + half);
        let x = Scale { least, most, from: Panel::LEFT, to: Panel::RIGHT };
        let heights = whole(self.depth() + 2) / ONE;
        let side = (x.place(whole(first + 1)) - x.place(whole(first))).clamp(SQUARE.0, SQUARE.1);
        let bottom = TOP + (heights * side).max(LOWEST);
        let least = -whole(self.depth()) - half;
        let y = Scale { least, most: ONE + half, from: bottom, to: TOP };
        Panel { x, y }
    }

    /// The rows of the cluster that are in the picture, obstacles as bars.
    fn blocked(&self, page: &mut Page, panel: &Panel) {
        let mut drawn = self.drawn();
        drawn.sort_by_key(|below| below.stands());
        for below in drawn {
            let stands = below.stands();
            let (class, half) = if stands { ("obstacle", ONE / 6) } else { ("companion", ONE / 2) };
            let mut path = Path::default();
            for q in self.columns.0..=self.columns.1 {
                if let Some(height) = below.at(q).filter(|&height| panel.y.holds(height * ONE)) {
                    cell(&mut path, panel, q, height, half);
                }
            }
            page.path(class, path, Ink::Cells(self.tint(below)));
        }
    }

    fn drawn(&self) -> Vec<&Neighbour> {
        let depth = self.depth().cast_signed();
        let shown = |height: &i64| (-depth..=1).contains(height);
        let cluster = self.row.cluster.iter();
        cluster.filter(|below| below.heights.iter().any(shown)).collect()
    }

    fn tint(&self, of: &Neighbour) -> &'static str {
        if of.stands() {
            return STANDS;
        }
        let moving = self.row.cluster.iter().filter(|below| !below.stands());
        let place = moving.take_while(|below| below.row != of.row).count();
        MOVES[place % MOVES.len()]
    }

    /// The places where holes can be filled, each ball in its colour, and the ways to them.
    fn draw_balls(&self, page: &mut Page, panel: &Panel) {
        let Some(balls) = &self.row.balls else { return };
        let size = diameter(panel);
        for (ball, columns) in self.balls(balls).iter().enumerate().rev() {
            let ink = BALLS[ball % BALLS.len()];
            let (mut ways, mut places) = (Path::default(), Path::default());
            for &(q, depth) in columns {
                let opens = q.saturating_sub(depth).max(self.columns.0);
                let sunk = whole(q - opens);
                let low = -whole(depth);
                if panel.y.holds(low) {
                    let (from, to) = ((whole(opens), low + sunk), panel.place((whole(q), low)));
                    places.dot(to);
                    if depth > 0 {
                        ways.line(&[panel.place(from), to]);
                    }
                }
            }
            let width = if ball == 0 { size / 4 } else { size / 10 };
            page.path("way", ways, Ink::Line(ink, width.max(12)));
            page.path("ball", places, Ink::Dots(ink, size * 2 / 3));
        }
    }

    /// The columns in which each ball falls, with its depth there; the ball of the row first.
    fn balls(&self, balls: &Balls) -> Vec<Vec<(u64, u64)>> {
        let mut found: Vec<Vec<(u64, u64)>> = Vec::new();
        let own = self.row.hole.iter().find(|at| !at.blocked).map(|at| at.column);
        let settled = self.row.cluster.iter().map(|below| below.start).max().unwrap_or(0);
        for q in self.columns.0.max(settled)..=self.columns.1 {
            let depth = balls.depth(q).unwrap_or(0);
            let before = q.checked_sub(depth + 1);
            let ball = found.iter_mut().find(|ball| ball.last().map(|last| last.0) == before);
            match ball {
                Some(ball) => ball.push((q, depth)),
                None => found.push(vec![(q, depth)]),
            }
        }
        found.sort_by_key(|ball| !ball.iter().any(|&(q, _)| Some(q) == own));
        found
    }

    /// The offsets of the row: rings, with the colour of its ball inside where it fills its hole.
    fn draw_row(&self, page: &mut Page, panel: &Panel) {
        let pattern = self.row.pattern.iter().cycle();
        let (mut all, mut high) = (Path::default(), Path::default());
        let mut filled = Path::default();
        for (q, &height) in (self.row.start..=self.columns.1).zip(pattern) {
            if !panel.y.holds(height * ONE) {
                continue;
            }
            let place = panel.place((whole(q), height * ONE));
            all.dot(place);
            if height > 0 { high.dot(place) } else { filled.dot(place) }
        }
        let size = diameter(panel);
        page.path("dots", all, Ink::Dots(colour::BLACK, size));
        page.path("above", high, Ink::Dots(colour::WHITE, size * 3 / 5));
        page.path("filled", filled, Ink::Dots(colour::VERMILION, size * 3 / 5));
    }

    fn legend(&self, panel: &Panel) -> Vec<Entry> {
        let Explanation { row, start, period, .. } = self.row;
        let (own, size) = (grouped(row), diameter(panel).clamp(110, 200));
        let ring = |colour| Ink::Dots(colour, size * 3 / 5);
        let black = Ink::Dots(colour::BLACK, size);
        let mut entries = vec![
            Entry::new(black, format!("row {own} fills its hole"))
                .with_edge(ring(colour::VERMILION)),
            Entry::new(black, format!("row {own}, the hole being blocked"))
                .with_edge(ring(colour::WHITE)),
            Entry::new(Ink::Line(colour::VERMILION, 50), "the hole, and its ball"),
        ];
        if self.row.balls.as_ref().is_some_and(|balls| balls.balls > 1) {
            entries.push(Entry::new(Ink::Dots(colour::BLUE, size * 2 / 3), "another ball"));
        }
        for below in self.drawn() {
            let name = grouped(below.row);
            let text = match below.heights.len() as u64 {
                1 => format!("row {name}, constant"),
                period => format!("row {name}, period {}", grouped(period)),
            };
            entries.push(Entry::new(Ink::Fill(self.tint(below)), text));
        }
        entries.push(Entry::new(START, format!("start {}", grouped(start))));
        entries.push(Entry::new(PERIOD, format!("one period: {}", grouped(period))));
        entries
    }

    fn caption(&self) -> String {
        let word = self.row.word.as_deref().map(|word| format!(", whose word is {word},"));
        format!(
            "Row {}{} and the rows of its cluster in columns {} to {}, from their starts on, as \
             their records prove them. {} {}",
            grouped(self.row.row),
            word.unwrap_or_default(),
            grouped(self.columns.0),
            grouped(self.columns.1),
            self.row.law(),
            self.row.reason(),
        )
        .replace(" - ", "\u{a0}−\u{a0}")
        .replace(" x ", "\u{a0}×\u{a0}")
        .replace(" = ", "\u{a0}=\u{a0}")
    }
}

/// Of a dot that leaves some of its square free.
fn diameter(panel: &Panel) -> i64 {
    let side = |scale: &Scale| (scale.place(scale.least + ONE) - scale.place(scale.least)).abs();
    (side(&panel.x).min(side(&panel.y)) * 3 / 5).clamp(30, 330)
}

/// The square of a column and a height, or a bar in the middle of it.
fn cell(path: &mut Path, panel: &Panel, q: u64, height: i64, half: i64) {
    let (left, right) = (panel.x.place(whole(q) - ONE / 2), panel.x.place(whole(q) + ONE / 2));
    let (low, high) = (panel.y.place(height * ONE - half), panel.y.place(height * ONE + half));
    path.rectangle((left, high), right - left, low - high);
}
