//! `vectorize`: texts to a sparse matrix.

use crate::analyze::Analyzer;
use crate::documents::stop;
use crate::error::to_python;
use crate::texts::Texts;
use likely_core::vectorize::Vectorizing;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

type Parts<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u32>>, Bound<'py, PyArray1<u32>>, Vec<String>);

/// Texts to compressed sparse rows: row starts, columns, counts, and the sorted terms of the columns.
#[pyfunction]
#[pyo3(signature = (analyzer, texts, threads))]
pub(crate) fn vectorize<'py>(
    analyzer: &Analyzer,
    texts: Bound<'py, PyAny>,
    threads: usize,
) -> PyResult<Parts<'py>> {
    let py = texts.py();
    let mut vectorizing = Vectorizing::new(&analyzer.core, threads);
    Texts::new(texts)?.for_each(|batch, before| {
        py.detach(|| vectorizing.add(batch, &stop)).map_err(|error| to_python(py, error, before))
    })?;
    let matrix = py.detach(|| vectorizing.finish(&stop)).map_err(|error| to_python(py, error, 0))?;
    Ok((
        matrix.indptr.into_pyarray(py),
        matrix.indices.into_pyarray(py),
        matrix.counts.into_pyarray(py),
        matrix.terms,
    ))
}
