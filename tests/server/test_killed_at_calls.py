"""A fold, a backup and a restore that are killed at any system call leave the old or the new state."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from likely.core.file import to_bytes
from likely.server.keeper import Correction, Keeper
from likely.server.replay import verify
from likely.server.store.backup import restore_backup, write_backup
from likely.server.store.sqlite import SqliteStore

from .amounts import CALLS

CHANGES = "write,pwrite64,fsync,fdatasync,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,openat"
"""The calls that change files. With LIKELY_CALLS=400, the program is killed at each of them."""

PROGRAMS = {
    "fold": """
import sys
from likely.server.keeper import Keeper
keeper = Keeper.open(sys.argv[1], sys.argv[2])
keeper.fold()
keeper.close()
""",
    "backup": """
import sys
from likely.server.store.backup import write_backup
write_backup(sys.argv[2], sys.argv[2] + ".backup")
""",
    "restore": """
import sys
from likely.server.store.backup import restore_backup
restore_backup(sys.argv[2] + ".old", sys.argv[2], None, replace=True)
""",
}


def run(program: str, folder: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Run a program under strace."""
    args = [sys.executable, "-c", PROGRAMS[program], str(folder / "base.likely"), str(folder / "a.store")]
    try:
        command = ["strace", "-f", "-qq", "-e", f"trace={CHANGES}", *flags, *args]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    except FileNotFoundError:
        pytest.skip("strace is not installed")
    if re.search(r"attach|PTRACE", done.stderr):
        pytest.skip("this system does not allow strace")
    return done


@pytest.fixture
def folder(base: Path, tmp_path: Path) -> Path:
    """A folder with a store of eight entries, an older backup, and a newer one."""
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(base, home / "base.likely")
    with Keeper.open(home / "base.likely", home / "a.store") as keeper:
        keeper.learn([Correction("a secret", "-"), Correction("kept", "+")])
        keeper.fold()
        write_backup(str(home / "a.store"), f"{home / 'a.store'}.old")
        write_backup(str(home / "a.store"), f"{home / 'a.store'}.backup")
        keeper.forget(text="a secret")
        keeper.learn([Correction(f"text {at}", "+") for at in range(5)])
    return home


def entries_of_backup(folder: Path) -> int:
    """The number of entries of the backup, which can be restored."""
    done = restore_backup(f"{folder / 'a.store'}.backup", str(folder / "restored.store"), None, replace=True)
    return done.entries


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_kill_at_any_call_leaves_the_old_or_the_new(program: str, folder: Path, tmp_path: Path) -> None:
    trial = tmp_path / "trial"
    shutil.copytree(folder, trial)
    calls = [line for line in run(program, trial).stderr.splitlines() if re.match(r"(\[pid +\d+\] )?\w+\(", line)]
    names = [re.match(r"(?:\[pid +\d+\] )?(\w+)\(", line)[1] for line in calls]  # type: ignore[index]
    # Before the first call that names the store, only libraries are loaded.
    first = next(at for at, line in enumerate(calls) if "a.store" in line)
    points, killed = range(first, len(calls)), 0
    for at in points if len(points) <= CALLS else sorted(random.sample(points, CALLS)):
        shutil.rmtree(trial)
        shutil.copytree(folder, trial)
        when = names[: at + 1].count(names[at])
        done = run(program, trial, "-e", f"inject={names[at]}:signal=KILL:when={when}")
        killed += done.returncode != 0
        check(program, trial)
    assert killed


def check(program: str, folder: Path) -> None:
    """The store is sound and has the old or the new entries; so has the backup."""
    store = SqliteStore(folder / "a.store")
    found = verify(store, folder / "base.likely")
    store.close()
    assert found.problems == []
    assert found.entries in ((8, 2) if program == "restore" else (8,))
    with Keeper.open(folder / "base.likely", folder / "a.store") as keeper:
        whole = to_bytes(keeper.model._snapshot())
        keeper.fold()
        assert to_bytes(keeper.model._snapshot()) == whole
    assert entries_of_backup(folder) in ((8, 2) if program == "backup" else (2,))
