"""After kill -9 at random moments, every acknowledged correction is there, and none is there twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import likely
import pytest
from likely import NaiveBayes
from likely.server.keeper import Keeper
from likely.storage.model_file import to_bytes

KILLS = int(os.environ.get("LIKELY_KILLS", "40"))
TEACHER = Path(__file__).with_name("teacher.py")


def load_teacher() -> Any:
    spec = spec_from_file_location("teacher", TEACHER)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


teacher = load_teacher()


@contextmanager
def program() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen([sys.executable, TEACHER], stdin=-1, stdout=-1, text=True) as process:
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
    """Kill a child at a random moment, and count what it has acknowledged."""
    assert process.stdout is not None
    time.sleep(random.uniform(0, 0.08))
    os.kill(child, signal.SIGKILL)
    for line in process.stdout:
        said = json.loads(line)
        if "ended" in said:
            return
        assert said["step"] == acknowledged[said["thread"]], "each thread goes on where it was"
        acknowledged[said["thread"]] += 1
    pytest.fail("the program has ended")


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


@pytest.fixture
def base(tmp_path: Path) -> Path:
    path = tmp_path / "base.likely"
    NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"]).save(path)
    return path


def check_equal(base: Path, store: str, acknowledged: Mapping[str, int]) -> None:
    """What was acknowledged is there; after the rest is sent again, the model is that of a sequential reference."""
    keeper = Keeper.open(base, store)
    last = max(acknowledged.values()) + 2 * teacher.PERIOD
    last -= last % teacher.PERIOD
    assert keeper.status.seq >= sum(acknowledged.values())
    finish(keeper, acknowledged, last)
    assert to_bytes(keeper.model.snapshot()) == to_bytes(reference(base, acknowledged, last).snapshot())
    keeper.close()
    again = Keeper.open(base, store)
    assert to_bytes(again.model.snapshot()) == to_bytes(keeper.model.snapshot())
    again.close()


def test_what_is_acknowledged_survives_kills(base: Path, tmp_path: Path) -> None:
    store, acknowledged = str(tmp_path / "a.store"), dict.fromkeys("abcd", 0)
    with program() as process:
        for _ in range(KILLS):
            kill(process, start(process, base, store, acknowledged), acknowledged)
    assert sum(acknowledged.values()) > KILLS, "the kills came before anything was learned"
    check_equal(base, store, acknowledged)


def test_what_two_processes_acknowledge_survives_the_death_of_each(base: Path, tmp_path: Path) -> None:
    store, threads = str(tmp_path / "a.store"), (dict.fromkeys("abc", 0), dict.fromkeys("xyz", 0))
    with ExitStack() as stack:
        programs = [stack.enter_context(program()) for _ in threads]
        watcher = stack.enter_context(Keeper.open(base, store))
        for _ in range(KILLS // 3):
            pairs = list(zip(programs, threads, strict=True))
            random.shuffle(pairs)
            children = [start(process, base, store, mine) for process, mine in pairs]
            watcher.refresh()
            for (process, mine), child in zip(pairs, children, strict=True):
                kill(process, child, mine)
        watcher.refresh()
        with Keeper.open(base, store) as fresh:
            assert to_bytes(fresh.model.snapshot()) == to_bytes(watcher.model.snapshot())
    check_equal(base, store, threads[0] | threads[1])
