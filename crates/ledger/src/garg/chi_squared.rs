//! The chi-squared test of independence, with two outcomes, as an exact fraction.

use boards::four_rows::Triples;
use num_bigint::{BigInt, BigUint};

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
