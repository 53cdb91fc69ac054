//! The bytes of Python strings.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A Python string whose bytes can be read while detached.
pub(crate) enum Encoded<'py> {
    /// The bytes lie in the string's own memory.
    Ascii(Bound<'py, PyString>),
    /// The string had to be encoded. (Asking it for its UTF-8 would keep a copy in the string for ever.)
    Copy(Bound<'py, PyBytes>),
}

impl Encoded<'_> {
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Ascii(text) => text.to_str().map_or(&[], str::as_bytes),
            Self::Copy(bytes) => bytes.as_bytes(),
        }
    }
}

/// The bytes of a Python string. Lone surrogates become bytes that are invalid in UTF-8, which separate words.
pub(crate) fn encode(text: Bound<'_, PyString>) -> PyResult<Encoded<'_>> {
    let py = text.py();
    if text.call_method0(pyo3::intern!(py, "isascii"))?.is_truthy()? {
        return Ok(Encoded::Ascii(text));
    }
    let bytes = text.encode_utf8().or_else(|_| {
        let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
        Ok::<_, PyErr>(bytes.cast_into::<PyBytes>()?)
    })?;
    Ok(Encoded::Copy(bytes))
}
