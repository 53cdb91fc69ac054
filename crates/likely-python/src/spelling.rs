//! `Spelling`: unknown words as the known words they misspell.

use crate::count::Counts;
use crate::count::Counts;
use crate::documents::stop;
use crate::error::{named, to_python};
use likely_core::spelling::Spelling as Core;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Known words, by their places in a list, to be found by words that misspell them.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Spelling {
    core: Core,
}

#[pymethods]
impl Spelling {
    #[new]
    #[pyo3(signature = (words, frequencies))]
    fn new(py: Python<'_>, words: Vec<String>, frequencies: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        let frequencies = frequencies.as_array().to_vec();
        if words.len() != frequencies.len() {
            let message = format!("{} words with {} frequencies", words.len(), frequencies.len());
            return Err(named(py, "LengthError", message));
        }
        let known = (0..).zip(&words).zip(frequencies).map(|((id, word), n)| (id, word.as_bytes(), n));
        Ok(Self { core: py.detach(|| Core::new(known)) })
    }

    /// The memory that is held.
    #[getter]
    fn bytes(&self) -> usize {
        self.core.bytes()
    }

    /// The place of the closest known word, if one is close enough.
    fn closest(&self, word: &Bound<'_, PyString>) -> Option<u32> {
        // A word with a lone surrogate is no word.
        word.to_str().ok().and_then(|word| self.core.closest(word))
    }

    /// The places of words at most this frequent, each with that of the word, at least so many times as frequent,
    /// which it misspells.
    fn folds(&self, py: Python<'_>, rare: f64, times: f64) -> PyResult<Vec<(u32, u32)>> {
        py.detach(|| self.core.folds(rare, times, &stop)).map_err(|error| to_python(py, error, 0))
    }
}

/// Which words, by id, of so many documents at most, misspell one that is so many times as frequent: pairs of ids.
#[pyfunction]
pub(crate) fn misspelled(
    py: Python<'_>,
    counts: &Counts,
    ids: PyReadonlyArray1<'_, u32>,
    documents: PyReadonlyArray1<'_, f64>,
    rare: f64,
    times: f64,
) -> PyResult<Vec<(u32, u32)>> {
    let (ids, documents) = (ids.as_slice()?, documents.as_slice()?);
    let folds = py.detach(|| {
        let core = counts.read();
        let words: Vec<String> = ids.iter().map(|&id| core.vocabulary().term(id)).collect();
        let known = ids.iter().zip(&words).zip(documents);
        let spelling = Core::new(known.map(|((&id, word), &documents)| (id, word.as_bytes(), documents)));
        spelling.folds(rare, times, &stop)
    });
    folds.map_err(|error| to_python(py, error, 0))
}
