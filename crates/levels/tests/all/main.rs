//! The engine against the game, against the recurrence of the papers, and against itself.

mod exhaustive;
mod oracles;
mod posets;
