//! Chomp on finite boards with any number of rows, solved.
//!
//! - [`four_rows`]: P-positions of four rows, counted.
//! - [`grundy`]: Grundy values of three rows, by a full table.
//! - [`rectangles`]: all positions of a rectangle at once, a bit each.
//! - [`sieve`]: all P-positions with m rows of up to n squares, by length of row 1.
//! - [`openings`]: winning openings of rectangles.
//! - [`squares`]: all boards with a given number of squares, and how many of them are P.
//! - [`strategy`]: the reply to every bite of a P-position, as Cho draws it.
//!
//! The rules are in `game`, with [`game::Search`], the oracle of this crate. Not here:
//! other posets (`posets`), drawing, files, and boards without end.

pub mod four_rows;
pub mod grundy;
pub mod openings;
pub mod rectangles;
pub mod sieve;
pub mod squares;
pub mod strategy;
