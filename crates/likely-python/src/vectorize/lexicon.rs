//! `Lexicon`: terms that have columns, and texts as rows of them.

use crate::boundary::detached::{Detached, detached};
use crate::boundary::documents::stop;
use crate::boundary::encoded::encode;
use crate::boundary::shared::Shared;
use crate::vectorize::matrix::{Parts, finish};
use crate::vectorize::pattern::Pattern;
use likely_core::vectorize::gather::Gathering;
use likely_core::vectorize::term_columns::TermColumns as Core;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::sync::Arc;

/// Terms and their columns.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Lexicon {
    core: Shared<Core>,
}

impl Lexicon {
    pub(crate) fn of_core(core: Core) -> Self {
        Self { core: Shared::new(core) }
    }

    /// The terms as they are now, ready for texts.
    fn ready(&self, free: Detached) -> Arc<Core> {
        if self.core.get(free).is_sealed() {
            self.core.change(free, Core::unseal);
        }
        self.core.get(free)
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

    fn __len__(&self, py: Python<'_>) -> usize {
        detached(py, |free| self.core.get(free).len())
    }

    /// The terms in the order of their columns.
    fn terms<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let core = detached(py, |free| self.core.get(free));
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

    /// Texts as rows of the known terms; `decode` is called for items that are not strings.
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
        let core = detached(py, |free| self.ready(free));
        let mut gathering = Gathering::new(threads, false);
        pattern.each_batch(texts, decode, |pattern, texts| core.add(&mut gathering, pattern, texts, &stop))?;
        finish(py, gathering, binary, floats)
    }
}
