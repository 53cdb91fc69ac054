//! Data that many threads read while one thread changes them.

use pyo3::prelude::*;
use std::cell::RefCell;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::sleep;
use std::time::Duration;

/// How often a change checks whether the last reader has left, and how long it waits in between.
const TRIES: usize = 300;
const PAUSE: Duration = Duration::from_micros(100);

/// Whoever takes a lock passes this gate. It is closed during a fork, so that no lock is held in the child by a thread
/// that does not exist there.
static GATE: RwLock<()> = RwLock::new(());

thread_local! {
    static CLOSED: RefCell<Option<RwLockWriteGuard<'static, ()>>> = const { RefCell::new(None) };
}

fn pass() -> RwLockReadGuard<'static, ()> {
    GATE.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until no thread holds a lock, and lets none take one. It must be called before a fork.
#[pyfunction]
pub(crate) fn close_gate() {
    CLOSED.set(Some(GATE.write().unwrap_or_else(PoisonError::into_inner)));
}

/// Opens the gate again. It must be called after a fork, in both processes.
#[pyfunction]
pub(crate) fn open_gate() {
    CLOSED.take();
}

/// A reader takes the data as they are and holds no lock while it works, so that it can be interrupted, run signal
/// handlers, or be lost in a fork. A change waits a moment for readers to leave; if some stay, it leaves them the old
/// data and continues with a copy.
///
/// All methods must be called detached from the interpreter.
#[derive(Default)]
pub(crate) struct Shared<T>(RwLock<Arc<T>>);

impl<T: Clone> Shared<T> {
    pub(crate) fn new(data: T) -> Self {
        Self(RwLock::new(Arc::new(data)))
    }

    /// The same data for another owner; a change by either of them makes a copy.
    pub(crate) fn of(data: Arc<T>) -> Self {
        Self(RwLock::new(data))
    }

    /// The data as they are now.
    pub(crate) fn get(&self) -> Arc<T> {
        let _open = pass();
        // A panic elsewhere leaves the data as they were, so poison is not a reason to stop.
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
