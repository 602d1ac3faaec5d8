//! Products of chains, some of ω elements, that a strategy decides: fact 10 of `proofs/README.md`.

use std::fmt;
use std::str::FromStr;

use game::is_omega;
use record::joined;
use thiserror::Error;

use crate::Length;

/// A product of chains, at least one of them with ω elements: `ω×ω`, `2×2×ω`. Its least element is
/// the poison.
///
/// ```
/// use answers::InfiniteBoard;
/// let board: InfiniteBoard = "2x2xω".parse()?;
/// let decided = board.decide()?;
/// assert_eq!(decided.bite, Some((vec![2, 1, 1], "2×ω, a P-position")));
/// assert!("3x3xω".parse::<InfiniteBoard>()?.decide().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InfiniteBoard {
    sides: Vec<Length>,
}

/// Who wins a board, by a strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// A bite that wins, by its coordinates, from 1 at the poison, and the position that it leaves;
    /// `None` if the board is a P-position.
    pub bite: Option<(Vec<u64>, &'static str)>,
    /// The strategy, in words.
    pub why: &'static str,
}

/// The text is no product of chains with an infinite one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("an infinite board is a product of chains, at least one of them ω, such as 2x2xω")]
pub struct NotInfinite;

/// No strategy here decides the board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{board} is not decided: fact 10 of the proofs has a strategy for ω, m×ω, ω×ω and 2×2×ω, \
     and no search of an infinite board ends"
)]
pub struct NotDecided {
    /// The board.
    pub board: InfiniteBoard,
}

impl InfiniteBoard {
    /// Who wins.
    ///
    /// # Errors
    /// [`NotDecided`] for boards that fact 10 is not about.
    pub fn decide(&self) -> Result<Decided, NotDecided> {
        let (one, two) = (Length::from(1_u16), Length::from(2_u16));
        let long: Vec<usize> =
            (0..self.sides.len()).filter(|side| self.sides[*side] != one).collect();
        let finite: Vec<usize> =
            long.iter().copied().filter(|side| self.sides[*side] != Length::Omega).collect();
        let all_two = finite.iter().all(|side| self.sides[*side] == two);
        let bite_at = |at: u64, bitten: &[usize], leaves: &'static str| {
            let place = |side| if bitten.contains(&side) { at } else { 1 };
            Some(((0..self.sides.len()).map(place).collect(), leaves))
        };
        let by_two_rows = "From 2×ω every bite leaves a position with a reply that leaves row 1 \
                           one square longer than row 2: fact 10 (b).";
        let (bite, why) = match (long.len(), &finite[..]) {
            (1, _) => (bite_at(2, &long, "the poison"), "Only the poison is left."),
            (2, [_]) if all_two => (None, by_two_rows),
            (2, [side]) => (bite_at(3, &[*side], "2×ω, a P-position"), by_two_rows),
            (2, []) => (
                bite_at(2, &long, "two chains of ω elements that have the poison in common"),
                "Answer each bite in one of these chains by the bite that leaves as many elements \
                 of the other: fact 10 (e).",
            ),
            (3, [side, _]) if all_two => {
                (bite_at(2, &[*side], "2×ω, a P-position"), "Fact 10 (g); 2×ω is P by fact 10 (b).")
            }
            _ => return Err(NotDecided { board: self.clone() }),
        };
        Ok(Decided { bite, why })
    }
}

/// Reads sides with `x`, `×` or `⊗` between them, each a number or a name of ω.
impl FromStr for InfiniteBoard {
    type Err = NotInfinite;

    fn from_str(text: &str) -> Result<Self, NotInfinite> {
        let side = |part: &str| match part.trim() {
            part if is_omega(part) => Ok(Length::Omega),
            part => part.parse::<Length>(),
        };
        let sides: Result<Vec<Length>, _> = text.split(['x', '×', '⊗']).map(side).collect();
        let sides = sides.map_err(|_no_number| NotInfinite)?;
        let is_board = sides.contains(&Length::Omega) && !sides.contains(&Length::from(0_u16));
        if is_board { Ok(Self { sides }) } else { Err(NotInfinite) }
    }
}

/// `2×2×ω`.
impl fmt::Display for InfiniteBoard {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&joined(&self.sides, "×"))
    }
}
