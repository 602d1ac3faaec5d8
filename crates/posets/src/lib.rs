//! Chomp on a finite poset: a bite takes an element and all elements above it.
//!
//! With a *poison*, the least element, this is the game Chomp₀ of the 2005 paper, section 1: the
//! player who must take the poison loses, so a position keeps it. Without one it is the paper's
//! Chomp: the player who cannot move loses. Chomp₀ on a poset is Chomp on the poset without its
//! least element.
//!
//! - [`Poset`]: elements and their order, with its known symmetry; [`DownSet`]: a position. A poset
//!   is an [`ImpartialGame`](game::ImpartialGame), so [`game::Search`] is the oracle of this crate.
//! - [`NamedPoset`] and [`Graph`]: posets with a name.
//! - [`Solver`]: outcomes and Grundy values, memoised up to symmetry and fact 11.
//! - [`SymmetryStrategy`]: a bite that wins, verified by fact 11, also beyond the reach of a
//!   search.
//!
//! ```
//! use std::ops::ControlFlow;
//! use posets::{NamedPoset, Solver};
//! use game::Outcome;
//!
//! let poset = "boolean 4".parse::<NamedPoset>()?.poset()?;
//! let mut solver = Solver::new(&poset, 100_000, &|_| ControlFlow::Continue(()));
//! let full = poset.full();
//! assert_eq!(solver.outcome(&full)?, Outcome::N);
//! let bites: Vec<&str> =
//!     solver.winning_bites(&full)?.into_iter().map(|bite| poset.name(bite)).collect();
//! assert_eq!(bites, ["1234"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod geometry;
mod graph;
mod growing;
mod named;
mod poset;
mod solver;
mod symmetry;
mod symmetry_strategy;

pub use graph::Graph;
pub use growing::{GROWING, growing};
pub use named::{LIST, NamedPoset};
pub use poset::{DownSet, Poset, PosetError};
pub use solver::{OnProgress, Solver, Unfinished};
pub use symmetry::{Permutation, Symmetry};
pub use symmetry_strategy::SymmetryStrategy;
