//! Texts as rows of the hashes of their terms.

use crate::boundary::documents::stop;
use crate::boundary::errors::to_python;
use crate::boundary::texts::Texts;
use crate::vectorize::matrix::{Parts, finish};
use crate::vectorize::pattern::Pattern;
use likely_core::vectorize::gather::Gathering;
use likely_core::vectorize::hashing::Hashing;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

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
