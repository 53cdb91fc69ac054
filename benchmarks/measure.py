"""Measurements: the best of several runs, peers in their own environment, peak memory of a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import corpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

HERE = Path(__file__).parent
PEERS = HERE / ".venv" / "bin" / "python"
THREADS = 2
RUNS = 5
"""The number of runs, for `likely` and for the peers; the best one is used."""


@dataclass(frozen=True)
class Claim:
    """One row of the table: ``value`` must be at least (or at most) ``bar``."""

    work: str
    value: float
    bar: float
    detail: str
    at_most: bool = False

    @property
    def passed(self) -> bool:
        """Whether the bar was reached."""
        return self.value <= self.bar if self.at_most else self.value >= self.bar

    def __str__(self) -> str:
        sign = "<=" if self.at_most else ">="
        verdict = "pass" if self.passed else "MISS"
        return f"{verdict}  {self.work:58} {self.value:10.4g} {sign} {self.bar:<8g} {self.detail}"


def best(work: Callable[[], Any], times: int = RUNS) -> tuple[float, Any]:
    """The shortest of several runs, and the last result."""
    found, result = float("inf"), None
    for _ in range(times):
        begun = time.perf_counter()
        result = work()
        found = min(found, time.perf_counter() - begun)
    return found, result


def peers(task: str) -> dict[str, float]:
    """The seconds that each peer needs for a task."""
    texts, labels, _ = corpus.load()
    return peers_on(texts, labels, task)


def peers_on(texts: list[str], labels: list[str], task: str, runs: int = RUNS) -> dict[str, float]:
    """The seconds that each peer needs for a task with these texts."""
    if not PEERS.exists():
        sys.exit("the peers are not installed: run `make bench`")
    with tempfile.TemporaryDirectory() as folder:
        data = {"texts": texts, "labels": labels, "one": corpus.one_review(texts), "scratch": f"{folder}/lines.txt"}
        path = Path(folder, "corpus.json")
        path.write_text(json.dumps(data), encoding="utf-8")
        command = [str(PEERS), str(HERE / "peers.py"), task, str(path), str(runs)]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(answer.stdout.splitlines()[-1])
    return figures


def in_fresh_process(module: str, *args: str) -> dict[str, float]:
    """The numbers that a module prints as JSON when it runs as a script."""
    command = [sys.executable, "-m", module, *args]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, float] = json.loads(answer.stdout.splitlines()[-1])
    return figures


def memory(field: str) -> int:
    """A field of /proc/self/status in bytes: VmRSS is the memory in use, VmHWM its peak."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1]) * 1024
    raise LookupError(field)


def reset_peak() -> None:
    """Reset VmHWM."""
    Path("/proc/self/clear_refs").write_text("5")


def show(claims: Iterable[Claim]) -> list[Claim]:
    """Print each claim as soon as it is known; returns all of them."""
    found = []
    for claim in claims:
        print(claim, flush=True)
        found.append(claim)
    return found
