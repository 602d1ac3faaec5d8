//! Chomp for Python: the crate `driver`, and figures, as a module.
//!
//! It is called `chomp._chomp`; the package `chomp` (folder `package`) hands on its names, which
//! `_chomp.pyi` there states with types. What does not belong here: mathematics, and decisions
//! about engines.

#![allow(rustdoc::broken_intra_doc_links, reason = "comments are docstrings, with Python's lists")]

use pyo3::prelude::*;

mod ask;
mod bite;
mod board;
mod column;
mod data_set;
mod failure;
mod families;
mod figure;
mod grundy;
mod html;
mod ledger;
mod lines;
mod losers;
mod natural;
mod object;
mod poset;
mod position;
mod query;
mod row;
mod row_iterator;
mod rows;
mod sequence;
mod source;
mod table;
mod why;
mod work;

/// The module.
#[pymodule]
mod _chomp {
    #[pymodule_export]
    use super::ask::ask;
    #[pymodule_export]
    use super::bite::PyBite;
    #[pymodule_export]
    use super::board::{PyBoard, board};
    #[pymodule_export]
    use super::column::PyColumn;
    #[pymodule_export]
    use super::data_set::{PyVerdict, verify, write};
    #[pymodule_export]
    use super::failure::{IncompleteError, NoValueError, RefutedError};
    #[pymodule_export]
    use super::families::{family, levels, tail};
    #[pymodule_export]
    use super::figure::{PyFigure, figure};
    #[pymodule_export]
    use super::grundy::{PyBites, bites, grundy};
    #[pymodule_export]
    use super::ledger::reproduce;
    #[pymodule_export]
    use super::losers::{PyLosers, losers};
    #[pymodule_export]
    use super::poset::{PyPoset, poset};
    #[pymodule_export]
    use super::query::{PyAnswer, f, is_p, query, winning_bites};
    #[pymodule_export]
    use super::row::{PyCertificate, PyOffsets, PyRow};
    #[pymodule_export]
    use super::row_iterator::PyRowIterator;
    #[pymodule_export]
    use super::rows::{PyRows, read, row, rows};
    #[pymodule_export]
    use super::sequence::seq;
    #[pymodule_export]
    use super::table::{PyTable, table};
    #[pymodule_export]
    use super::why::{PyExplanation, why};

    #[pymodule_export]
    const LARGEST_ROW: u64 = driver::LARGEST_ROW;

    #[pymodule_init]
    fn init(module: &pyo3::Bound<pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        pyo3::types::PyModuleMethods::add(module, "__version__", env!("CARGO_PKG_VERSION"))
    }
}
