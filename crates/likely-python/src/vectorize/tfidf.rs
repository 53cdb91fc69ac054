//! Rows of counts to rows of tf-idf weights, in place.

use crate::boundary::detached::detached;
use crate::boundary::documents::stop;
use crate::boundary::errors::{named, to_python};
use likely_core::vectorize::tfidf::{Norm, Weighting};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;

/// The values, columns and row starts of a matrix whose values are changed.
type PartsIn<'py> = (PyReadwriteArray1<'py, f64>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Weighs the values of a matrix in place: counts become logarithms if `sublinear`, each column is multiplied by its
/// factor, and each row is brought to the length 1 of the norm.
#[pyfunction]
#[pyo3(signature = (parts, factors, sublinear, norm, threads))]
pub(crate) fn weigh_rows(
    py: Python<'_>,
    parts: PartsIn<'_>,
    factors: Option<PyReadonlyArray1<'_, f64>>,
    sublinear: bool,
    norm: Option<&str>,
    threads: usize,
) -> PyResult<()> {
    let norm = match norm {
        None => None,
        Some("l1") => Some(Norm::Sum),
        Some("l2") => Some(Norm::Length),
        Some(other) => {
            return Err(named(py, "OptionError", format!("norm is {other:?}: give 'l1', 'l2' or None")));
        }
    };
    let (mut values, columns, starts) = parts;
    let factors = factors.as_ref().map(|factors| factors.as_slice()).transpose()?;
    let (values, weighting) = (values.as_slice_mut()?, Weighting { sublinear, factors, norm });
    let done = match columns.cast::<PyArray1<i32>>() {
        Ok(columns) => {
            let (columns, starts) = (columns.readonly(), starts.extract::<PyReadonlyArray1<'_, i32>>()?);
            let (columns, starts) = (columns.as_slice()?, starts.as_slice()?);
            detached(py, |_| weighting.weigh(starts, columns, values, threads, &stop))
        }
        // A matrix of more than 2^31 entries has indices of 64 bits in scipy.
        Err(_) => {
            let columns = columns.extract::<PyReadonlyArray1<'_, i64>>()?;
            let starts = starts.extract::<PyReadonlyArray1<'_, i64>>()?;
            let (columns, starts) = (columns.as_slice()?, starts.as_slice()?);
            detached(py, |_| weighting.weigh(starts, columns, values, threads, &stop))
        }
    };
    done.map_err(|error| to_python(py, error, 0))
}
