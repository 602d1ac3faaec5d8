//! Finite posets and the positions of Chomp on them: the rules, without outcomes; and posets as
//! text, one relation a line.

use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;

use game::ImpartialGame;
use indexmap::IndexSet;
use record::quoted;
use record::relations::{Form, RelationsError, too_many, upwards};
use thiserror::Error;

use crate::symmetry::Symmetry;

/// A finite poset whose elements have names, and the element that is poison, if there is one.
///
/// Elements are numbers from 0 on, in the order of their names.
#[derive(Clone, Debug)]
pub struct Poset {
    names: Vec<String>,
    /// The elements that each element covers, ascending.
    covered: Vec<Vec<usize>>,
    /// The elements that are equal to or above each element, ascending.
    above: Vec<Vec<usize>>,
    /// The length of a longest chain down from an element.
    ranks: Vec<usize>,
    poison: Option<usize>,
    symmetry: Symmetry,
}

impl Poset {
    /// The largest number of elements.
    pub const LARGEST: usize = 4096;

    /// The least order with these relations: each pair is an element and one above it, by their
    /// numbers in `names`. Redundant relations are allowed. No element is poison.
    ///
    /// Takes time and memory in proportion to the comparable pairs and the relations.
    ///
    /// # Errors
    /// [`PosetError`].
    ///
    /// # Panics
    /// If a relation has a number that is no element.
    ///
    /// ```
    /// use posets::{Poset, PosetError};
    ///
    /// let names = ["a", "b", "c"].map(str::to_owned).to_vec();
    /// let poset = Poset::new(names.clone(), &[(0, 1), (1, 2), (0, 2)])?;
    /// assert_eq!(poset.covers().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    /// let circle = Poset::new(names, &[(0, 1), (1, 2), (2, 0)]).unwrap_err();
    /// assert!(circle.to_string().contains("in a circle: a < b < c < a"));
    /// # Ok::<(), PosetError>(())
    /// ```
    pub fn new(names: Vec<String>, relations: &[(usize, usize)]) -> Result<Self, PosetError> {
        let elements = names.len();
        if elements == 0 {
            let empty =
                "a poset without elements has no position to solve; give at least one element";
            return Err(PosetError::Refused(empty.to_owned()));
        }
        if elements > Self::LARGEST {
            return Err(too_large(elements));
        }
        let mut higher = vec![Vec::new(); elements];
        for &(lower, upper) in relations {
            higher[lower].push(upper);
        }
        let upwards = upwards(&higher, |element| names[element].clone())?;
        let mut poset = Self {
            covered: vec![Vec::new(); elements],
            above: vec![Vec::new(); elements],
            ranks: vec![0; elements],
            poison: None,
            symmetry: Symmetry::default(),
            names,
        };
        poset.close(&upwards, &higher);
        Ok(poset)
    }

    /// Finds the elements above an element, covers and ranks.
    fn close(&mut self, upwards: &[usize], higher: &[Vec<usize>]) {
        for &element in upwards.iter().rev() {
            let mut is_above = vec![false; self.len()];
            // An element that is above another one of `higher` is not covered.
            let mut past = vec![false; self.len()];
            for &upper in &higher[element] {
                for &highest in &self.above[upper] {
                    is_above[highest] = true;
                    past[highest] |= highest != upper;
                }
            }
            is_above[element] = true;
            self.above[element] = (0..self.len()).filter(|&other| is_above[other]).collect();
            let mut covers = higher[element].clone();
            covers.retain(|&upper| !past[upper]);
            covers.sort_unstable();
            covers.dedup();
            for upper in covers {
                self.covered[upper].push(element);
            }
        }
        for &element in upwards {
            self.covered[element].sort_unstable();
            let below = self.covered[element].iter().map(|&lower| self.ranks[lower] + 1);
            self.ranks[element] = below.max().unwrap_or(0);
        }
    }

    /// The same order with its least element as the poison, if it has a least element.
    ///
    /// ```
    /// use posets::Poset;
    ///
    /// let chain = "0 < 1\n1 < 2".parse::<Poset>()?;
    /// assert_eq!(chain.poison().map(|poison| chain.name(poison)), Some("0"));
    /// let two = "a < c\nb < c".parse::<Poset>()?;
    /// assert_eq!(two.poison(), None);
    /// # Ok::<(), posets::PosetError>(())
    /// ```
    pub fn with_least_poisoned(mut self) -> Self {
        self.poison = (0..self.len()).find(|&element| self.above[element].len() == self.len());
        self
    }

    /// The same with known symmetry.
    ///
    /// # Errors
    /// [`PosetError`] of a permutation that does not keep the order.
    pub fn with_symmetry(self, symmetry: Symmetry) -> Result<Self, PosetError> {
        if symmetry.keeps(&self.covered) {
            return Ok(Self { symmetry, ..self });
        }
        let elements = self.len();
        Err(PosetError::Refused(format!(
            "a permutation does not keep the order of a poset of {elements} elements"
        )))
    }

    /// The same with the symmetry of the named poset.
    pub(crate) fn of_symmetry(self, symmetry: Symmetry) -> Self {
        self.with_symmetry(symmetry).expect("named posets state automorphisms")
    }

    /// The number of elements, with the poison.
    #[expect(clippy::len_without_is_empty, reason = "a poset has at least one element")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of an element.
    pub fn name(&self, element: usize) -> &str {
        &self.names[element]
    }

    /// The element of this name.
    pub fn element(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// The poison.
    pub fn poison(&self) -> Option<usize> {
        self.poison
    }

    /// The known symmetry.
    pub fn symmetry(&self) -> &Symmetry {
        &self.symmetry
    }

    /// The length of a longest chain that goes down from an element; 0 for a minimal one.
    pub fn rank(&self, element: usize) -> usize {
        self.ranks[element]
    }

    /// The elements that a bite takes: the element and all elements above it, ascending by number.
    pub fn above(&self, element: usize) -> &[usize] {
        &self.above[element]
    }

    /// The elements that an element covers, ascending by number.
    pub fn covered(&self, element: usize) -> &[usize] {
        &self.covered[element]
    }

    /// Whether an element is below another one or the same.
    pub fn at_most(&self, lower: usize, upper: usize) -> bool {
        self.above[lower].binary_search(&upper).is_ok()
    }

    /// The cover relations, the lower element first.
    pub fn covers(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = self.covered.iter().enumerate();
        pairs.flat_map(|(upper, below)| below.iter().map(move |&lower| (lower, upper)))
    }

    /// All elements: the position in which a game begins.
    pub fn full(&self) -> DownSet {
        DownSet { left: (0..self.len()).collect() }
    }

    /// The position of all elements for which this is true. `None` if they are not a down-set, or
    /// lack the poison.
    pub fn position(&self, is_left: impl Fn(usize) -> bool) -> Option<DownSet> {
        let left: Vec<usize> = (0..self.len()).filter(|&element| is_left(element)).collect();
        let is_closed =
            left.iter().all(|&element| self.covered[element].iter().all(|&lower| is_left(lower)));
        (is_closed && self.poison.is_none_or(is_left)).then_some(DownSet { left })
    }

    /// The position that a bite leaves. `None` if the element is the poison or is gone.
    pub fn after(&self, position: &DownSet, bitten: usize) -> Option<DownSet> {
        if self.poison == Some(bitten) || !position.has(bitten) {
            return None;
        }
        let left = position.left.iter().copied();
        Some(DownSet { left: left.filter(|&other| !self.at_most(bitten, other)).collect() })
    }

    /// All bites, by the number of the element, with the positions that they leave.
    pub fn bites(&self, position: &DownSet) -> impl Iterator<Item = (usize, DownSet)> {
        position
            .elements()
            .iter()
            .filter_map(|&bitten| Some((bitten, self.after(position, bitten)?)))
    }

    /// All positions that can be reached, the poset itself among them, in the order of their
    /// elements. Of n elements that are not comparable there are 2^n.
    pub fn positions(&self) -> BTreeSet<DownSet> {
        let mut found = BTreeSet::from([self.full()]);
        let mut to_do = vec![self.full()];
        while let Some(position) = to_do.pop() {
            for (_, left) in self.bites(&position) {
                if found.insert(left.clone()) {
                    to_do.push(left);
                }
            }
        }
        found
    }
}

/// A position: a down-set of a poset, with the poison if there is one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DownSet {
    left: Vec<usize>,
}

impl DownSet {
    /// The elements that are left, ascending by number.
    pub fn elements(&self) -> &[usize] {
        &self.left
    }

    /// Whether an element is left.
    pub fn has(&self, element: usize) -> bool {
        self.left.binary_search(&element).is_ok()
    }
}

/// Plain Chomp: the oracle of [`Solver`](crate::Solver).
impl ImpartialGame for Poset {
    type Position = DownSet;

    fn options(&self, position: &DownSet) -> impl Iterator<Item = DownSet> {
        self.bites(position).map(|(_, left)| left)
    }
}

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

/// Names, and pairs of them, by number.
type Pairs = (Vec<String>, Vec<(usize, usize)>);

/// Reads lines with one name or two, each of which says another `thing`.
pub(crate) fn read(text: &str, form: &Form, thing: &str) -> Result<Pairs, PosetError> {
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

/// The name that a text begins with, its notation in a list of these, and the other words.
pub(crate) fn entry<'a>(
    text: &'a str,
    list: &[(&'static str, &str)],
    kind: &'static str,
) -> Result<(&'static str, &'static str, Vec<&'a str>), PosetError> {
    let mut words = text.split_whitespace();
    let name = words.next().unwrap_or_default();
    let mut names =
        list.iter().map(|&(usage, _)| (usage.split(' ').next().unwrap_or(usage), usage));
    match names.find(|(own, _)| *own == name) {
        Some((name, usage)) => Ok((name, usage, words.collect())),
        None => Err(PosetError::Name { kind, name: name.chars().take(40).collect() }),
    }
}

/// Why there is no such poset, graph, semigroup or family, or why a strategy proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PosetError {
    /// No poset, or no construction, has this name. A caller may know another meaning of the text.
    #[error("there is no {kind} {name:?}")]
    Name {
        /// Whether a poset or a construction was asked for.
        kind: &'static str,
        /// The name, or its beginning.
        name: String,
    },
    /// Another problem, in words.
    #[error("{0}")]
    Refused(String),
}

impl PosetError {
    /// The text is not of this form.
    pub(crate) fn not_of_form(text: &str, form: &str, hint: &str) -> Self {
        let hint = if hint.is_empty() { String::new() } else { format!("; {hint}") };
        Self::Refused(format!("\"{}\" is not of the form {form}{hint}", quoted(text)))
    }
}

impl From<RelationsError> for PosetError {
    fn from(error: RelationsError) -> Self {
        Self::Refused(error.0)
    }
}

/// The error of too many elements.
pub(crate) fn too_large(elements: usize) -> PosetError {
    too_many(elements, Poset::LARGEST).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_are_what_no_other_relation_implies() {
        let names = (0..6).map(|n| n.to_string()).collect::<Vec<_>>();
        // All pairs of divisibility among 1..=6.
        let divides = |a: usize, b: usize| a < b && (b + 1).is_multiple_of(a + 1);
        let pairs: Vec<(usize, usize)> = (0..6)
            .flat_map(|a| (0..6).map(move |b| (a, b)))
            .filter(|&(a, b)| divides(a, b))
            .collect();
        let poset = Poset::new(names, &pairs).unwrap();
        let covers: Vec<(usize, usize)> = poset.covers().map(|(a, b)| (a + 1, b + 1)).collect();
        assert_eq!(covers, [(1, 2), (1, 3), (2, 4), (1, 5), (2, 6), (3, 6)]);
        assert_eq!((0..6).map(|e| poset.rank(e)).collect::<Vec<_>>(), [0, 1, 1, 2, 1, 2]);
        for (a, b) in (0..6).flat_map(|a| (0..6).map(move |b| (a, b))) {
            assert_eq!(poset.at_most(a, b), a == b || divides(a, b));
        }
    }

    #[test]
    fn a_circle_is_found_behind_a_tail() {
        let names = "a b c d e".split(' ').map(str::to_owned).collect();
        let relations = [(0, 1), (1, 2), (2, 3), (3, 1), (3, 4)];
        let message = Poset::new(names, &relations).unwrap_err().to_string();
        assert!(message.contains("in a circle: b < c < d < b;"), "{message}");
        let itself = Poset::new(vec!["x".to_owned()], &[(0, 0)]).unwrap_err().to_string();
        assert!(itself.contains("in a circle: x < x;"), "{itself}");
    }
}
