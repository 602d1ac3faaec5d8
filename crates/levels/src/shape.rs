//! The order ideals of a poset beside two growing chains, as engines use them.
//!
//! The finite elements are parted into chains. An order ideal has the first elements of each, so
//! it is a list of lengths, its *parts*: for the tails of Chomp, the rows of the tail. If a part
//! grows by one element, the bites at its other elements lead to the same ideals as before.
//!
//! *Life.* [`rows`](crate::rows) makes the [`Shape`] of its family first, and every thread reads
//! it until the last row is found; it never changes. A row is its number in the order of the
//! family: row n has the ideal `n / levels` and the level `n % levels`.
//!
//! *Example.* The tails within (2,1), at levels 0 and 1, have three finite elements: the squares
//! 3.1 and 3.2 of the third row, and 4.1 of the fourth. The first two are one chain, 4.1 is
//! another, so the ideals are the parts (0,0), (1,0), (1,1), (2,0) and (2,1). Row 7 has the parts
//! (2,0), which are the tail (2), and level 1. It begins in column 2, since 3.2 is above d\[2\]. A
//! bite at 3.2, place 1 of chain 0, leaves at most the parts (1,1), and so (1,0): `after(7, 0, 1)`
//! is row 3, the tail (1) at level 1. A bite at d\[2\] shortens the ideal to the same parts, so
//! `after_d(7)` is row 3 with the length 1 of d.

use std::ops::Range;

use indexmap::IndexSet;
use record::{Family, GrowingPoset, Heights, Lower, RowKey, Tail};
use smallvec::SmallVec;

/// How many elements of each chain an ideal has.
pub(crate) type Parts = SmallVec<[u32; 2]>;

/// The rows of a family, numbered in their order: by ideal, then by level.
pub(crate) struct Shape {
    pub(crate) poset: GrowingPoset,
    pub(crate) shift: i64,
    pub(crate) levels: usize,
    chains: Vec<Chain>,
    /// For each element the parts that a bite at it leaves at most.
    left: Vec<Parts>,
    /// Each ideal at its number.
    ideals: IndexSet<Parts>,
    /// By ideal, the largest ideals that bites at c and at d leave of it, other than itself.
    bitten: Vec<[Option<usize>; 2]>,
    /// The tails; without tails, the ideals of the family are the lower rows.
    tails: Vec<Tail>,
    family: Family,
}

/// Elements in ascending order, and how they lie beside the growing chains: their heights above
/// these ascend, too.
#[derive(Default)]
struct Chain {
    elements: Vec<usize>,
    heights: Vec<Heights>,
    /// Whether an element is below one of the growing chains.
    is_under: bool,
}

impl Shape {
    /// The rows of a family, fewer than 2^32. `None` if it was asked to stop.
    pub(crate) fn new(family: &Family, stop: &dyn Fn() -> bool) -> Option<Self> {
        let (poset, shift) = match &family.lower {
            Lower::Within(within) => (GrowingPoset::of_tails(within), 0),
            Lower::Ideals(ideals) => (ideals.poset().clone(), ideals.shift(family.level)),
        };
        let (chains, left) = chains(&poset);
        let levels = index(family.level) + 1;
        let (ideals, bitten, tails) = (IndexSet::new(), Vec::new(), Vec::new());
        let mut shape = Self {
            poset,
            shift,
            levels,
            chains,
            left,
            ideals,
            bitten,
            tails,
            family: family.clone(),
        };
        let go_on =
            |number: usize| if number.is_multiple_of(1024) && stop() { None } else { Some(()) };
        match &family.lower {
            Lower::Within(within) => {
                for (number, tail) in within.within().enumerate() {
                    go_on(number)?;
                    shape.ideals.insert(shape.parts_of_tail(within, &tail));
                    shape.tails.push(tail);
                }
            }
            Lower::Ideals(ideals) => {
                let has = |ideal: &Vec<usize>, element| ideal.binary_search(&element).is_ok();
                for (number, ideal) in ideals.list().iter().enumerate() {
                    go_on(number)?;
                    shape.ideals.insert(shape.parts(|element| has(ideal, element)));
                }
            }
        }
        for ideal in 0..shape.ideals.len() {
            go_on(ideal)?;
            shape.bitten.push(shape.bitten(ideal));
        }
        Some(shape)
    }

    /// The elements of the poset of tails are the squares of `within`, row by row.
    fn parts_of_tail(&self, within: &Tail, tail: &Tail) -> Parts {
        let mut is_in = Vec::new();
        for (row, &part) in within.parts().iter().enumerate() {
            let own = tail.parts().get(row).copied().unwrap_or(0);
            is_in.extend((0..part).map(|square| square < own));
        }
        self.parts(|element| is_in[element])
    }

    fn parts(&self, is_in: impl Fn(usize) -> bool) -> Parts {
        let part =
            |chain: &Chain| length(chain.elements.partition_point(|element| is_in(*element)));
        self.chains.iter().map(part).collect()
    }

    pub(crate) fn count(&self) -> usize {
        self.ideals.len() * self.levels
    }

    pub(crate) fn key(&self, number: usize) -> RowKey {
        match self.tails.get(number / self.levels) {
            Some(tail) => RowKey::new(self.level(number) as u64, tail.clone()),
            None => self.family.key(number as u64).expect("the number of a row"),
        }
    }

    pub(crate) fn level(&self, number: usize) -> usize {
        number % self.levels
    }

    /// The parts of the ideal of a row.
    pub(crate) fn ideal(&self, number: usize) -> &Parts {
        &self.ideals[number / self.levels]
    }

    /// A row comes after all rows with a lower rank that it needs.
    pub(crate) fn rank(&self, number: usize) -> usize {
        let size: u32 = self.ideal(number).iter().sum();
        size as usize + self.level(number)
    }

    /// The first column of the row: no shorter d carries its ideal.
    pub(crate) fn begins(&self, number: usize) -> u64 {
        self.over(number, |heights| heights.over_d)
    }

    /// No shorter c carries the ideal.
    pub(crate) fn least_p(&self, number: usize) -> u64 {
        self.over(number, |heights| heights.over_c).max(self.poset.least())
    }

    /// The greatest height of a growing chain below an element of the ideal.
    fn over(&self, number: usize, over: fn(&Heights) -> u64) -> u64 {
        let parts = self.chains.iter().zip(self.ideal(number));
        let tops = parts
            .filter_map(|(chain, part)| chain.heights.get(part.checked_sub(1)? as usize).map(over));
        tops.max().unwrap_or(0)
    }

    /// The number p + shift, if it is not negative: no regular column has less.
    pub(crate) fn number(&self, p: u64) -> Option<u64> {
        p.checked_add_signed(self.shift)
    }

    /// The row of the largest ideal, other than its own, that bites at d leave, and the lengths of
    /// d that leave it; shorter ones leave the rows that they leave of that row.
    pub(crate) fn after_d(&self, number: usize) -> Option<(Range<u64>, usize)> {
        let row = self.row(self.bitten[number / self.levels][1]?, number);
        Some((self.begins(row)..self.begins(number), row))
    }

    /// The same for c.
    pub(crate) fn after_c(&self, number: usize) -> Option<(Range<u64>, usize)> {
        let row = self.row(self.bitten[number / self.levels][0]?, number);
        Some((self.least_p(row)..self.least_p(number), row))
    }

    /// The row of an ideal at the level of another one.
    fn row(&self, ideal: usize, of: usize) -> usize {
        ideal * self.levels + self.level(of)
    }

    fn bitten(&self, ideal: usize) -> [Option<usize>; 2] {
        let number = ideal * self.levels;
        let largest = |height: u64, over: fn(&Heights) -> u64| {
            let below = height.checked_sub(1)?;
            let kept = |chain: &Chain| chain.heights.partition_point(|own| over(own) <= below);
            let parts = self.chains.iter().zip(&self.ideals[ideal]);
            let parts: Parts = parts.map(|(own, part)| length(kept(own)).min(*part)).collect();
            self.ideals.get_index_of(&parts)
        };
        let c = Some(self.least_p(number)).filter(|&c| c > self.poset.least());
        let c = c.and_then(|c| largest(c, |heights| heights.over_c));
        [c, largest(self.begins(number), |heights| heights.over_d)]
    }

    /// The row that is left after a bite at an element of the ideal, by its chain and its place
    /// there.
    pub(crate) fn after(&self, number: usize, chain: usize, place: usize) -> usize {
        let left = &self.left[self.chains[chain].elements[place]];
        let parts: Parts =
            self.ideal(number).iter().zip(left).map(|(part, left)| *part.min(left)).collect();
        self.row(self.ideals.get_index_of(&parts).expect("a bite leaves an ideal"), number)
    }

    /// Whether an element of the chain is below a growing chain.
    pub(crate) fn is_under(&self, chain: usize) -> bool {
        self.chains[chain].is_under
    }

    pub(crate) fn heights(&self, chain: usize, place: usize) -> Heights {
        self.chains[chain].heights[place]
    }

    /// The least heights of the growing chains above an element that the ideal lacks: positions
    /// with this ideal have a smaller p, and a smaller n.
    pub(crate) fn limits(&self, number: usize) -> (Option<u64>, Option<u64>) {
        // Along a chain, the elements of c and d above ascend.
        let least = |of: fn(&Heights) -> Option<u64>| {
            let next = |(chain, part): (&Chain, &u32)| of(chain.heights.get(*part as usize)?);
            self.chains.iter().zip(self.ideal(number)).filter_map(next).min()
        };
        (least(|heights| heights.under_c), least(|heights| heights.under_d))
    }

    /// Whether a later row has the same bites in this chain, and one more.
    pub(crate) fn goes_on(&self, number: usize, chain: usize) -> bool {
        let mut longer = self.ideal(number).clone();
        longer[chain] += 1;
        self.ideals.contains(&longer)
    }
}

/// The number of chains into which the engine parts the finite elements of a family.
pub fn parts(family: &Family) -> usize {
    match &family.lower {
        Lower::Within(within) => within.parts().len(),
        Lower::Ideals(ideals) => chains(ideals.poset()).0.len(),
    }
}

fn length(n: usize) -> u32 {
    u32::try_from(n).expect("chains are in memory")
}

/// The elements in chains, and for each element the parts that a bite at it leaves at most.
fn chains(poset: &GrowingPoset) -> (Vec<Chain>, Vec<Parts>) {
    let mut chains: Vec<Chain> = Vec::new();
    let mut places = vec![(0, 0); poset.len()];
    for &element in poset.upward() {
        let is_below = |chain: &Chain| {
            chain.elements.last().is_some_and(|last| poset.lower(element).contains(last))
        };
        let number = chains.iter().position(is_below).unwrap_or_else(|| {
            chains.push(Chain::default());
            chains.len() - 1
        });
        let (chain, heights) = (&mut chains[number], poset.heights(element));
        places[element] = (number, chain.elements.len());
        chain.elements.push(element);
        chain.heights.push(heights);
        chain.is_under |= heights.under_c.is_some() || heights.under_d.is_some();
    }
    let whole: Parts = chains.iter().map(|chain| length(chain.elements.len())).collect();
    let mut left = vec![whole; poset.len()];
    for &element in poset.upward().iter().rev() {
        let (chain, place) = places[element];
        left[element][chain] = length(place);
        let own = left[element].clone();
        for &lower in poset.lower(element) {
            for (part, above) in left[lower].iter_mut().zip(&own) {
                *part = (*part).min(*above);
            }
        }
    }
    (chains, left)
}

/// An index into memory.
pub(crate) fn index(n: u64) -> usize {
    usize::try_from(n).expect("what is indexed is in memory")
}
