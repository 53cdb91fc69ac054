//! Errors of the kernel become the exceptions of `likely.errors`, which are looked up when they are first raised.

use likely_core::error::Error;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// An instance of a class of `likely.errors`.
pub(crate) fn named(py: Python<'_>, class: &str, message: String) -> PyErr {
    raise(py, class, (message,))
}

fn raise<'py>(py: Python<'py>, class: &str, args: impl PyCallArgs<'py>) -> PyErr {
    match py.import("likely.errors").and_then(|errors| errors.getattr(class)?.call1(args)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// The one mapping of kernel errors. `row` is the number of rows before the batch in which the error occurred.
pub(crate) fn to_python(py: Python<'_>, error: Error, row: usize) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Interrupted => PyErr::take(py).unwrap_or_else(|| PyRuntimeError::new_err(message)),
        Error::Misfit => named(py, "ArgumentError", message),
        Error::TextTooLong { row: at, bytes } => {
            let error = Error::TextTooLong { row: row + at, bytes };
            named(py, "TextError", error.to_string())
        }
        Error::TooLarge(_) => named(py, "TooLargeError", message),
        // Only the caller knows the label of the class.
        Error::NotLearned { class, .. } => raise(py, "NotLearnedError", (message, class)),
    }
}
