//! The rules against the papers, and the oracles against each other.

mod grundy;
mod impartial;
mod oracles;
mod papers;
mod rules;
