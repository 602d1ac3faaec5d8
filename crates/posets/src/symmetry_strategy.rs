//! Strategies by symmetry, verified: fact 11 of `proofs/README.md`.

use crate::poset::{DownSet, Poset, PosetError};
use crate::symmetry::Permutation;

/// A bite, and why it leaves a P-position: involutions that reduce it, one after the other, to the
/// poison alone, and keep the Grundy value (fact 11).
///
/// A claim until [`SymmetryStrategy::verify`] has proved it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymmetryStrategy {
    /// The bite; `None` says that all elements are a P-position as they are.
    pub bite: Option<usize>,
    /// Permutations of all elements. Each must exchange in pairs the elements that are left before
    /// it, and leaves those that it fixes.
    pub involutions: Vec<Permutation>,
}

impl SymmetryStrategy {
    /// Proves that the bite leaves a P-position, by fact 11.
    ///
    /// Takes time in proportion to the pairs of comparable elements, for each involution.
    ///
    /// # Errors
    /// [`PosetError::Refused`]: a hypothesis of the fact that does not hold. The elements that
    /// are left must be exchanged in pairs, by a permutation that keeps the order, and that fixes
    /// all elements below one that it fixes; and nothing but the poison may be left at the end.
    ///
    /// ```
    /// use posets::NamedPoset;
    ///
    /// let dodecahedron: NamedPoset = "solid dodecahedron".parse()?;
    /// let (poset, strategy) = (dodecahedron.poset()?, dodecahedron.strategy().unwrap());
    /// assert_eq!(strategy.verify(&poset), Ok(()));
    /// assert_eq!(poset.name(strategy.bite.unwrap()), "solid");
    /// # Ok::<(), posets::PosetError>(())
    /// ```
    pub fn verify(&self, poset: &Poset) -> Result<(), PosetError> {
        let mut position = poset.full();
        if let Some(bite) = self.bite {
            let no_bite = || PosetError::Refused(format!("element {bite} cannot be bitten"));
            position = poset.after(&position, bite).ok_or_else(no_bite)?;
        }
        for (index, involution) in self.involutions.iter().enumerate() {
            position = fixed(poset, &position, involution)
                .map_err(|fault| PosetError::Refused(format!("involution {index} {fault}")))?;
        }
        let left = position.elements().iter().filter(|&&element| poset.poison() != Some(element));
        match left.count() {
            0 => Ok(()),
            left => {
                Err(PosetError::Refused(format!("{left} elements that are no poison are left")))
            }
        }
    }
}

/// The fixed elements of a position, if they have its Grundy value by fact 11.
fn fixed(
    poset: &Poset,
    position: &DownSet,
    involution: &Permutation,
) -> Result<DownSet, &'static str> {
    if involution.len() != poset.len() {
        return Err("is of another number of elements");
    }
    let image = |element: usize| involution.image(element);
    let left = position.elements();
    if !left.iter().all(|&element| position.has(image(element)) && image(image(element)) == element)
    {
        return Err("does not exchange the elements that are left in pairs");
    }
    // An injective map of a finite order to itself that keeps all relations is an automorphism.
    let above = |element: usize| poset.above(element).iter().filter(|&&upper| position.has(upper));
    if !left
        .iter()
        .all(|&lower| above(lower).all(|&upper| poset.at_most(image(lower), image(upper))))
    {
        return Err("does not keep the order");
    }
    poset
        .position(|element| position.has(element) && image(element) == element)
        .ok_or("fixes an element and moves one below it")
}
