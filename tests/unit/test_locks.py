"""Locks across a fork: the child finds them free, and the parent goes on."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

import pytest
from likely import locks
from likely.locks import Lock, fork_safe_lock


def test_the_same_thread_may_take_it_twice_and_another_may_not() -> None:
    lock = fork_safe_lock()
    taken: list[bool] = []
    with lock, lock:
        other = threading.Thread(target=lambda: taken.append(lock.acquire(blocking=False)))
        other.start()
        other.join()
    assert taken == [False]
    assert lock.acquire(blocking=False)
    lock.release()


def test_a_fork_waits_for_the_thread_that_holds_the_lock_and_the_child_finds_it_free() -> None:
    lock, holding, released = fork_safe_lock(), threading.Event(), []
    forking = threading.get_ident()

    def hold() -> None:
        with lock:
            holding.set()
            # Until the thread that forks waits for the lock.
            end = time.monotonic() + 30
            while sys._current_frames()[forking].f_code.co_filename != locks.__file__ and time.monotonic() < end:
                time.sleep(0.001)
            released.append(True)

    thread = threading.Thread(target=hold)
    thread.start()
    holding.wait()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(30)
        os._exit(0 if released and lock.acquire(blocking=False) else 1)
    assert released, "the fork did not wait for the lock"
    assert os.waitpid(child, 0)[1] == 0
    thread.join()
    with lock:
        pass


@pytest.mark.slow
def test_a_lock_that_is_gone_does_not_hinder_a_fork() -> None:
    lock = fork_safe_lock()
    lock.acquire()
    del lock
    child = os.fork()
    if child == 0:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


@pytest.mark.slow
def test_a_fork_while_other_threads_make_locks_and_hold_two_of_them() -> None:
    kept = [fork_safe_lock() for _ in range(2000)]
    first, second, stop = fork_safe_lock(), fork_safe_lock(), threading.Event()

    def make() -> None:
        while not stop.is_set():
            with kept[0]:
                fork_safe_lock()

    def hold(one: Lock, other: Lock) -> None:
        while not stop.is_set():
            with one, other:
                pass

    threads = [threading.Thread(target=make) for _ in range(2)]
    threads += [threading.Thread(target=hold, args=(first, second)) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(12):
            child = os.fork()
            if child == 0:
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                signal.alarm(10)
                with first, second, kept[0]:
                    fork_safe_lock()
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()
