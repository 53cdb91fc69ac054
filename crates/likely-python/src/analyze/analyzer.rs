//! `Analyzer`: how texts become terms.

use crate::analyze::char_offsets::CharOffsets;
use crate::boundary::encoded::encode;
use crate::boundary::errors::named;
use crate::boundary::settings::{Settings, VALUES};
use likely_core::analyze::analyzer::Analyzer as Core;
use likely_core::analyze::characters::ascii_blocks;
use likely_core::analyze::normalize::{Form, Normalization};
use likely_core::analyze::settings::{Settings as CoreSettings, Unit};
use likely_core::analyze::tokens::wanted::{Treatment, Wanted};
use likely_core::analyze::words::preparation::Preparation;
use likely_core::analyze::words::stem::{Stemmer, languages};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// A term, its start and end in bytes, its start and end in characters.
type Span = (String, usize, usize, usize, usize);

/// What a piece is counted as, its start and end in characters, and the steps that were done to it.
type Step = (Option<String>, usize, usize, u8);

/// How texts become terms.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Analyzer {
    pub(crate) core: Core,
}

#[pymethods]
impl Analyzer {
    /// All settings by name. `likely.analysis.analyzer.Analyzer` has checked them.
    #[new]
    fn new(settings: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut given = Settings::new(settings);
        let units = [("word", Unit::Word), ("char", Unit::Char), ("char_wb", Unit::CharWb), ("both", Unit::Both)];
        let treatments = [("split", Treatment::Split), ("keep", Treatment::Keep), ("mask", Treatment::Mask)];
        let wanted = Wanted {
            punctuation: given.choice("punctuation", &[("drop", false), ("keep", true)])?,
            numbers: given.choice("numbers", &[("keep", false), ("mask", true)])?,
            breaks: false,
            urls: given.choice("urls", &treatments)?,
            emails: given.choice("emails", &treatments)?,
            mentions: given.choice("mentions", &treatments)?,
            hashtags: given.choice("hashtags", &treatments)?,
        };
        let stemmer = match given.take::<String>("stem")?.as_str() {
            "none" => None,
            language => Some(Stemmer::new(language).ok_or_else(|| {
                let message = format!("there is no stemmer for the language {language:?}");
                named(settings.py(), "OptionError", message)
            })?),
        };
        let core = Core::new(CoreSettings {
            unit: given.choice("unit", &units)?,
            ngrams: given.take("ngrams")?,
            char_ngrams: given.take("char_ngrams")?,
            normalization: Normalization {
                form: given
                    .choice("normalize", &[("none", Form::None), ("nfc", Form::Nfc), ("nfkc", Form::Nfkc)])?,
                strip_accents: given.choice("accents", &[("keep", false), ("strip", true)])?,
            },
            preparation: Preparation {
                lowercase: given.take("lowercase")?,
                wanted,
                stemmer,
                stop_words: given.take("stop_words")?,
                negators: given.take("negators")?,
                remembers: false,
            },
            hash_bits: given.take("hash_bits")?,
            value: given.choice("value", VALUES)?,
            equal: given.take("equal")?,
            given: given.take("given")?,
        });
        given.finish()?;
        Ok(Self { core })
    }

    /// A term as it is counted, for example in lower case or stemmed.
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

    /// The pieces of a text before n-grams: what each is counted as (None for a stop word), its start and end in
    /// characters, and the steps that were done to it, as bits of `STEPS`.
    fn trace(&self, text: Bound<'_, PyString>) -> PyResult<Vec<Step>> {
        let text = encode(text)?;
        let characters = CharOffsets::of(text.as_bytes());
        let tokens = self.core.trace(text.as_bytes()).into_iter();
        Ok(tokens.map(|t| (t.term, characters.before(t.start), characters.before(t.end), t.steps)).collect())
    }
}

/// The names of the block classifiers that this machine can run, slowest first; the last is in use.
#[pyfunction]
pub(crate) fn kernels() -> Vec<&'static str> {
    ascii_blocks::variants().into_iter().map(|(name, _)| name).collect()
}

/// The languages that can be stemmed: code and name, sorted by code.
#[pyfunction]
pub(crate) fn stem_languages() -> Vec<(&'static str, &'static str)> {
    languages().to_vec()
}
