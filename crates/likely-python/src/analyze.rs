//! `Analyzer`: how texts become terms.

use crate::error::named;
use crate::texts::encode;
use likely_core::analyze::{Analyzer as Core, Unit};
use likely_core::blocks;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A term, its start and end in bytes, its start and end in characters.
type Span = (String, usize, usize, usize, usize);

/// How texts become terms.
#[pyclass(frozen, module = "likely._native")]
pub(crate) struct Analyzer {
    pub(crate) core: Core,
}

#[pymethods]
impl Analyzer {
    #[new]
    #[pyo3(signature = (unit, shortest, longest, lowercase))]
    fn new(py: Python<'_>, unit: &str, shortest: usize, longest: usize, lowercase: bool) -> PyResult<Self> {
        let unit = match unit {
            "word" => Unit::Word,
            "char" => Unit::Char,
            other => return Err(named(py, "OptionError", format!("no such unit of text: {other:?}"))),
        };
        Ok(Self { core: Core::new(unit, shortest, longest, lowercase) })
    }

    /// A term as it is counted: in lower case if that is asked for.
    fn normalized(&self, term: String) -> String {
        self.core.normalized(&term)
    }

    /// The terms of a text with their places: term, start and end in bytes, start and end in characters.
    fn spans(&self, text: Bound<'_, PyString>) -> PyResult<Vec<Span>> {
        let encoded = encode(text)?;
        let bytes = encoded.as_bytes();
        let characters = Characters::of(bytes);
        let terms = self.core.spans(bytes);
        Ok(terms
            .into_iter()
            .map(|t| (t.term, t.start, t.end, characters.before(t.start), characters.before(t.end)))
            .collect())
    }
}

/// The block classifiers this machine can run, slowest first; the last is in use.
#[pyfunction]
pub(crate) fn kernels() -> Vec<&'static str> {
    blocks::variants().into_iter().map(|(name, _)| name).collect()
}

/// Byte offsets to character offsets. Lone surrogates are three bytes and one character, like their neighbours.
struct Characters<'a> {
    bytes: &'a [u8],
    /// How many characters start before each multiple of `STEP`.
    steps: Vec<usize>,
}

impl<'a> Characters<'a> {
    const STEP: usize = 64;

    fn of(bytes: &'a [u8]) -> Self {
        let mut sum = 0;
        let mut steps = vec![0];
        for chunk in bytes.chunks(Self::STEP) {
            sum += starts(chunk);
            steps.push(sum);
        }
        Self { bytes, steps }
    }

    fn before(&self, byte: usize) -> usize {
        let step = byte / Self::STEP;
        self.steps[step] + starts(&self.bytes[step * Self::STEP..byte])
    }
}

/// How many characters start in some bytes.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}
