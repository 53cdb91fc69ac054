//! `Spelling`: unknown words become the known words that they misspell.

use crate::boundary::detached::{attempt, detached};
use crate::boundary::documents::stop;
use crate::boundary::errors::named;
use crate::boundary::ragged::unsound;
use crate::count::counts::Counts;
use likely_core::spell::spelling::Spelling as Core;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::Arc;

/// Known words, by their indices in a list, found by words that misspell them.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Spelling {
    pub(crate) core: Arc<Core>,
}

#[pymethods]
impl Spelling {
    #[new]
    #[pyo3(signature = (words, frequencies))]
    fn new(py: Python<'_>, words: Vec<String>, frequencies: PyReadonlyArray1<'_, f64>) -> PyResult<Self> {
        let frequencies = frequencies.as_array().to_vec();
        if words.len() != frequencies.len() {
            let message = format!("{} words with {} frequencies", words.len(), frequencies.len());
            return Err(named(py, "ArgumentError", message));
        }
        let known = (0..).zip(&words).zip(frequencies).map(|((id, word), n)| (id, word.as_bytes(), n));
        Ok(Self { core: Arc::new(detached(py, |_| Core::new(known))) })
    }

    /// The index of some words of counts, which are known by their ids.
    #[staticmethod]
    fn of_counts(
        py: Python<'_>,
        counts: &Counts,
        ids: PyReadonlyArray1<'_, u32>,
        frequencies: PyReadonlyArray1<'_, f64>,
    ) -> PyResult<Self> {
        let (ids, frequencies) = (ids.as_slice()?, frequencies.as_slice()?);
        let core = detached(py, |free| {
            let counts = counts.read(free);
            if !counts.knows(ids) || ids.len() != frequencies.len() {
                return None;
            }
            let words: Vec<String> = ids.iter().map(|&id| counts.vocabulary().term(id)).collect();
            let known = ids.iter().zip(&words).zip(frequencies);
            Some(Core::new(known.map(|((&id, word), &frequency)| (id, word.as_bytes(), frequency))))
        });
        Ok(Self { core: Arc::new(core.ok_or_else(|| unsound(py))?) })
    }

    /// The index of the closest known word, if one is close enough.
    fn closest(&self, word: &Bound<'_, PyString>) -> Option<u32> {
        // A string with a lone surrogate is not a word.
        word.to_str().ok().and_then(|word| self.core.closest(word))
    }

    /// Pairs of a word of at most frequency `rare`, and the word that it misspells, which is at least `times` as
    /// frequent.
    fn folds(&self, py: Python<'_>, rare: f64, times: f64) -> PyResult<Vec<(u32, u32)>> {
        attempt(py, 0, |_| self.core.folds(rare, times, &stop))
    }
}
