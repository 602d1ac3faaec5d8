//! Strategies by symmetry, verified: fact 11 of `proofs/README.md`.

use thiserror::Error;

use crate::poset::{DownSet, Poset};
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

/// Why a strategy proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SymmetryStrategyError {
    /// The poison, or an element that is not there.
    #[error("element {0} cannot be bitten")]
    Bite(usize),
    /// A permutation of another number of elements.
    #[error("involution {0} is of another number of elements")]
    Length(usize),
    /// It does not exchange the elements that are left in pairs.
    #[error("involution {0} does not exchange the elements that are left in pairs")]
    Pairs(usize),
    /// It does not keep the order.
    #[error("involution {0} does not keep the order")]
    Order(usize),
    /// It fixes an element but not all elements below it.
    #[error("involution {0} fixes an element and moves one below it")]
    FixedAbove(usize),
    /// Something but the poison is left at the end.
    #[error("{0} elements that are no poison are left")]
    Left(usize),
}

impl SymmetryStrategy {
    /// Proves that the bite leaves a P-position, by fact 11.
    ///
    /// Takes time in proportion to the pairs of comparable elements, for each involution.
    ///
    /// # Errors
    /// [`SymmetryStrategyError`]: a hypothesis of the fact that does not hold.
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
    pub fn verify(&self, poset: &Poset) -> Result<(), SymmetryStrategyError> {
        let mut position = poset.full();
        if let Some(bite) = self.bite {
            position = poset.after(&position, bite).ok_or(SymmetryStrategyError::Bite(bite))?;
        }
        for (index, involution) in self.involutions.iter().enumerate() {
            position = fixed(poset, &position, involution).map_err(|fault| fault(index))?;
        }
        let left = position.elements().iter().filter(|&&element| poset.poison() != Some(element));
        match left.count() {
            0 => Ok(()),
            left => Err(SymmetryStrategyError::Left(left)),
        }
    }
}

/// The fixed elements of a position, if they have its Grundy value by fact 11.
fn fixed(
    poset: &Poset,
    position: &DownSet,
    involution: &Permutation,
) -> Result<DownSet, fn(usize) -> SymmetryStrategyError> {
    if involution.len() != poset.len() {
        return Err(SymmetryStrategyError::Length);
    }
    let image = |element: usize| involution.image(element);
    let left = position.elements();
    if !left.iter().all(|&element| position.has(image(element)) && image(image(element)) == element)
    {
        return Err(SymmetryStrategyError::Pairs);
    }
    // An injective map of a finite order to itself that keeps all relations is an automorphism.
    let above = |element: usize| poset.above(element).iter().filter(|&&upper| position.has(upper));
    if !left
        .iter()
        .all(|&lower| above(lower).all(|&upper| poset.at_most(image(lower), image(upper))))
    {
        return Err(SymmetryStrategyError::Order);
    }
    poset
        .position(|element| position.has(element) && image(element) == element)
        .ok_or(SymmetryStrategyError::FixedAbove)
}
