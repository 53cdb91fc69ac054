//! Stems, for looking at them and for comparing them with others.

use crate::boundary::errors::named;
use likely_core::analyze::stem::{Stemmer, languages};
use pyo3::prelude::*;

/// The stems of some words, which should be in lower case.
#[pyfunction]
pub(crate) fn stem(py: Python<'_>, language: &str, words: Vec<String>) -> PyResult<Vec<String>> {
    let Some(stemmer) = Stemmer::new(language) else {
        return Err(named(py, "OptionError", format!("no stemmer for the language {language:?}")));
    };
    let stem = |word: String| {
        let mut stem = String::new();
        stemmer.stem(&word, &mut stem);
        stem
    };
    Ok(words.into_iter().map(stem).collect())
}

/// The languages that can be stemmed: code and name, sorted by code.
#[pyfunction]
pub(crate) fn stem_languages() -> Vec<(&'static str, &'static str)> {
    languages().to_vec()
}
