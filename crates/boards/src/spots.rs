//! Some choices of all rows but the last, whose positions are checked by the rules of the game.
//!
//! For `(x_1, ..., x_{m-1})` and each `x_m` the P-positions among all positions one bite away are
//! looked up: a P-position has none, and an N-position has one. The positions one bite away are in
//! the same layer, or in an earlier one, in which each choice of all rows but the last has at most
//! one P-position (`proofs/boards.md`, 5). So one number is kept for each earlier layer.

use fastrand::Rng;
use game::Outcome;

use crate::Contradiction;
use crate::sieve::Layer;

/// The choices that are checked.
#[derive(Clone, Debug)]
pub struct Spots {
    spots: Vec<Spot>,
    checked: u64,
}

/// A choice of all rows but the last.
#[derive(Clone, Debug)]
struct Spot {
    lengths: Vec<u16>,
    /// For each length x of row 1 from 1 on, the last row of the P-position with these lengths cut
    /// to x.
    earlier: Vec<Option<u16>>,
}

impl Spots {
    /// This number of choices, from pseudo-random numbers that begin with `seed`. All lengths up to
    /// `to` are equally likely before they are sorted.
    #[must_use]
    pub fn random(rows: u16, to: u16, number: usize, seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let mut spot = |_| {
            let mut lengths: Vec<u16> = (1..rows).map(|_| random.u16(0..=to)).collect();
            lengths.sort_unstable_by(|one, other| other.cmp(one));
            lengths[0] = lengths[0].max(1);
            Spot { lengths, earlier: Vec::new() }
        };
        Self { spots: (0..number).map(&mut spot).collect(), checked: 0 }
    }

    /// The number of positions checked so far.
    #[must_use]
    pub fn checked(&self) -> u64 {
        self.checked
    }

    /// Takes the layers, in ascending order from length 1 on.
    ///
    /// # Errors
    /// [`Contradiction`].
    pub fn visit(&mut self, layer: &Layer) -> Result<(), Contradiction> {
        for spot in &mut self.spots {
            if spot.lengths[0] == layer.first() {
                self.checked += spot.check(layer)?;
            } else if spot.lengths[0] > layer.first() {
                let lengths = spot.cut(0, layer.first());
                spot.earlier.push(layer.last_row(&lengths[1..]));
            }
        }
        Ok(())
    }
}

impl Spot {
    /// The lengths from this row on cut to y.
    fn cut(&self, row: usize, y: u16) -> Vec<u16> {
        let (before, from) = self.lengths.split_at(row);
        before.iter().copied().chain(from.iter().map(|&length| length.min(y))).collect()
    }

    /// Checks the positions with all lengths of the last row; their number.
    fn check(&self, layer: &Layer) -> Result<u64, Contradiction> {
        let longest = *self.lengths.last().expect("at least two rows");
        let mut has_bite = vec![false; usize::from(longest) + 1];
        let in_row_1 = (1..).zip(self.earlier.iter().copied());
        let in_others = (1..self.lengths.len()).flat_map(|row| {
            (0..self.lengths[row]).map(move |y| (y, layer.last_row(&self.cut(row, y)[1..])))
        });
        for (y, last) in in_row_1.chain(in_others) {
            // The bite cuts the last row to y.
            match last {
                Some(last) if last < y => has_bite[usize::from(last)] |= last <= longest,
                Some(last) => has_bite[usize::from(last)..].fill(true),
                None => {}
            }
        }
        let own = layer.last_row(&self.lengths[1..]);
        if let Some(own) = own {
            has_bite[usize::from(own) + 1..].fill(true);
        }
        let mut positions = (0..=longest).zip(&has_bite);
        let wrong = positions.find(|&(last, &has_bite)| (own == Some(last)) == has_bite);
        match wrong {
            None => Ok(u64::from(longest) + 1),
            Some((last, _)) => Err(Contradiction {
                lengths: self.lengths.iter().copied().chain([last]).collect(),
                outcome: if own == Some(last) { Outcome::P } else { Outcome::N },
            }),
        }
    }
}
