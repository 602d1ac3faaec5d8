//! From a description, one relation a line, to the order that the relations generate: the elements
//! below and above each finite element.

use std::str::FromStr;

use indexmap::IndexSet;

use super::{GrowingPoset, Heights, by_rule};
use crate::Tail;
use crate::relations::{Form, Line, RelationsError, upwards};

/// An element of one of the chains, or a finite one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    C(u64),
    D(u64),
    Finite(usize),
}

impl Node {
    /// Its height in its chain.
    fn height(self) -> u64 {
        match self {
            Self::C(height) | Self::D(height) => height,
            Self::Finite(_) => 0,
        }
    }
}

/// Relations as they are given.
#[derive(Debug, Default)]
struct Order {
    names: IndexSet<String>,
    /// Each pair is an element and one above it.
    relations: Vec<(Node, Node)>,
    /// The k of the rule `c[i] < d[i+k]`.
    rule: Option<i64>,
}

impl Order {
    /// The squares of a tail below two rows.
    fn of_tails(within: &Tail) -> Self {
        let mut order = Self { rule: Some(0), ..Self::default() };
        // The length of the row before, unless that is chain d.
        let mut before = None;
        for (row, &part) in (3..).zip(within.parts()) {
            let first = order.names.len();
            for z in 1..=part {
                let own = order.names.len();
                order.names.insert(format!("{row}.{z}"));
                if own > first {
                    order.relations.push((Node::Finite(own - 1), Node::Finite(own)));
                }
                let upper = before.map_or(Node::D(z), |length| Node::Finite(own - length));
                order.relations.push((upper, Node::Finite(own)));
            }
            before = Some(order.names.len() - first);
        }
        order
    }

    /// The relations of chains of this height.
    fn of_chains(&self, height: u64) -> impl Iterator<Item = (Node, Node)> {
        let chain = |of: fn(u64) -> Node| (2..=height).map(move |i| (of(i - 1), of(i)));
        let by_rule = (1..=height).filter_map(|i| Some((i, by_rule(self.rule?, i))));
        let by_rule = by_rule.filter(move |(_, j)| *j <= height);
        let by_rule = by_rule.map(|(i, j)| (Node::C(i), Node::D(j)));
        chain(Node::C).chain(chain(Node::D)).chain(by_rule)
    }

    /// The poset that the relations generate.
    fn poset(self, lines: Vec<String>) -> Result<GrowingPoset, RelationsError> {
        let given = self.relations.iter().map(|(a, b)| a.height().max(b.height())).max();
        let given = given.unwrap_or(0) + self.rule.map_or(0, i64::unsigned_abs);
        // All elements, the chains as far as the relations may reach: c, then d, then the finite.
        let height = 2 * given + 2;
        let chain = |of: fn(u64) -> Node| (1..=height).map(of);
        let finite = (0..self.names.len()).map(Node::Finite);
        let nodes: IndexSet<Node> = chain(Node::C).chain(chain(Node::D)).chain(finite).collect();
        let place = |node: Node| nodes.get_index_of(&node).expect("its height is not past `given`");
        let mut higher = vec![Vec::new(); nodes.len()];
        for (below, above) in self.of_chains(height).chain(self.relations.iter().copied()) {
            higher[place(below)].push(place(above));
        }
        let sorted = upwards(&higher, |place| self.shown(nodes[place]))?;
        let heights = heights(&nodes, &higher, &sorted);
        let of = |node| heights[place(node)];
        if let Some(i) = (1..=height).find(|&i| of(Node::C(i)).over_d > 0) {
            let j = of(Node::C(i)).over_d;
            return Err(RelationsError(format!(
                "the relations make d[{j}] < c[{i}], and in a family no element of chain d may be \
                 below one of chain c; if no element of c is below one of d, exchange the names of \
                 the chains"
            )));
        }
        let own: Vec<Heights> = (0..self.names.len()).map(|own| of(Node::Finite(own))).collect();
        // Those past `given` lie past all relations that are given.
        let mut first_d: Vec<Option<u64>> = (1..=given).map(|i| of(Node::C(i)).under_d).collect();
        let expected = |i: usize| self.rule.map(|k| by_rule(k, i as u64 + 1));
        while first_d.last().is_some_and(|last| *last == expected(first_d.len() - 1)) {
            first_d.pop();
        }
        let lower = self.lower(&own);
        let finite = |place: &usize| match nodes[*place] {
            Node::Finite(element) => Some(element),
            _ => None,
        };
        let mut poset = GrowingPoset {
            lines,
            names: self.names.into_iter().collect(),
            lower,
            upward: sorted.iter().filter_map(finite).collect(),
            heights: own,
            first_d,
            rule: self.rule,
            least: 0,
        };
        poset.take_poison();
        Ok(poset)
    }

    /// The given relations of finite elements, and those that pass through a chain.
    fn lower(&self, heights: &[Heights]) -> Vec<Vec<usize>> {
        let mut lower = vec![Vec::new(); heights.len()];
        for relation in &self.relations {
            if let (Node::Finite(below), Node::Finite(above)) = *relation {
                lower[above].push(below);
            }
        }
        for (below, its) in heights.iter().enumerate() {
            if its.under_c.is_none() && its.under_d.is_none() {
                continue;
            }
            for (above, others) in heights.iter().enumerate() {
                let by_c = its.under_c.is_some_and(|i| i <= others.over_c);
                if by_c || its.under_d.is_some_and(|j| j <= others.over_d) {
                    lower[above].push(below);
                }
            }
        }
        for below in &mut lower {
            below.sort_unstable();
            below.dedup();
        }
        lower
    }

    fn shown(&self, node: Node) -> String {
        match node {
            Node::C(i) => format!("c[{i}]"),
            Node::D(j) => format!("d[{j}]"),
            Node::Finite(element) => self.names[element].clone(),
        }
    }
}

impl GrowingPoset {
    /// The poset of Chomp with these two longest rows: `c` is the longest row, `d` the second, and
    /// the finite elements are the squares of the tail, row by row.
    ///
    /// # Panics
    /// Never: these are relations of a poset.
    pub fn of_tails(within: &Tail) -> Self {
        Order::of_tails(within).poset(Vec::new()).expect("the squares of a board are a poset")
    }

    /// The least element of all, if there is one, is the poison.
    fn take_poison(&mut self) {
        if self.first_d(1) == Some(1) && self.heights.iter().all(|heights| heights.over_c >= 1) {
            self.least = 1;
            return;
        }
        let lowest = |element: &usize| {
            self.lower[*element].is_empty()
                && self.heights[*element].under_c == Some(1)
                && self.heights[*element].under_d == Some(1)
        };
        let Some(poison) = (0..self.names.len()).find(lowest) else { return };
        let has_lower = |element: usize| element == poison || !self.lower[element].is_empty();
        if !(0..self.names.len()).all(has_lower) {
            return;
        }
        self.names.remove(poison);
        self.heights.remove(poison);
        self.lower.remove(poison);
        for elements in self.lower.iter_mut().chain([&mut self.upward]) {
            elements.retain(|element| *element != poison);
            for element in elements {
                *element -= usize::from(*element > poison);
            }
        }
    }
}

/// For each element the heights of the elements of the chains that are it, below or above it.
/// `higher` has the places of those that are given above it, and `sorted` each after those below.
fn heights(nodes: &IndexSet<Node>, higher: &[Vec<usize>], sorted: &[usize]) -> Vec<Heights> {
    let own = |node: &Node| match *node {
        Node::C(i) => Heights { over_c: i, under_c: Some(i), ..Heights::default() },
        Node::D(j) => Heights { over_d: j, under_d: Some(j), ..Heights::default() },
        Node::Finite(_) => Heights::default(),
    };
    let mut heights: Vec<Heights> = nodes.iter().map(own).collect();
    for &place in sorted {
        let of = heights[place];
        higher[place].iter().for_each(|above| heights[*above].raise(of));
    }
    for &place in sorted.iter().rev() {
        higher[place].iter().for_each(|above| {
            let of = heights[*above];
            heights[place].lower_limits(of);
        });
    }
    heights
}

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
        for line in FORM.lines(text) {
            if line.parts.iter().any(|part| part.contains("[i")) {
                let wrong = "not the rule of the two chains; it has the form c[i] < d[i], \
                             c[i] < d[i+2] or c[i] < d[i-2], and is given once";
                let rule = rule(&line.parts).filter(|_| order.rule.is_none());
                order.rule = Some(rule.ok_or_else(|| line.error(line.text, wrong))?);
            } else {
                let nodes = line.parts.iter().map(|part| node(part, &line, &mut order.names));
                match *nodes.collect::<Result<Vec<Node>, _>>()? {
                    [Node::Finite(_)] => {}
                    [below, above] => order.relations.push((below, above)),
                    _ => return Err(FORM.no_line(&line)),
                }
            }
            lines.push(line.parts.join(" < "));
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
