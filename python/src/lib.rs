//! Rows of three-rowed Chomp for Python: the crate `driver`, and figures, as a module.
//!
//! It is called `chomp._chomp`; the package `chomp` (folder `package`) hands on its names, which
//! `_chomp.pyi` there states with types. What does not belong here: mathematics, and decisions
//! about engines.

use pyo3::prelude::*;

mod data_set;
mod failure;
mod figure;
mod html;
mod natural;
mod position;
mod row;
mod rows;
mod table;
mod work;

/// The module.
#[pymodule]
mod _chomp {
    #[pymodule_export]
    use super::data_set::{PyVerdict, verify, write};
    #[pymodule_export]
    use super::failure::{IncompleteError, RefutedError};
    #[pymodule_export]
    use super::figure::{PyFigure, figure};
    #[pymodule_export]
    use super::position::{PyBite, f, is_p, winning_bites};
    #[pymodule_export]
    use super::row::{PyCertificate, PyRow};
    #[pymodule_export]
    use super::rows::{PyRows, row, rows};
    #[pymodule_export]
    use super::table::{PyTable, table};

    #[pymodule_export]
    const LARGEST_ROW: u64 = driver::LARGEST_ROW;

    #[pymodule_init]
    fn init(module: &pyo3::Bound<pyo3::types::PyModule>) -> pyo3::PyResult<()> {
        pyo3::types::PyModuleMethods::add(module, "__version__", env!("CARGO_PKG_VERSION"))
    }
}
