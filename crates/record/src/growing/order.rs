//! The order that relations generate: the elements below and above each finite element.

use std::collections::{BTreeMap, BTreeSet};

use super::error::GrowingPosetError;
use super::poset::{GrowingPoset, Heights, by_rule};
use crate::Tail;

/// An element of one of the chains, or a finite one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    C(u64),
    D(u64),
    Finite(usize),
}

/// Relations as they are given.
#[derive(Debug, Default)]
pub(super) struct Order {
    pub(super) names: Vec<String>,
    /// Each pair is an element and one above it.
    pub(super) relations: Vec<(Node, Node)>,
    /// The k of the rule `c[i] < d[i+k]`.
    pub(super) rule: Option<i64>,
}

impl Order {
    /// The squares of a tail below two rows.
    pub(super) fn of_tails(within: &Tail) -> Self {
        let mut order = Self { rule: Some(0), ..Self::default() };
        let mut before: Vec<usize> = Vec::new();
        for (row, &part) in (3..).zip(within.parts()) {
            let first = order.names.len();
            for z in 1..=part {
                let own = order.names.len();
                order.names.push(format!("{row}.{z}"));
                if own > first {
                    order.relations.push((Node::Finite(own - 1), Node::Finite(own)));
                }
                let upper = before.get(own - first).map(|upper| Node::Finite(*upper));
                order.relations.push((upper.unwrap_or(Node::D(z)), Node::Finite(own)));
            }
            before = (first..order.names.len()).collect();
        }
        order
    }

    /// The poset that the relations generate.
    pub(super) fn poset(self, lines: Vec<String>) -> Result<GrowingPoset, GrowingPosetError> {
        let graph = Graph::new(&self);
        let sorted = graph.sorted().map_err(|circle| self.circle(&graph, &circle))?;
        let over_d = graph.over(&sorted, |node| match node {
            Node::D(j) => j,
            _ => 0,
        });
        let is_c = |place: &usize| matches!(graph.node(*place), Node::C(_));
        if let Some(c) = (0..graph.size()).find(|place| is_c(place) && over_d[*place] > 0) {
            return Err(self.d_below_c(&graph, &over_d, c));
        }
        let over_c = graph.over(&sorted, |node| match node {
            Node::C(i) => i,
            _ => 0,
        });
        let under_c = graph.under(&sorted, |node| match node {
            Node::C(i) => Some(i),
            _ => None,
        });
        let under_d = graph.under(&sorted, |node| match node {
            Node::D(j) => Some(j),
            _ => None,
        });
        let heights = (0..self.names.len()).map(|element| {
            let place = graph.place(Node::Finite(element));
            Heights {
                over_c: over_c[place],
                over_d: over_d[place],
                under_c: under_c[place],
                under_d: under_d[place],
            }
        });
        let heights: Vec<Heights> = heights.collect();
        let mut first_d: Vec<Option<u64>> =
            (1..=graph.heights).map(|i| under_d[graph.place(Node::C(i))]).collect();
        // The last ones lie past all relations that are given.
        let kept = usize::try_from(graph.given).unwrap_or(usize::MAX);
        first_d.truncate(kept);
        let expected = |i: usize| self.rule.map(|k| by_rule(k, i as u64 + 1));
        while first_d.last().is_some_and(|last| *last == expected(first_d.len() - 1)) {
            first_d.pop();
        }
        let lower = self.lower(&heights);
        let finite = |place: &usize| match graph.node(*place) {
            Node::Finite(element) => Some(element),
            _ => None,
        };
        let mut poset = GrowingPoset {
            lines,
            names: self.names,
            lower,
            upward: sorted.iter().filter_map(finite).collect(),
            heights,
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

    fn path(&self, graph: &Graph, places: &[usize]) -> String {
        let names = places.iter().map(|place| self.shown(graph.node(*place)));
        names.collect::<Vec<_>>().join(" < ")
    }

    fn circle(&self, graph: &Graph, circle: &[usize]) -> GrowingPosetError {
        GrowingPosetError::Cycle(self.path(graph, circle))
    }

    /// Goes down from an element of c to the element of d below it.
    fn d_below_c(&self, graph: &Graph, over_d: &[u64], c: usize) -> GrowingPosetError {
        let mut path = vec![c];
        let mut now = c;
        while !matches!(graph.node(now), Node::D(_)) {
            let below = graph.lower[now].iter().find(|place| over_d[**place] > 0);
            let Some(&below) = below else { break };
            path.push(below);
            now = below;
        }
        path.reverse();
        // The steps within c say nothing.
        while path.len() > 2 && matches!(graph.node(path[path.len() - 2]), Node::C(_)) {
            path.pop();
        }
        GrowingPosetError::DBelowC(self.path(graph, &path))
    }
}

impl GrowingPoset {
    /// The poset of Chomp with these two longest rows: `c` is the longest row, `d` the second, and
    /// the finite elements are the squares of the tail, row by row.
    ///
    /// # Panics
    /// Never: these are relations of a poset.
    #[must_use]
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

/// The finite elements, and the chains as far as the relations may reach.
struct Graph {
    /// The number of elements of each chain.
    heights: u64,
    /// The greatest height that is given.
    given: u64,
    /// The elements that are given below each, by place: c, then d, then the finite ones.
    lower: Vec<Vec<usize>>,
}

impl Graph {
    fn new(order: &Order) -> Self {
        let height = |node: Node| match node {
            Node::C(height) | Node::D(height) => height,
            Node::Finite(_) => 0,
        };
        let given = order.relations.iter().map(|&(a, b)| height(a).max(height(b))).max();
        let given = given.unwrap_or(0) + order.rule.map_or(0, i64::unsigned_abs);
        let heights = 2 * given + 2;
        let size = 2 * usize::try_from(heights).unwrap_or(usize::MAX) + order.names.len();
        let mut graph = Self { heights, given, lower: vec![Vec::new(); size] };
        for height in 2..=heights {
            graph.relate(Node::C(height - 1), Node::C(height));
            graph.relate(Node::D(height - 1), Node::D(height));
        }
        for i in 1..=heights {
            if let Some(j) = order.rule.map(|k| by_rule(k, i)).filter(|j| *j <= heights) {
                graph.relate(Node::C(i), Node::D(j));
            }
        }
        for &(below, above) in &order.relations {
            graph.relate(below, above);
        }
        graph
    }

    fn relate(&mut self, below: Node, above: Node) {
        let (below, above) = (self.place(below), self.place(above));
        self.lower[above].push(below);
    }

    fn size(&self) -> usize {
        self.lower.len()
    }

    fn place(&self, node: Node) -> usize {
        let index = |height: u64| usize::try_from(height).unwrap_or(usize::MAX);
        match node {
            Node::C(i) => index(i) - 1,
            Node::D(j) => index(self.heights + j) - 1,
            Node::Finite(element) => 2 * index(self.heights) + element,
        }
    }

    fn node(&self, place: usize) -> Node {
        let height = place as u64 + 1;
        if height <= self.heights {
            Node::C(height)
        } else if height <= 2 * self.heights {
            Node::D(height - self.heights)
        } else {
            Node::Finite(place - usize::try_from(2 * self.heights).unwrap_or(usize::MAX))
        }
    }

    /// All places, each after those below it, or a circle.
    fn sorted(&self) -> Result<Vec<usize>, Vec<usize>> {
        let mut upper = vec![Vec::new(); self.size()];
        let mut missing: Vec<usize> = self.lower.iter().map(Vec::len).collect();
        for (above, lower) in self.lower.iter().enumerate() {
            for &below in lower {
                upper[below].push(above);
            }
        }
        let mut ready: BTreeSet<usize> =
            (0..self.size()).filter(|place| missing[*place] == 0).collect();
        let mut sorted = Vec::new();
        while let Some(place) = ready.pop_first() {
            sorted.push(place);
            for &above in &upper[place] {
                missing[above] -= 1;
                if missing[above] == 0 {
                    ready.insert(above);
                }
            }
        }
        match missing.iter().position(|missing| *missing > 0) {
            Some(place) => Err(self.circle(place, &missing)),
            None => Ok(sorted),
        }
    }

    /// Goes down through places that are missing in the order until one is reached again.
    fn circle(&self, start: usize, missing: &[usize]) -> Vec<usize> {
        let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
        let (mut path, mut place) = (Vec::new(), start);
        loop {
            if let Some(&first) = seen.get(&place) {
                let mut circle: Vec<usize> = path.split_off(first);
                circle.push(place);
                circle.reverse();
                return circle;
            }
            seen.insert(place, path.len());
            path.push(place);
            match self.lower[place].iter().find(|below| missing[**below] > 0) {
                Some(below) => place = *below,
                None => return path,
            }
        }
    }

    /// For each place the greatest height of a chain's element that is there or below.
    fn over(&self, sorted: &[usize], height: impl Fn(Node) -> u64) -> Vec<u64> {
        let mut over = vec![0; self.size()];
        for &place in sorted {
            let below = self.lower[place].iter().map(|below| over[*below]).max().unwrap_or(0);
            over[place] = below.max(height(self.node(place)));
        }
        over
    }

    /// For each place the least height of a chain's element that is there or above.
    fn under(&self, sorted: &[usize], height: impl Fn(Node) -> Option<u64>) -> Vec<Option<u64>> {
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        let mut under: Vec<Option<u64>> =
            (0..self.size()).map(|place| height(self.node(place))).collect();
        for &place in sorted.iter().rev() {
            for &below in &self.lower[place] {
                under[below] = least(under[below], under[place]);
            }
        }
        under
    }
}
