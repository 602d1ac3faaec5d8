//! Some choices of all rows but the last, whose positions are checked by the rules of the game.
//!
//! For `(x_1, ..., x_{m-1})` and each `x_m` the P-positions among all positions one bite away are
//! looked up: a P-position has none, and an N-position has one. The positions one bite away are in
//! the same layer, or in an earlier one, in which each choice of all rows but the last has at most
//! one P-position (`proofs/boards.md`, 5). So what earlier layers have is kept, a number for each.

use thiserror::Error;

use crate::sieve::Layer;

/// A position that contradicts the rules of the game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{lengths:?} is {}, and {} of its bites lead to a P-position", if *is_p { "P" } else { "N" }, if *is_p { "some" } else { "none" })]
pub struct Contradiction {
    /// Its lengths.
    pub lengths: Vec<u16>,
    /// Whether it is said to be P.
    pub is_p: bool,
}

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
        let mut state = seed;
        let mut spot = |_| {
            let mut lengths: Vec<u16> =
                (1..rows).map(|_| below(&mut state, u64::from(to) + 1)).collect();
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
    pub fn visit(&mut self, layer: &Layer<'_>) -> Result<(), Contradiction> {
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
    fn check(&self, layer: &Layer<'_>) -> Result<u64, Contradiction> {
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
                is_p: own == Some(last),
            }),
        }
    }
}

/// A pseudo-random number less than `end`, by Steele, Lea and Flood's `SplitMix64`.
fn below(state: &mut u64, end: u64) -> u16 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    u16::try_from((mixed ^ mixed >> 31) % end).expect("less than 2^16 are asked for")
}
