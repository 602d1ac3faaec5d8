//! Claims about the number of P-positions, and about the triples `(a,b,c)` that extend: some d
//! makes `(a,b,c,d)` a P-position. All P-positions come from the sieve of `boards`. The
//! chi-squared test of independence, with two outcomes, is an exact fraction.

use std::collections::{BTreeMap, BTreeSet};

use census::Decimal;
use num_bigint::{BigInt, BigUint};
use record::joined;

use super::share;
use crate::arguments::Printed;
use crate::evidence::Evidence;
use crate::oracles::{BROUWERS_TABLE, TABLE};
use crate::verdict::{Finding, Found};
use boards::four_rows::{Lower, Triples, triples};

/// The number of P-positions with a <= to.
pub fn four_row_positions(evidence: &Evidence, (to, number): (u16, u64)) -> Found {
    let found = evidence.four_rows(to)?;
    let count = found.positions(to);
    Ok(Finding::found(count == number, format!("{count} P-positions")))
}

/// The percentage of the triples with a <= to that extend, rounded.
pub fn extending(evidence: &Evidence, (to, percent): (u16, Printed)) -> Found {
    let found = evidence.four_rows(to)?;
    Ok(share(found.positions(to), triples(to), &percent, "triples extend"))
}

/// The P-positions of three rows, by Brouwer's recurrence, extend with the d `last`, and no other
/// triples do.
pub fn three_rows(evidence: &Evidence, (last,): (u16,)) -> Found {
    let found = evidence.four_rows(0)?;
    let reached = u64::from(found.to()).min(TABLE);
    let mut of_three: BTreeMap<u64, u32> = BTreeMap::new();
    for position in BROUWERS_TABLE.p_positions() {
        *of_three.entry(position.p()).or_default() += 1;
    }
    let number: u32 = of_three.range(1..=reached).map(|(_, number)| number).sum();
    Ok(Finding::each(1..=reached, |a| {
        let expected = of_three.get(&a).copied().unwrap_or(0);
        let of_last = found.of(u16::try_from(a).ok()?).with(Lower::Last, last);
        let how = format!("a = {a}: {of_last} with d = {last}, and {expected} of three rows");
        (of_last != expected).then_some(how)
    })
    .with(format!("{number} P-positions of three rows")))
}

/// Triples for which the more frequent outcome of their class is right.
fn guessed(classes: &[Triples]) -> u64 {
    classes.iter().map(|class| class.extending.max(class.all - class.extending)).sum()
}

/// Whether a triple with a <= to extends is guessed from c and the remainder of `a - b`, by the
/// best guess for each pair of these. It is right for at least this percentage of the triples.
pub fn accuracy(evidence: &Evidence, (to, modulus, percent): (u16, u16, u64)) -> Found {
    let found = evidence.four_rows(to)?;
    let all = triples(to);
    let next = modulus + 1;
    let by = |modulus| guessed(&found.by_third_and_remainder(to, modulus));
    let right = [by(modulus), by(next), all - found.positions(to)];
    let [own, of_next, none] = right.map(|right| Decimal::ratio(100 * right, all, 2));
    let figure = format!(
        "best guess by c and (a - b) mod {modulus}: {own} %; mod {next}: {of_next} %; that no \
         triple extends: {none} %"
    );
    Ok(Finding::found(100 * right[0] >= percent * all, figure))
}

/// χ² of the remainder of `a - b` and of whether a triple with a <= to extends, rounded down.
/// `values` has moduli and their χ².
pub fn chi_squared(evidence: &Evidence, (to, values): (u16, Vec<(usize, u64)>)) -> Found {
    let by_difference = evidence.four_rows(to)?.by_difference(to);
    let mut words = Vec::new();
    let right = values.into_iter().fold(true, |right, (modulus, value)| {
        let found = ChiSquared::of(&by_difference, modulus).floor(1);
        words.push(format!("{modulus}: {found}"));
        right && found == value.into()
    });
    Ok(Finding::found(right, format!("χ² by modulus {}", words.join(", "))))
}

/// Of the moduli to `most` this one has the largest χ² for each degree of freedom, a <= to.
pub fn strongest(evidence: &Evidence, (to, most, modulus): (u16, usize, usize)) -> Found {
    let found = evidence.four_rows(to)?;
    let by_difference = found.by_difference(to);
    let of = |modulus| (modulus, ChiSquared::of(&by_difference, modulus));
    let all: Vec<_> = (2..=most).map(of).collect();
    let best =
        all.iter().reduce(|best, next| if next.1.is_stronger(&best.1) { next } else { best });
    let (best, _) = best.expect("there are moduli from 2 on");
    let words = |modulus: usize| {
        let of = &all[modulus - 2].1;
        format!("{modulus}: {}, {} for each degree", of.floor(1), of.floor(of.freedom))
    };
    let shown = [*best, 7, 8, modulus / 2, modulus - 1, modulus, modulus + 1, modulus + 2, most];
    let shown: BTreeSet<usize> = shown.into_iter().filter(|of| (2..=most).contains(of)).collect();
    let words = joined(shown.into_iter().map(words), "; ");
    let figure = format!("the strongest is {best}; χ² by modulus {words}");
    Ok(Finding::found(*best == modulus, figure))
}

/// From c to c + period the largest `a - b` grows by at least `least` and at most `largest`, for c
/// from 1 on.
pub fn growth(evidence: &Evidence, (period, (least, largest)): (u16, (u16, u16))) -> Found {
    let found = evidence.four_rows(0)?;
    // With this c or less, a reaches 3c.
    let last = found.to() / 3;
    let width = |c: u16| found.widest(c).unwrap_or(0);
    let growth = |c| (c, width(c + period) - width(c));
    let growths: Vec<_> = (1..=last.saturating_sub(period)).map(growth).collect();
    let failure = growths.iter().find(|(_, growth)| !(least..=largest).contains(growth));
    let failure = failure.map(|&(c, growth)| {
        let (here, then, to) = (width(c), c + period, width(c + period));
        let widths = format!("{here} for c = {c} and {to} for c = {then}");
        (c.into(), format!("the largest a - b is {widths}, {growth} more"))
    });
    let most = growths.iter().map(|&(_, growth)| growth);
    let range = most.clone().min().zip(most.max());
    let growth = range.map(|(least, most)| format!("it grows by {least} to {most}; "));
    let figure = format!("{}it is {} for c = {last}", growth.unwrap_or_default(), width(last));
    Ok(Finding::to(growths.last().map_or(0, |&(c, _)| c.into()), failure).with(figure))
}

/// The autocorrelation of the numbers d in lexicographic order is larger for this lag than for the
/// one before and the one after.
pub fn peak(evidence: &Evidence, (lag,): (usize,)) -> Found {
    let found = evidence.four_rows(0)?;
    let terms = found.last_lengths();
    let number = terms.len() as i128;
    let sum: i128 = terms.iter().map(|&term| i128::from(term)).sum();
    let centred = |term: &u16| number * i128::from(*term) - sum;
    // N² times the covariance.
    let covariance = |lag: usize| -> i128 {
        let pairs = terms.iter().zip(terms.iter().skip(lag));
        pairs.map(|(one, other)| centred(one) * centred(other)).sum()
    };
    let [before, at, after, none] = [lag - 1, lag, lag + 1, 0].map(covariance);
    // Each has the factor N², and the quotients need six digits only.
    let small = |of: i128| u64::try_from(of / (number * number)).unwrap_or(0);
    let [earlier, own, later] =
        [before, at, after].map(|of| Decimal::ratio(small(of), small(none).max(1), 5));
    let figure = format!("{earlier} for lag {}, {own} for {lag}, {later} for {}", lag - 1, lag + 1);
    Ok(Finding::found(at > before && at > after, figure))
}

/// χ², and its degrees of freedom.
#[derive(Clone, Debug)]
pub(crate) struct ChiSquared {
    part: BigUint,
    whole: BigUint,
    pub freedom: u64,
}

impl ChiSquared {
    /// Of the classes of triples by the remainder of `a - b`, from the triples by `a - b`.
    ///
    /// With t triples in a class, e of them extending, and T and E in all, χ² is the sum of
    /// `(eT - Et)²/t`, divided by `E(T - E)`.
    pub fn of(by_difference: &[Triples], modulus: usize) -> Self {
        let class = |remainder: usize| {
            let members = by_difference.iter().skip(remainder).step_by(modulus);
            members.fold(Triples::default(), |sum, one| Triples {
                all: sum.all + one.all,
                extending: sum.extending + one.extending,
            })
        };
        let classes: Vec<Triples> = (0..modulus).map(class).filter(|class| class.all > 0).collect();
        let all: u64 = classes.iter().map(|class| class.all).sum();
        let extending: u64 = classes.iter().map(|class| class.extending).sum();
        let (mut part, mut whole) = (BigUint::ZERO, BigUint::from(1_u32));
        for class in &classes {
            let expected = BigInt::from(extending) * class.all;
            let (_, excess) = (BigInt::from(class.extending) * all - expected).into_parts();
            part = part * class.all + &excess * &excess * &whole;
            whole *= class.all;
        }
        whole = whole * extending * (all - extending);
        Self { part, whole, freedom: classes.len() as u64 - 1 }
    }

    /// Divided by this, rounded down.
    pub fn floor(&self, by: u64) -> BigUint {
        &self.part / (&self.whole * by)
    }

    /// Whether χ² for each degree of freedom is larger than the other's.
    pub fn is_stronger(&self, other: &Self) -> bool {
        &self.part * &other.whole * other.freedom > &other.part * &self.whole * self.freedom
    }
}
