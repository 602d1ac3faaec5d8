//! The engines that decide cell by cell, row by row.
//!
//! | module | contents |
//! |---|---|
//! | `plain`, `pointer`, `windows` | three ways to find the value of a cell |
//! | `oracle` | the walk along a row and the memory of columns, which are the same for all |

pub(crate) mod oracle;
pub mod plain;
pub mod pointer;
pub mod windows;

pub(crate) use oracle::{NumberSet, Oracle};
