//! `Pattern`: how texts become terms by the rules of scikit-learn.

use crate::boundary::detached::attempt;
use crate::boundary::errors::named;
use crate::boundary::texts::Texts;
use likely_core::error::Result;
use likely_core::vectorize::pattern::alphabet::{Alphabet as CoreAlphabet, has_capital_sigma};
use likely_core::vectorize::pattern::rules::{Pattern as Core, PatternUnit};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, OnceLock};

/// What the running Python knows of the characters beyond ASCII.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Alphabet {
    core: Arc<CoreAlphabet>,
}

#[pymethods]
impl Alphabet {
    /// From ranges of word characters, ranges of white space, and the replacements of some code points.
    #[new]
    fn new(words: Vec<[u32; 2]>, spaces: Vec<[u32; 2]>, replaced: Vec<(u32, Vec<u8>)>) -> Self {
        let replaced = replaced.iter().map(|(code, text)| (*code, text.as_slice()));
        Self { core: Arc::new(CoreAlphabet::new(&words, &spaces, replaced)) }
    }
}

/// How texts become terms by the rules of scikit-learn. `alphabet` is called once, when the first text comes that is
/// not ASCII.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Pattern {
    ascii: Core,
    /// The pattern for texts of all characters.
    whole: OnceLock<Core>,
    lowercase: bool,
    alphabet: Py<PyAny>,
}

#[pymethods]
impl Pattern {
    #[new]
    #[pyo3(signature = (unit, least, ngrams, lowercase, stop_words, alphabet))]
    fn new(
        unit: &str,
        least: usize,
        ngrams: (usize, usize),
        lowercase: bool,
        stop_words: Vec<Vec<u8>>,
        alphabet: Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let unit = match unit {
            "word" => PatternUnit::Word(least),
            "char" => PatternUnit::Char,
            "char_wb" => PatternUnit::CharInWord,
            other => return Err(named(alphabet.py(), "OptionError", format!("no such unit of text: {other:?}"))),
        };
        let ascii = Core::new(unit, ngrams.0, ngrams.1, lowercase, stop_words.into_iter());
        Ok(Self { ascii, whole: OnceLock::new(), lowercase, alphabet: alphabet.unbind() })
    }
}

impl Pattern {
    /// The pattern for everything that does not depend on texts.
    pub(crate) fn core(&self) -> &Core {
        &self.ascii
    }

    /// Calls `add` with batches of texts, as the pattern needs them, and with the pattern for them. `decode` is called
    /// for items that are not strings.
    pub(crate) fn each_batch(
        &self,
        texts: Bound<'_, PyAny>,
        decode: Bound<'_, PyAny>,
        mut add: impl FnMut(&Core, &[&[u8]]) -> Result<()> + Send,
    ) -> PyResult<()> {
        let py = texts.py();
        Texts::new(texts)?.decoded_by(decode).for_each(|batch, before| {
            let is_ascii = batch.iter().all(|text| text.is_ascii());
            let core = if is_ascii { &self.ascii } else { self.whole(py)? };
            let lowered = if is_ascii { Vec::new() } else { self.lowered_by_python(py, batch)? };
            let mut texts = batch.to_vec();
            for (row, text) in &lowered {
                texts[*row] = text.as_bytes();
            }
            attempt(py, before, |_| add(core, &texts))
        })
    }

    fn whole(&self, py: Python<'_>) -> PyResult<&Core> {
        if self.whole.get().is_none() {
            let alphabet = self.alphabet.bind(py).call0()?.cast_into::<Alphabet>()?;
            let _ = self.whole.set(self.ascii.with_alphabet(alphabet.get().core.clone()));
        }
        Ok(self.whole.get().unwrap_or(&self.ascii))
    }

    /// The texts whose lower case only Python knows, with their rows: that of a capital sigma depends on tables that
    /// Python does not show.
    fn lowered_by_python<'py>(
        &self,
        py: Python<'py>,
        texts: &[&[u8]],
    ) -> PyResult<Vec<(usize, Bound<'py, PyBytes>)>> {
        let rows = texts.iter().enumerate().filter(|(_, text)| self.lowercase && has_capital_sigma(text));
        rows.map(|(row, text)| {
            let text = PyBytes::new(py, text).call_method1("decode", ("utf-8", "surrogatepass"))?;
            let lower = text.call_method0("lower")?.call_method1("encode", ("utf-8", "surrogatepass"))?;
            Ok((row, lower.cast_into::<PyBytes>()?))
        })
        .collect()
    }
}
