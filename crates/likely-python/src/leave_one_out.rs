//! `rows_of`, `kinds_of`, `cases_of` and `sum_rows`: the terms of each text, to look at documents one by one.

use crate::analyze::analyzer::Analyzer;
use crate::boundary::documents::stop;
use crate::boundary::errors::{named, to_python};
use crate::boundary::texts::Texts;
use crate::count::counts::Counts;
use likely_core::leave_one_out::groups;
use likely_core::leave_one_out::log_sums::{self, Logs};
use likely_core::leave_one_out::rows::rows_of as core_rows_of;
use likely_core::leave_one_out::sums::{self, Documents, Numbers};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

type Ids<'py> = Bound<'py, PyArray1<u32>>;
type Starts<'py> = Bound<'py, PyArray1<i64>>;

/// The known terms of each text, at most `at_once` texts a batch: a list of what `reduce` made of each batch: where the
/// terms of each text start, their ids, and how often each occurs in it.
#[pyfunction]
#[pyo3(signature = (counts, analyzer, texts, threads, at_once, reduce))]
pub(crate) fn rows_of<'py>(
    counts: &Counts,
    analyzer: &Analyzer,
    texts: Bound<'py, PyAny>,
    threads: usize,
    at_once: usize,
    reduce: Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = texts.py();
    let core = py.detach(|| counts.read());
    let mut reduced = Vec::new();
    Texts::new(texts)?.in_batches_of(at_once).for_each(|batch, before| {
        let rows = py
            .detach(|| core_rows_of(&analyzer.core, core.vocabulary(), batch, threads, &stop))
            .map_err(|error| to_python(py, error, before))?;
        let parts = (rows.starts.into_pyarray(py), rows.ids.into_pyarray(py), rows.frequencies.into_pyarray(py));
        reduced.push(reduce.call1(parts)?);
        Ok(())
    })?;
    Ok(reduced)
}

/// Terms that have the same counts in all classes, and the same mark, are of one kind: the kind of each term by id
/// (2^32 - 1 for those not among `ids`), and one term of each kind.
#[pyfunction]
pub(crate) fn kinds_of<'py>(
    py: Python<'py>,
    counts: &Counts,
    ids: PyReadonlyArray1<'_, u32>,
    marks: PyReadonlyArray1<'_, u32>,
) -> PyResult<(Ids<'py>, Ids<'py>)> {
    let (ids, marks) = (ids.as_slice()?, marks.as_slice()?);
    let kinds = py.detach(|| groups::kinds_of(&counts.read(), ids, marks));
    Ok((kinds.of.into_pyarray(py), kinds.ids.into_pyarray(py)))
}

/// The terms of documents by kind and frequency: where those of each document start, the case of each, and the kind and
/// the frequency of each case. Terms that are of no kind are left out.
#[pyfunction]
pub(crate) fn cases_of<'py>(
    py: Python<'py>,
    kinds: PyReadonlyArray1<'_, u32>,
    starts: PyReadonlyArray1<'_, i64>,
    ids: PyReadonlyArray1<'_, u32>,
    frequencies: PyReadonlyArray1<'_, u32>,
) -> PyResult<(Starts<'py>, Ids<'py>, Ids<'py>, Ids<'py>)> {
    let (kinds, starts) = (kinds.as_slice()?, starts.as_slice()?);
    let (ids, frequencies) = (ids.as_slice()?, frequencies.as_slice()?);
    if ids.len() != frequencies.len() || Documents::new(starts, ids, &vec![0; starts.len().max(1) - 1]).is_none() {
        return Err(unsound(py));
    }
    let cases = py.detach(|| groups::cases_of(kinds, starts, ids, frequencies));
    let (starts, of) = (cases.starts.into_pyarray(py), cases.of.into_pyarray(py));
    Ok((starts, of, cases.kinds.into_pyarray(py), cases.frequencies.into_pyarray(py)))
}

/// The sums of rows of numbers, document by document: `rows[starts[d]:starts[d + 1]]` are those of document `d`. The
/// cells of a row, `cell_starts[r]:cell_starts[r + 1]`, each add a number to their column: one of `owns`, if there are
/// any, where that is the document's `own`.
#[pyfunction]
#[pyo3(signature = (starts, rows, own, cell_starts, columns, others, owns, width, threads))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn sum_rows<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'_, i64>,
    rows: PyReadonlyArray1<'_, u32>,
    own: PyReadonlyArray1<'_, u32>,
    cell_starts: PyReadonlyArray1<'_, i64>,
    columns: PyReadonlyArray1<'_, u32>,
    others: PyReadonlyArray1<'_, f64>,
    owns: Option<PyReadonlyArray1<'_, f64>>,
    width: usize,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let documents = Documents::new(starts.as_slice()?, rows.as_slice()?, own.as_slice()?);
    let (cell_starts, columns) = (cell_starts.as_slice()?, columns.as_slice()?);
    let others = others.as_slice()?;
    let owns = owns.as_ref().map(|owns| owns.as_slice()).transpose()?;
    let numbers = py.detach(|| Numbers::new(cell_starts, columns, others, owns, width));
    let (Some(documents), Some(numbers)) = (documents, numbers) else {
        return Err(unsound(py));
    };
    let sums = py.detach(|| sums::sum_rows(&documents, &numbers, threads, &stop));
    let sums = sums.map_err(|error| to_python(py, error, 0))?.ok_or_else(|| unsound(py))?;
    PyArray1::from_vec(py, sums).reshape([own.as_slice()?.len(), width])
}

/// The sums of `times * (top - log(number - taken))` over the entries of each document, by the columns of the cells of
/// their rows; nothing is taken from the column that is the document's own.
#[pyfunction]
#[pyo3(signature = (starts, rows, own, cell_starts, columns, numbers, taken, tops, times, least, width, threads))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn sum_logs<'py>(
    py: Python<'py>,
    starts: PyReadonlyArray1<'_, i64>,
    rows: PyReadonlyArray1<'_, u32>,
    own: PyReadonlyArray1<'_, u32>,
    cell_starts: PyReadonlyArray1<'_, i64>,
    columns: PyReadonlyArray1<'_, u32>,
    numbers: PyReadonlyArray1<'_, f64>,
    taken: PyReadonlyArray1<'_, f64>,
    tops: PyReadonlyArray1<'_, f64>,
    times: PyReadonlyArray1<'_, f64>,
    least: f64,
    width: usize,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let documents = Documents::new(starts.as_slice()?, rows.as_slice()?, own.as_slice()?);
    let documents = documents.ok_or_else(|| unsound(py))?;
    let logs = Logs {
        starts: cell_starts.as_slice()?,
        columns: columns.as_slice()?,
        numbers: numbers.as_slice()?,
        taken: taken.as_slice()?,
        tops: tops.as_slice()?,
        times: times.as_slice()?,
        least,
        width,
    };
    let sums = py.detach(|| log_sums::sum_logs(&documents, &logs, threads, &stop));
    let sums = sums.map_err(|error| to_python(py, error, 0))?.ok_or_else(|| unsound(py))?;
    PyArray1::from_vec(py, sums).reshape([own.as_slice()?.len(), width])
}

fn unsound(py: Python<'_>) -> PyErr {
    named(py, "LengthError", "the rows are not those of the terms".into())
}
