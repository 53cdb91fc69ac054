//! Work without the interpreter, so that other threads of Python go on; and what becomes of such threads at its end.
//!
//! A thread that asks for the interpreter while it ends is ended by it, in the middle of our functions, which aborts the
//! process. So the end waits until no thread is about to ask, and threads that come back later rest.

use crate::boundary::errors::to_python;
use likely_core::error::Result;
use pyo3::prelude::*;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

/// How long the end of the interpreter waits for threads at most.
const PATIENCE: Duration = Duration::from_secs(10);

/// The thread that ends the interpreter.
static ENDS: OnceLock<ThreadId> = OnceLock::new();
/// How many threads will ask for the interpreter.
static LEAVING: AtomicUsize = AtomicUsize::new(0);

/// The proof that this thread does not hold the interpreter: whoever may wait for another thread needs it.
#[derive(Clone, Copy)]
pub(crate) struct Detached(());

/// Whether the interpreter ends on another thread.
pub(super) fn is_ending() -> bool {
    ENDS.get().is_some_and(|&thread| thread != thread::current().id())
}

fn come_back() {
    // In the child of a fork there are none but this thread.
    let _ = LEAVING.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |number| number.checked_sub(1));
}

/// The result of `work`, which is done without the interpreter.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce(Detached) -> T + Send) -> T {
    LEAVING.fetch_add(1, Ordering::SeqCst);
    let result = py.detach(|| {
        let result = work(Detached(()));
        if is_ending() {
            come_back();
            loop {
                thread::park();
            }
        }
        result
    });
    come_back();
    result
}

/// The same for work that can fail; `row` is the number of rows before those of which an error tells.
pub(crate) fn attempt<T: Send>(
    py: Python<'_>,
    row: usize,
    work: impl FnOnce(Detached) -> Result<T> + Send,
) -> PyResult<T> {
    detached(py, work).map_err(|error| to_python(py, error, row))
}

/// Waits until no other thread works without the interpreter. It must be called when the interpreter ends.
#[pyfunction]
pub(crate) fn end_threads(py: Python<'_>) {
    let _ = ENDS.set(thread::current().id());
    py.detach(|| {
        let begun = Instant::now();
        while LEAVING.load(Ordering::SeqCst) > 0 && begun.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

/// Forgets the threads that the parent of a forked process has.
pub(super) fn forget_threads() {
    LEAVING.store(0, Ordering::SeqCst);
}
