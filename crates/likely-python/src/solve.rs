//! `order_rows` and `solve_linear`: rows of documents to the weights of linear classifiers.

use crate::boundary::documents::stop;
use crate::boundary::errors::{named, to_python};
use likely_core::solve::linear::{Limits, Loss, Problems, Sparse};
use likely_core::solve::ordered_rows::order_rows as core_order_rows;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

type Ordered<'py> =
    (Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>);

/// Documents in an order that is theirs alone: which of the given each is, where each starts, the columns of each, and
/// how often each occurs. `places` is the column of a term by id, 2^32 - 1 for one that is left out; so are documents
/// of weight 0.
#[pyfunction]
#[pyo3(signature = (starts, ids, frequencies, places, own, weights))]
pub(crate) fn order_rows<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'_, i64>,
    ids: PyReadonlyArray1<'_, u32>,
    frequencies: PyReadonlyArray1<'_, u32>,
    places: PyReadonlyArray1<'_, u32>,
    own: PyReadonlyArray1<'_, u32>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<Ordered<'py>> {
    let (starts, ids, frequencies) = (starts.as_slice()?, ids.as_slice()?, frequencies.as_slice()?);
    let (places, own) = (places.as_slice()?, own.as_slice()?);
    let weights = weights.as_ref().map_or(Ok(&[][..]), |weights| weights.as_slice())?;
    let whole = starts.first() == Some(&0) && starts.last() == Some(&(ids.len() as i64)) && starts.is_sorted();
    let weighed = weights.is_empty() || weights.len() == own.len();
    if !whole || !weighed || starts.len() != own.len() + 1 || ids.len() != frequencies.len() {
        return Err(named(py, "LengthError", "the rows are not those of the documents".into()));
    }
    let found = py
        .detach(|| core_order_rows(starts, ids, frequencies, places, own, weights, &stop))
        .map_err(|error| to_python(py, error, 0))?;
    Ok((
        found.order.into_pyarray(py),
        found.starts.into_pyarray(py),
        found.columns.into_pyarray(py),
        found.frequencies.into_pyarray(py),
    ))
}

/// The weights of linear classifiers on the same rows, a row a problem: a weight a column, already times its factor,
/// and then the bias. `sides` is the class of each problem, whose rows are on the one side; `factors` has a row a
/// problem; `loss` is "hinge", which is squared, or "logistic".
#[pyfunction]
#[pyo3(signature = (starts, columns, values, own, costs, sides, factors, loss, tolerance, most, threads))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn solve_linear<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'_, i64>,
    columns: PyReadonlyArray1<'_, u32>,
    values: PyReadonlyArray1<'_, f32>,
    own: PyReadonlyArray1<'_, u32>,
    costs: PyReadonlyArray1<'_, f64>,
    sides: PyReadonlyArray1<'_, u32>,
    factors: PyReadonlyArray2<'_, f64>,
    loss: &str,
    tolerance: f64,
    most: usize,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let loss = match loss {
        "hinge" => Loss::Hinge,
        "logistic" => Loss::Logistic,
        other => return Err(named(py, "OptionError", format!("no such loss: {other:?}"))),
    };
    let rows = Sparse { starts: starts.as_slice()?, columns: columns.as_slice()?, values: values.as_slice()? };
    let [problems, width] = [factors.shape()[0], factors.shape()[1]];
    let (own, costs, sides) = (own.as_slice()?, costs.as_slice()?, sides.as_slice()?);
    let fits = own.len() + 1 == rows.starts.len() && costs.len() == own.len() && sides.len() == problems;
    if !fits || !rows.is_sound(width) || costs.iter().any(|&cost| cost.is_nan() || cost <= 0.0) {
        return Err(named(py, "LengthError", "the rows are not those of the documents".into()));
    }
    let limits = Limits { tolerance, most };
    let factors = factors.as_slice()?;
    let problems = Problems { rows, width, own, costs, sides, factors, loss, limits };
    let solved = py.detach(|| problems.solve(threads, &stop)).map_err(|error| to_python(py, error, 0))?;
    PyArray1::from_vec(py, solved).reshape([sides.len(), width + 1])
}
