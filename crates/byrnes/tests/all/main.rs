//! The papers' recurrence against the game, and against itself.

mod grundy;
mod instant_winners;
mod long;
mod oracles;
