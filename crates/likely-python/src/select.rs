//! Texts as sums of the weights of their hashed terms.

use crate::analyze::analyzer::Analyzer;
use crate::boundary::detached::{attempt, detached};
use crate::boundary::documents::stop;
use crate::boundary::errors::named;
use crate::boundary::ragged::unsound;
use crate::boundary::texts::Texts;
use likely_core::select::buckets::Buckets;
use likely_core::select::noise;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

/// One sum per text, and the number of words of each text.
type Summed<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<u64>>);

/// How many terms of all texts fall into each bucket.
#[pyfunction]
pub(crate) fn count_buckets<'py>(
    analyzer: &Analyzer,
    texts: Bound<'py, PyAny>,
    buckets: u32,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let py = texts.py();
    let core = Buckets::new(&analyzer.core, buckets);
    let mut counts = vec![0; buckets as usize];
    Texts::new(texts)?.for_each(|batch, before| {
        let more = attempt(py, before, |_| core.count(batch, threads, &stop))?;
        counts.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        Ok(())
    })?;
    Ok(counts.into_pyarray(py))
}

/// The sum of the weights of the terms of each text, and the number of words of each text. There is one weight per
/// bucket; weights and sums are in units of 2^-32.
#[pyfunction]
pub(crate) fn sum_buckets<'py>(
    analyzer: &Analyzer,
    texts: Bound<'py, PyAny>,
    weights: PyReadonlyArray1<'_, i64>,
    threads: usize,
) -> PyResult<Summed<'py>> {
    let py = texts.py();
    let weights = weights.as_slice()?;
    let number = u32::try_from(weights.len()).map_err(|_| named(py, "OptionError", "too many buckets".into()))?;
    if number == 0 {
        return Err(unsound(py));
    }
    let core = Buckets::new(&analyzer.core, number);
    let (mut sums, mut words) = (Vec::new(), Vec::new());
    Texts::new(texts)?.for_each(|batch, before| {
        let found = attempt(py, before, |_| core.sums(batch, weights, threads, &stop))?;
        found.into_iter().for_each(|(sum, number)| {
            sums.push(sum);
            words.push(number);
        });
        Ok(())
    })?;
    Ok((sums.into_pyarray(py), words.into_pyarray(py)))
}

/// The Gumbel noise of `number` rows from row `first` on, in units of 2^-32.
#[pyfunction]
pub(crate) fn gumbel_noise(
    py: Python<'_>,
    seed: u64,
    first: u64,
    number: usize,
) -> PyResult<Bound<'_, PyArray1<i64>>> {
    let noise = detached(py, |_| noise::gumbel_noise(seed, first, number));
    Ok(noise.ok_or_else(|| PyMemoryError::new_err("that many rows do not fit the memory"))?.into_pyarray(py))
}
