//! Outcomes and Grundy values, memoised.
//!
//! Positions are bit sets. A position is reduced before it is looked up: first fact 11 of
//! `proofs/README.md` removes the elements that an involution exchanges; then the least image under
//! the known automorphisms is chosen. Neither changes outcome or Grundy value.

use std::array;
use std::collections::{HashMap, HashSet};
use std::iter;
use std::ops::ControlFlow;

use game::Outcome;
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use thiserror::Error;

use crate::poset::{DownSet, Poset};
use crate::symmetry::Permutation;

/// Called at intervals with the number of positions that a solver has decided. `Break` stops it.
pub type OnProgress<'a> = dyn Fn(u64) -> ControlFlow<()> + 'a;

/// Why a solver gave up. It keeps the positions that it has decided, and may be asked again.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unfinished {
    /// It reached its limit of positions.
    #[error("{limit} positions were decided, and that was the limit")]
    Limit {
        /// The limit.
        limit: u64,
    },
    /// `on_progress` returned `Break`.
    #[error("stopped")]
    Stopped,
    /// The poset is too large for a search.
    #[error("a poset of {elements} elements is not searched; the limit is {max}", max = Solver::LARGEST)]
    TooLarge {
        /// The number of elements.
        elements: usize,
    },
}

/// Outcomes and Grundy values of the positions of a poset; each is computed once, up to symmetry.
///
/// The time grows with the number of positions that must be looked at, times their bites, times the
/// images under symmetry. [`Solver::positions`] relates positions and memory.
pub struct Solver<'a> {
    poset: &'a Poset,
    /// `None` if the poset is too large.
    search: Option<Box<dyn AnySearch>>,
    budget: Budget<'a>,
}

/// The positions that a solver may decide.
struct Budget<'a> {
    limit: u64,
    decided: u64,
    on_progress: &'a OnProgress<'a>,
}

impl Budget<'_> {
    /// Takes one more position from it.
    fn decide(&mut self) -> Result<(), Unfinished> {
        /// Positions between two calls of `on_progress`.
        const ASKED: u64 = 256;
        if self.decided >= self.limit {
            return Err(Unfinished::Limit { limit: self.limit });
        }
        if self.decided.is_multiple_of(ASKED) && (self.on_progress)(self.decided).is_break() {
            return Err(Unfinished::Stopped);
        }
        self.decided += 1;
        Ok(())
    }
}

/// The words of the bit sets of positions; `None` if the poset is too large.
fn words(elements: usize) -> Option<usize> {
    [1, 2, 6, 16].into_iter().find(|words| elements <= 64 * words)
}

impl<'a> Solver<'a> {
    /// The most elements of a poset that is searched.
    pub const LARGEST: usize = 1024;

    /// A solver that keeps at most this number of positions.
    pub fn new(poset: &'a Poset, limit: u64, on_progress: &'a OnProgress<'a>) -> Self {
        let search = words(poset.len()).map(|words| -> Box<dyn AnySearch> {
            match words {
                1 => Box::new(Search::<1>::new(poset)),
                2 => Box::new(Search::<2>::new(poset)),
                6 => Box::new(Search::<6>::new(poset)),
                _ => Box::new(Search::<16>::new(poset)),
            }
        });
        Self { poset, search, budget: Budget { limit, decided: 0, on_progress } }
    }

    /// The number of positions that a solver keeps in these bytes, for a poset of this number of
    /// elements.
    ///
    /// ```
    /// use posets::Solver;
    ///
    /// assert_eq!(Solver::positions(64, 1_000_000_000), 14_680_064);
    /// assert_eq!(Solver::positions(65, 1_000_000_000), 14_680_064);
    /// assert_eq!(Solver::positions(1024, 1_000_000_000), 1_835_008);
    /// ```
    pub fn positions(elements: usize, bytes: u64) -> u64 {
        let words = words(elements).unwrap_or(16) as u64;
        // An entry has the position, the value, rounded up, and a byte of the table. A table is at
        // most 7/8 full. Then it doubles, and for a moment the old and the new one exist. There are
        // two tables, of outcomes and of Grundy values.
        let places = bytes / (2 * (8 * words + 9));
        let places = if places == 0 { 0 } else { 1 << places.ilog2() };
        places / 8 * 7
    }

    /// Sets the limit of positions.
    pub fn limit(&mut self, positions: u64) {
        self.budget.limit = positions;
    }

    fn search(&mut self) -> Result<(&mut dyn AnySearch, &mut Budget<'a>), Unfinished> {
        let too_large = Unfinished::TooLarge { elements: self.poset.len() };
        Ok((self.search.as_deref_mut().ok_or(too_large)?, &mut self.budget))
    }

    /// The outcome of a position.
    ///
    /// # Errors
    /// [`Unfinished`].
    pub fn outcome(&mut self, position: &DownSet) -> Result<Outcome, Unfinished> {
        let (search, budget) = self.search()?;
        search.outcome(position, budget)
    }

    /// The Grundy value of a position.
    ///
    /// # Errors
    /// [`Unfinished`].
    pub fn grundy(&mut self, position: &DownSet) -> Result<u64, Unfinished> {
        let (search, budget) = self.search()?;
        Ok(search.grundy(position, budget)?.into())
    }

    /// All bites that leave a P-position, ascending by number.
    ///
    /// # Errors
    /// [`Unfinished`].
    pub fn winning_bites(&mut self, position: &DownSet) -> Result<Vec<usize>, Unfinished> {
        let mut winning = Vec::new();
        for (bite, left) in self.poset.bites(position) {
            if self.outcome(&left)? == Outcome::P {
                winning.push(bite);
            }
        }
        Ok(winning)
    }

    /// The number of positions decided, up to symmetry and fact 11. A position whose outcome and
    /// Grundy value are both known counts twice.
    pub fn decided(&self) -> u64 {
        self.budget.decided
    }
}

/// A search for one size of bit sets.
trait AnySearch {
    fn outcome(&mut self, position: &DownSet, budget: &mut Budget) -> Result<Outcome, Unfinished>;
    fn grundy(&mut self, position: &DownSet, budget: &mut Budget) -> Result<u16, Unfinished>;
}

struct Search<const W: usize> {
    shape: Shape<W>,
    outcomes: HashMap<Bits<W>, Outcome>,
    grundy: HashMap<Bits<W>, u16>,
}

impl<const W: usize> AnySearch for Search<W> {
    fn outcome(&mut self, position: &DownSet, budget: &mut Budget) -> Result<Outcome, Unfinished> {
        self.outcome_of(self.shape.canonical(Bits::of(position.elements().iter().copied())), budget)
    }

    fn grundy(&mut self, position: &DownSet, budget: &mut Budget) -> Result<u16, Unfinished> {
        self.grundy_of(self.shape.canonical(Bits::of(position.elements().iter().copied())), budget)
    }
}

impl<const W: usize> Search<W> {
    fn new(poset: &Poset) -> Self {
        Self { shape: Shape::of(poset), outcomes: HashMap::new(), grundy: HashMap::new() }
    }

    /// The outcome of a canonical position.
    fn outcome_of(
        &mut self,
        position: Bits<W>,
        budget: &mut Budget,
    ) -> Result<Outcome, Unfinished> {
        if let Some(&known) = self.outcomes.get(&position) {
            return Ok(known);
        }
        let options = self.shape.options(&position);
        let is_known_p = |option| self.outcomes.get(option) == Some(&Outcome::P);
        let mut leaves_p = options.iter().any(is_known_p);
        for option in options {
            if leaves_p {
                break;
            }
            leaves_p = self.outcome_of(option, budget)? == Outcome::P;
        }
        let outcome = if leaves_p { Outcome::N } else { Outcome::P };
        budget.decide()?;
        self.outcomes.insert(position, outcome);
        Ok(outcome)
    }

    /// The Grundy value of a canonical position.
    fn grundy_of(&mut self, position: Bits<W>, budget: &mut Budget) -> Result<u16, Unfinished> {
        if let Some(&known) = self.grundy.get(&position) {
            return Ok(known);
        }
        let mut values = HashSet::new();
        for option in self.shape.options(&position) {
            values.insert(self.grundy_of(option, budget)?);
        }
        let value = (0..=u16::MAX).find(|value| !values.contains(value)).expect("few bites");
        budget.decide()?;
        self.grundy.insert(position, value);
        Ok(value)
    }
}

/// A poset as bit sets.
struct Shape<const W: usize> {
    above: Vec<Bits<W>>,
    poison: Bits<W>,
    blocks: Vec<Atoms<W>>,
    /// Elements of the same rank.
    levels: Vec<Bits<W>>,
    generators: Vec<Images<W>>,
    involutions: Vec<Pairs<W>>,
}

/// A block of interchangeable atoms.
struct Atoms<const W: usize> {
    /// The elements above each.
    above: Vec<Bits<W>>,
    swaps: Vec<Images<W>>,
}

/// A permutation of elements.
struct Images<const W: usize> {
    images: Vec<usize>,
    moved: Bits<W>,
}

/// An involution with the properties that fact 11 needs.
struct Pairs<const W: usize> {
    images: Images<W>,
    /// The elements that it fixes above an element that it moves: a position may have none of them.
    fixed_above: Bits<W>,
}

impl<const W: usize> Images<W> {
    fn of(permutation: &Permutation) -> Self {
        let images = (0..permutation.len()).map(|element| permutation.image(element)).collect();
        Self { images, moved: Bits::of(permutation.moved()) }
    }

    fn apply(&self, position: &Bits<W>) -> Bits<W> {
        let mut image = position.without(&self.moved);
        for element in position.and(&self.moved).iter() {
            image.insert(self.images[element]);
        }
        image
    }

    fn fixes(&self, position: &Bits<W>) -> bool {
        position.and(&self.moved).iter().all(|element| position.has(self.images[element]))
    }
}

impl<const W: usize> Shape<W> {
    fn of(poset: &Poset) -> Self {
        let elements = 0..poset.len();
        let above: Vec<Bits<W>> =
            elements.clone().map(|e| Bits::of(poset.above(e).iter().copied())).collect();
        let symmetry = poset.symmetry();
        let blocks = symmetry.blocks.iter().map(|block| Atoms {
            above: block.atoms.iter().map(|&atom| above[atom]).collect(),
            swaps: block.swaps.iter().map(Images::of).collect(),
        });
        let involutions = symmetry.involutions.iter().map(|involution| {
            let images = Images::of(involution);
            let moved = images.moved;
            let over = moved
                .iter()
                .flat_map(|element| above[element].without(&moved).iter().collect::<Vec<_>>());
            Pairs { fixed_above: Bits::of(over), images }
        });
        let ranks = elements.clone().map(|e| poset.rank(e)).max().unwrap_or(0);
        let level = |rank| Bits::of(elements.clone().filter(|&e| poset.rank(e) == rank));
        Self {
            poison: Bits::of(poset.poison()),
            blocks: blocks.collect(),
            levels: (0..=ranks).map(level).collect(),
            generators: symmetry.generators.iter().map(Images::of).collect(),
            involutions: involutions.collect(),
            above,
        }
    }

    /// The canonical positions that bites leave, each once, the smallest first: they are decided
    /// soonest.
    fn options(&self, position: &Bits<W>) -> Vec<Bits<W>> {
        let bites = position.without(&self.poison);
        let mut options: Vec<Bits<W>> =
            bites.iter().map(|bite| self.canonical(position.without(&self.above[bite]))).collect();
        options.sort_unstable_by_key(|option| (option.len(), *option));
        options.dedup();
        options
    }

    /// The representative of the positions that are known to have the same Grundy value.
    fn canonical(&self, position: Bits<W>) -> Bits<W> {
        let mut position = self.shrunk(position);
        let mut exchanges: Vec<&Images<W>> = self.generators.iter().collect();
        if !self.blocks.is_empty() {
            let colours = self.sort(&mut position);
            for (block, colours) in self.blocks.iter().zip(&colours) {
                let equal = colours.windows(2).map(|pair| pair[0] == pair[1]);
                exchanges.extend(
                    block.swaps.iter().zip(equal).filter_map(|(swap, equal)| equal.then_some(swap)),
                );
            }
        }
        least_image(position, &exchanges)
    }

    /// Without the elements that involutions exchange (fact 11).
    fn shrunk(&self, mut position: Bits<W>) -> Bits<W> {
        let applies = |position: &Bits<W>, pairs: &Pairs<W>| {
            !position.meets(&pairs.fixed_above)
                && position.meets(&pairs.images.moved)
                && pairs.images.fixes(position)
        };
        while let Some(pairs) = self.involutions.iter().find(|pairs| applies(&position, pairs)) {
            position = position.without(&pairs.images.moved);
        }
        position
    }

    /// Sorts the atoms of each block by colour, and returns the colours.
    fn sort(&self, position: &mut Bits<W>) -> Vec<Vec<u64>> {
        let mut colours = self.colours(position);
        for (block, colours) in self.blocks.iter().zip(&mut colours) {
            // The given automorphisms exchange neighbours.
            for end in (1..colours.len()).rev() {
                for place in 0..end {
                    if colours[place] > colours[place + 1] {
                        colours.swap(place, place + 1);
                        *position = block.swaps[place].apply(position);
                    }
                }
            }
        }
        colours
    }

    /// A number for each atom that depends on the position only up to symmetry: the number of
    /// elements of each level above it, and above it and another atom, with the colour of that
    /// atom.
    fn colours(&self, position: &Bits<W>) -> Vec<Vec<u64>> {
        const ROUNDS: usize = 2;
        let left: Vec<Vec<Bits<W>>> = self
            .blocks
            .iter()
            .map(|block| block.above.iter().map(|above| above.and(position)).collect())
            .collect();
        let on_levels = |above: &Bits<W>| {
            self.levels
                .iter()
                .fold(0, |colour, level| mixed(colour ^ u64::from(above.and(level).len())))
        };
        let mut colours: Vec<Vec<u64>> =
            left.iter().map(|block| block.iter().map(on_levels).collect()).collect();
        for _ in 0..ROUNDS {
            let before = colours.clone();
            for (block, of_block) in left.iter().zip(&mut colours) {
                for (above, colour) in block.iter().zip(of_block) {
                    let others = left.iter().flatten().zip(before.iter().flatten());
                    let sum = others.fold(0_u64, |sum, (other, &its)| {
                        sum.wrapping_add(mixed(its ^ u64::from(above.and(other).len())))
                    });
                    *colour = mixed(*colour ^ sum);
                }
            }
        }
        colours
    }
}

/// The least image under the group that these permutations generate.
fn least_image<const W: usize>(position: Bits<W>, generators: &[&Images<W>]) -> Bits<W> {
    let mut seen: Option<HashSet<Bits<W>>> = None;
    let mut least = position;
    let mut to_do = vec![position];
    while let Some(image) = to_do.pop() {
        for generator in generators {
            let next = generator.apply(&image);
            if next != image && seen.get_or_insert_with(|| HashSet::from([position])).insert(next) {
                least = least.min(next);
                to_do.push(next);
            }
        }
    }
    least
}

/// Mixes the bits. No result depends on it.
fn mixed(x: u64) -> u64 {
    SplitMix64::from_seed(x.to_le_bytes()).next_u64()
}

/// A set of numbers below `64 * W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    fn of(members: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self([0; W]);
        members.into_iter().for_each(|member| set.insert(member));
        set
    }

    fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    fn has(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    fn and(&self, other: &Self) -> Self {
        Self(array::from_fn(|word| self.0[word] & other.0[word]))
    }

    fn without(&self, other: &Self) -> Self {
        Self(array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    fn meets(&self, other: &Self) -> bool {
        (0..W).any(|word| self.0[word] & other.0[word] != 0)
    }

    fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The members in ascending order.
    fn iter(&self) -> impl Iterator<Item = usize> {
        (0..).step_by(64).zip(self.0).flat_map(|(start, word)| {
            let first = (word != 0).then_some(word);
            let left =
                iter::successors(first, |left| Some(left & (left - 1)).filter(|&left| left != 0));
            left.map(move |left| start + left.trailing_zeros() as usize)
        })
    }
}
