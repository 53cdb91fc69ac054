"""A lock that says who holds it, and that ends with the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from likely.errors import StoreBusyError
from likely.server.store.process_lock import ProcessLock

HOLD = """
import sys, time
from likely.server.store.process_lock import ProcessLock
with ProcessLock(sys.argv[1]).held():
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_error_names_the_process_whose_death_ends_the_lock(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    lock = ProcessLock(path, patience=0.05)
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(StoreBusyError, match=rf"process {other.pid} has held the store"), lock.held():
            pass
        other.send_signal(signal.SIGKILL)
        other.wait()
        with lock.held():
            assert os.pread(lock._file, 12, 0).split() == [str(os.getpid()).encode()]
    lock.close()


def test_the_lock_is_free_after_an_error(tmp_path: Path) -> None:
    locks = [ProcessLock(str(tmp_path / "lock"), patience=0.05) for _ in range(2)]
    with pytest.raises(ZeroDivisionError), locks[0].held():
        raise ZeroDivisionError
    with locks[1].held():
        pass
    for lock in locks:
        lock.close()
