//! Rows of documents to the weights of linear classifiers.

use crate::boundary::detached::attempt;
use crate::boundary::documents::stop;
use crate::boundary::ragged::{Ragged, unsound};
use crate::boundary::settings::choice;
use likely_core::solve::linear::{Limits, Loss, Problems};
use likely_core::solve::ordered_rows::{self, Unordered};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Documents in an order that depends on nothing but the documents: the index of each among the given ones, and a
/// table with their columns and the frequency of each.
///
/// `rows` has the ids of terms as columns and their frequencies as values; `places` holds the column of a term by id,
/// `UNKNOWN` for a term that is left out. Documents of weight 0 are left out too.
#[pyfunction]
#[pyo3(signature = (rows, places, classes, weights))]
pub(crate) fn order_rows<'py>(
    py: Python<'py>,
    rows: &Ragged,
    places: PyReadonlyArray1<'_, u32>,
    classes: PyReadonlyArray1<'_, u32>,
    weights: Option<PyReadonlyArray1<'_, f64>>,
) -> PyResult<(Bound<'py, PyArray1<u32>>, Ragged)> {
    let (arrays, frequencies) = (rows.read(py)?, rows.values::<u32>(py)?);
    let weights = weights.as_ref().map_or(Ok(&[][..]), |weights| weights.as_slice())?;
    let (rows, frequencies, classes) = (arrays.table()?, frequencies.as_slice()?, classes.as_slice()?);
    let (documents, places) = (Unordered { rows, frequencies, classes, weights }, places.as_slice()?);
    if !documents.is_sound() {
        return Err(unsound(py));
    }
    let (order, found) = attempt(py, 0, |_| ordered_rows::order_rows(documents, places, &stop))?;
    let table = Ragged::of(py, found.starts, found.columns, Some(found.frequencies), None);
    Ok((order.into_pyarray(py), table))
}

/// How linear classifiers are solved. `loss` is "hinge", which is squared, or "logistic". A solution is good enough if
/// its duality gap is at most `tolerance` times what is to be least, or after `most_rounds` visits of the rows.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct LinearSolver {
    loss: Loss,
    limits: Limits,
    threads: usize,
}

#[pymethods]
impl LinearSolver {
    #[new]
    fn new(py: Python<'_>, loss: &str, tolerance: f64, most_rounds: usize, threads: usize) -> PyResult<Self> {
        let loss = choice(py, "loss", loss, &[("hinge", Loss::Hinge), ("logistic", Loss::Logistic)])?;
        Ok(Self { loss, limits: Limits { tolerance, most: most_rounds }, threads })
    }

    /// The weights of linear classifiers on the same rows, one row per problem: one weight per column, already
    /// multiplied by its factor, and then the bias.
    ///
    /// All further arguments have one row per problem. `costs` has the cost of each row of `rows`: below 0 on the
    /// other side, 0 if it is not in the problem. `scales` has what each row is multiplied by, `factors` what each
    /// column is multiplied by.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        rows: &Ragged,
        costs: PyReadonlyArray2<'_, f64>,
        scales: PyReadonlyArray2<'_, f64>,
        factors: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (arrays, values) = (rows.read(py)?, rows.values::<f32>(py)?);
        let problems = Problems {
            rows: arrays.table()?,
            values: values.as_slice()?,
            costs: costs.as_slice()?,
            scales: scales.as_slice()?,
            factors: factors.as_slice()?,
            loss: self.loss,
            limits: self.limits,
        };
        if !problems.is_sound() {
            return Err(unsound(py));
        }
        let shape = [problems.count(), problems.rows.width() + 1];
        let solved = attempt(py, 0, |_| problems.solve(self.threads, &stop))?;
        PyArray1::from_vec(py, solved).reshape(shape)
    }
}
