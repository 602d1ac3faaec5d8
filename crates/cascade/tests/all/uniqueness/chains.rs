//! 6.3: three chains, by the rules.

use std::collections::HashSet;

use crate::window::cases::Random;

/// The greatest q for each p from 1 on, and the greatest r for each q from 0 on.
struct Chains {
    sigma: Vec<usize>,
    beta: Vec<usize>,
}

const NUMBERS: usize = 15;
/// Rows from here on are left out; no row depends on one above.
const ROWS: usize = 9;

impl Chains {
    fn random(random: &mut Random) -> Self {
        let mut sigma = vec![random.index(4)];
        let most = 1 + random.index(3);
        while sigma.len() < NUMBERS {
            sigma.push(sigma.last().unwrap() + 1 + random.index(most));
        }
        let mut beta = vec![random.index(3)];
        let most = 1 + random.index(3);
        while beta.len() <= sigma[NUMBERS - 1] {
            let infinite = random.below(12) == 0;
            let next = beta.last().unwrap() + random.index(most + 1);
            beta.push(if infinite { ROWS } else { next.min(ROWS) });
        }
        Self { sigma, beta }
    }

    fn sigma(&self, p: usize) -> usize {
        self.sigma[p - 1]
    }

    /// The P-positions, by the rules.
    fn p_positions(&self) -> HashSet<(usize, usize, usize)> {
        let mut all = HashSet::new();
        for p in 1..=NUMBERS {
            for q in 0..=self.sigma(p) {
                for r in 0..=self.beta[q] {
                    let top = (1..p).map(|p| {
                        let q = q.min(self.sigma(p));
                        (p, q, r.min(self.beta[q]))
                    });
                    let middle = (0..q).map(|q| (p, q, r.min(self.beta[q])));
                    let bottom = (0..r).map(|r| (p, q, r));
                    if !top.chain(middle).chain(bottom).any(|option| all.contains(&option)) {
                        all.insert((p, q, r));
                    }
                }
            }
        }
        all
    }
}

#[test]
fn three_chains() {
    let mut random = Random::new(23);
    let mut cases = 0;
    while cases < 100_000 {
        let chains = Chains::random(&mut random);
        let wins = chains.p_positions();
        for q in 0..chains.beta.len() {
            for r in 0..=chains.beta[q] {
                cases += usize::from(count(&chains, &wins, q, r));
            }
        }
    }
}

/// Compares the two counts, where row r is neither empty nor ended before column q, and all values
/// are known.
fn count(chains: &Chains, wins: &HashSet<(usize, usize, usize)>, q: usize, r: usize) -> bool {
    let short = || (1..=NUMBERS).filter(|&p| chains.sigma(p) < q);
    let ended = |c: usize| {
        short()
            .any(|p| c <= chains.beta[chains.sigma(p)] && wins.contains(&(p, chains.sigma(p), c)))
    };
    let empty = (1..=NUMBERS).any(|p| {
        let q = chains.sigma(p);
        chains.beta[q] < r && wins.contains(&(p, q, chains.beta[q]))
    });
    if ended(r) || empty {
        return false;
    }
    let blocks = |p: usize, column: usize| wins.contains(&(p, column, r.min(chains.beta[column])));
    let columns: Option<Vec<usize>> =
        (0..q).map(|column| (1..=NUMBERS).find(|&p| blocks(p, column))).collect();
    let Some(values) = columns else { return false };
    let long = values.iter().filter(|&&p| chains.sigma(p) >= q).count();
    let below = (0..r).filter(|&c| ended(c)).count();
    assert_eq!(long + short().count(), q + below, "{:?} {:?} ({q},{r})", chains.sigma, chains.beta);
    true
}
