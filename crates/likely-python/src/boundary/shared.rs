//! Data that many threads read while one thread changes them (read, copy, update).

use crate::boundary::detached::{Detached, forget_threads};
use pyo3::prelude::*;
use std::cell::RefCell;
use std::hint::spin_loop;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::thread::sleep;
use std::time::Duration;

/// How often a change checks whether the last reader has left, and how long it waits in between.
const TRIES: usize = 300;
const PAUSE: Duration = Duration::from_micros(100);
/// How often it looks before it lets new readers in again: some microseconds, as long as one text takes.
const LOOKS: usize = 500;

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
pub(crate) fn open_gate(in_child: bool) {
    if in_child {
        forget_threads();
    }
    CLOSED.take();
}

/// A reader takes the data as they are and holds no lock while it works, so that it can be interrupted, run signal
/// handlers, or be lost in a fork. A change waits a moment for readers to leave, and lets new ones in meanwhile; if some
/// stay, it leaves them the old data, and puts a changed copy in their place.
#[derive(Default)]
pub(crate) struct Shared<T> {
    data: RwLock<Arc<T>>,
    /// Held by the change that is being made.
    turn: Mutex<()>,
}

impl<T: Clone> Shared<T> {
    pub(crate) fn new(data: T) -> Self {
        Self::of(Arc::new(data))
    }

    /// The same data for another owner; a change by either of them makes a copy.
    pub(crate) fn of(data: Arc<T>) -> Self {
        Self { data: RwLock::new(data), turn: Mutex::new(()) }
    }

    /// The data as they are now.
    pub(crate) fn get(&self, _: Detached) -> Arc<T> {
        let _open = pass();
        self.data.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The data after the change that waits for its turn, if there is one: for readers who stay long.
    pub(crate) fn get_after_changes(&self, _: Detached) -> Arc<T> {
        let _open = pass();
        drop(self.turn.lock());
        self.data.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the data. `change` must not wait for anything, and must check what can fail before it changes anything.
    pub(crate) fn change<R>(&self, _: Detached, change: impl FnOnce(&mut T) -> R) -> R {
        let _open = pass();
        let _turn = self.turn.lock();
        for _ in 0..TRIES {
            let mut slot = self.data.write().unwrap_or_else(PoisonError::into_inner);
            for _ in 0..LOOKS {
                if let Some(data) = Arc::get_mut(&mut slot) {
                    return change(data);
                }
                spin_loop();
            }
            drop(slot);
            sleep(PAUSE);
        }
        let mut copy = T::clone(&self.data.read().unwrap_or_else(PoisonError::into_inner));
        let result = change(&mut copy);
        *self.data.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(copy);
        result
    }
}
