//! Texts go in; the numbers by which a sample of them is drawn come out.

use crate::boundary::detached::detached;
use crate::boundary::texts::Texts;
use likely_core::sample;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use std::num::NonZero;
use std::thread;

/// One number per text, which looks random and depends on nothing but the text.
#[pyfunction]
pub(crate) fn sample_numbers(texts: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyArray1<u64>>> {
    let py = texts.py();
    let mut numbers = Vec::new();
    Texts::new(texts)?.for_each(|batch, _| {
        detached(py, |_| numbers.extend(batch.iter().map(|text| sample::sample_number(text))));
        Ok(())
    })?;
    Ok(numbers.into_pyarray(py))
}

/// One number per text, which all copies of the text have: texts that differ in nothing but case and in what is
/// neither a letter nor a digit.
#[pyfunction]
pub(crate) fn copy_numbers(texts: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyArray1<u64>>> {
    let py = texts.py();
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let mut numbers = Vec::new();
    Texts::new(texts)?.for_each(|batch, _| {
        detached(py, |_| numbers.extend(sample::copy_numbers(batch, processors)));
        Ok(())
    })?;
    Ok(numbers.into_pyarray(py))
}
