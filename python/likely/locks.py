"""Locks that survive a fork: while a process forks, no other thread holds one of them."""

from __future__ import annotations

import os
import threading
import weakref
from typing import TypeAlias

from likely import _native

Lock: TypeAlias = "threading.RLock"
"""The type of a re-entrant lock."""

_all_locks: weakref.WeakSet[Lock] = weakref.WeakSet()
_held_for_fork: list[Lock] = []


def fork_safe_lock() -> Lock:
    """A re-entrant lock that no other thread holds while the process forks, so that the child finds it free.

    Examples
    --------
    >>> with fork_safe_lock():
    ...     pass
    """
    lock = threading.RLock()
    _all_locks.add(lock)
    return lock


def _hold_all() -> None:
    for lock in list(_all_locks):
        lock.acquire()
        _held_for_fork.append(lock)
    _native.close_gate()


def _release_all() -> None:
    _native.open_gate()
    while _held_for_fork:
        _held_for_fork.pop().release()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_hold_all, after_in_parent=_release_all, after_in_child=_release_all)
