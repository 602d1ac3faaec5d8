//! The records of a family, and the rows to which bites lead (facts 12 and 13).
//!
//! The description of a family states for each finite element the elements below it, and its
//! heights beside the two growing chains. This module derives from that the row that a bite leaves,
//! by sets of elements and without an engine.

use std::collections::HashMap;
use std::iter;
use std::sync::LazyLock;

use num_bigint::BigUint;
use record::{Family, GrowingPoset, Heights, Lower, Record, RowKey};

/// No limit, in the place of a number.
pub(super) const NONE: u32 = u32::MAX;

/// A bite from the positions of a row, and the row of the ideal that it leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bite {
    /// The most elements of c that it leaves; [`NONE`] if it leaves them all.
    pub(super) p: u32,
    /// The most elements of d that it leaves; [`NONE`] if it leaves them all.
    pub(super) q: u32,
    /// The number of the ideal.
    ideal: u32,
    /// It takes an element of c: then positions with `p` elements or fewer do not have it.
    pub(super) in_c: bool,
}

impl Bite {
    /// The column to which it leads from column q.
    pub(super) fn column(&self, q: u32) -> u32 {
        q.min(self.q)
    }
}

/// The records of a family, and the known facts about its ideals.
pub(super) struct FamilyRows<'a> {
    pub(super) records: &'a [Record],
    /// How many levels each ideal has.
    levels: usize,
    /// Offsets count p + shift.
    pub(super) shift: i64,
    ideals: Vec<OfIdeal>,
    poset: GrowingPoset,
}

/// An ideal.
#[derive(Default)]
pub(super) struct OfIdeal {
    size: u64,
    /// The first column of its rows.
    pub(super) begins: u32,
    least_p: u32,
    /// Positions have less elements of c and d than these, if they are not [`NONE`].
    pub(super) limits: (u32, u32),
    /// The bites that leave fewer elements of d than any regular column has.
    fixed: Vec<Bite>,
    /// The other bites that do not leave the ideal whole.
    open: Vec<Bite>,
}

/// Of a row that is not there.
static NO_IDEAL: LazyLock<OfIdeal> = LazyLock::new(OfIdeal::default);

impl<'a> FamilyRows<'a> {
    pub(super) fn new(family: &Family, records: &'a [Record]) -> Self {
        let levels = usize::try_from(family.level).unwrap_or(usize::MAX).saturating_add(1);
        let (poset, shift, sets): (_, _, Vec<Set>) = match &family.lower {
            Lower::Within(within) => {
                let keys = records.iter().step_by(levels).map(Record::key);
                let sets = keys.map(|key| squares(within.parts(), key)).collect();
                (GrowingPoset::of_tails(within), 0, sets)
            }
            Lower::Ideals(ideals) => {
                let poset = ideals.poset().clone();
                let sets = ideals.list().iter().map(|ideal| set(ideal.iter().copied())).collect();
                (poset, ideals.shift(family.level), sets)
            }
        };
        let elements = Elements::new(&poset);
        let numbers: HashMap<&Set, u32> = sets.iter().zip(0..).collect();
        let ideals = sets.iter().map(|set| elements.ideal(&poset, set, &numbers)).collect();
        Self { records, levels, shift, ideals, poset }
    }

    fn level(&self, number: usize) -> usize {
        number.checked_rem(self.levels).unwrap_or(0)
    }

    /// The ideal of a row.
    pub(super) fn ideal(&self, number: usize) -> &OfIdeal {
        let ideal = number.checked_div(self.levels).and_then(|ideal| self.ideals.get(ideal));
        ideal.unwrap_or_else(|| &NO_IDEAL)
    }

    /// The bites that leave fewer elements of d than any regular column has, and the rows to which
    /// they lead.
    pub(super) fn fixed(&self, number: usize) -> impl Iterator<Item = (Bite, usize)> + '_ {
        self.with_rows(number, &self.ideal(number).fixed)
    }

    /// The other bites that do not leave the ideal whole, and the rows to which they lead.
    pub(super) fn open(&self, number: usize) -> impl Iterator<Item = (Bite, usize)> + '_ {
        self.with_rows(number, &self.ideal(number).open)
    }

    fn with_rows<'b>(
        &'b self,
        number: usize,
        bites: &'b [Bite],
    ) -> impl Iterator<Item = (Bite, usize)> + 'b {
        let (level, levels) = (self.level(number), self.levels);
        let row = move |ideal: u32| (ideal as usize).saturating_mul(levels).saturating_add(level);
        bites.iter().map(move |bite| (*bite, row(bite.ideal)))
    }

    /// The last column that a bite leaves at most, or that is irregular.
    pub(super) fn last_irregular(&self) -> u32 {
        let fixed = self.ideals.iter().flat_map(|ideal| &ideal.fixed).map(|bite| bite.q);
        let columns = self.records.iter().map(|record| record.key().first_column());
        let columns = columns.map(|column| u32::try_from(column).unwrap_or(NONE));
        fixed.chain(columns).max().unwrap_or(0)
    }

    /// The numbers of the rows of (L).
    pub(super) fn lower(&self, number: usize) -> impl Iterator<Item = usize> + use<> {
        number.saturating_sub(self.level(number))..number
    }

    /// The numbers of the rows below: those of (C), to which bites in a regular column lead that
    /// leave d whole, and those of (L).
    pub(super) fn below(&self, number: usize) -> impl Iterator<Item = usize> + '_ {
        let of_c = self.open(number).filter(|(bite, _)| !bite.in_c);
        of_c.map(|(_, row)| row).chain(self.lower(number))
    }

    /// The look-ups of a regular cell.
    pub(super) fn lookups(&self, number: usize) -> u64 {
        let bites = self.ideal(number).open.len().saturating_add(self.level(number));
        (bites as u64).saturating_add(1)
    }

    /// A bound for the offsets of the row (fact 13 (d)).
    pub(super) fn most_offset(&self, number: usize) -> u64 {
        let shift = self.shift.unsigned_abs().saturating_mul(2);
        let first = self.records.get(number).map_or(0, Record::row);
        let least_p = self.least_p(number, u32::try_from(first).unwrap_or(NONE));
        let known = [self.ideal(number).size, self.level(number) as u64, shift, least_p.into()];
        known.iter().fold(1, |sum: u64, part| sum.saturating_add(*part))
    }

    /// The least p of a position in column q.
    pub(super) fn least_p(&self, number: usize, q: u32) -> u32 {
        let fits = |p: &u32| self.first_d(*p).is_none_or(|first| q < first);
        (self.ideal(number).least_p..NONE).find(fits).unwrap_or(NONE)
    }

    /// The least j with `c[p + 1] < d[j]`.
    pub(super) fn first_d(&self, p: u32) -> Option<u32> {
        let first = self.poset.first_d(u64::from(p).saturating_add(1))?;
        Some(u32::try_from(first).unwrap_or(NONE))
    }
}

/// The squares of a tail, among the squares of a tail that contains it, row by row.
fn squares(within: &[u64], key: &RowKey) -> Set {
    let rows = within.iter().zip(key.tail().parts().iter().chain(iter::repeat(&0)));
    let squares = rows.flat_map(|(part, own)| (0..*part).map(move |square| square < *own));
    set(squares.enumerate().filter(|(_, is_in)| *is_in).map(|(element, _)| element))
}

/// A set of finite elements: a number with the bit of each of them.
type Set = BigUint;

fn set(members: impl IntoIterator<Item = usize>) -> Set {
    members.into_iter().fold(Set::ZERO, |mut set, member| {
        set.set_bit(member as u64, true);
        set
    })
}

fn without(set: &Set, others: &Set) -> Set {
    set ^ (set & others)
}

/// The finite elements that bites take.
struct Elements {
    /// For each element those above it, itself included.
    above: Vec<Set>,
    /// For each x the elements that are above no element of c past the first x.
    to_c: Vec<Set>,
    /// The same for d.
    to_d: Vec<Set>,
}

impl Elements {
    fn new(poset: &GrowingPoset) -> Self {
        let count = poset.len();
        let mut above: Vec<Set> = (0..count).map(|own| set([own])).collect();
        for &upper in poset.upward().iter().rev() {
            let Some(of_upper) = above.get(upper).cloned() else { continue };
            for &lower in poset.lower(upper) {
                if let Some(of_lower) = above.get_mut(lower) {
                    *of_lower |= &of_upper;
                }
            }
        }
        let most = |of: fn(Heights) -> u64| {
            (0..count).map(|own| of(poset.heights(own))).max().unwrap_or(0)
        };
        let to = |of: fn(Heights) -> u64| {
            let cut = |x| set((0..count).filter(|own| of(poset.heights(*own)) <= x));
            (0..most(of)).map(cut).collect()
        };
        Self { above, to_c: to(|heights| heights.over_c), to_d: to(|heights| heights.over_d) }
    }

    /// The bites from the positions of an ideal.
    fn ideal(&self, poset: &GrowingPoset, set: &Set, numbers: &HashMap<&Set, u32>) -> OfIdeal {
        let small = |number: u64| u32::try_from(number).unwrap_or(NONE);
        let has = |own: &usize| set.bit(*own as u64);
        let members: Vec<usize> = (0..poset.len()).filter(has).collect();
        let most = |of: fn(Heights) -> u64| {
            members.iter().map(|own| of(poset.heights(*own))).max().unwrap_or(0)
        };
        let begins = most(|heights| heights.over_d);
        let least_p = most(|heights| heights.over_c).max(poset.least());
        let number = |left: &Set| numbers.get(left).copied().unwrap_or(NONE);
        let cut = |of: &[Set], x: u64| {
            let kept = usize::try_from(x).ok().and_then(|x| of.get(x));
            number(&kept.map_or_else(|| set.clone(), |kept| set & kept))
        };
        let mut bites = Vec::new();
        for y in 0..begins {
            let ideal = cut(&self.to_d, y);
            bites.push(Bite { p: NONE, q: small(y), ideal, in_c: false });
        }
        for x in poset.least()..least_p {
            let ideal = cut(&self.to_c, x);
            let first = poset.first_d(x.saturating_add(1));
            let q = first.map_or(NONE, |first| small(first.saturating_sub(1)));
            bites.push(Bite { p: small(x), q, ideal, in_c: true });
        }
        for &own in &members {
            let heights = poset.heights(own);
            let left =
                |height: Option<u64>| height.map_or(NONE, |own| small(own.saturating_sub(1)));
            let above = self.above.get(own);
            let ideal = above.map_or(NONE, |above| number(&without(set, above)));
            let (p, q) = (left(heights.under_c), left(heights.under_d));
            bites.push(Bite { p, q, ideal, in_c: false });
        }
        let outside = (0..poset.len()).filter(|own| !has(own)).map(|own| poset.heights(own));
        let limits = outside.fold((NONE, NONE), |(p, q), heights| {
            (p.min(heights.under_c.map_or(NONE, small)), q.min(heights.under_d.map_or(NONE, small)))
        });
        let size = members.len() as u64;
        let (begins, least_p) = (small(begins), small(least_p));
        let (open, fixed) = bites.into_iter().partition(|bite| bite.q == NONE);
        OfIdeal { size, begins, least_p, limits, fixed, open }
    }
}
