//! Numerical semigroups: an infinite poset, and the posets that opening bites leave.
//!
//! A numerical semigroup S is the set of all sums of its generators, 0 included, and
//! `a <= b` if and only if `b - a` is in S. 0 is the poison. A bite x leaves `S \ (x + S)`, which
//! has x elements, one for each residue modulo x (Apéry). So each opening bite is decided by a
//! finite search, but S itself only if one of them wins. (García-Marco and Knauer 2017.)

use crate::poset::{Poset, PosetError};

/// A numerical semigroup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Semigroup {
    generators: Vec<usize>,
}

impl Semigroup {
    /// The semigroup with these generators.
    ///
    /// # Errors
    /// No generators, or 0 among them; a common divisor; a generator that is too large.
    pub fn new(generators: &[usize]) -> Result<Self, PosetError> {
        let divisor = generators.iter().copied().fold(0, num_integer::gcd);
        if divisor == 0 || generators.contains(&0) {
            return Err(PosetError::refused("give at least one generator, and no 0"));
        }
        if let Some(&number) = generators.iter().find(|&&number| number > Poset::LARGEST) {
            return Err(too_large(number));
        }
        if divisor > 1 {
            let remedy = "divide them by it, which gives the same poset";
            let problem = format!("all generators are multiples of {divisor}; {remedy}");
            return Err(PosetError::Refused(problem));
        }
        Ok(Self { generators: generators.to_vec() })
    }

    /// For each number up to a bound, whether it is a member.
    fn members(&self, bound: usize) -> Vec<bool> {
        let mut is_member = vec![false; bound + 1];
        is_member[0] = true;
        for number in 1..=bound {
            let reached = |&generator: &usize| generator <= number && is_member[number - generator];
            is_member[number] = self.generators.iter().any(reached);
        }
        is_member
    }

    /// All bites up to a bound: its members but 0.
    ///
    /// # Errors
    /// A bound larger than [`Poset::LARGEST`].
    pub fn bites(&self, bound: usize) -> Result<Vec<usize>, PosetError> {
        if bound > Poset::LARGEST {
            return Err(too_large(bound));
        }
        let is_member = self.members(bound);
        Ok((1..=bound).filter(|&number| is_member[number]).collect())
    }

    /// The poset that a bite leaves, with 0 as the poison.
    ///
    /// # Errors
    /// A bite larger than [`Poset::LARGEST`].
    ///
    /// # Panics
    /// If the bite is 0 or not in the semigroup.
    ///
    /// ```
    /// use posets::Semigroup;
    ///
    /// let left = Semigroup::new(&[3, 5])?.after(6)?;
    /// let names: Vec<&str> = (0..left.len()).map(|element| left.name(element)).collect();
    /// assert_eq!(names, ["0", "3", "5", "8", "10", "13"]);
    /// # Ok::<(), posets::PosetError>(())
    /// ```
    pub fn after(&self, bite: usize) -> Result<Poset, PosetError> {
        if bite > Poset::LARGEST {
            return Err(too_large(bite));
        }
        let left = self.apery(bite);
        let largest = left.last().copied().unwrap_or(0);
        let is_member = self.members(largest);
        assert!(bite > 0 && self.members(bite)[bite], "{bite} is no bite");
        let mut relations = Vec::new();
        for (lower, &a) in left.iter().enumerate() {
            let above = left.iter().enumerate().skip(lower + 1);
            relations
                .extend(above.filter(|&(_, &b)| is_member[b - a]).map(|(upper, _)| (lower, upper)));
        }
        let names = left.iter().map(usize::to_string).collect();
        Ok(Poset::new(names, &relations).expect("not too many numbers").with_least_poisoned())
    }

    /// The least member of each residue class modulo x, ascending: `S \ (x + S)`.
    fn apery(&self, x: usize) -> Vec<usize> {
        let mut bound = 2 * x;
        loop {
            let is_member = self.members(bound);
            let left: Vec<usize> = (0..=bound)
                .filter(|&number| is_member[number] && (number < x || !is_member[number - x]))
                .collect();
            if left.len() == x {
                return left;
            }
            bound *= 2;
        }
    }
}

fn too_large(number: usize) -> PosetError {
    let most = Poset::LARGEST;
    PosetError::Refused(format!("{number} is too large; generators and bites go to {most}"))
}
