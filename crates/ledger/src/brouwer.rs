//! Claims of the 2005 paper, of Brouwer's page, and of an older copy of it: `claims.ron`, and the
//! functions that decide them. Other papers make some of these claims, too.

pub mod boards;
pub mod cells;
pub mod posets;
pub mod positions;
pub mod rows;
pub mod sequences;
