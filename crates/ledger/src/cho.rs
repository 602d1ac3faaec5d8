//! Claims of Cho 2018: `claims.ron`, and the functions that decide them.

pub mod boards;
pub mod positions;
