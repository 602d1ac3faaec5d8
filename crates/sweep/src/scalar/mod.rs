//! The engines that decide cell by cell, row by row.
//!
//! | module | contents |
//! |---|---|
//! | `plain`, `pointer`, `windows` | three ways to find the value of a cell |
//! | `columns` | the memory of columns: one bit for every number |
//! | `oracle` | the walk along a row, which is the same for all |

mod columns;
pub(crate) mod oracle;
pub mod plain;
pub mod pointer;
pub mod windows;

pub(crate) use {columns::NumberSet, oracle::Oracle};
