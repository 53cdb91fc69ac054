//! `rows_of`: the terms of each text, to look at documents one by one.

use crate::analyze::Analyzer;
use crate::count::Counts;
use crate::documents::stop;
use crate::error::to_python;
use crate::texts::Texts;
use likely_core::rows::rows_of as core_rows_of;
use numpy::IntoPyArray;
use pyo3::prelude::*;

/// How many texts are looked at at once: all their counts in all classes must fit the memory.
const ROWS_AT_ONCE: usize = 1 << 12;

/// The known terms of each text: a list of what `reduce` made of each batch: where the terms of each text start, their
/// ids, and how often each occurs in it.
#[pyfunction]
#[pyo3(signature = (counts, analyzer, texts, threads, reduce))]
pub(crate) fn rows_of<'py>(
    counts: &Counts,
    analyzer: &Analyzer,
    texts: Bound<'py, PyAny>,
    threads: usize,
    reduce: Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let py = texts.py();
    let core = py.detach(|| counts.read());
    let mut reduced = Vec::new();
    Texts::new(texts)?.in_batches_of(ROWS_AT_ONCE).for_each(|batch, before| {
        let rows = py
            .detach(|| core_rows_of(&analyzer.core, core.vocabulary(), batch, threads, &stop))
            .map_err(|error| to_python(py, error, before))?;
        let parts = (rows.starts.into_pyarray(py), rows.ids.into_pyarray(py), rows.frequencies.into_pyarray(py));
        reduced.push(reduce.call1(parts)?);
        Ok(())
    })?;
    Ok(reduced)
}
