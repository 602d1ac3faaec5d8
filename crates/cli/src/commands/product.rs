//! Products of chains on the command line: with ω among them, or more than two.

use driver::{ChainProduct, Error};
use posets::{NamedPoset, Solver};
use record::joined;

use super::poset;
use crate::failure;

/// Says who wins it, and by which bites as far as this is found: in some seconds, or with `all` in
/// the memory of `chomp poset`.
pub fn print(product: &ChainProduct, all: bool, as_json: bool) -> Result<(), Error> {
    let searched = product.finite_sides().filter(|(_, all)| *all <= Solver::LARGEST as u64);
    if let Some((sides, _)) = searched {
        let named = format!("chains {}", joined(&sides, " ")).parse::<NamedPoset>();
        return poset::product(&named.map_err(Error::usage)?, all, as_json);
    }
    let answer = product.decide().map_err(Error::incomplete)?;
    failure::print_or(as_json, || &answer, || answer.to_string())
}
