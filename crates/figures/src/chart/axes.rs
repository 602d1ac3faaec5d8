//! Panels: a frame, two axes with ticks at round numbers, and the places of points.

use super::font;
use super::page::{Ink, Label, Page, Path, colour};
use super::thousandths::{self, ONE};

const TICK_SIZE: i64 = 260;
const LABEL_SIZE: i64 = 300;
const TICK: i64 = 80;
const FRAME: Ink = Ink::Line(colour::BLACK, 20);

/// Numbers from `least` to `most`, in thousandths, along a stretch of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct Scale {
    /// The least number.
    pub least: i64,
    /// The largest number.
    pub most: i64,
    /// The place of `least` on the page.
    pub from: i64,
    /// The place of `most` on the page.
    pub to: i64,
}

impl Scale {
    /// A scale with a margin of this number of hundredths of the range at both ends.
    pub fn with_room(least: i64, most: i64, hundredths: i64, from: i64, to: i64) -> Self {
        let room = ((most - least) * hundredths / 100).max(1);
        Self { least: least - room, most: most + room, from, to }
    }

    /// The place of a number, to the nearest hundredth of a millimetre.
    ///
    /// # Panics
    /// If it is far from the page.
    pub fn place(&self, value: i64) -> i64 {
        let (part, whole) = (i128::from(value - self.least), i128::from(self.most - self.least));
        let length = i128::from(self.to - self.from);
        let shift = (2 * part * length + whole).div_euclid(2 * whole);
        self.from + i64::try_from(shift).expect("a place on the page, or not far from it")
    }

    /// Where a line enters the scale, by its first coordinate, on the way from an end to the other
    /// one, rounded down: the end itself, if it is on the scale. `None` if it never does.
    fn enter(&self, end: (i64, i64), other: (i64, i64)) -> Option<(i64, i64)> {
        let edge = end.0.clamp(self.least, self.most);
        if edge == end.0 {
            return Some(end);
        }
        let (part, whole) = (i128::from(edge - end.0), i128::from(other.0 - end.0));
        if whole.signum() != part.signum() || whole.abs() < part.abs() {
            return None;
        }
        let rise = (i128::from(other.1 - end.1) * part).div_euclid(whole);
        Some((edge, end.1 + i64::try_from(rise).expect("less than that of the whole line")))
    }

    /// Whether a number is on the scale.
    pub fn holds(&self, value: i64) -> bool {
        (self.least..=self.most).contains(&value)
    }

    /// Round numbers on the scale, each as text and with its place. Their step is the least of 1,
    /// 2, 5, 10, ... times the unit that gives at most as many as the axis has.
    fn ticks(&self, axis: AxisText) -> impl Iterator<Item = (String, i64)> {
        let range = self.most - self.least;
        let steps = (0..).flat_map(|decade| [1, 2, 5].map(|of| of * 10_i64.pow(decade)));
        let mut steps = steps.map(|step| step * axis.unit);
        let step = steps.find(|step| range / step < axis.ticks).expect("steps grow");
        let first = self.least.div_euclid(step) + i64::from(self.least.rem_euclid(step) > 0);
        let ticks = (first..).map(move |times| times * step);
        let text = move |tick| thousandths::text(tick, usize::from(step % ONE > 0));
        ticks.take_while(|&tick| tick <= self.most).map(move |tick| (text(tick), self.place(tick)))
    }
}

/// The text of an axis.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct AxisText<'a> {
    /// The label beside or below the axis.
    pub label: &'a str,
    /// The largest number of ticks.
    pub ticks: i64,
    /// The least step between ticks: 1000 for counts, or 100.
    pub unit: i64,
}

impl<'a> AxisText<'a> {
    /// An axis of rows, columns or squares, which have no fractions.
    pub fn counts(label: &'a str) -> Self {
        Self { label, ticks: 8, unit: ONE }
    }

    /// With at most this number of ticks.
    pub fn ticks(self, ticks: i64) -> Self {
        Self { ticks, ..self }
    }
}

/// A rectangle of the page with a scale each way.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Panel {
    /// Its `from` is the left edge, its `to` the right one.
    pub x: Scale,
    /// Its `from` is the bottom, its `to` the top.
    pub y: Scale,
}

impl Panel {
    /// The usual left edge.
    pub const LEFT: i64 = 1700;
    /// The usual right edge.
    pub const RIGHT: i64 = 11_700;

    /// Draws the frame and both axes, over the marks. Returns where the label below ends.
    pub fn frame_and_axes(&self, page: &mut Page, [x, y]: [AxisText; 2]) -> i64 {
        self.frame(page);
        self.y_ticks(page, y);
        y_label(page, y.label, self.y.to, self.y.from);
        self.x_axis(page, x)
    }

    /// The place of a point.
    pub fn place(&self, (x, y): (i64, i64)) -> (i64, i64) {
        (self.x.place(x), self.y.place(y))
    }

    /// Whether a point is inside.
    pub fn holds(&self, (x, y): (i64, i64)) -> bool {
        self.x.holds(x) && self.y.holds(y)
    }

    /// A path through points that are inside.
    pub fn path(&self, points: &[(i64, i64)]) -> Path {
        let placed: Vec<_> = points.iter().map(|&point| self.place(point)).collect();
        Path::through(&placed)
    }

    /// Dots at points that are inside.
    pub fn dots(&self, points: impl IntoIterator<Item = (i64, i64)>) -> Path {
        Path::dots(points.into_iter().map(|point| self.place(point)))
    }

    /// The part of a line that is inside; empty if none is.
    pub fn line(&self, from: (i64, i64), to: (i64, i64)) -> Path {
        let ends = [(from, to), (to, from)].map(|(end, other)| self.x.enter(end, other));
        let [Some(from), Some(to)] = ends else { return Path::default() };
        let turned = |(x, y)| (y, x);
        let ends = [(from, to), (to, from)]
            .map(|(end, other)| self.y.enter(turned(end), turned(other)).map(turned));
        let [Some(from), Some(to)] = ends else { return Path::default() };
        self.path(&[from, to])
    }

    /// A path from bottom to top at x.
    pub fn upright(&self, x: i64) -> Path {
        self.path(&[(x, self.y.least), (x, self.y.most)])
    }

    /// The part from bottom to top between two x; none of it is past the right edge.
    pub fn band(&self, from: i64, to: i64) -> Path {
        let [left, right] = [from, to].map(|x| self.x.place(x).min(self.x.to));
        Path::of_rectangle((left, self.y.to), right - left, self.y.from - self.y.to)
    }

    /// Light lines at the ticks, behind everything else.
    pub fn grid(&self, page: &mut Page, [x, y]: [AxisText; 2]) {
        let mut path = Path::default();
        for (_, x) in self.x.ticks(x) {
            path.line(&[(x, self.y.from), (x, self.y.to)]);
        }
        for (_, y) in self.y.ticks(y) {
            path.line(&[(self.x.from, y), (self.x.to, y)]);
        }
        page.path("grid", path, Ink::Line(colour::GRID, 12));
    }

    /// The frame.
    pub fn frame(&self, page: &mut Page) {
        page.path("frame", self.band(self.x.least, self.x.most), FRAME);
    }

    /// Ticks, numbers and label below the frame. Returns where the label ends.
    pub fn x_axis(&self, page: &mut Page, text: AxisText) -> i64 {
        let (mut path, bottom) = (Path::default(), self.y.from);
        for (number, x) in self.x.ticks(text) {
            path.line(&[(x, bottom), (x, bottom + TICK)]);
            let at = (x, bottom + TICK + 280);
            page.label(Label::new("x-tick", number, at).size(TICK_SIZE).middle());
        }
        page.path("x-ticks", path, FRAME);
        let at = (i64::midpoint(self.x.from, self.x.to), bottom + 830);
        page.label(Label::new("x-label", text.label, at).size(LABEL_SIZE).middle());
        bottom + 920
    }

    /// Ticks and numbers at the left of the frame.
    pub fn y_ticks(&self, page: &mut Page, text: AxisText) {
        let (mut path, x) = (Path::default(), self.x.from);
        for (number, y) in self.y.ticks(text) {
            path.line(&[(x, y), (x - TICK, y)]);
            let at = (x - TICK - 60, y + 95);
            page.label(Label::new("y-tick", number, at).size(TICK_SIZE).end());
        }
        page.path("y-ticks", path, FRAME);
    }
}

/// The label of a vertical axis, in the middle between two heights.
pub fn y_label(page: &mut Page, text: &str, top: i64, bottom: i64) {
    debug_assert!(font::width(text, LABEL_SIZE) <= 7000, "too long an axis label");
    let at = (400, i64::midpoint(top, bottom));
    let label = Label::new("y-label", text, at).size(LABEL_SIZE);
    page.label(label.middle().upwards());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_fall_where_proportion_says() {
        let scale = Scale { least: -1000, most: 3000, from: 100, to: 500 };
        let places = [-1000, 0, 1000, 3000].map(|value| scale.place(value));
        assert_eq!(places, [100, 200, 300, 500]);
        let downwards = Scale { least: 0, most: 3, from: 10, to: 0 };
        // 10, 6 2/3, 3 1/3, 0.
        assert_eq!([0, 1, 2, 3].map(|value| downwards.place(value)), [10, 7, 3, 0]);
    }

    #[test]
    fn lines_are_cut_at_the_frame() {
        let scale = |from, to| Scale { least: 0, most: 100, from, to };
        let panel = Panel { x: scale(0, 100), y: scale(100, 0) };
        let line = |from, to| Path::through(&[panel.place(from), panel.place(to)]);
        // Inside; through two edges; through a corner; past it; beside the frame, and behind it.
        for ((from, to), expected) in [
            (((10, 20), (90, 30)), Some(((10, 20), (90, 30)))),
            (((-50, 0), (150, 100)), Some(((0, 25), (100, 75)))),
            (((50, -50), (50, 150)), Some(((50, 0), (50, 100)))),
            (((-10, 100), (10, 80)), Some(((0, 90), (10, 80)))),
            (((-30, 90), (30, 150)), None),
            (((-30, 50), (-1, 60)), None),
            (((120, 120), (200, 200)), None),
        ] {
            let expected = expected.map_or_else(Path::default, |(from, to)| line(from, to));
            assert_eq!(panel.line(from, to), expected, "{from:?} to {to:?}");
        }
    }

    #[test]
    fn ticks_are_round() {
        // A thousandth is a hundredth of a millimetre long.
        let ticks = |least, most, unit| -> Vec<i64> {
            let scale = Scale { least, most, from: least, to: most };
            scale.ticks(AxisText { label: "", ticks: 6, unit }).map(|(_, place)| place).collect()
        };
        assert_eq!(
            ticks(0, 1_000_000, 1000),
            [0, 200, 400, 600, 800, 1000].map(|tick| tick * 1000)
        );
        assert_eq!(ticks(-1300, 2300, 1), [-1000, 0, 1000, 2000]);
        assert_eq!(ticks(-40, 60, 1), [-40, -20, 0, 20, 40, 60]);
        assert_eq!(ticks(3000, 5000, 1000), [3000, 4000, 5000]);
        assert_eq!(ticks(0, 24_000, 1000), [0, 5000, 10_000, 15_000, 20_000]);
        let scale = Scale { least: -1000, most: 500, from: 0, to: 1 };
        let texts = scale.ticks(AxisText { label: "", ticks: 4, unit: 100 });
        assert!(texts.map(|(text, _)| text).eq(["\u{2212}1.0", "\u{2212}0.5", "0.0", "0.5"]));
    }
}
