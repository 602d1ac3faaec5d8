//! The order ideals of a poset beside two growing chains, as engines use them.
//!
//! The finite elements are parted into chains. An order ideal has the first elements of each, so
//! it is a list of lengths, its *parts*: for the tails of Chomp, the rows of the tail. If a part
//! grows by one element, the bites at its other elements lead to the same ideals as before.

use std::collections::{BTreeSet, HashMap};

use record::{Family, GrowingPoset, Heights, Lower, RowKey, Tail, Tails};
use smallvec::SmallVec;

use crate::columns::index;

/// How many elements of each chain an ideal has.
pub(crate) type Parts = SmallVec<[u32; 2]>;

/// The rows of a family, numbered in their order: by ideal, then by level.
pub(crate) struct Shape {
    poset: GrowingPoset,
    pub(crate) shift: i64,
    pub(crate) levels: usize,
    chains: Vec<Chain>,
    /// For each element the parts that a bite at it leaves at most.
    cuts: Vec<Parts>,
    ideals: Vec<Parts>,
    numbers: HashMap<Parts, usize>,
    /// By ideal.
    smaller: Vec<Cut>,
    keys: Vec<RowKey>,
}

/// The ideals that are left of one when a growing chain is bitten.
struct Cut {
    c: Option<usize>,
    d: Option<usize>,
}

/// Elements in ascending order, and their heights above the two growing chains, which ascend, too.
#[derive(Default)]
struct Chain {
    elements: Vec<usize>,
    over_c: Vec<u64>,
    over_d: Vec<u64>,
}

impl Shape {
    /// The rows of a family, of which there are less than 2^32.
    pub(crate) fn new(family: &Family) -> Self {
        let (poset, shift) = match &family.lower {
            Lower::Within(within) => (GrowingPoset::of_tails(within), 0),
            Lower::Ideals(ideals) => (ideals.poset().clone(), ideals.shift(family.level)),
        };
        let (chains, cuts) = chains(&poset);
        let (levels, keys) = (index(family.level) + 1, family.keys().collect());
        let (ideals, numbers, smaller) = (Vec::new(), HashMap::new(), Vec::new());
        let mut shape = Self { poset, shift, levels, chains, cuts, ideals, numbers, smaller, keys };
        shape.ideals = match &family.lower {
            Lower::Within(within) => {
                Tails::within(within).map(|tail| shape.parts_of_tail(within, &tail)).collect()
            }
            Lower::Ideals(ideals) => {
                let has = |ideal: &Vec<usize>, element| ideal.binary_search(&element).is_ok();
                let parts = |ideal| shape.parts(|element| has(ideal, element));
                ideals.list().iter().map(parts).collect()
            }
        };
        shape.numbers = shape.ideals.iter().cloned().zip(0..).collect();
        shape.smaller = (0..shape.ideals.len()).map(|ideal| shape.smaller(ideal)).collect();
        shape
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
        let part = |chain: &Chain| {
            let part = chain.elements.partition_point(|element| is_in(*element));
            u32::try_from(part).expect("chains are in memory")
        };
        self.chains.iter().map(part).collect()
    }

    pub(crate) fn count(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn key(&self, number: usize) -> &RowKey {
        &self.keys[number]
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
        let top = |(chain, part): (&Chain, &u32)| Some(chain.over_d[part.checked_sub(1)? as usize]);
        let tops = self.chains.iter().zip(self.ideal(number)).filter_map(top);
        tops.max().unwrap_or(0)
    }

    /// No shorter c carries the ideal.
    pub(crate) fn least_p(&self, number: usize) -> u64 {
        let top = |(chain, part): (&Chain, &u32)| Some(chain.over_c[part.checked_sub(1)? as usize]);
        let tops = self.chains.iter().zip(self.ideal(number)).filter_map(top);
        tops.max().unwrap_or(0).max(self.poset.least())
    }

    /// The least j with `c[i] < d[j]`.
    pub(crate) fn first_d(&self, i: u64) -> Option<u64> {
        self.poset.first_d(i)
    }

    pub(crate) fn least(&self) -> u64 {
        self.poset.least()
    }

    /// For each y less than the first column, the row that is left when d is bitten to y elements;
    /// in no order.
    pub(crate) fn after_d(&self, number: usize) -> impl Iterator<Item = (u64, usize)> + '_ {
        let cuts = self.cuts_of(number, |cut| cut.d, |row| self.begins(row));
        cuts.flat_map(|(from, to, row)| (from..to).map(move |y| (y, row)))
    }

    /// For each x from `least` on that is less than the least p of the ideal, the row that is left
    /// when c is bitten to x elements; in no order.
    pub(crate) fn after_c(&self, number: usize) -> impl Iterator<Item = (u64, usize)> + '_ {
        let cuts = self.cuts_of(number, |cut| cut.c, |row| self.least_p(row));
        cuts.flat_map(|(from, to, row)| (from..to).map(move |x| (x, row)))
    }

    /// The smaller and smaller ideals that bites at a growing chain leave, each with the lengths of
    /// the chain for which it is the one.
    fn cuts_of(
        &self,
        number: usize,
        cut: impl Fn(&Cut) -> Option<usize>,
        height: impl Fn(usize) -> u64,
    ) -> impl Iterator<Item = (u64, u64, usize)> {
        let level = self.level(number);
        let mut above = number;
        std::iter::from_fn(move || {
            let row = cut(&self.smaller[above / self.levels])? * self.levels + level;
            let lengths = (height(row), height(above), row);
            above = row;
            Some(lengths)
        })
    }

    /// The ideal that is left when a growing chain is bitten to less than an element below the
    /// ideal, as little as possible; `None` if there is no such element.
    fn smaller(&self, ideal: usize) -> Cut {
        let number = ideal * self.levels;
        let cut = |height: u64, over: fn(&Chain) -> &Vec<u64>| {
            let below = height.checked_sub(1)?;
            let kept = |chain: &Chain| over(chain).partition_point(|own| *own <= below);
            let parts = self.chains.iter().zip(&self.ideals[ideal]);
            let parts: Parts = parts.map(|(own, part)| index_u32(kept(own)).min(*part)).collect();
            self.numbers.get(&parts).copied()
        };
        let c = (self.least_p(number) > self.least()).then(|| self.least_p(number));
        Cut {
            c: c.and_then(|c| cut(c, |chain| &chain.over_c)),
            d: cut(self.begins(number), |chain| &chain.over_d),
        }
    }

    /// The row that is left after a bite at an element of the ideal, by its chain and its place
    /// there.
    pub(crate) fn after(&self, number: usize, chain: usize, place: usize) -> usize {
        let cut = &self.cuts[self.chains[chain].elements[place]];
        let parts: Parts =
            self.ideal(number).iter().zip(cut).map(|(part, kept)| *part.min(kept)).collect();
        self.numbers[&parts] * self.levels + self.level(number)
    }

    pub(crate) fn heights(&self, chain: usize, place: usize) -> Heights {
        self.poset.heights(self.chains[chain].elements[place])
    }

    /// The least heights of the growing chains above an element that the ideal lacks: positions
    /// with this ideal have a smaller p, and a smaller n.
    pub(crate) fn limits(&self, number: usize) -> (Option<u64>, Option<u64>) {
        let next = |(chain, part): (&Chain, &u32)| {
            chain.elements.get(*part as usize).map(|element| self.poset.heights(*element))
        };
        // Along a chain, the elements of c and d above ascend.
        let next = self.chains.iter().zip(self.ideal(number)).filter_map(next);
        let next: Vec<Heights> = next.collect();
        let least = |of: fn(&Heights) -> Option<u64>| next.iter().filter_map(of).min();
        (least(|heights| heights.under_c), least(|heights| heights.under_d))
    }

    /// Whether a later row has the same bites in this chain, and one more.
    pub(crate) fn goes_on(&self, number: usize, chain: usize) -> bool {
        let mut longer = self.ideal(number).clone();
        longer[chain] += 1;
        self.numbers.contains_key(&longer)
    }
}

fn index_u32(n: usize) -> u32 {
    u32::try_from(n).expect("chains are in memory")
}

/// The elements in chains, and for each element the parts that a bite at it leaves at most.
fn chains(poset: &GrowingPoset) -> (Vec<Chain>, Vec<Parts>) {
    let sorted = sorted(poset);
    let mut chains: Vec<Chain> = Vec::new();
    let mut places = vec![(0, 0); poset.len()];
    for &element in &sorted {
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
        chain.over_c.push(heights.over_c);
        chain.over_d.push(heights.over_d);
    }
    let whole: Parts = chains.iter().map(|chain| index_u32(chain.elements.len())).collect();
    let mut cuts = vec![whole; poset.len()];
    for &element in sorted.iter().rev() {
        let (chain, place) = places[element];
        cuts[element][chain] = index_u32(place);
        let own = cuts[element].clone();
        for &lower in poset.lower(element) {
            for (kept, above) in cuts[lower].iter_mut().zip(&own) {
                *kept = (*kept).min(*above);
            }
        }
    }
    (chains, cuts)
}

/// The elements, each after those below it.
fn sorted(poset: &GrowingPoset) -> Vec<usize> {
    let mut upper = vec![Vec::new(); poset.len()];
    let mut missing: Vec<usize> = (0..poset.len()).map(|own| poset.lower(own).len()).collect();
    for element in 0..poset.len() {
        for &lower in poset.lower(element) {
            upper[lower].push(element);
        }
    }
    let mut ready: BTreeSet<usize> =
        (0..poset.len()).filter(|element| missing[*element] == 0).collect();
    let mut sorted = Vec::new();
    while let Some(element) = ready.pop_first() {
        sorted.push(element);
        for &above in &upper[element] {
            missing[above] -= 1;
            if missing[above] == 0 {
                ready.insert(above);
            }
        }
    }
    sorted
}
