//! Opponents that can lose.

use num_bigint::BigUint;
use num_traits::ToPrimitive;
use serde::Deserialize;

use super::{Played, Player};
use driver::{Error, Position, Square, Watch};

/// How well the program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// A bite at random, except that it leaves only the poison if it can.
    Easy,
    /// As [`Strength::Perfect`] when at most 12 squares are left, and about every second time
    /// before; otherwise as [`Strength::Easy`].
    Fair,
    /// The bite of [`Player::bite`].
    Perfect,
}

/// With at most this number of squares a fair opponent sees the end.
const SEEN: u32 = 12;

impl Player {
    /// A bite of an opponent with this strength; `None` if only the poison is left. It depends on
    /// nothing but the arguments: `chance` is a random number of the caller.
    ///
    /// # Errors
    /// As [`Self::winning_bites`].
    ///
    /// ```
    /// use ask::{Player, Strength};
    /// use driver::{Engine, Position};
    /// let start: Position = "4x4".parse()?;
    /// let player = Player::of(&start, Engine::default(), false, &())?;
    /// let wins = |chance| player.bite_of(Strength::Easy, chance, &start, &()).unwrap().unwrap().wins;
    /// // One of 15 bites wins: the one that leaves a row and a column.
    /// assert_eq!((0..15).filter(|&chance| wins(2 * chance)).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bite_of(
        &self,
        strength: Strength,
        chance: u64,
        position: &Position,
        watch: &dyn Watch,
    ) -> Result<Option<Played>, Error> {
        let few = squares(position) <= SEEN.into();
        match strength {
            Strength::Perfect => self.bite(position, watch),
            Strength::Fair if few || chance & 1 == 1 => self.bite(position, watch),
            Strength::Fair | Strength::Easy => {
                let Some(leaves) = at_random(position, chance >> 1) else { return Ok(None) };
                let wins = self.known(&leaves, watch)?.is_some_and(|answer| answer.is_p());
                let square = position.bite_to(&leaves);
                Ok(square.map(|square| Played { square, leaves, wins }))
            }
        }
    }
}

/// The position after a bite that the number chooses, or the poison alone if a bite leaves it.
fn at_random(position: &Position, number: u64) -> Option<Position> {
    let poison = Position::finite([1_u32]).ok()?;
    if position.bite_to(&poison).is_some() {
        return Some(poison);
    }
    // The poison is square 0, and no bite.
    let bites = squares(position).to_u64().unwrap_or(u64::MAX).checked_sub(1)?;
    let chosen = 1 + number.checked_rem(bites)?;
    position.after(&nth_square(position, chosen.into())?)
}

fn squares(position: &Position) -> BigUint {
    position.finite_rows().unwrap_or_default().into_iter().sum()
}

/// The square with this number, counted from 0 row by row.
fn nth_square(position: &Position, mut number: BigUint) -> Option<Square> {
    for (row, length) in (1..).zip(position.finite_rows()?) {
        if number < length {
            return Some(Square { row, column: number + 1_u32 });
        }
        number -= length;
    }
    None
}
