//! Texts with one relation a line, and the order that relations generate: for finite posets and
//! graphs (crate `posets`), and for posets beside two growing chains.

use std::collections::BTreeSet;
use std::iter::successors;

use indexmap::IndexSet;
use thiserror::Error;

use crate::quoted;

/// Why a text describes no poset or graph, or why relations are no order: the line, if there is
/// one, and the problem.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RelationsError(pub String);

/// The longest name, in characters.
const LONGEST_NAME: usize = 40;

/// The largest number of elements of a circle that a message names.
const MOST_SHOWN: usize = 10;

/// The form of the lines of a text. A comment begins with `#`.
pub struct Form {
    /// The parts of a line.
    pub split: fn(&str) -> Vec<&str>,
    /// The predicate of a message about a line of another form.
    pub no_line: &'static str,
    /// The characters that a name may not have.
    pub forbidden: &'static [char],
    /// The same for a message.
    pub without: &'static str,
    /// The largest number of names.
    pub most: usize,
}

/// A line that says something.
pub struct Line<'t> {
    /// Its number, from 1.
    pub number: usize,
    /// It, without a comment.
    pub text: &'t str,
    /// Its parts.
    pub parts: Vec<&'t str>,
}

impl Form {
    /// The lines that say something.
    pub fn lines<'t>(&self, text: &'t str) -> impl Iterator<Item = Line<'t>> {
        (1..).zip(text.lines()).filter_map(|(number, full)| {
            let text = full.split('#').next().unwrap_or_default().trim();
            (!text.is_empty()).then(|| Line { number, text, parts: (self.split)(text) })
        })
    }

    /// The number of a name. Names have the numbers 0, 1, ... in the order in which they come.
    ///
    /// # Errors
    /// A part that is no name, and too many names.
    pub fn number(
        &self,
        part: &str,
        line: &Line,
        names: &mut IndexSet<String>,
    ) -> Result<usize, RelationsError> {
        if part.is_empty() {
            return Err(self.no_line(line));
        }
        let is_visible = |letter: char| letter.is_ascii_graphic();
        let is_allowed = |letter| is_visible(letter) && !self.forbidden.contains(&letter);
        if part.chars().count() > LONGEST_NAME || !part.chars().all(is_allowed) {
            let names = format!("names are 1 to {LONGEST_NAME} visible ASCII characters");
            return Err(line.error(part, &format!("no name; {names}, without {}", self.without)));
        }
        let (number, _is_new) = names.insert_full(part.to_owned());
        if names.len() > self.most {
            return Err(too_many(names.len(), self.most));
        }
        Ok(number)
    }

    /// The error of a line of another form.
    pub fn no_line(&self, line: &Line) -> RelationsError {
        line.error(line.text, self.no_line)
    }
}

impl Line<'_> {
    /// The error of a part that is not what it should be.
    pub fn error(&self, part: &str, is: &str) -> RelationsError {
        RelationsError(format!("line {}: \"{}\" is {is}", self.number, quoted(part)))
    }
}

/// The error of too many elements.
pub fn too_many(elements: usize, most: usize) -> RelationsError {
    RelationsError(format!("{elements} elements are too many; posets here have at most {most}"))
}

/// All elements, each after the elements below it, if these are the elements that are given above
/// each; the least of those that can come next is the next.
///
/// # Errors
/// Relations that go round in a circle, with the names of its elements.
///
/// ```
/// use record::relations::upwards;
/// let name = |element: usize| "abcd"[element..=element].to_owned();
/// assert_eq!(upwards(&[vec![2], vec![0], vec![], vec![0]], name), Ok(vec![1, 3, 0, 2]));
/// let circle = upwards(&[vec![1], vec![2, 3], vec![1], vec![]], name).unwrap_err();
/// assert!(circle.to_string().contains("in a circle: b < c < b;"));
/// ```
pub fn upwards(
    higher: &[Vec<usize>],
    name: impl Fn(usize) -> String,
) -> Result<Vec<usize>, RelationsError> {
    let mut waits_for = vec![0_usize; higher.len()];
    for &upper in higher.iter().flatten() {
        waits_for[upper] += 1;
    }
    let mut ready: BTreeSet<usize> = (0..higher.len()).filter(|&e| waits_for[e] == 0).collect();
    let mut sorted = Vec::with_capacity(higher.len());
    while let Some(element) = ready.pop_first() {
        sorted.push(element);
        for &upper in &higher[element] {
            waits_for[upper] -= 1;
            if waits_for[upper] == 0 {
                ready.insert(upper);
            }
        }
    }
    if sorted.len() == higher.len() {
        return Ok(sorted);
    }
    let circle = circle(higher, &waits_for);
    let shown: Vec<String> = circle.iter().take(MOST_SHOWN).map(|&own| name(own)).collect();
    let dots = if circle.len() > MOST_SHOWN { " < ..." } else { "" };
    let circle = format!("{}{dots} < {}", shown.join(" < "), name(circle[0]));
    let rule = "in an order no element is below itself";
    Err(RelationsError(format!("the relations go round in a circle: {circle}; {rule}")))
}

/// Every element that waits has an element below it that waits. So going down leads into a circle.
fn circle(higher: &[Vec<usize>], waits_for: &[usize]) -> Vec<usize> {
    let mut lower = vec![0; higher.len()];
    for (element, uppers) in higher.iter().enumerate().rev().filter(|(e, _)| waits_for[*e] > 0) {
        for &upper in uppers {
            lower[upper] = element;
        }
    }
    let first = waits_for.iter().position(|waits| *waits > 0).expect("an element waits");
    let inside = higher.iter().fold(first, |element, _| lower[element]);
    let down = |element: &usize| (*element != inside).then(|| lower[*element]);
    let mut circle: Vec<usize> = successors(Some(lower[inside]), down).collect();
    circle.reverse();
    // The circle begins with its least element, so that the message is always the same.
    let least = (0..circle.len()).min_by_key(|&place| circle[place]).expect("not empty");
    circle.rotate_left(least);
    circle
}
