"""One row of the table of accuracies, and the call of scikit-learn in its own environment."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.measure import HERE, PEERS

PLAIN = "scikit-learn MultinomialNB"
BEST = "best of 30"
SVM = "LinearSVC"


@dataclass(frozen=True)
class Row:
    """The results on a corpus, of the peers and of `likely`, and the bar to reach, if there is one."""

    corpus: str
    measure: str
    value: float
    bar: float | None = None
    theirs: dict[str, float] = field(default_factory=dict)
    detail: str = ""
    at_most: bool = False
    places: int = 2

    @property
    def passed(self) -> bool:
        """Whether the bar was reached; True if there is none."""
        if self.bar is None:
            return True
        return self.value <= self.bar if self.at_most else self.value >= self.bar

    def cells(self) -> list[str]:
        """The cells of the row."""
        theirs = [self.shown(self.theirs[name]) if name in self.theirs else "" for name in (PLAIN, BEST, SVM)]
        sign = "at most" if self.at_most else "at least"
        bar = "" if self.bar is None else f"{sign} {self.bar:g}"
        verdict = "" if self.bar is None else "pass" if self.passed else "**MISS**"
        return [self.corpus, self.measure, *theirs, self.shown(self.value), bar, verdict, self.detail]

    def shown(self, value: float) -> str:
        """The number with the decimal places of its measure."""
        return f"{value:.{self.places}f}"


def peers(work: str, task: dict[str, Any]) -> dict[str, Any]:
    """The results of scikit-learn for a task, in the environment of the peers."""
    if not PEERS.exists():
        sys.exit("the peers are not installed: run `make accuracy`")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "task.json")
        path.write_text(json.dumps(task), encoding="utf-8")
        command = [str(PEERS), str(HERE / "accuracy_peers.py"), work, str(path)]
        answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(answer.stdout.splitlines()[-1])
    return found
