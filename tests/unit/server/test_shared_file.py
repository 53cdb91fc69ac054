"""Several processes share a file without a name: each reads what was written whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from likely.server.shared_file import SharedFile

if TYPE_CHECKING:
    import pytest

_COUNT = """
import sys
from likely.server.shared_file import SharedFile
file = SharedFile(int(sys.argv[1]))
for _ in range(300):
    with file.changing() as data:
        data[:] = b"%d" % (int(data or b"0") + 1)
"""


def test_nothing_is_left_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)  # as on a system that has none
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    shared = SharedFile.create()
    shared.write(b"something")
    assert shared.read() == b"something"
    assert list(tmp_path.iterdir()) == []
    shared.close()


def test_shorter_contents_replace_longer_ones() -> None:
    shared = SharedFile.create()
    for data in (b"a" * 10_000, b"b", b"", b"c" * 100):
        shared.write(data)
        assert shared.read() == data
    shared.close()


def test_a_part_is_never_read() -> None:
    shared = SharedFile.create()
    shared.write(b"a" * 100)
    os.pwrite(shared.number, b"b", 50)  # as if the process had been killed while it wrote
    assert shared.read() == b""
    shared.write(b"again")
    assert shared.read() == b"again"
    shared.close()


def test_changes_of_several_processes_are_all_there() -> None:
    shared = SharedFile.create()
    command = [sys.executable, "-c", _COUNT, str(shared.number)]
    processes = [subprocess.Popen(command, pass_fds=[shared.number]) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert json.loads(shared.read()) == 900
    shared.close()
