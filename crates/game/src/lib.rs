//! The rules of Chomp, and oracles that are slow and plain.
//!
//! - [`ThreeRows`]: three row lengths `p >= q >= r`, and [`ThreeRows::bites`], all positions one
//!   move away.
//! - [`GameTree`]: P or N of every position with `p <= n`, straight from the definition. The first
//!   oracle: everything else in the workspace is tested against it, or against something that was.
//! - [`brouwer::Table`]: Brouwer's recurrence for `f(q,r)`, word for word. The second oracle.
//! - [`ImpartialGame`]: positions and options of any impartial game, and [`Search`], its outcomes
//!   and Grundy values from the definitions. [`Chomp`] is one, whose positions are [`Board`]s with
//!   any number of rows.
//!
//! # The game
//!
//! A bar of chocolate has three rows, aligned at the left, none longer than the row above it. The
//! square at the top left is poison. Players alternate; a move is a *bite*: choose a square that is
//! still there and remove it with all squares to the right of it, below it, or both. A player who
//! must take the poison has no move left, and the other player wins. A position is a *P-position*
//! if the previous player wins and an *N-position* if the next player wins.
//!
//! ```
//! use game::{GameTree, Outcome, ThreeRows};
//!
//! let tree = GameTree::up_to(3);
//! let position = ThreeRows::new(3, 2, 1)?;
//! assert_eq!(tree.outcome(position), Some(Outcome::N));
//!
//! let replies: Vec<String> = position
//!     .bites()
//!     .filter(|&bite| tree.outcome(bite) == Some(Outcome::P))
//!     .map(|bite| bite.to_string())
//!     .collect();
//! assert_eq!(replies, ["(2,2,1)", "(3,1,1)", "(3,2,0)"]);
//! # Ok::<(), game::ThreeRowsError>(())
//! ```
//!
//! The example is from A. E. Brouwer, G. Horváth, I. Molnár-Sáska, C. Szabó, *On three-rowed
//! Chomp*, Integers 5 (2005) G07 (below, "the 2005 paper"), section 7.1, which names the first two
//! replies; the third is a P-position of row 0, section 8.
//!
//! # What does not belong here
//!
//! Anything clever: a reader must see at a glance that an oracle is right. Engines that reach
//! further are in `byrnes` and `sweep`; boards are solved in `boards`, posets in `posets`. The
//! crate reads no files and starts no threads, and builds for `wasm32-unknown-unknown`.

mod board;
pub mod brouwer;
mod impartial;
pub mod notation;
mod position;
mod tree;

pub use board::{Board, BoardError, Chomp, Square};
pub use impartial::{ImpartialGame, Search};
pub use notation::{Lengths, NotationError, Written, Wrong};
pub use position::{ThreeRows, ThreeRowsError};
pub use tree::{GameTree, Outcome};
