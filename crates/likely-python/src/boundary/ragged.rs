//! `Ragged`: the one ragged table at the boundary.

use crate::boundary::errors::to_python;
use likely_core::error::Error;
use likely_core::ragged::Ragged as Core;
use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// A table whose row `r` has the entries `starts[r]:starts[r + 1]` of `columns` and `values`. Every column is below
/// `width`, unless that is None.
#[pyclass(frozen, get_all, module = "likely._native")]
pub(crate) struct Ragged {
    starts: Py<PyArray1<i64>>,
    columns: Py<PyArray1<u32>>,
    values: Option<Py<PyAny>>,
    width: Option<usize>,
}

#[pymethods]
impl Ragged {
    #[new]
    #[pyo3(signature = (starts, columns, values=None, width=None))]
    fn new(
        starts: Py<PyArray1<i64>>,
        columns: Py<PyArray1<u32>>,
        values: Option<Py<PyAny>>,
        width: Option<usize>,
    ) -> Self {
        Self { starts, columns, values, width }
    }
}

impl Ragged {
    /// The table that consists of these parts, with values of a type that numpy has.
    pub(crate) fn of<T: Element>(
        py: Python<'_>,
        starts: Vec<i64>,
        columns: Vec<u32>,
        values: Option<Vec<T>>,
        width: Option<usize>,
    ) -> Self {
        Self {
            starts: starts.into_pyarray(py).unbind(),
            columns: columns.into_pyarray(py).unbind(),
            values: values.map(|values| values.into_pyarray(py).into_any().unbind()),
            width,
        }
    }

    /// The arrays of the table, so that the kernel can look at them.
    pub(crate) fn read<'py>(&self, py: Python<'py>) -> PyResult<Arrays<'py>> {
        let (starts, columns) = (self.starts.bind(py).extract()?, self.columns.bind(py).extract()?);
        Ok(Arrays { py, starts, columns, width: self.width })
    }

    /// The values, which must be of the wanted type.
    pub(crate) fn values<'py, T: Element>(&self, py: Python<'py>) -> PyResult<PyReadonlyArray1<'py, T>> {
        match &self.values {
            Some(values) => Ok(values.bind(py).extract()?),
            None => Err(unsound(py)),
        }
    }
}

/// The arrays of a table while it is being read.
pub(crate) struct Arrays<'py> {
    py: Python<'py>,
    starts: PyReadonlyArray1<'py, i64>,
    columns: PyReadonlyArray1<'py, u32>,
    width: Option<usize>,
}

impl Arrays<'_> {
    /// The table as the kernel knows it. It is checked each time, because the arrays may have changed since.
    pub(crate) fn table(&self) -> PyResult<Core<'_>> {
        let (starts, columns) = (self.starts.as_slice()?, self.columns.as_slice()?);
        let least = || columns.iter().max().map_or(0, |&last| last as usize + 1);
        Core::new(starts, columns, self.width.unwrap_or_else(least)).ok_or_else(|| unsound(self.py))
    }
}

/// The error for a table whose parts do not fit each other.
pub(crate) fn unsound(py: Python<'_>) -> PyErr {
    to_python(py, Error::Misfit, 0)
}
