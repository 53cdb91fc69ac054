//! The memory of the process.

use likely_core::huge_pages;
use pyo3::prelude::*;

/// Keeps freed memory for later blocks, for the rest of the process. It is meant for commands that run for long.
#[pyfunction]
pub(crate) fn keep_freed_memory() {
    huge_pages::keep_freed_memory();
}
