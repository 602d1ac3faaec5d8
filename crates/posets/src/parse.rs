//! Posets and graphs as text: one relation or one edge per line.

use std::collections::HashMap;
use std::str::FromStr;

use indexmap::IndexSet;
use record::quoted;
use record::relations::Form;

use crate::PosetError;
use crate::graph::Graph;
use crate::poset::Poset;

/// Reads relations, one per line: `a < b` says that b is above a. An element alone on a line has no
/// relation there. A comment begins with `#`. Relations that follow from others do no harm; one
/// that is given twice is refused. Elements are in the order in which they are first named. The
/// least element is the poison, if there is one.
///
/// ```
/// use posets::{Poset, PosetError};
///
/// let poset: Poset = "# two atoms\n0 < a\n0 < b\na < 1\nb < 1".parse()?;
/// assert_eq!(poset.len(), 4);
/// assert_eq!(poset.poison(), poset.element("0"));
/// let error = "a < b\nb < a".parse::<Poset>().unwrap_err();
/// assert!(error.to_string().contains("in a circle: a < b < a"));
/// # Ok::<(), PosetError>(())
/// ```
impl FromStr for Poset {
    type Err = PosetError;

    fn from_str(text: &str) -> Result<Self, PosetError> {
        let form = Form {
            split: |line| line.split('<').map(str::trim).collect(),
            no_line: "not a relation a < b or an element; give one a line",
            forbidden: &['<', '#'],
            without: "'<' and '#'",
            most: Self::LARGEST,
        };
        let (names, relations) = read(text, &form, "relation and each element alone on a line")?;
        Ok(Self::new(names, &relations)?.with_least_poisoned())
    }
}

/// Reads edges, one per line: `u v`. A line with one vertex adds the vertex. A comment begins with
/// `#`. Vertices are in the order in which they are first named.
///
/// ```
/// use posets::{Graph, PosetError};
///
/// let graph: Graph = "a b # an edge\nb c\nd".parse()?;
/// assert_eq!((graph.vertices(), graph.edges().len()), (4, 2));
/// # Ok::<(), PosetError>(())
/// ```
impl FromStr for Graph {
    type Err = PosetError;

    fn from_str(text: &str) -> Result<Self, PosetError> {
        let form = Form {
            split: |line| line.split_whitespace().collect(),
            no_line: "not an edge u v or a vertex; give one a line",
            forbidden: &['-', '#'],
            without: "'-' and '#'",
            most: Poset::LARGEST,
        };
        let (names, edges) = read(text, &form, "edge and each vertex alone on a line")?;
        Self::new(names, edges)
    }
}

/// Names, and pairs of them, by number.
type Pairs = (Vec<String>, Vec<(usize, usize)>);

/// Reads lines with one name or two, each of which says another `thing`.
fn read(text: &str, form: &Form, thing: &str) -> Result<Pairs, PosetError> {
    let (mut names, mut pairs, mut seen) = (IndexSet::new(), Vec::new(), HashMap::new());
    for line in form.lines(text) {
        let parts = line.parts.iter().take(3);
        let elements = parts.map(|part| form.number(part, &line, &mut names));
        let elements: Vec<usize> = elements.collect::<Result<_, _>>()?;
        if let Some(before) = seen.insert(elements.clone(), line.number) {
            let same = format!("line {} repeats line {before}: {}", line.number, quoted(line.text));
            return Err(PosetError::Refused(format!("{same}; give each {thing} once")));
        }
        match *elements {
            [_alone] => {}
            [first, second] => pairs.push((first, second)),
            _ => return Err(form.no_line(&line).into()),
        }
    }
    Ok((names.into_iter().collect(), pairs))
}
