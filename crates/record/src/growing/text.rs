//! Reading a description: one relation a line.

use std::collections::HashMap;
use std::str::FromStr;

use thiserror::Error;

use super::GrowingPoset;
use super::order::{Node, Order};
use crate::quoted;

/// Heights of chains that a relation may name.
const LARGEST_HEIGHT: u64 = 10_000;

/// The most finite elements.
const MOST_ELEMENTS: usize = 10_000;

/// The longest name of an element.
const LONGEST_NAME: usize = 40;

/// Why a text describes no poset beside two growing chains.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GrowingPosetError {
    /// A line in another form.
    #[error(
        "line {line}: {text:?} is no relation; give one a line, such as a < b, d[3] < a or \
         c[i] < d[i+1], or an element alone"
    )]
    Line {
        /// The line, from 1.
        line: usize,
        /// Its text.
        text: String,
    },
    /// A name with characters that it may not have, or one too long.
    #[error(
        "line {line}: {name:?} is no name; names are 1 to {LONGEST_NAME} visible ASCII characters, \
         without < # [ ] , \" and \\"
    )]
    Name {
        /// The line, from 1.
        line: usize,
        /// The name.
        name: String,
    },
    /// A height out of range.
    #[error(
        "line {line}: {text:?} is no element of a chain; heights go from 1 to {LARGEST_HEIGHT}"
    )]
    Height {
        /// The line, from 1.
        line: usize,
        /// The text.
        text: String,
    },
    /// A rule that is none, or the second one.
    #[error(
        "line {line}: {text:?} is not the rule of the two chains; it has the form c[i] < d[i], \
         c[i] < d[i+2] or c[i] < d[i-2], and is given once"
    )]
    Rule {
        /// The line, from 1.
        line: usize,
        /// The text.
        text: String,
    },
    /// Too many elements.
    #[error("there are more than {MOST_ELEMENTS} finite elements; give fewer")]
    TooLarge,
    /// The relations contain a circle.
    #[error("the relations go round in a circle: {0}; in an order no element is below itself")]
    Cycle(String),
    /// An element of d below one of c.
    #[error(
        "{0}: an element of chain d is below one of chain c; in a family of Byrnes' theorem one of \
         the two chains has no element below the other, and this one is d"
    )]
    DBelowC(String),
}

/// Reads a description. A comment begins with `#`. Finite elements are numbered in the order in
/// which they are first named. The least element of all, if there is one, is the poison, as in the
/// files of finite posets.
impl FromStr for GrowingPoset {
    type Err = GrowingPosetError;

    fn from_str(text: &str) -> Result<Self, GrowingPosetError> {
        let (mut order, mut lines) = (Order::default(), Vec::new());
        let mut numbers: HashMap<String, usize> = HashMap::new();
        for (line, full) in (1..).zip(text.lines()) {
            let said = full.split('#').next().unwrap_or_default().trim();
            if said.is_empty() {
                continue;
            }
            let parts: Vec<&str> = said.split('<').map(str::trim).collect();
            if parts.iter().any(|part| part.contains("[i")) {
                let rule = rule(&parts).filter(|_| order.rule.is_none());
                let wrong = || GrowingPosetError::Rule { line, text: quoted(said) };
                order.rule = Some(rule.ok_or_else(wrong)?);
            } else {
                let mut nodes = Vec::new();
                for part in &parts {
                    nodes.push(node(part, line, &mut order.names, &mut numbers)?);
                }
                match *nodes {
                    [Node::Finite(_)] => {}
                    [below, above] => order.relations.push((below, above)),
                    _ => return Err(GrowingPosetError::Line { line, text: quoted(said) }),
                }
            }
            if order.names.len() > MOST_ELEMENTS {
                return Err(GrowingPosetError::TooLarge);
            }
            lines.push(parts.join(" < "));
        }
        order.poset(lines)
    }
}

/// The k of `c[i] < d[i+k]`.
fn rule(parts: &[&str]) -> Option<i64> {
    let &[c, d] = parts else { return None };
    let inner = d.strip_prefix("d[i")?.strip_suffix(']')?.trim();
    let k: i64 = match inner.chars().next() {
        None => 0,
        Some('+' | '-') => inner.replace(' ', "").parse().ok()?,
        Some(_) => return None,
    };
    (c == "c[i]" && k.unsigned_abs() <= LARGEST_HEIGHT).then_some(k)
}

/// The element of a part of a line.
fn node(
    part: &str,
    line: usize,
    names: &mut Vec<String>,
    numbers: &mut HashMap<String, usize>,
) -> Result<Node, GrowingPosetError> {
    if part.is_empty() {
        return Err(GrowingPosetError::Line { line, text: "nothing beside <".to_owned() });
    }
    if let Some((chain, rest)) = part.split_once('[') {
        let height =
            rest.strip_suffix(']').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
        let height = height.and_then(|digits| digits.parse().ok());
        let height = height.filter(|height| (1..=LARGEST_HEIGHT).contains(height));
        return match (chain, height) {
            ("c", Some(height)) => Ok(Node::C(height)),
            ("d", Some(height)) => Ok(Node::D(height)),
            _ => Err(GrowingPosetError::Height { line, text: quoted(part) }),
        };
    }
    let is_allowed = |c: char| c.is_ascii_graphic() && !"[],\"\\".contains(c);
    if part.len() > LONGEST_NAME || !part.chars().all(is_allowed) {
        return Err(GrowingPosetError::Name { line, name: quoted(part) });
    }
    let number = *numbers.entry(part.to_owned()).or_insert_with(|| {
        names.push(part.to_owned());
        names.len() - 1
    });
    Ok(Node::Finite(number))
}
