//! `Hashing`: texts as rows of the hashes of their terms.

use crate::boundary::documents::stop;
use crate::vectorize::matrix::{Parts, finish};
use crate::vectorize::pattern::Pattern;
use likely_core::vectorize::gather::Gathering;
use likely_core::vectorize::hashing::Hashing as Core;
use pyo3::prelude::*;

/// How the hashes of terms become columns. If `signed`, half of the terms count -1.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Hashing {
    core: Core,
}

#[pymethods]
impl Hashing {
    #[new]
    fn new(columns: u32, signed: bool) -> Self {
        Self { core: Core::new(columns, signed) }
    }

    /// Texts as rows of float64; `decode` is called for items that are not strings.
    fn rows<'py>(
        &self,
        pattern: &Pattern,
        texts: Bound<'py, PyAny>,
        decode: Bound<'py, PyAny>,
        binary: bool,
        threads: usize,
    ) -> PyResult<Parts<'py>> {
        let py = texts.py();
        let mut gathering = Gathering::new(threads, true);
        pattern
            .each_batch(texts, decode, |pattern, texts| self.core.add(&mut gathering, pattern, texts, &stop))?;
        finish(py, gathering, binary, true)
    }
}
