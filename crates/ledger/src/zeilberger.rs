//! Claims of Zeilberger 2003: `claims.ron`, and the functions that decide them.

pub mod levels;
pub mod moves;
pub mod recurrences;
pub mod rows;
