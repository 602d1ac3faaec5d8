//! Reading a description: one relation a line.

use std::str::FromStr;

use indexmap::IndexSet;

use super::error::{GrowingPosetError, LARGEST_HEIGHT, LONGEST_NAME, MOST_ELEMENTS};
use super::order::{Node, Order};
use super::poset::GrowingPoset;
use crate::quoted;

/// Reads a description. A comment begins with `#`. Finite elements are numbered in the order in
/// which they are first named. The least element of all, if there is one, is the poison, as in the
/// files of finite posets.
impl FromStr for GrowingPoset {
    type Err = GrowingPosetError;

    fn from_str(text: &str) -> Result<Self, GrowingPosetError> {
        let (mut order, mut lines) = (Order::default(), Vec::new());
        let mut names = IndexSet::new();
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
                    nodes.push(node(part, line, &mut names)?);
                }
                match *nodes {
                    [Node::Finite(_)] => {}
                    [below, above] => order.relations.push((below, above)),
                    _ => return Err(GrowingPosetError::Line { line, text: quoted(said) }),
                }
            }
            if names.len() > MOST_ELEMENTS {
                return Err(GrowingPosetError::TooLarge);
            }
            lines.push(parts.join(" < "));
        }
        order.names = names.into_iter().collect();
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
fn node(part: &str, line: usize, names: &mut IndexSet<String>) -> Result<Node, GrowingPosetError> {
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
    let (number, _is_new) = names.insert_full(part.to_owned());
    Ok(Node::Finite(number))
}
