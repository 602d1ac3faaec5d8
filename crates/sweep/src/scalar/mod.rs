//! The engines that decide one cell after the other, row by row.
//!
//! | module | what |
//! |---|---|
//! | `plain`, `pointer`, `windows` | three ways to find the value of a cell |
//! | `columns` | what columns remember: one bit for every number |
//! | `oracle` | the walk along a row, which is the same for all |

mod columns;
mod oracle;
pub mod plain;
pub mod pointer;
pub mod windows;

pub(crate) use {columns::NumberSet, oracle::Oracle};
