//! The meanings of the marks of a figure, in lines below it.

use super::font;
use super::page::{Ink, Label, MARGIN, Page, Path, WIDTH};

const SIZE: i64 = 270;
const LEADING: i64 = 420;
const SYMBOL: i64 = 620;
const GAP: i64 = 150;
const BETWEEN: i64 = 500;

/// A mark with its meaning.
#[derive(Clone, Debug)]
#[must_use]
pub struct Entry {
    ink: Ink,
    /// The outline of light fillings.
    edge: Option<Ink>,
    text: String,
}

impl Entry {
    /// A mark with its meaning.
    pub fn new(ink: Ink, text: impl Into<String>) -> Self {
        Self { ink, edge: None, text: text.into() }
    }

    /// The same with an outline.
    pub fn with_edge(self, edge: Ink) -> Self {
        Self { edge: Some(edge), ..self }
    }

    fn symbol(&self, page: &mut Page, (x, y): (i64, i64)) {
        let path = match self.ink {
            Ink::Fill(_) | Ink::Cells(_) => Path::of_rectangle((x, y - 130), SYMBOL, 260),
            Ink::Dots(..) => Path::dots([(x + SYMBOL / 2, y)]),
            Ink::Line(..) | Ink::Dashes(..) => Path::through(&[(x, y), (x + SYMBOL, y)]),
        };
        for ink in [self.ink].into_iter().chain(self.edge) {
            page.path("legend", path.clone(), ink);
        }
    }
}

impl Page {
    /// A line about the entries below it. Returns its lower end.
    pub fn heading(&mut self, bottom: i64, text: &str) -> i64 {
        self.label(Label::new("legend", text, (MARGIN, bottom + LEADING)).size(SIZE));
        bottom + LEADING
    }

    /// Sets the entries below `bottom`, as many to a line as fit. Returns their lower end.
    pub fn legend(&mut self, bottom: i64, entries: &[Entry]) -> i64 {
        let (mut x, mut y) = (MARGIN, bottom + LEADING);
        for entry in entries {
            let width = SYMBOL + GAP + font::width(&entry.text, SIZE);
            if x > MARGIN && x + width > WIDTH - MARGIN {
                (x, y) = (MARGIN, y + LEADING);
            }
            entry.symbol(self, (x, y - 95));
            self.label(Label::new("legend", &entry.text, (x + SYMBOL + GAP, y)).size(SIZE));
            x += width + BETWEEN;
        }
        y + 100
    }
}
