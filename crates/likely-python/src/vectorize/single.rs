//! `Single`: one text becomes a matrix of one row. Counting it takes a microsecond or two, so that everything around
//! it matters.

use crate::boundary::detached::detached;
use crate::boundary::encoded::{Encoded, encode};
use crate::vectorize::lexicon::Lexicon;
use crate::vectorize::matrix::{Parts, one_row};
use crate::vectorize::pattern::Pattern;
use likely_core::vectorize::lexicon::Lexicon as Core;
use likely_core::vectorize::pattern::rules::Pattern as PatternCore;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use std::sync::Arc;

/// What a matrix of one row is made with.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Single {
    /// The lexicon as it was. There is no lock to wait for, and so no need to detach for such a short time.
    lexicon: Arc<Core>,
    pattern: Py<Pattern>,
    binary: bool,
    floats: bool,
    /// Makes an object without asking its class how: `object.__new__`, and the class.
    make: (Py<PyAny>, Py<PyTuple>),
    /// All attributes of a matrix besides its parts, by name.
    others: Vec<(Py<PyString>, Py<PyAny>)>,
}

#[pymethods]
impl Single {
    /// `kind` is the class of the matrix; `others` are its attributes except for values, columns and row starts.
    #[new]
    fn new(
        lexicon: &Lexicon,
        pattern: Py<Pattern>,
        binary: bool,
        floats: bool,
        kind: Bound<'_, PyAny>,
        others: Vec<(Py<PyString>, Py<PyAny>)>,
    ) -> PyResult<Self> {
        let py = kind.py();
        let lexicon = detached(py, |free| lexicon.ready(free));
        let make = py.get_type::<PyAny>().getattr("__new__")?.unbind();
        Ok(Self { lexicon, pattern, binary, floats, make: (make, PyTuple::new(py, [kind])?.unbind()), others })
    }

    /// The matrix of a list of one text; None for anything else, and for a text that would take long.
    fn matrix<'py>(&self, texts: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = texts.py();
        let Ok(list) = texts.cast_exact::<PyList>() else { return Ok(None) };
        if list.len() != 1 {
            return Ok(None);
        }
        let Ok(text) = list.get_item(0)?.cast_into_exact::<PyString>() else { return Ok(None) };
        let text = encode(text)?;
        let work = |pattern: &PatternCore, text: &[u8]| match self.floats {
            true => self.lexicon.row::<f64>(pattern, text, self.binary).map(|row| one_row(py, row)),
            false => self.lexicon.row::<i64>(pattern, text, self.binary).map(|row| one_row(py, row)),
        };
        let pattern = self.pattern.get();
        let parts = match &text {
            Encoded::Ascii(_) => work(pattern.core(), text.as_bytes()),
            Encoded::Copy(_) => {
                pattern.with_texts(py, &[text.as_bytes()], |core, texts| Ok(work(core, texts[0])))?
            }
        };
        parts.map(|parts| self.made(py, parts)).transpose()
    }
}

impl Single {
    fn made<'py>(&self, py: Python<'py>, (values, columns, starts): Parts<'py>) -> PyResult<Bound<'py, PyAny>> {
        let made = self.make.0.bind(py).call1(self.make.1.bind(py))?;
        // The attributes are set one by one, so that the object needs no dictionary of its own.
        for (name, value) in &self.others {
            made.setattr(name, value)?;
        }
        made.setattr(pyo3::intern!(py, "data"), values)?;
        made.setattr(pyo3::intern!(py, "indices"), columns)?;
        made.setattr(pyo3::intern!(py, "indptr"), starts)?;
        Ok(made)
    }
}
