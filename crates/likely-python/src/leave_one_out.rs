//! The terms of learned documents, and sums over them, document by document.

use crate::analyze::analyzer::Analyzer;
use crate::boundary::detached::{attempt, detached};
use crate::boundary::documents::stop;
use crate::boundary::ragged::{Ragged, unsound};
use crate::boundary::texts::Texts;
use crate::count::counts::Counts;
use likely_core::leave_one_out::groups;
use likely_core::leave_one_out::log_sums::{self, Entries, LogSums};
use likely_core::leave_one_out::rows;
use likely_core::leave_one_out::sums::{self, Documents, Numbers};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;

type Ids<'py> = Bound<'py, PyArray1<u32>>;

/// The known terms of texts, in batches of at most `at_once` texts: a list of what `reduce` returns for each batch. It
/// is called with a table that has one row per text, the ids of its terms as columns and their frequencies as values.
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
    let core = detached(py, |free| counts.read(free));
    let mut reduced = Vec::new();
    Texts::new(texts)?.in_batches_of(at_once).for_each(|batch, before| {
        let rows =
            attempt(py, before, |_| rows::rows_of(&analyzer.core, core.vocabulary(), batch, threads, &stop))?;
        let width = Some(core.vocabulary().len());
        let table = Ragged::of(py, rows.starts, rows.columns, Some(rows.frequencies), width);
        reduced.push(reduce.call1((table,))?);
        Ok(())
    })?;
    Ok(reduced)
}

/// Terms that have the same counts in all classes, and the same mark, are in one group: the group of each term by id
/// (`UNKNOWN` for terms that are not among `ids`), and one term of each group.
#[pyfunction]
pub(crate) fn group_terms<'py>(
    py: Python<'py>,
    counts: &Counts,
    ids: PyReadonlyArray1<'_, u32>,
    marks: PyReadonlyArray1<'_, u32>,
) -> PyResult<(Ids<'py>, Ids<'py>)> {
    let (ids, marks) = (ids.as_slice()?, marks.as_slice()?);
    let groups = detached(py, |free| {
        let counts = counts.read(free);
        (counts.knows(ids) && ids.len() == marks.len()).then(|| groups::group_terms(&counts, ids, marks))
    });
    let groups = groups.ok_or_else(|| unsound(py))?;
    Ok((groups.of.into_pyarray(py), groups.ids.into_pyarray(py)))
}

/// The terms of documents by group and frequency: a table with one row per document and the cases of its terms as
/// columns, and the group and the frequency of each case. Terms that are in no group are left out.
#[pyfunction]
pub(crate) fn cases_of<'py>(
    py: Python<'py>,
    groups: PyReadonlyArray1<'_, u32>,
    rows: &Ragged,
) -> PyResult<(Ragged, Ids<'py>, Ids<'py>)> {
    let (groups, arrays, frequencies) = (groups.as_slice()?, rows.read(py)?, rows.values::<u32>(py)?);
    let (table, frequencies) = (arrays.table()?, frequencies.as_slice()?);
    if frequencies.len() != table.entries() {
        return Err(unsound(py));
    }
    let cases = detached(py, |_| groups::cases_of(groups, table, frequencies));
    let table = Ragged::of::<u32>(py, cases.starts, cases.of, None, Some(cases.groups.len()));
    Ok((table, cases.groups.into_pyarray(py), cases.frequencies.into_pyarray(py)))
}

/// The sums of rows of numbers, document by document: the columns of `documents` are rows of `numbers`. Each cell of
/// `numbers` adds its value to its column, or, if that is the document's column in `gold` and there are `gold_values`,
/// the value there.
#[pyfunction]
#[pyo3(signature = (documents, gold, numbers, gold_values, threads))]
pub(crate) fn sum_rows<'py>(
    py: Python<'py>,
    documents: &Ragged,
    gold: PyReadonlyArray1<'_, u32>,
    numbers: &Ragged,
    gold_values: Option<PyReadonlyArray1<'_, f64>>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (documents, cells, gold) = (documents.read(py)?, numbers.read(py)?, gold.as_slice()?);
    let (values, cells) = (numbers.values::<f64>(py)?, cells.table()?);
    let values = values.as_slice()?;
    let gold_values = gold_values.as_ref().map(|values| values.as_slice()).transpose()?;
    let documents = Documents::new(documents.table()?, gold).ok_or_else(|| unsound(py))?;
    let sums = attempt(py, 0, |_| {
        let Some(numbers) = Numbers::new(cells, values, gold_values) else { return Ok(None) };
        sums::sum_rows(&documents, &numbers, threads, &stop)
    });
    let sums = sums?.ok_or_else(|| unsound(py))?;
    PyArray1::from_vec(py, sums).reshape([gold.len(), cells.width()])
}

/// What each entry of some documents does in `sum_logs`: it takes `taken` away from the numbers of its row, adds
/// `alpha` to what is left, subtracts the logarithms from `tops`, and counts `times` times.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct LogEntries {
    taken: Py<PyArray1<f64>>,
    tops: Py<PyArray1<f64>>,
    times: Py<PyArray1<f64>>,
    alpha: f64,
}

#[pymethods]
impl LogEntries {
    #[new]
    fn new(taken: Py<PyArray1<f64>>, tops: Py<PyArray1<f64>>, times: Py<PyArray1<f64>>, alpha: f64) -> Self {
        Self { taken, tops, times, alpha }
    }
}

/// The sums of `times * (top - log(number - taken + alpha))` over the entries of each document, by the columns of the
/// cells of their rows. Nothing is taken away in the document's column in `gold`. From a cell that is `single` (its
/// number is that of a single document) everything is taken.
#[pyfunction]
#[pyo3(signature = (documents, gold, cells, single, entries, threads))]
pub(crate) fn sum_logs<'py>(
    py: Python<'py>,
    documents: &Ragged,
    gold: PyReadonlyArray1<'_, u32>,
    cells: &Ragged,
    single: PyReadonlyArray1<'_, bool>,
    entries: &LogEntries,
    threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (documents, arrays, gold) = (documents.read(py)?, cells.read(py)?, gold.as_slice()?);
    let (numbers, cells) = (cells.values::<f64>(py)?, arrays.table()?);
    let (numbers, single) = (numbers.as_slice()?, single.as_slice()?);
    let (taken, tops) = (entries.taken.bind(py).readonly(), entries.tops.bind(py).readonly());
    let times = entries.times.bind(py).readonly();
    let (taken, tops, times) = (taken.as_slice()?, tops.as_slice()?, times.as_slice()?);
    let entries = Entries { taken, tops, times, alpha: entries.alpha };
    let documents = Documents::new(documents.table()?, gold).ok_or_else(|| unsound(py))?;
    let logs = LogSums { cells, numbers, single, entries };
    let sums = attempt(py, 0, |_| log_sums::sum_logs(&documents, &logs, threads, &stop));
    let sums = sums?.ok_or_else(|| unsound(py))?;
    PyArray1::from_vec(py, sums).reshape([gold.len(), cells.width()])
}
