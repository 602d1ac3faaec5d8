//! Products of chains on the command line: with ω among them, or more than two.

use ask::notation::number;
use driver::{Error, InfiniteBoard, Theorem};
use game::{NotationError, Written};
use posets::{NamedPoset, Solver};
use record::joined;
use serde::Serialize;

use super::poset;
use crate::failure;
use ask::json;

/// A product of chains that is no position of rows.
pub enum Product {
    Infinite(InfiniteBoard),
    /// More than two chains, and the numbers of their elements.
    Finite(Vec<u64>),
}

impl Product {
    /// The product that a text names.
    pub fn read(text: &str) -> Option<Self> {
        if let Ok(board) = text.trim().parse() {
            return Some(Self::Infinite(board));
        }
        let Err(NotationError::Product { .. }) = Written::<u64>::read(text) else { return None };
        let sides = text.split(['x', 'X', '×', '⊗']).map(|side| number(side.trim()).ok());
        sides.collect::<Option<_>>().map(Self::Finite)
    }

    /// Says who wins it, and by which bites as far as this is found: in some seconds, or with `all`
    /// in the memory of `chomp poset`.
    pub fn print(&self, all: bool, as_json: bool) -> Result<(), Error> {
        let decision = match self {
            Self::Infinite(board) => Decision::by_strategy(board)?,
            Self::Finite(sides) => {
                let elements = sides.iter().fold(1, |all: u64, &side| all.saturating_mul(side));
                if elements <= Solver::LARGEST as u64 {
                    let named = format!("chains {}", joined(sides, " ")).parse::<NamedPoset>();
                    return poset::product(&named.map_err(Error::usage)?, all, as_json);
                }
                Decision::by_stealing(sides)
            }
        };
        failure::print_or(as_json, || &decision, || decision.words())
    }
}

/// Who wins a product that is not searched; `--json` prints it.
#[derive(Serialize)]
struct Decision {
    #[serde(skip)]
    name: String,
    product: Vec<String>,
    outcome: char,
    winning_bites: Vec<ProductBite>,
    all_bites: bool,
    why: String,
}

/// A bite that wins.
#[derive(Serialize)]
struct ProductBite {
    square: Vec<String>,
    /// The product that is left, if it is one.
    leaves: Option<Vec<String>>,
    #[serde(skip)]
    leaves_in_words: &'static str,
}

impl Decision {
    fn by_strategy(board: &InfiniteBoard) -> Result<Self, Error> {
        let decided = board.decide().map_err(Error::incomplete)?;
        let name = board.to_string();
        let product: Vec<String> = name.split('×').map(str::to_owned).collect();
        let bites = decided.bite.iter().map(|(square, leaves_in_words)| {
            let mut bitten = (0..square.len()).filter(|&chain| square[chain] > 1);
            let leaves = match (bitten.next(), bitten.next()) {
                (Some(chain), None) => {
                    let mut left = product.clone();
                    left[chain] = (square[chain] - 1).to_string();
                    Some(left)
                }
                _ => None,
            };
            ProductBite { square: json::lengths(square), leaves, leaves_in_words }
        });
        Ok(Self {
            outcome: if decided.bite.is_some() { 'N' } else { 'P' },
            winning_bites: bites.collect(),
            all_bites: decided.bite.is_none(),
            why: decided.why.to_owned(),
            product,
            name,
        })
    }

    fn by_stealing(sides: &[u64]) -> Self {
        let (theorem, largest) = (Theorem::StrategyStealing, Solver::LARGEST);
        Self {
            name: joined(sides, "x"),
            product: json::lengths(sides),
            outcome: 'N',
            winning_bites: Vec::new(),
            all_bites: false,
            why: format!(
                "{theorem}.\nWhich bites win was not computed: a search takes at most {largest} \
                 elements."
            ),
        }
    }

    fn words(&self) -> String {
        let Self { name, outcome, winning_bites, why, .. } = self;
        let what = if *outcome == 'P' { "a P-position" } else { "an N-position" };
        let bite = |ProductBite { square, leaves_in_words, .. }: &ProductBite| {
            format!("A bite at ({}) wins; it leaves {leaves_in_words}.\n", joined(square, ","))
        };
        let bites: String = winning_bites.iter().map(bite).collect();
        format!("{name} is {what}.\n{bites}{why}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn omega_has_many_names_in_a_product() {
        for omega in ["ω", "Ω", "OMEGA", "∞", "inf", "Infinity", "oo"] {
            assert!(Product::read(&format!("2x2x{omega}")).is_some(), "{omega}");
        }
    }
}
