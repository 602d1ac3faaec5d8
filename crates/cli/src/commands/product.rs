//! Products of chains on the command line: with ω among them, or more than two.

use ask::notation::number;
use driver::{Error, InfiniteBoard, ProductAnswer};
use game::{NotationError, Written};
use posets::{NamedPoset, Solver};
use record::joined;

use super::poset;
use crate::failure;

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
        let answer = match self {
            Self::Infinite(board) => board.decide().map_err(Error::incomplete)?,
            Self::Finite(sides) => {
                let elements = sides.iter().fold(1, |all: u64, &side| all.saturating_mul(side));
                if elements <= Solver::LARGEST as u64 {
                    let named = format!("chains {}", joined(sides, " ")).parse::<NamedPoset>();
                    return poset::product(&named.map_err(Error::usage)?, all, as_json);
                }
                ProductAnswer::by_stealing(sides, Solver::LARGEST)
            }
        };
        failure::print_or(as_json, || &answer, || answer.to_string())
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
