//! Products of chains that are no positions of rows, and who wins them: by a strategy of fact 10 of
//! `proofs/README.md`, or by strategy stealing.

use std::fmt;
use std::str::FromStr;

use game::notation::{digits, is_omega};
use record::joined;
use serde::Serialize;
use thiserror::Error;

use crate::{Length, Theorem};

/// A product of chains, at least one of them with ω elements, or more than two of them: `ω×ω`,
/// `2×2×ω`, `2×2×5`. Its least element is the poison.
///
/// ```
/// use answers::ChainProduct;
/// let decided = "2x2xω".parse::<ChainProduct>()?.decide()?;
/// assert_eq!(decided.winning_bites[0].square, ["2", "1", "1"]);
/// assert!("3x3xω".parse::<ChainProduct>()?.decide().is_err());
/// assert_eq!("2x2x5".parse::<ChainProduct>()?.decide()?.outcome, 'N');
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChainProduct {
    sides: Vec<Length>,
}

/// Who wins a product of chains that no search decides. `Display` says it in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProductAnswer {
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProductBite {
    /// Its coordinates, from 1 at the poison.
    pub square: Vec<String>,
    /// The product that is left, if it is one.
    pub leaves: Option<Vec<String>>,
    #[serde(skip)]
    leaves_in_words: &'static str,
}

impl fmt::Display for ProductAnswer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { product, outcome, winning_bites, why, .. } = self;
        let what = if *outcome == 'P' { "a P-position" } else { "an N-position" };
        writeln!(f, "{} is {what}.", joined(product, "×"))?;
        for ProductBite { square, leaves_in_words, .. } in winning_bites {
            writeln!(f, "A bite at ({}) wins; it leaves {leaves_in_words}.", joined(square, ","))?;
        }
        writeln!(f, "{why}")
    }
}

/// The text is no such product.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a product of chains has an ω among them, or more than two, such as 2x2xω")]
pub struct NoProduct;

/// Nobody wins it, or no strategy here says who does.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{board} is not decided: {why}")]
pub struct NotDecided {
    /// The board.
    pub board: ChainProduct,
    why: &'static str,
}

const NO_STRATEGY: &str = "fact 10 of the proofs has a strategy for ω, m×ω, ω×ω and 2×2×ω, and no \
                           search of an infinite board ends";

impl ChainProduct {
    /// The numbers of elements of the chains, and of all of them, if they fit into 64 bits.
    pub fn finite_sides(&self) -> Option<(Vec<u64>, u64)> {
        let small = |side: &Length| u64::try_from(side.finite()?).ok();
        let sides = self.sides.iter().map(small).collect::<Option<Vec<u64>>>()?;
        let elements = sides.iter().try_fold(1_u64, |all, side| all.checked_mul(*side))?;
        Some((sides, elements))
    }

    /// Who wins: of a finite product that the first player does, without a bite.
    ///
    /// # Errors
    /// [`NotDecided`] for infinite boards that fact 10 is not about.
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
        let undecided = |why| Err(NotDecided { board: self.clone(), why });
        // With one long chain a bite is known.
        let is_stolen = long.len() > 1 && finite.len() == long.len();
        let stolen = format!("{}.\nWhich bites win was not computed.", Theorem::StrategyStealing);
        let (winning_bites, why) = match (long.len(), &finite[..]) {
            _ if self.sides.contains(&Length::from(0_u16)) => {
                return undecided("a chain has at least 1 element");
            }
            (0, _) => (Vec::new(), "Only the poison is left."),
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
            _ if is_stolen => (Vec::new(), stolen.as_str()),
            _ => return undecided(NO_STRATEGY),
        };
        let is_p = winning_bites.is_empty() && !is_stolen;
        Ok(ProductAnswer {
            outcome: if is_p { 'P' } else { 'N' },
            all_bites: is_p,
            why: why.to_owned(),
            product,
            winning_bites,
        })
    }
}

/// Reads sides with `x`, `×` or `⊗` between them, each a number or a name of ω.
impl FromStr for ChainProduct {
    type Err = NoProduct;

    fn from_str(text: &str) -> Result<Self, NoProduct> {
        let side = |part: &str| match part.trim() {
            part if is_omega(part) => Some(Length::Omega),
            part => digits(part).ok()?.parse().ok(),
        };
        let sides = text.split(['x', 'X', '×', '⊗']).map(side).collect::<Option<Vec<_>>>();
        let sides = sides.filter(|sides| sides.len() > 2 || sides.contains(&Length::Omega));
        sides.map(|sides| Self { sides }).ok_or(NoProduct)
    }
}

/// `2×2×ω`.
impl fmt::Display for ChainProduct {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(&joined(&self.sides, "×"))
    }
}
