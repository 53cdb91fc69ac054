//! `count_lengths`: counts in which every document has unit length.

use crate::analyze::analyzer::Analyzer;
use crate::boundary::detached::{attempt, detached};
use crate::boundary::documents::{each_batch, stop};
use crate::boundary::errors::named;
use crate::boundary::settings::value_of;
use crate::count::counts::Counts;
use likely_core::count::lengths::{Lengths, Scales};
use numpy::{PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// Counts documents that are brought to unit length, as a second pass over the texts of the `first` counts. `value` is
/// what a term counts in a document, `scales` its weight in all documents, by id. Ids stay the same.
#[pyfunction]
#[pyo3(signature = (first, analyzer, batches, value, scales, threads))]
pub(crate) fn count_lengths(
    first: &Counts,
    analyzer: &Analyzer,
    batches: &Bound<'_, PyAny>,
    value: &str,
    scales: PyReadonlyArray1<'_, f64>,
    threads: usize,
) -> PyResult<Counts> {
    let py = batches.py();
    let first = detached(py, |free| first.read(free));
    if scales.len() < first.vocabulary().len() {
        return Err(named(py, "ArgumentError", "there are fewer scales than terms".into()));
    }
    let scales = Scales { value: value_of(py, value)?, scales: scales.as_slice()? };
    let mut lengths = Lengths::new(&analyzer.core, &first, scales, threads);
    each_batch(batches, |documents| lengths.add(documents, &stop))?;
    attempt(py, 0, |_| lengths.finish()).map(Counts::of)
}
