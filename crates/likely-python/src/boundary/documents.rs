//! Labelled texts from Python: batches of documents for the kernel to count.

use crate::boundary::detached::{attempt, is_ending};
use crate::boundary::errors::named;
use crate::boundary::texts::Texts;
use likely_core::count::counting::Document;
use likely_core::count::fixed_point::Amount;
use likely_core::error::Result;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;

/// Texts, the numbers of their classes (None if all are 0), and their weights (None if all are 1).
type Labelled<'py> = (Bound<'py, PyAny>, Option<PyReadonlyArray1<'py, u32>>, Option<PyReadonlyArray1<'py, f64>>);

/// Calls `add` with the documents of batches, which come one after another.
pub(crate) fn each_batch(
    batches: &Bound<'_, PyAny>,
    mut add: impl FnMut(&[Document<'_>]) -> Result<()> + Send,
) -> PyResult<()> {
    batches.try_iter()?.try_for_each(|batch| each_document(batch?.extract()?, &mut add))
}

fn each_document(
    (texts, classes, weights): Labelled<'_>,
    add: &mut (impl FnMut(&[Document<'_>]) -> Result<()> + Send),
) -> PyResult<()> {
    let py = texts.py();
    let classes = classes.as_ref().map(|classes| classes.as_slice()).transpose()?;
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let labels = classes.map(<[u32]>::len);
    if let (Some(weights), Some(labels)) = (weights, labels)
        && weights.len() != labels
    {
        let message =
            format!("there are {} weights and {labels} labels: give one weight per label", weights.len());
        return Err(named(py, "ArgumentError", message));
    }
    let mut texts = Texts::new(texts)?;
    texts.for_each(|batch, before| {
        if labels.is_some_and(|labels| before + batch.len() > labels) {
            return Err(unequal(py, labels, "more texts than that"));
        }
        let documents: Vec<Document<'_>> = batch
            .iter()
            .enumerate()
            .map(|(row, &text)| Document {
                text,
                class: classes.map_or(0, |classes| classes[before + row]),
                weight: weights.map_or(Amount::ONE, |weights| weight(weights[before + row])),
            })
            .collect();
        attempt(py, before, |_| add(&documents))
    })?;
    if labels.is_some_and(|labels| texts.rows() < labels) {
        return Err(unequal(py, labels, &format!("only {} texts", texts.rows())));
    }
    Ok(())
}

/// A weight that the caller has checked.
fn weight(number: f64) -> Amount {
    Amount::from_f64(number).unwrap_or_default()
}

fn unequal(py: Python<'_>, labels: Option<usize>, texts: &str) -> PyErr {
    let message = format!("there are {} labels, but {texts}: give one label per text", labels.unwrap_or_default());
    named(py, "ArgumentError", message)
}

/// Whether a signal, such as Ctrl-C, has arrived; its exception is then set. Without an interpreter, there is nobody
/// to go on for.
pub(crate) fn stop() -> bool {
    let check = |py: Python<'_>| match py.check_signals() {
        Ok(()) => false,
        Err(error) => {
            error.restore(py);
            true
        }
    };
    is_ending() || Python::try_attach(check).unwrap_or(true)
}
