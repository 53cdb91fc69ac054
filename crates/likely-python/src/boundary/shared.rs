//! Data that many threads read while one changes it.

use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::sleep;
use std::time::Duration;

/// How often a change looks whether the last reader has left, and how long it waits in between.
const TRIES: usize = 300;
const PAUSE: Duration = Duration::from_micros(100);

/// Passed through by whoever takes a lock, and closed during a fork, so that no lock is held in the child by a thread
/// that does not exist there.
static GATE: RwLock<()> = RwLock::new(());

thread_local! {
    static CLOSED: RefCell<Option<RwLockWriteGuard<'static, ()>>> = const { RefCell::new(None) };
}

fn pass() -> RwLockReadGuard<'static, ()> {
    GATE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no thread holds a lock, and lets none take one: to be called before a fork.
#[pyfunction]
pub(crate) fn close_gate() {
    CLOSED.set(Some(GATE.write().unwrap_or_else(PoisonError::into_inner)));
}

/// To be called after a fork, in both processes.
#[pyfunction]
pub(crate) fn open_gate() {
    CLOSED.take();
}

/// A reader takes hold of the data as they are and keeps no lock while it works, so that it can be interrupted, run
/// signal handlers, or be lost in a fork. A change waits a moment for readers to leave; for those that stay it leaves
/// the old data and goes on with a copy.
///
/// All methods are to be called detached from the interpreter.
#[derive(Default)]
pub(crate) struct Shared<T>(RwLock<Arc<T>>);

impl<T: Clone> Shared<T> {
    pub(crate) fn new(data: T) -> Self {
        Self(RwLock::new(Arc::new(data)))
    }

    /// The data as they are now.
    pub(crate) fn get(&self) -> Arc<T> {
        let _open = pass();
        // A panic elsewhere leaves the data as they were, so poison is no reason to stop.
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the data. `change` must not wait for anything.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let _open = pass();
        let mut slot = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..TRIES {
            if Arc::get_mut(&mut slot).is_some() {
                break;
            }
            sleep(PAUSE);
        }
        change(Arc::make_mut(&mut slot))
    }
}
