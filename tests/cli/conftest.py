"""Run the command as a person does: by its entry point, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

COMMAND = Path(sys.executable).with_name("likely")

REVIEWS = [
    ("good fun, and a good plot", "pos"),
    ("so much fun", "pos"),
    ("a good film", "pos"),
    ("dull and boring", "neg"),
    ("a boring plot, no fun", "neg"),
    ("so dull", "neg"),
]


class Finished:
    """A finished command: its output and its exit status."""

    def __init__(self, done: subprocess.CompletedProcess[bytes]) -> None:
        self.status = done.returncode
        self.raw = done.stdout
        self.out = done.stdout.decode()
        self.err = done.stderr.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Finished]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run `likely` in a new folder. The exit status must be ``status``, and there is never a traceback."""

    def run(
        *args: object, status: int = 0, stdin: bytes = b"", stdin_file: Path | None = None, **env: str
    ) -> Finished:
        given: dict[str, Any] = {"stdin": stdin_file.open("rb")} if stdin_file else {"input": stdin}
        done = Finished(
            subprocess.run(
                [COMMAND, *map(str, args)],
                **given,
                capture_output=True,
                cwd=tmp_path,
                env=os.environ | env,
                timeout=60,
                check=False,
            )
        )
        if stdin_file:
            given["stdin"].close()
        assert done.status == status, done.err or done.out
        assert "Traceback" not in done.err
        if status == 2:
            assert done.out == ""
            assert len(done.err.strip().splitlines()) <= 4, "one clear line (click adds the usage)"
        return done

    return run


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    path = tmp_path / "reviews.csv"
    rows = "".join(f'"{text}",{label}\n' for text, label in REVIEWS)
    path.write_text(f"review,sentiment\n{rows}")
    return path


@pytest.fixture
def model(run: Run, reviews: Path, tmp_path: Path) -> Path:
    path = tmp_path / "reviews.likely"
    run("train", reviews, "-o", path)
    return path
