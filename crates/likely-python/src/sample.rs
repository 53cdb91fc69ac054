//! `drawn`: the numbers by which a sample of texts is drawn.

use crate::boundary::texts::Texts;
use likely_core::sample::drawn as core_drawn;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

/// One number per text, which looks random and depends on nothing but the text.
#[pyfunction]
pub(crate) fn drawn(texts: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyArray1<u64>>> {
    let py = texts.py();
    let mut numbers = Vec::new();
    Texts::new(texts)?.for_each(|batch, _| {
        py.detach(|| numbers.extend(batch.iter().map(|text| core_drawn(text))));
        Ok(())
    })?;
    Ok(numbers.into_pyarray(py))
}
