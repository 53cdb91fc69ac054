"""Children that teach a keeper until they are killed, and what must be in the store afterwards."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import likely
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.server.keeper import Keeper

from . import teacher


@contextmanager
def program() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, teacher.__file__], stdin=-1, stdout=-1, text=True) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def start(process: subprocess.Popen[str], model: Path, store: str, acknowledged: Mapping[str, int]) -> int:
    """Start a child; returns its number when it is ready."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps([str(model), store, acknowledged]) + "\n")
    process.stdin.flush()
    return int(json.loads(process.stdout.readline())["ready"])


def kill(process: subprocess.Popen[str], child: int, acknowledged: dict[str, int]) -> None:
    """Kill a child some time after it has acknowledged something, and count what it has acknowledged."""
    assert process.stdout is not None
    for _ in range(random.randint(0, 12)):
        count(process.stdout.readline(), acknowledged)
    time.sleep(random.uniform(0, 0.02))
    os.kill(child, signal.SIGKILL)
    while count(process.stdout.readline(), acknowledged):
        pass


def count(line: str, acknowledged: dict[str, int]) -> bool:
    """Count what a line says is acknowledged; returns whether the child goes on."""
    said = json.loads(line)
    if "ended" in said:
        return False
    assert said["step"] == acknowledged[said["thread"]], "each thread goes on where it was"
    acknowledged[said["thread"]] += 1
    return True


def finish(keeper: Keeper, acknowledged: Mapping[str, int], last: int) -> None:
    """Take all steps up to one, as a client that sends again what was not acknowledged."""
    for thread, begin in acknowledged.items():
        for at in range(begin, last):
            teacher.take(keeper, teacher.step(thread, at))


def reference(base: Path, threads: Iterable[str], last: int) -> NaiveBayes:
    """The model of what remains after all steps, which was never corrected."""
    learned: dict[str, str] = {}
    for thread in threads:
        for at in range(last):
            text, label, _ = teacher.step(thread, at)
            if label is None:
                del learned[text]
            else:
                learned[text] = label
    return likely.load(base).learn(list(learned), list(learned.values()))


def check_equal(base: Path, store: str, acknowledged: Mapping[str, int]) -> None:
    """What was acknowledged is there; after the rest is sent again, the model is that of a sequential reference."""
    keeper = Keeper.open(base, store)
    last = max(acknowledged.values()) + 2 * teacher.PERIOD
    last -= last % teacher.PERIOD
    assert keeper.status.seq >= sum(acknowledged.values())
    finish(keeper, acknowledged, last)
    assert to_bytes(keeper.model._snapshot()) == to_bytes(reference(base, acknowledged, last)._snapshot())
    keeper.close()
    again = Keeper.open(base, store)
    assert to_bytes(again.model._snapshot()) == to_bytes(keeper.model._snapshot())
    again.close()
