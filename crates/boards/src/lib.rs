//! Chomp on finite boards with any number of rows, and on other posets, solved.
//!
//! - [`grundy`]: Grundy values of three rows, by a full table.
//! - [`rectangles`]: all positions of a rectangle at once, a bit each.
//! - [`openings`]: winning openings of rectangles.
//! - [`squares`]: all boards with a given number of squares, and how many of them are P.
//! - [`strategy`]: the reply to every bite of a P-position, as Cho draws it.
//! - [`posets`]: Chomp on a poset, position by position.
//!
//! The rules are in `game`, with [`game::Search`], the oracle that both are tested against. What
//! does not belong here: drawing, files, and what is known of boards without end.

pub mod grundy;
mod ones;
pub mod openings;
pub mod posets;
pub mod rectangles;
pub mod squares;
pub mod strategy;
