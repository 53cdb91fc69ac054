"""Threads at a fork and at the end: while a process forks, no other thread holds a lock; at its end, none is lost."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from functools import partial
from typing import TypeAlias

from likely import _native

Lock: TypeAlias = "threading.RLock"
"""The type of a re-entrant lock."""

_all_locks: weakref.WeakSet[Lock] = weakref.WeakSet()
_registry = threading.RLock()
"""Held while `_all_locks` is read or changed, and while the process forks."""
_held_for_fork: list[Lock] = []


def fork_safe_lock() -> Lock:
    """A re-entrant lock that no other thread holds while the process forks, so that the child finds it free.

    Examples
    --------
    >>> with fork_safe_lock():
    ...     pass
    """
    lock = threading.RLock()
    with _registry:
        _all_locks.add(lock)
    return lock


def _hold_all() -> None:
    """Hold every lock. While it waits for one it holds no other, which the owner of that one may be waiting for."""
    busy = _try_to_hold()
    while busy is not None:
        with busy:  # wait until it is free, and try again before another thread takes it
            found = _try_to_hold()
        busy = found
    _native.close_gate()


def _try_to_hold() -> Lock | None:
    """Hold every lock, or none: then the result is a lock that another thread holds."""
    _registry.acquire()
    for lock in list(_all_locks):
        if not lock.acquire(blocking=False):
            _let_go()
            return lock
        _held_for_fork.append(lock)
    return None


def _let_go() -> None:
    while _held_for_fork:
        _held_for_fork.pop().release()
    _registry.release()


def _release_all(*, in_child: bool = False) -> None:
    _native.open_gate(in_child)
    _let_go()


if hasattr(os, "register_at_fork"):
    release_in_child = partial(_release_all, in_child=True)
    os.register_at_fork(before=_hold_all, after_in_parent=_release_all, after_in_child=release_in_child)
# A thread that the end of the interpreter finds in the kernel would abort the process.
atexit.register(_native.end_threads)
