//! Data that many threads read while one changes it.

use std::sync::{Arc, PoisonError, RwLock};
use std::thread::sleep;
use std::time::Duration;

/// How often a change looks whether the last reader has left, and how long it waits in between.
const TRIES: usize = 20;
const PAUSE: Duration = Duration::from_micros(100);

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
        // A panic elsewhere leaves the data as they were, so poison is no reason to stop.
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the data. `change` must not wait for anything.
    pub(crate) fn change<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
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
