//! Sparse matrices as scipy wants them.

use crate::boundary::detached::detached;
use crate::boundary::documents::stop;
use crate::boundary::errors::to_python;
use likely_core::vectorize::gather::Gathering;
use likely_core::vectorize::matrix::sparse::Matrix;
use numpy::{Element, IntoPyArray};
use pyo3::prelude::*;

/// Values, columns and row starts. The latter two have the same type: int32 if that is large enough.
pub(crate) type Parts<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// A matrix as scipy wants it.
pub(crate) fn parts<T: Element>(py: Python<'_>, rows: Matrix<T>) -> Parts<'_> {
    let values = rows.values.into_pyarray(py).into_any();
    if rows.starts.last().is_some_and(|&end| end > i64::from(i32::MAX)) {
        let columns: Vec<i64> = rows.columns.into_iter().map(i64::from).collect();
        return (values, columns.into_pyarray(py).into_any(), rows.starts.into_pyarray(py).into_any());
    }
    let starts: Vec<i32> = rows.starts.into_iter().map(|start| start as i32).collect();
    (values, rows.columns.into_pyarray(py).into_any(), starts.into_pyarray(py).into_any())
}

/// The matrix of what was gathered, of float64 or int64.
pub(super) fn finish(py: Python<'_>, gathering: Gathering, binary: bool, floats: bool) -> PyResult<Parts<'_>> {
    let failed = |error| to_python(py, error, 0);
    if floats {
        return Ok(parts(py, detached(py, |_| gathering.finish::<f64>(binary, &stop)).map_err(failed)?));
    }
    Ok(parts(py, detached(py, |_| gathering.finish::<i64>(binary, &stop)).map_err(failed)?))
}
