//! Numbers of squares: Python integers of any size that are not negative.

use num_bigint::BigUint;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt};

/// An integer, or an object with `__index__` (an integer of Sage or `NumPy`).
///
/// `PyO3` converts integers of num-bigint 0.4 only.
#[derive(Clone, Debug)]
pub struct Natural(pub BigUint);

impl<'py> FromPyObject<'_, 'py> for Natural {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number = object.py().import("operator")?.call_method1("index", (object,))?;
        if number.lt(0)? {
            let number = brief(&number)?;
            return Err(PyValueError::new_err(format!(
                "{number} is negative; count squares from 0"
            )));
        }
        let bits: usize = number.call_method0("bit_length")?.extract()?;
        let bytes = number.call_method1("to_bytes", (bits.div_ceil(8), "little"))?;
        Ok(Self(BigUint::from_bytes_le(bytes.cast::<PyBytes>()?.as_bytes())))
    }
}

impl<'py> IntoPyObject<'py> for Natural {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        let bytes = PyBytes::new(py, &self.0.to_bytes_le());
        py.get_type::<PyInt>().call_method1("from_bytes", (bytes, "little"))
    }
}

/// The number of a row.
#[derive(Clone, Copy, Debug)]
pub struct RowNumber(pub u64);

impl<'py> FromPyObject<'_, 'py> for RowNumber {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Natural(number) = object.extract()?;
        u64::try_from(&number).map(Self).map_err(|_too_large| {
            let (largest, digits) = (driver::LARGEST_ROW, number.to_string().len());
            PyValueError::new_err(format!(
                "rows go to {largest} here, and a row of {digits} digits is asked for"
            ))
        })
    }
}

/// Of a long number, that it is long.
fn brief(number: &Bound<PyAny>) -> PyResult<String> {
    let bits: usize = number.call_method0("bit_length")?.extract()?;
    if bits <= 128 { Ok(number.str()?.to_string()) } else { Ok(format!("a number of {bits} bits")) }
}
