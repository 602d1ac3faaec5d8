//! The page: paths and text at whole hundredths of a millimetre, and the SVG they make.

use std::fmt::{self, Write};

use record::wrapped;
use svg::node::element::{self, Description, Element, Title};
use svg::node::{Node, Text};

use super::font;

/// Width of every page: 12 cm, a column of text.
pub const WIDTH: i64 = 12_000;
/// White at the edges.
pub const MARGIN: i64 = 250;
const TITLE_SIZE: i64 = 360;
const CAPTION_SIZE: i64 = 280;
const CAPTION_LEADING: i64 = 390;
/// The fonts that viewers without the font use instead.
const FAMILY: &str = "DejaVu Sans, Verdana, Arial, sans-serif";

/// Colours that the colour-blind tell apart (Okabe and Ito), and that differ in grey where it
/// matters.
pub mod colour {
    /// Of frames and text.
    pub const BLACK: &str = "#000000";
    /// A dark grey.
    pub const DARK: &str = "#444444";
    /// The light grey of grids.
    pub const GRID: &str = "#d9d9d9";
    /// Of the paper.
    pub const WHITE: &str = "#ffffff";
    /// Of most points.
    pub const BLUE: &str = "#0072b2";
    /// Of lines, and of second points.
    pub const VERMILION: &str = "#d55e00";
    /// From few to many.
    pub const SHADES: [&str; 5] = ["#93bfe0", "#5f9ccc", "#3378b2", "#174f84", "#072b50"];
}

/// How a path is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Filled.
    Fill(&'static str),
    /// Filled, with sharp edges, for cells that touch.
    Cells(&'static str),
    /// A line of this width.
    Line(&'static str, i64),
    /// A broken line, with the lengths of dashes and gaps.
    Dashes(&'static str, i64, &'static str),
    /// Round dots of this diameter.
    Dots(&'static str, i64),
}

impl Ink {
    /// A path that it draws.
    fn on(self, path: element::Path) -> element::Path {
        match self {
            Self::Fill(colour) => path.set("fill", colour),
            Self::Cells(colour) => path.set("fill", colour).set("shape-rendering", "crispEdges"),
            Self::Line(colour, width) => {
                path.set("fill", "none").set("stroke", colour).set("stroke-width", width)
            }
            Self::Dashes(colour, width, dashes) => {
                Self::Line(colour, width).on(path).set("stroke-dasharray", dashes)
            }
            Self::Dots(colour, width) => {
                Self::Line(colour, width).on(path).set("stroke-linecap", "round")
            }
        }
    }
}

/// A line of text.
#[derive(Clone, Debug)]
#[must_use]
pub struct Label {
    class: &'static str,
    text: String,
    at: (i64, i64),
    size: i64,
    /// Where it stands relative to its point, as SVG has it.
    anchor: &'static str,
    colour: &'static str,
    /// Whether it runs upwards.
    upwards: bool,
}

impl Label {
    /// Black text that begins at a point of its base line.
    pub fn new(class: &'static str, text: impl Into<String>, at: (i64, i64)) -> Self {
        let (size, anchor) = (CAPTION_SIZE, "start");
        Self { class, text: text.into(), at, size, anchor, colour: colour::BLACK, upwards: false }
    }

    /// Text around its point.
    pub fn middle(self) -> Self {
        Self { anchor: "middle", ..self }
    }

    /// Text that ends at its point.
    pub fn end(self) -> Self {
        Self { anchor: "end", ..self }
    }

    /// Text of this size.
    pub fn size(self, size: i64) -> Self {
        Self { size, ..self }
    }

    /// Text of this colour.
    pub fn colour(self, colour: &'static str) -> Self {
        Self { colour, ..self }
    }

    /// Text that runs upwards.
    pub fn upwards(self) -> Self {
        Self { upwards: true, ..self }
    }
}

/// The course of a path, as SVG has it. Points are `(x, y)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Path(String);

impl Path {
    /// A line through points.
    pub fn through(points: &[(i64, i64)]) -> Self {
        let mut path = Self::default();
        path.line(points);
        path
    }

    /// A dot at each point.
    pub fn dots(points: impl IntoIterator<Item = (i64, i64)>) -> Self {
        let mut path = Self::default();
        points.into_iter().for_each(|point| path.dot(point));
        path
    }

    /// A rectangle from its upper left corner.
    pub fn of_rectangle(corner: (i64, i64), width: i64, height: i64) -> Self {
        let mut path = Self::default();
        path.rectangle(corner, width, height);
        path
    }

    /// Adds a line through points.
    pub fn line(&mut self, points: &[(i64, i64)]) {
        for (place, (x, y)) in points.iter().enumerate() {
            self.step(format_args!("{}{x} {y}", if place == 0 { 'M' } else { 'L' }));
        }
    }

    /// Adds a dot: a line without length.
    pub fn dot(&mut self, (x, y): (i64, i64)) {
        self.step(format_args!("M{x} {y}h0"));
    }

    /// Adds a rectangle from its upper left corner.
    pub fn rectangle(&mut self, (x, y): (i64, i64), width: i64, height: i64) {
        self.step(format_args!("M{x} {y}h{width}v{height}h-{width}z"));
    }

    fn step(&mut self, step: fmt::Arguments) {
        self.0.write_fmt(step).expect("a string can always be written to");
    }
}

#[derive(Clone, Debug)]
enum Mark {
    Path(&'static str, Path, Ink),
    Label(Label),
}

/// A finished picture.
#[derive(Clone, Debug)]
#[must_use]
pub struct Figure {
    /// The content of the figure, in a few words.
    pub title: String,
    /// The content of the figure, its range, and its basis.
    pub caption: String,
    height: i64,
    marks: Vec<Mark>,
}

/// A picture being drawn; later marks cover earlier ones.
#[derive(Debug)]
#[must_use]
pub struct Page(Figure);

impl Page {
    /// An empty page but for its title.
    pub fn new(title: &str) -> Self {
        let (title, caption) = (title.to_owned(), String::new());
        let mut page = Self(Figure { title, caption, height: 0, marks: Vec::new() });
        let label = Label::new("title", &page.0.title, (MARGIN, 560)).size(TITLE_SIZE);
        page.label(label);
        page
    }

    /// Draws a path, unless it is empty. The class names the mark in the SVG.
    pub fn path(&mut self, class: &'static str, path: Path, ink: Ink) {
        if !path.0.is_empty() {
            self.0.marks.push(Mark::Path(class, path, ink));
        }
    }

    /// Sets a label, unless it is empty.
    pub fn label(&mut self, label: Label) {
        if !label.text.is_empty() {
            self.0.marks.push(Mark::Label(label));
        }
    }

    /// Sets the caption below `bottom`, broken into lines, and ends the page there.
    pub fn caption(mut self, bottom: i64, caption: &str) -> Figure {
        let width = |line: &str| font::width(line, CAPTION_SIZE);
        let mut y = bottom;
        for line in wrapped(caption, |line| width(line) <= WIDTH - 2 * MARGIN) {
            y += CAPTION_LEADING;
            self.label(Label::new("caption", line, (MARGIN, y)));
        }
        caption.clone_into(&mut self.0.caption);
        self.0.height = y + MARGIN;
        self.0
    }
}

impl Figure {
    /// The texts that the edge of the page would cut.
    #[cfg(test)]
    pub(crate) fn cut_texts(&self) -> Vec<&str> {
        let labels = self.marks.iter().filter_map(|mark| match mark {
            Mark::Label(label) => Some(label),
            Mark::Path(..) => None,
        });
        let cut = |label: &&Label| {
            let ((x, y), width) = (label.at, font::width(&label.text, label.size));
            let (middle, length) = if label.upwards { (y, self.height) } else { (x, WIDTH) };
            let halves = match label.anchor {
                "start" => 0,
                "middle" => 1,
                _ => 2,
            };
            let (before, after) = (width * halves / 2, width * (2 - halves) / 2);
            middle - before < 0 || middle + after > length || x < 0 || y > self.height
        };
        labels.filter(cut).map(|label| label.text.as_str()).collect()
    }

    /// The picture as SVG 1.1, 12 cm wide, text as text.
    pub fn svg(&self) -> String {
        let description = Description::new().add(Text::new(&self.caption));
        self.marks_on(self.root().add(Title::new(&self.title)).add(description), false)
    }

    /// The same without title and caption, for a page that has them; the font is named once.
    pub fn svg_without_words(&self) -> String {
        self.marks_on(self.root().set("font-family", FAMILY), true)
    }

    fn root(&self) -> svg::Document {
        svg::Document::new()
            .set("width", millimetres(WIDTH))
            .set("height", millimetres(self.height))
            .set("viewBox", (0, 0, WIDTH, self.height))
            .set("role", "img")
    }

    /// The paper and all marks; for a page, without title, caption, and the font of each label.
    fn marks_on(&self, mut root: svg::Document, for_page: bool) -> String {
        let paper = Path::of_rectangle((0, 0), WIDTH, self.height);
        root = root.add(path_element("paper", &paper, Ink::Fill(colour::WHITE)));
        for mark in &self.marks {
            root = match mark {
                Mark::Label(label) if for_page && ["title", "caption"].contains(&label.class) => {
                    root
                }
                Mark::Path(class, path, ink) => root.add(path_element(class, path, *ink)),
                Mark::Label(label) => root.add(text_element(label, !for_page)),
            };
        }
        format!("{root}\n")
    }
}

fn millimetres(length: i64) -> String {
    format!("{}.{:02}mm", length / 100, length % 100)
}

fn path_element(class: &str, path: &Path, ink: Ink) -> element::Path {
    ink.on(element::Path::new().set("class", class).set("d", path.0.as_str()))
}

fn text_element(label: &Label, with_font: bool) -> Element {
    let (x, y) = label.at;
    let mut text = Element::new("text");
    text.assign("class", label.class);
    text.assign("x", x);
    text.assign("y", y);
    text.assign("fill", label.colour);
    if with_font {
        text.assign("font-family", FAMILY);
    }
    text.assign("font-size", label.size);
    text.assign("text-anchor", label.anchor);
    if label.upwards {
        text.assign("transform", format!("rotate(-90 {x} {y})"));
    }
    text.append(Text::new(&label.text));
    text
}
