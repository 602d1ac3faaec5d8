//! Products of chains, some of ω elements, that a strategy decides: fact 10 of `proofs/README.md`.

use std::fmt;
use std::str::FromStr;

use game::is_omega;
use record::joined;
use serde::Serialize;
use thiserror::Error;

use crate::{Length, Theorem};

/// A product of chains, at least one of them with ω elements: `ω×ω`, `2×2×ω`. Its least element is
/// the poison.
///
/// ```
/// use answers::InfiniteBoard;
/// let decided = "2x2xω".parse::<InfiniteBoard>()?.decide()?;
/// assert_eq!(decided.winning_bites[0].square, ["2", "1", "1"]);
/// assert!("3x3xω".parse::<InfiniteBoard>()?.decide().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InfiniteBoard {
    sides: Vec<Length>,
}

/// Who wins a product of chains that no search decides. `Display` says it in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProductAnswer {
    #[serde(skip)]
    name: String,
    /// The numbers of elements of the chains.
    pub product: Vec<String>,
    /// P or N.
    pub outcome: char,
    /// Bites that win: one, if one is known.
    pub winning_bites: Vec<ProductBite>,
    /// Whether no other bite wins.
    pub all_bites: bool,
    /// The strategy or the theorem, in words.
    pub why: String,
}

/// A bite that wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProductBite {
    /// Its coordinates, from 1 at the poison.
    pub square: Vec<String>,
    /// The product that is left, if it is one.
    pub leaves: Option<Vec<String>>,
    #[serde(skip)]
    leaves_in_words: &'static str,
}

impl ProductAnswer {
    /// The answer about a finite product that is too large for a search of this many elements.
    #[must_use]
    pub fn by_stealing(sides: &[u64], largest: usize) -> Self {
        let theorem = Theorem::StrategyStealing;
        Self {
            name: joined(sides, "x"),
            product: sides.iter().map(u64::to_string).collect(),
            outcome: 'N',
            winning_bites: Vec::new(),
            all_bites: false,
            why: format!(
                "{theorem}.\nWhich bites win was not computed: a search takes at most {largest} \
                 elements."
            ),
        }
    }
}

impl fmt::Display for ProductAnswer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { name, outcome, winning_bites, why, .. } = self;
        let what = if *outcome == 'P' { "a P-position" } else { "an N-position" };
        writeln!(f, "{name} is {what}.")?;
        for ProductBite { square, leaves_in_words, .. } in winning_bites {
            writeln!(f, "A bite at ({}) wins; it leaves {leaves_in_words}.", joined(square, ","))?;
        }
        writeln!(f, "{why}")
    }
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
    pub fn decide(&self) -> Result<ProductAnswer, NotDecided> {
        let (one, two) = (Length::from(1_u16), Length::from(2_u16));
        let long: Vec<usize> =
            (0..self.sides.len()).filter(|side| self.sides[*side] != one).collect();
        let finite: Vec<usize> =
            long.iter().copied().filter(|side| self.sides[*side] != Length::Omega).collect();
        let all_two = finite.iter().all(|side| self.sides[*side] == two);
        let product: Vec<String> = self.sides.iter().map(Length::to_string).collect();
        let bite_at = |at: u64, bitten: &[usize], leaves_in_words| {
            let place = |side| if bitten.contains(&side) { at } else { 1 }.to_string();
            let square = (0..self.sides.len()).map(place).collect();
            let mut left = product.clone();
            for &side in bitten {
                left[side] = (at - 1).to_string();
            }
            let leaves = (bitten.len() == 1).then_some(left);
            vec![ProductBite { square, leaves, leaves_in_words }]
        };
        let by_two_rows = "From 2×ω every bite leaves a position with a reply that leaves row 1 \
                           one square longer than row 2: fact 10 (b).";
        let (winning_bites, why) = match (long.len(), &finite[..]) {
            (1, _) => (bite_at(2, &long, "the poison"), "Only the poison is left."),
            (2, [_]) if all_two => (Vec::new(), by_two_rows),
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
        let is_p = winning_bites.is_empty();
        Ok(ProductAnswer {
            name: self.to_string(),
            outcome: if is_p { 'P' } else { 'N' },
            all_bites: is_p,
            why: why.to_owned(),
            product,
            winning_bites,
        })
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
