//! Products of chains on the command line: with ω among them, or more than two.

use driver::{InfiniteBoard, Theorem};
use game::{NotationError, Written};
use posets::Solver;
use record::joined;
use terminal::typed::number;

use super::poset;
use crate::failure::{self, Failure};

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
    pub fn print(&self, all: bool, as_json: bool) -> Result<(), Failure> {
        let sides = match self {
            Self::Infinite(board) => return print(board, as_json),
            Self::Finite(sides) => sides,
        };
        let elements = sides.iter().fold(1, |all: u64, &side| all.saturating_mul(side));
        if elements <= Solver::LARGEST as u64 {
            let named = format!("chains {}", joined(sides, " ")).parse().map_err(Failure::usage)?;
            return poset::product(&named, all, as_json);
        }
        let name = joined(sides, "x");
        if as_json {
            return Err(Failure::Usage(format!("there is no JSON of {name}; leave out --json")));
        }
        let theorem = Theorem::StrategyStealing;
        let too_large = "Which bites win was not computed: a search takes at most";
        failure::print(
            format!(
                "{name} is an N-position.\n{theorem}.\n{too_large} {} elements.\n",
                Solver::LARGEST
            )
            .as_bytes(),
        )
    }
}

/// Says who wins it, and by which bite, or why this is not decided.
fn print(board: &InfiniteBoard, as_json: bool) -> Result<(), Failure> {
    if as_json {
        let words = format!("there is no JSON of {board}; leave out --json");
        return Err(Failure::Usage(words));
    }
    let decided = board.decide().map_err(|error| Failure::Incomplete(error.to_string()))?;
    let why = decided.why;
    let text = match decided.bite {
        None => format!("{board} is a P-position.\n{why}\n"),
        Some((square, leaves)) => {
            let square = joined(&square, ",");
            format!(
                "{board} is an N-position.\nA bite at ({square}) wins; it leaves {leaves}.\n{why}\n"
            )
        }
    };
    failure::print(text.as_bytes())
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
