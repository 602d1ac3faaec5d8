//! Reading a description: one relation a line.

use std::str::FromStr;

use indexmap::IndexSet;

use super::order::{Node, Order};
use super::poset::GrowingPoset;
use crate::relations::{Form, Line, RelationsError};

/// Heights of chains that a relation may name.
const LARGEST_HEIGHT: u64 = 10_000;

const FORM: Form = Form {
    split: |line| line.split('<').map(str::trim).collect(),
    no_line: "no relation; give one a line, such as a < b, d[3] < a or c[i] < d[i+1], or an \
              element alone",
    forbidden: &['<', '#', '[', ']', ',', '"', '\\'],
    without: "< # [ ] , \" and \\",
    most: 10_000,
};

/// Reads a description. A comment begins with `#`. Finite elements are numbered in the order in
/// which they are first named. The least element of all, if there is one, is the poison, as in the
/// files of finite posets.
impl FromStr for GrowingPoset {
    type Err = RelationsError;

    fn from_str(text: &str) -> Result<Self, RelationsError> {
        let (mut order, mut lines) = (Order::default(), Vec::new());
        let mut names = IndexSet::new();
        for line in FORM.lines(text) {
            if line.parts.iter().any(|part| part.contains("[i")) {
                let wrong = "not the rule of the two chains; it has the form c[i] < d[i], \
                             c[i] < d[i+2] or c[i] < d[i-2], and is given once";
                let rule = rule(&line.parts).filter(|_| order.rule.is_none());
                order.rule = Some(rule.ok_or_else(|| line.error(line.text, wrong))?);
            } else {
                let nodes = line.parts.iter().map(|part| node(part, &line, &mut names));
                match *nodes.collect::<Result<Vec<Node>, _>>()? {
                    [Node::Finite(_)] => {}
                    [below, above] => order.relations.push((below, above)),
                    _ => return Err(FORM.no_line(&line)),
                }
            }
            lines.push(line.parts.join(" < "));
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
fn node(part: &str, line: &Line, names: &mut IndexSet<String>) -> Result<Node, RelationsError> {
    let Some((chain, rest)) = part.split_once('[') else {
        return FORM.number(part, line, names).map(Node::Finite);
    };
    let height = rest.strip_suffix(']').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    let height = height.and_then(|digits| digits.parse().ok());
    match (chain, height.filter(|height| (1..=LARGEST_HEIGHT).contains(height))) {
        ("c", Some(height)) => Ok(Node::C(height)),
        ("d", Some(height)) => Ok(Node::D(height)),
        _ => {
            let heights = format!("heights go from 1 to {LARGEST_HEIGHT}");
            Err(line.error(part, &format!("no element of a chain; {heights}")))
        }
    }
}
