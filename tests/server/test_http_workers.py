"""Several processes at one address: all learn, all follow, and what ends is started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

_PROGRAM = """
import sys
from likely.server.http.limits import Limits
from likely.server.running import Settings
from likely.server.workers import run_workers
from likely.server.keeper import Guards
rate = float(sys.argv[3]) if len(sys.argv) > 3 else None
settings = Settings(sys.argv[1], sys.argv[2], port=0, guards=Guards(rate=rate, burst=5))
run_workers(2, settings, Limits(), lambda address: print(address, flush=True))
"""


@contextmanager
def working(model: Path, *rate: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Two processes at one address; all are gone at the end."""
    with (model.parent / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, model, model.with_suffix(".store"), *rate],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate()


def children(process: subprocess.Popen[str]) -> list[int]:
    """The processes that a process has started."""
    return list(map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()))


def ask(address: str, path: str, **body: object) -> dict[str, object]:
    """The answer on a connection of its own, which any of the processes takes."""
    answer = httpx.post(address + path, json=body, trust_env=False, verify=False, timeout=20)  # noqa: S501 - no TLS
    answer.raise_for_status()
    found: dict[str, object] = answer.json()
    return found


def knows_all(address: str, texts: list[str]) -> bool:
    """Whether the process that answers knows all words of these texts."""
    found = ask(address, "/predict", texts=texts)["predictions"]
    assert isinstance(found, list)
    return {each["known"] for each in found} == {1.0}


def until(seconds: float, is_so: object) -> None:
    end = time.monotonic() + seconds
    while not is_so():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_all_know_what_one_has_learned_and_what_is_killed_comes_back(model_file: Path) -> None:
    with working(model_file) as (process, address):
        first = children(process)
        assert len(first) == 2
        for number in range(20):
            ask(address, "/learn", corrections=[{"text": f"zany{number}", "label": "pos"}])
        until(20, lambda: all(knows_all(address, [f"zany{number}" for number in range(20)]) for _ in range(12)))
        os.kill(first[0], signal.SIGKILL)
        until(20, lambda: len(set(children(process)) - {first[0]}) == 2)
        ask(address, "/learn", corrections=[{"text": "after all", "label": "neg"}])
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    events = [json.loads(line)["event"] for line in (model_file.parent / "log").read_text().splitlines()]
    assert "ended" in events


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_processes_end_with_the_one_that_has_started_them(model_file: Path) -> None:
    with working(model_file) as (process, _):
        started = children(process)
        process.kill()
        process.wait()
        until(20, lambda: not any(is_alive(each) for each in started))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_figures_are_those_of_all_processes_also_of_one_that_was_killed(model_file: Path) -> None:
    with working(model_file) as (process, address):
        for number in range(30):
            ask(address, "/predict", text=f"dull {number}")

        def figures() -> tuple[float, float]:
            drift = httpx.get(address + "/drift", trust_env=False, verify=False, timeout=20).json()  # noqa: S501 - no TLS
            return drift["texts"], counted(address, 'likely_requests_total{route="/predict",code="200"}')

        until(20, lambda: figures() == (30, 30))
        time.sleep(1.5)  # so that each has written what it has counted
        os.kill(children(process)[1], signal.SIGKILL)
        until(20, lambda: len(children(process)) == 2)
        for _ in range(6):
            assert counted(address, 'likely_requests_total{route="/predict",code="200"}') == 30
        assert counted(address, 'process_resident_memory_bytes{worker="1"}') > 0


def counted(address: str, name: str) -> float:
    text = httpx.get(address + "/metrics", trust_env=False, verify=False, timeout=20).text  # noqa: S501 - no TLS
    return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.rpartition(" ")[0] == name)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_the_learn_rate_holds_for_all_processes_together(model_file: Path) -> None:
    with working(model_file, "0.001") as (_, address):
        statuses = [
            httpx.post(
                address + "/learn",
                json={"corrections": [{"text": f"zany{number}", "label": "pos"}]},
                trust_env=False,
                verify=False,  # noqa: S501 - no TLS
                timeout=20,
            ).status_code
            for number in range(16)
        ]
    assert statuses == [200] * 5 + [429] * 11


def is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
