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
from likely.server.access import Limits
from likely.server.corrections import Guards
from likely.server.running import ServerSettings, run
rate = float(sys.argv[3]) if len(sys.argv) > 3 else None
settings = ServerSettings(sys.argv[1], sys.argv[2], port=0, workers=2, guards=Guards(rate=rate, burst=5))
run(settings, Limits(), lambda address: print(address, flush=True))
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


def workers(process: subprocess.Popen[str]) -> list[int]:
    """The processes that serve."""
    found = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(each) for each in found if b"spawn_main" in Path(f"/proc/{each}/cmdline").read_bytes()]


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
        for number in range(20):
            ask(address, "/learn", corrections=[{"text": f"zany{number}", "label": "pos"}])
        until(20, lambda: all(knows_all(address, [f"zany{number}" for number in range(20)]) for _ in range(12)))
        first = workers(process)
        assert len(first) == 2
        os.kill(first[0], signal.SIGKILL)
        until(60, lambda: len(set(workers(process)) - {first[0]}) == 2)
        ask(address, "/learn", corrections=[{"text": "after all", "label": "neg"}])
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    events = [json.loads(line)["event"] for line in (model_file.parent / "log").read_text().splitlines()]
    assert "ended" in events
    assert [path.name for path in model_file.parent.glob("*.store-*.likely")] == ["reviews.store-21.likely"]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_processes_end_with_the_one_that_has_started_them(model_file: Path) -> None:
    with working(model_file) as (process, address):
        until(60, lambda: len(workers(process)) == 2)
        started = workers(process)
        ask(address, "/predict", text="dull")
        process.kill()
        process.wait()
        until(20, lambda: not any(is_alive(each) for each in started))


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_figures_are_those_of_all_processes_also_of_one_that_was_killed(model_file: Path) -> None:
    with working(model_file) as (process, address):
        for number in range(30):
            ask(address, "/predict", text=f"dull {number}")

        assert counted(address, 'likely_requests_total{code="200",route="/predict"}') == 30
        drift = httpx.get(address + "/drift", trust_env=False, verify=False, timeout=20).json()  # noqa: S501 - no TLS
        assert drift["texts"] <= 30, "each answers for its own texts"
        killed = workers(process)[1]
        os.kill(killed, signal.SIGKILL)
        until(60, lambda: killed not in workers(process) and len(workers(process)) == 2)
        for _ in range(6):
            assert counted(address, 'likely_requests_total{code="200",route="/predict"}') == 30
        until(20, lambda: counted(address, "likely_requests_in_flight") == 1)


def counted(address: str, name: str) -> float:
    text = httpx.get(address + "/metrics", trust_env=False, verify=False, timeout=20).text  # noqa: S501 - no TLS
    return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.rpartition(" ")[0] == name)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_each_process_allows_its_share_of_the_rate_limit(model_file: Path) -> None:
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
    assert set(statuses) == {200, 429}
    assert 5 <= statuses.count(200) <= 10, "each allows five at once"


def is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
