//! A finite poset beside two growing chains: the description of a family of rows (fact 13).

mod ideals;
mod order;
mod poset;
mod text;

pub use ideals::{Ideals, TooManyIdeals};
pub use poset::{GrowingPoset, Heights};
