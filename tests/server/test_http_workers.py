"""Several processes at one address: all learn, all follow, and what ends is started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from .served import until

_PROGRAM = """
import json, sys
from likely.server.access import Limits
from likely.server.corrections import Guards
from likely.server.running import ServerSettings, run
model, rate, drain = json.loads(sys.argv[1])
guards = Guards(rate=rate, burst=5)
settings = ServerSettings(model, model + ".store", port=0, workers=2, guards=guards, drain=drain)
run(settings, Limits(), lambda address: print(address, flush=True))
"""


@contextmanager
def working(
    model: Path, rate: float | None = None, drain: float = 0.0
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Two processes at one address; all are gone at the end."""
    with (model.parent / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, json.dumps([str(model), rate, drain])],
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


def get(address: str, path: str) -> httpx.Response:
    """An answer on a connection of its own, which any of the processes takes."""
    return httpx.get(address + path, trust_env=False, verify=False, timeout=60)  # noqa: S501 - no TLS


def post(address: str, path: str, **body: object) -> httpx.Response:
    """An answer on a connection of its own, which any of the processes takes."""
    return httpx.post(address + path, json=body, trust_env=False, verify=False, timeout=60)  # noqa: S501 - no TLS


def ask(address: str, path: str, **body: object) -> dict[str, object]:
    """What a good answer says."""
    found: dict[str, object] = post(address, path, **body).raise_for_status().json()
    return found


def knows_all(address: str, texts: list[str]) -> bool:
    """Whether the process that answers knows all words of these texts."""
    found = ask(address, "/predict", texts=texts)["predictions"]
    assert isinstance(found, list)
    return {each["known"] for each in found} == {1.0}


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
PREDICTED = 'likely_requests_total{code="200",route="/predict"}'


@needs_proc
def test_all_learn_and_count_and_one_that_is_killed_comes_back(model_file: Path) -> None:
    with working(model_file) as (process, address):
        for number in range(30):
            ask(address, "/predict", text=f"dull {number}")
        assert counted(address, PREDICTED) == 30
        assert get(address, "/drift").json()["texts"] <= 30, "each answers for its own texts"
        first = workers(process)
        os.kill(first[0], signal.SIGKILL)
        until(lambda: len(set(workers(process)) - {first[0]}) == 2)
        for _ in range(6):
            assert counted(address, PREDICTED) == 30, "also those of the one that was killed"
        until(lambda: counted(address, "likely_requests_in_flight") == 1)
        for number in range(20):
            ask(address, "/learn", corrections=[{"text": f"zany{number}", "label": "pos"}])
        until(lambda: all(knows_all(address, [f"zany{number}" for number in range(20)]) for _ in range(12)))
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    events = [json.loads(line)["event"] for line in (model_file.parent / "log").read_text().splitlines()]
    assert "ended" in events
    assert [path.name for path in model_file.parent.glob("*.store-*.likely")] == ["reviews.likely.store-20.likely"]


@needs_proc
def test_each_allows_its_share_of_the_rate_limit_and_ends_with_the_first_process(model_file: Path) -> None:
    with working(model_file, rate=0.001) as (process, address):
        statuses = [
            post(address, "/learn", corrections=[{"text": f"zany{number}", "label": "pos"}]).status_code
            for number in range(16)
        ]
        assert set(statuses) == {200, 429}
        assert 5 <= statuses.count(200) <= 10, "each allows five at once"
        until(lambda: len(workers(process)) == 2)
        started = workers(process)
        process.kill()
        process.wait()
        until(lambda: not any(is_alive(each) for each in started))


@needs_proc
def test_a_second_signal_ends_all_at_once(model_file: Path) -> None:
    with working(model_file, drain=600.0) as (process, address):
        ask(address, "/predict", text="dull")
        until(lambda: len(workers(process)) == 2)
        started = workers(process)
        process.send_signal(signal.SIGTERM)
        until(lambda: get(address, "/readyz").status_code == 503)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 128 + signal.SIGTERM
        until(lambda: not any(is_alive(each) for each in started))


def counted(address: str, name: str) -> float:
    lines = get(address, "/metrics").text.splitlines()
    return sum(float(line.rpartition(" ")[2]) for line in lines if line.rpartition(" ")[0] == name)


def is_alive(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
