//! Exact amounts as two arrays: the whole parts, and the fractions in units of 2^-64.

use likely_core::count::fixed_point::Amount;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// Exact amounts on their way out.
pub(crate) type Exact<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>);
/// Exact amounts on their way in.
pub(crate) type ExactIn<'py> = (PyReadonlyArray1<'py, u64>, PyReadonlyArray1<'py, u64>);

/// The amounts of two arrays.
pub(crate) fn amounts(parts: &ExactIn<'_>) -> PyResult<Vec<Amount>> {
    let (whole, fraction) = (parts.0.as_slice()?, parts.1.as_slice()?);
    Ok(whole.iter().zip(fraction).map(|(&whole, &fraction)| Amount::new(whole, fraction)).collect())
}

/// Two arrays for some amounts.
pub(crate) fn exact<'py>(py: Python<'py>, amounts: impl Iterator<Item = Amount>) -> Exact<'py> {
    let (whole, fraction): (Vec<u64>, Vec<u64>) =
        amounts.map(|amount| (amount.whole(), amount.fraction())).unzip();
    (whole.into_pyarray(py), fraction.into_pyarray(py))
}
