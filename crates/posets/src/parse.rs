//! Posets and graphs as text: one relation or one edge per line.

use std::collections::HashMap;
use std::str::FromStr;

use indexmap::IndexSet;
use thiserror::Error;

use crate::graph::{Graph, GraphError};
use crate::poset::{Poset, PosetError};

/// The longest name of an element, in characters.
const LONGEST_NAME: usize = 40;

/// Why a text is no poset, or no graph.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseError {
    /// A line of no known form.
    #[error("line {line}: {text:?} is not {form}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The line, or its beginning.
        text: String,
        /// The forms of a line.
        form: &'static str,
    },
    /// A name that is too long, or has characters other than visible ASCII.
    #[error(
        "line {line}: {name:?} is no name; names are 1 to {LONGEST_NAME} visible ASCII characters, \
         without {without}"
    )]
    Name {
        /// The line, from 1.
        line: usize,
        /// The name, or its beginning.
        name: String,
        /// The characters that it may not have.
        without: &'static str,
    },
    /// A repeated line.
    #[error("line {line} repeats line {before}: {text}; give each {thing} once")]
    Twice {
        /// The line, from 1.
        line: usize,
        /// The line that it repeats.
        before: usize,
        /// The text of both.
        text: String,
        /// The things that lines say, for the message.
        thing: &'static str,
    },
    /// The lines make no poset.
    #[error(transparent)]
    Poset(#[from] PosetError),
    /// The lines make no graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// Reads relations, one per line: `a < b` says that b is above a. An element alone on a line has no
/// relation there. A comment begins with `#`. Relations that follow from others do no harm; one
/// that is given twice is refused. Elements are in the order in which they are first named. The
/// least element is the poison, if there is one.
///
/// ```
/// use posets::{ParseError, Poset};
///
/// let poset: Poset = "# two atoms\n0 < a\n0 < b\na < 1\nb < 1".parse()?;
/// assert_eq!(poset.len(), 4);
/// assert_eq!(poset.poison(), poset.element("0"));
/// let error = "a < b\nb < a".parse::<Poset>().unwrap_err();
/// assert!(error.to_string().contains("in a circle: a < b < a"));
/// # Ok::<(), ParseError>(())
/// ```
impl FromStr for Poset {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let form = Form {
            split: |line| line.split('<').map(str::trim).collect(),
            expected: "a relation a < b or an element; give one a line",
            thing: "relation and each element alone on a line",
            without: "'<' and '#'",
            forbidden: &['<', '#'],
            most: Self::LARGEST,
        };
        let lines = form.read(text)?;
        Ok(Self::new(lines.names.into_iter().collect(), &lines.pairs)?.with_least_poisoned())
    }
}

/// Reads edges, one per line: `u v`. A line with one vertex adds the vertex. A comment begins with
/// `#`. Vertices are in the order in which they are first named.
///
/// ```
/// use posets::{Graph, ParseError};
///
/// let graph: Graph = "a b # an edge\nb c\nd".parse()?;
/// assert_eq!((graph.vertices(), graph.edges().len()), (4, 2));
/// # Ok::<(), ParseError>(())
/// ```
impl FromStr for Graph {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let form = Form {
            split: |line| line.split_whitespace().collect(),
            expected: "an edge u v or a vertex; give one a line",
            thing: "edge and each vertex alone on a line",
            without: "'-' and '#'",
            forbidden: &['-', '#'],
            most: Poset::LARGEST,
        };
        let lines = form.read(text)?;
        Ok(Self::new(lines.names.into_iter().collect(), lines.pairs)?)
    }
}

/// The forms of lines.
struct Form {
    split: fn(&str) -> Vec<&str>,
    expected: &'static str,
    thing: &'static str,
    without: &'static str,
    forbidden: &'static [char],
    /// More names than this are refused as soon as they are read.
    most: usize,
}

/// The lines so far.
#[derive(Default)]
struct Lines {
    /// In the order in which they are first named, which numbers them.
    names: IndexSet<String>,
    pairs: Vec<(usize, usize)>,
}

impl Form {
    fn read(&self, text: &str) -> Result<Lines, ParseError> {
        let mut lines = Lines::default();
        let mut seen = HashMap::new();
        for (line, full) in (1..).zip(text.lines()) {
            let said = full.split('#').next().unwrap_or_default().trim();
            if said.is_empty() {
                continue;
            }
            let parts = (self.split)(said);
            let mut elements = Vec::new();
            for &part in parts.iter().take(3) {
                self.check(part, line, said)?;
                let (number, _is_new) = lines.names.insert_full(part.to_owned());
                elements.push(number);
            }
            if lines.names.len() > self.most {
                return Err(PosetError::TooLarge { elements: lines.names.len() }.into());
            }
            if let Some(before) = seen.insert(elements.clone(), line) {
                return Err(self.twice(line, before, said));
            }
            match *elements {
                [_alone] => {}
                [first, second] => lines.pairs.push((first, second)),
                _ => return Err(self.unknown(line, said)),
            }
        }
        Ok(lines)
    }

    fn check(&self, name: &str, line: usize, said: &str) -> Result<(), ParseError> {
        if name.is_empty() {
            return Err(self.unknown(line, said));
        }
        let is_visible =
            |letter: char| letter.is_ascii_graphic() && !self.forbidden.contains(&letter);
        if name.chars().count() > LONGEST_NAME || !name.chars().all(is_visible) {
            return Err(ParseError::Name { line, name: brief(name), without: self.without });
        }
        Ok(())
    }

    fn unknown(&self, line: usize, said: &str) -> ParseError {
        ParseError::Line { line, text: brief(said), form: self.expected }
    }

    fn twice(&self, line: usize, before: usize, said: &str) -> ParseError {
        ParseError::Twice { line, before, text: brief(said), thing: self.thing }
    }
}

/// The beginning of a text, for a message.
fn brief(text: &str) -> String {
    const SHOWN: usize = 60;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
