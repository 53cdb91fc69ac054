//! `Counted`: the counts of many texts, from which a matrix is made.

use crate::analyze::analyzer::Analyzer;
use crate::boundary::detached::{attempt, detached};
use crate::boundary::documents::stop;
use crate::boundary::errors::{named, to_python};
use crate::boundary::texts::Texts;
use crate::vectorize::lexicon::Lexicon;
use crate::vectorize::matrix::{Parts, parts};
use crate::vectorize::pattern::Pattern;
use likely_core::vectorize::counted::Counted as Core;
use likely_core::vectorize::vectorizing::Vectorizing;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// Texts become a matrix in compressed sparse rows: values, columns, row starts, and the sorted terms of the columns.
#[pyfunction]
#[pyo3(signature = (analyzer, texts, threads))]
pub(crate) fn vectorize<'py>(
    analyzer: &Analyzer,
    texts: Bound<'py, PyAny>,
    threads: usize,
) -> PyResult<(Parts<'py>, Vec<String>)> {
    let py = texts.py();
    let source = &analyzer.core;
    let mut vectorizing = Vectorizing::new(threads);
    Texts::new(texts)?.for_each(|batch, before| attempt(py, before, |_| vectorizing.add(source, batch, &stop)))?;
    let matrix = detached(py, |_| vectorizing.finish(source, &stop)?.into_rows::<i64>(false, &stop));
    let (rows, lexicon) = matrix.map_err(|error| to_python(py, error, 0))?;
    Ok((parts(py, rows), (0..lexicon.len()).map(|column| lexicon.term(column)).collect()))
}

/// The counts of some texts, before it is decided which columns to keep.
#[pyclass(module = "likely._native")]
pub(crate) struct Counted {
    /// `None` after it has been taken.
    core: Option<Core>,
}

impl Counted {
    fn core(&self, py: Python<'_>) -> PyResult<&Core> {
        self.core.as_ref().ok_or_else(|| taken(py))
    }
}

fn taken(py: Python<'_>) -> PyErr {
    named(py, "NotFittedError", "what was counted has been taken".into())
}

#[pymethods]
impl Counted {
    /// How many texts were counted.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.core(py)?.rows())
    }

    /// In how many texts the term of each column occurs.
    fn documents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let documents: Vec<i64> = self.core(py)?.documents().iter().map(|&count| i64::from(count)).collect();
        Ok(documents.into_pyarray(py))
    }

    /// How often the term of each column occurs.
    fn totals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let core = self.core(py)?;
        let totals: Vec<i64> = detached(py, |_| core.totals().into_iter().map(|count| count as i64).collect());
        Ok(totals.into_pyarray(py))
    }

    /// Keeps only some columns.
    fn select(&mut self, py: Python<'_>, pattern: &Pattern, keep: PyReadonlyArray1<'_, bool>) -> PyResult<()> {
        let keep = keep.as_slice()?;
        let core = self.core.as_mut().ok_or_else(|| taken(py))?;
        detached(py, |_| core.select(pattern.core(), keep));
        Ok(())
    }

    /// The matrix, of float64 or int64, and its terms. It can be taken once.
    fn take_rows<'py>(&mut self, py: Python<'py>, binary: bool, floats: bool) -> PyResult<(Parts<'py>, Lexicon)> {
        let core = self.core.take().ok_or_else(|| taken(py))?;
        let failed = |error| to_python(py, error, 0);
        if floats {
            let (rows, lexicon) = detached(py, |_| core.into_rows::<f64>(binary, &stop)).map_err(failed)?;
            return Ok((parts(py, rows), Lexicon::of_core(lexicon)));
        }
        let (rows, lexicon) = detached(py, |_| core.into_rows::<i64>(binary, &stop)).map_err(failed)?;
        Ok((parts(py, rows), Lexicon::of_core(lexicon)))
    }

    /// The terms without the matrix. They can be taken once.
    fn take_lexicon(&mut self, py: Python<'_>) -> PyResult<Lexicon> {
        let core = self.core.take().ok_or_else(|| taken(py))?;
        Ok(Lexicon::of_core(detached(py, |_| core.into_terms())))
    }
}

/// Counts the terms of many texts; `decode` is called for items that are not strings.
#[pyfunction]
#[pyo3(signature = (pattern, texts, decode, threads))]
pub(crate) fn count_terms(
    pattern: &Pattern,
    texts: Bound<'_, PyAny>,
    decode: Bound<'_, PyAny>,
    threads: usize,
) -> PyResult<Counted> {
    let py = texts.py();
    let mut vectorizing = Vectorizing::new(threads);
    pattern.each_batch(texts, decode, |pattern, texts| vectorizing.add(pattern, texts, &stop))?;
    let counted = detached(py, |_| vectorizing.finish(pattern.core(), &stop));
    Ok(Counted { core: Some(counted.map_err(|error| to_python(py, error, 0))?) })
}
