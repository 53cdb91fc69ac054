//! `Lexicon`: terms that have columns; texts as rows of them, or of their hashes; rows weighed.

use crate::boundary::documents::stop;
use crate::boundary::errors::{named, to_python};
use crate::boundary::shared::Shared;
use crate::boundary::texts::{Texts, encode};
use crate::vectorize::counted::Counted;
use crate::vectorize::pattern::Pattern;
use likely_core::vectorize::gather::Gathering;
use likely_core::vectorize::hashing::Hashing;
use likely_core::vectorize::lexicon::Lexicon as Core;
use likely_core::vectorize::sparse::Rows;
use likely_core::vectorize::tfidf::{Norm, Weighting};
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::sync::Arc;

/// Values, columns and row starts, the latter two of one type: int32 if it will do.
pub(crate) type Parts<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// A matrix as scipy wants it.
pub(crate) fn parts<T: Element>(py: Python<'_>, rows: Rows<T>) -> Parts<'_> {
    let values = rows.values.into_pyarray(py).into_any();
    if rows.starts.last().is_some_and(|&end| end > i64::from(i32::MAX)) {
        let columns: Vec<i64> = rows.columns.into_iter().map(i64::from).collect();
        return (values, columns.into_pyarray(py).into_any(), rows.starts.into_pyarray(py).into_any());
    }
    let starts: Vec<i32> = rows.starts.into_iter().map(|start| start as i32).collect();
    (values, rows.columns.into_pyarray(py).into_any(), starts.into_pyarray(py).into_any())
}

/// The matrix of what was gathered, of float64 or int64.
fn finish(py: Python<'_>, gathering: Gathering, binary: bool, floats: bool) -> PyResult<Parts<'_>> {
    let failed = |error| to_python(py, error, 0);
    if floats {
        return Ok(parts(py, py.detach(|| gathering.finish::<f64>(binary, &stop)).map_err(failed)?));
    }
    Ok(parts(py, py.detach(|| gathering.finish::<i64>(binary, &stop)).map_err(failed)?))
}

/// Terms and their columns.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Lexicon {
    core: Shared<Core>,
}

impl Lexicon {
    pub(crate) fn of_core(core: Core) -> Self {
        Self { core: Shared::new(core) }
    }

    /// The terms as they are now, ready for texts; to be called detached.
    pub(crate) fn ready(&self) -> Arc<Core> {
        if self.core.get().is_sealed() {
            self.core.change(Core::unseal);
        }
        self.core.get()
    }
}

#[pymethods]
impl Lexicon {
    /// From the terms of the columns, which must differ.
    #[new]
    fn new(pattern: &Pattern, terms: Vec<Bound<'_, PyString>>) -> PyResult<Self> {
        let terms = terms.into_iter().map(encode).collect::<PyResult<Vec<_>>>()?;
        Ok(Self::of_core(Core::of(pattern.core(), terms.iter().map(|term| term.as_bytes()))))
    }

    /// From what [`Lexicon::spelled`] gave.
    #[staticmethod]
    fn from_spelled(
        py: Python<'_>,
        pattern: &Pattern,
        text: &[u8],
        ends: PyReadonlyArray1<'_, i64>,
    ) -> PyResult<Self> {
        let mut start = 0;
        let mut terms = Vec::new();
        for &end in ends.as_slice()? {
            let Some(term) = usize::try_from(end).ok().and_then(|end| text.get(start..end)) else {
                return Err(named(py, "ModelFileError", "the terms of a vectorizer are damaged".into()));
            };
            start += term.len();
            terms.push(term);
        }
        Ok(py.detach(|| Self::of_core(Core::of(pattern.core(), terms.into_iter()))))
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.core.get().len())
    }

    /// The terms in the order of their columns.
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let core = py.detach(|| self.core.get());
        let mut term = Vec::new();
        (0..core.len())
            .map(|column| {
                term.clear();
                core.spell(column, &mut term);
                match std::str::from_utf8(&term) {
                    Ok(text) => Ok(PyString::new(py, text).into_any()),
                    Err(_) => PyBytes::new(py, &term).call_method1("decode", ("utf-8", "surrogatepass")),
                }
            })
            .collect()
    }

    /// The terms as bytes, one after another, and where each ends.
    fn spelled<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, Bound<'py, PyArray1<i64>>) {
        let (bytes, ends) = py.detach(|| {
            let core = self.core.get();
            let (mut bytes, mut ends) = (Vec::new(), Vec::with_capacity(core.len()));
            for column in 0..core.len() {
                core.spell(column, &mut bytes);
                ends.push(bytes.len() as i64);
            }
            (bytes, ends)
        });
        (PyBytes::new(py, &bytes), ends.into_pyarray(py))
    }

    /// Adds new terms after those that are there; returns the columns of all that were counted.
    fn extend<'py>(&self, py: Python<'py>, counted: &Counted) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let new = counted.core(py)?.lexicon();
        let columns = py
            .detach(|| self.core.change(|lexicon| lexicon.extend(new, &|| false)))
            .map_err(|error| to_python(py, error, 0))?;
        Ok(columns.into_iter().map(i64::from).collect::<Vec<i64>>().into_pyarray(py))
    }

    /// Texts as rows of the known terms; `decode` is called for what is not a string.
    #[pyo3(signature = (pattern, texts, decode, binary, floats, threads))]
    fn rows<'py>(
        &self,
        pattern: &Pattern,
        texts: Bound<'py, PyAny>,
        decode: Bound<'py, PyAny>,
        binary: bool,
        floats: bool,
        threads: usize,
    ) -> PyResult<Parts<'py>> {
        let py = texts.py();
        let core = py.detach(|| self.ready());
        let mut gathering = Gathering::new(threads, false);
        Texts::new(texts)?.decoded_by(decode).for_each(|batch, before| {
            pattern.with_texts(py, batch, |pattern, texts| {
                py.detach(|| core.add(&mut gathering, pattern, texts, &stop))
                    .map_err(|error| to_python(py, error, before))
            })
        })?;
        finish(py, gathering, binary, floats)
    }
}

/// A matrix of one row.
pub(crate) fn one_row<T: Element>(py: Python<'_>, (columns, values): (Vec<i32>, Vec<T>)) -> Parts<'_> {
    // Copied, because to hand over a short vector takes longer.
    let starts = PyArray1::from_slice(py, &[0, columns.len() as i32]);
    let (values, columns) = (PyArray1::from_slice(py, &values), PyArray1::from_slice(py, &columns));
    (values.into_any(), columns.into_any(), starts.into_any())
}

/// Texts as rows of the hashes of their terms.
#[pyfunction]
#[pyo3(signature = (pattern, texts, decode, columns, signed, binary, threads))]
pub(crate) fn hash_rows<'py>(
    pattern: &Pattern,
    texts: Bound<'py, PyAny>,
    decode: Bound<'py, PyAny>,
    columns: u32,
    signed: bool,
    binary: bool,
    threads: usize,
) -> PyResult<Parts<'py>> {
    let py = texts.py();
    let hashing = Hashing::new(columns, signed);
    let mut gathering = Gathering::new(threads, true);
    Texts::new(texts)?.decoded_by(decode).for_each(|batch, before| {
        pattern.with_texts(py, batch, |pattern, texts| {
            py.detach(|| hashing.add(&mut gathering, pattern, texts, &stop))
                .map_err(|error| to_python(py, error, before))
        })
    })?;
    finish(py, gathering, binary, true)
}

/// The columns of some terms by their hashes, and what each counts there: 1 or -1.
#[pyfunction]
pub(crate) fn hash_columns(terms: Vec<Bound<'_, PyBytes>>, columns: u32, signed: bool) -> Vec<(u32, i32)> {
    let hashing = Hashing::new(columns, signed);
    terms.iter().map(|term| hashing.column(term.as_bytes())).collect()
}

/// Weighs the rows of a matrix in place: logarithms of counts, a factor a column, one length for all rows.
#[pyfunction]
#[pyo3(signature = (values, columns, starts, factors, sublinear, norm, threads))]
pub(crate) fn weigh_rows(
    py: Python<'_>,
    mut values: PyReadwriteArray1<'_, f64>,
    columns: &Bound<'_, PyAny>,
    starts: &Bound<'_, PyAny>,
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
    let factors = factors.as_ref().map(|factors| factors.as_slice()).transpose()?;
    let (values, weighting) = (values.as_slice_mut()?, Weighting { sublinear, factors, norm });
    let done = match columns.cast::<PyArray1<i32>>() {
        Ok(columns) => {
            let (columns, starts) = (columns.readonly(), starts.extract::<PyReadonlyArray1<'_, i32>>()?);
            let (columns, starts) = (columns.as_slice()?, starts.as_slice()?);
            py.detach(|| weighting.weigh(starts, columns, values, threads, &stop))
        }
        // What scipy has where there are more than 2^31 entries.
        Err(_) => {
            let columns = columns.extract::<PyReadonlyArray1<'_, i64>>()?;
            let starts = starts.extract::<PyReadonlyArray1<'_, i64>>()?;
            let (columns, starts) = (columns.as_slice()?, starts.as_slice()?);
            py.detach(|| weighting.weigh(starts, columns, values, threads, &stop))
        }
    };
    done.map_err(|error| to_python(py, error, 0))
}
