"""Locks that a forked process can go on with: in the moment of a fork no other thread holds one."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

from likely import _native

_all_locks: weakref.WeakSet[Any] = weakref.WeakSet()
_held_for_fork: list[Any] = []


def fork_safe_lock() -> Any:
    """A re-entrant lock that no other thread holds in the moment of a fork, so that the child finds it free.

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
