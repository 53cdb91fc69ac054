//! `Analyzer`: how texts become terms.

use crate::analyze::char_offsets::CharOffsets;
use crate::boundary::encoded::encode;
use crate::boundary::errors::named;
use crate::score::value_of;
use likely_core::analyze::analyzer::Analyzer as Core;
use likely_core::analyze::characters::ascii_blocks;
use likely_core::analyze::normalize::{Form, Normalization};
use likely_core::analyze::preparation::Preparation;
use likely_core::analyze::settings::{Settings, Unit};
use likely_core::analyze::stem::Stemmer;
use likely_core::analyze::tokens::wanted::{Treatment, Wanted};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::collections::HashSet;

/// A term, its start and end in bytes, its start and end in characters.
type Span = (String, usize, usize, usize, usize);

/// What a piece is counted as, its start and end in characters, what was done to it.
type Step = (Option<String>, usize, usize, u8);

/// How texts become terms.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Analyzer {
    pub(crate) core: Core,
}

#[pymethods]
impl Analyzer {
    /// All settings by keyword: see `likely.analyze.Analyzer`, which has checked them.
    #[new]
    #[pyo3(signature = (*, unit, ngrams, char_ngrams, lowercase, accents, normalize, punctuation, numbers, urls,
        emails, mentions, hashtags, stop_words, stem, negators, hash_bits, value, equal, given))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        unit: &str,
        ngrams: (usize, usize),
        char_ngrams: (usize, usize),
        lowercase: bool,
        accents: &str,
        normalize: &str,
        punctuation: &str,
        numbers: &str,
        urls: &str,
        emails: &str,
        mentions: &str,
        hashtags: &str,
        stop_words: HashSet<String>,
        stem: &str,
        negators: HashSet<String>,
        hash_bits: u32,
        value: &str,
        equal: bool,
        given: bool,
    ) -> PyResult<Self> {
        let choice = Choices { py };
        let unit = choice.of(
            unit,
            &[("word", Unit::Word), ("char", Unit::Char), ("char_wb", Unit::CharWb), ("both", Unit::Both)],
        )?;
        let form = choice.of(normalize, &[("none", Form::None), ("nfc", Form::Nfc), ("nfkc", Form::Nfkc)])?;
        let treatments = [("split", Treatment::Split), ("keep", Treatment::Keep), ("mask", Treatment::Mask)];
        let stemmer = match stem {
            "none" => None,
            language => Some(Stemmer::new(language).ok_or_else(|| choice.unknown(language))?),
        };
        let wanted = Wanted {
            punctuation: choice.of(punctuation, &[("drop", false), ("keep", true)])?,
            numbers: choice.of(numbers, &[("keep", false), ("mask", true)])?,
            breaks: false,
            urls: choice.of(urls, &treatments)?,
            emails: choice.of(emails, &treatments)?,
            mentions: choice.of(mentions, &treatments)?,
            hashtags: choice.of(hashtags, &treatments)?,
        };
        let preparation = Preparation { lowercase, wanted, stemmer, stop_words, negators, remembers: false };
        let strip_accents = choice.of(accents, &[("keep", false), ("strip", true)])?;
        let normalization = Normalization { form, strip_accents };
        let settings = Settings {
            unit,
            ngrams,
            char_ngrams,
            normalization,
            preparation,
            hash_bits,
            value: value_of(py, value)?,
            equal,
            given,
        };
        Ok(Self { core: Core::new(settings) })
    }

    /// A term as it is counted: in lower case if that is asked for.
    fn normalized(&self, term: String) -> String {
        self.core.normalized(&term)
    }

    /// The terms of a text with their places: term, start and end in bytes, start and end in characters.
    fn spans(&self, text: Bound<'_, PyString>) -> PyResult<Vec<Span>> {
        let text = encode(text)?;
        let characters = CharOffsets::of(text.as_bytes());
        let terms = self.core.spans(text.as_bytes()).into_iter();
        Ok(terms.map(|t| (t.term, t.start, t.end, characters.before(t.start), characters.before(t.end))).collect())
    }

    /// The pieces of a text before n-grams: what each is counted as, if it is, start and end in characters, and what
    /// was done to it, one bit each.
    fn trace(&self, text: Bound<'_, PyString>) -> PyResult<Vec<Step>> {
        let text = encode(text)?;
        let characters = CharOffsets::of(text.as_bytes());
        let tokens = self.core.trace(text.as_bytes()).into_iter();
        Ok(tokens.map(|t| (t.term, characters.before(t.start), characters.before(t.end), t.steps)).collect())
    }
}

/// Settings by the names of the option table.
struct Choices<'py> {
    py: Python<'py>,
}

impl Choices<'_> {
    fn of<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
        let found = choices.iter().find(|(choice, _)| *choice == name);
        found.map(|(_, value)| *value).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> PyErr {
        named(self.py, "OptionError", format!("the kernel knows no {name:?}"))
    }
}

/// The block classifiers this machine can run, slowest first; the last is in use.
#[pyfunction]
pub(crate) fn kernels() -> Vec<&'static str> {
    ascii_blocks::variants().into_iter().map(|(name, _)| name).collect()
}
