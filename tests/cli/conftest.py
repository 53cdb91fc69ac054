"""Run the command as a person does: by its entry point, in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from likely import NaiveBayes
from likely.sample import load_sample

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


def run_in(
    folder: Path, *args: object, status: int = 0, stdin: bytes = b"", stdin_file: Path | None = None, **env: str
) -> Finished:
    """Run the command in a folder; unless told otherwise it must succeed, and it never shows a traceback."""
    given: dict[str, Any] = {"stdin": stdin_file.open("rb")} if stdin_file else {"input": stdin}
    done = Finished(
        subprocess.run(
            [COMMAND, *map(str, args)],
            **given,
            capture_output=True,
            cwd=folder,
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


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the command in a fresh folder."""
    return partial(run_in, tmp_path)


def write_reviews(folder: Path) -> Path:
    path = folder / "reviews.csv"
    rows = "".join(f'"{text}",{label}\n' for text, label in REVIEWS)
    path.write_text(f"review,sentiment\n{rows}")
    return path


@pytest.fixture
def reviews(tmp_path: Path) -> Path:
    return write_reviews(tmp_path)


@pytest.fixture(scope="session")
def trained_once(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of the model of the reviews, which the command itself trains once per session."""
    folder = tmp_path_factory.mktemp("trained")
    run_in(folder, "train", write_reviews(folder), "-o", "reviews.likely")
    return (folder / "reviews.likely").read_bytes()


@pytest.fixture
def model(trained_once: bytes, reviews: Path) -> Path:
    """The file of the model of the reviews, a copy for each test."""
    path = reviews.with_suffix(".likely")
    path.write_bytes(trained_once)
    return path


@pytest.fixture(scope="session")
def sample_once(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a calibrated model of the sample corpus."""
    path = tmp_path_factory.mktemp("sample") / "sample.likely"
    NaiveBayes(calibrate=True).fit(*load_sample()).save(path)
    return path.read_bytes()


@pytest.fixture
def sample(sample_once: bytes, tmp_path: Path) -> Path:
    """The file of a calibrated model of the sample corpus, a copy for each test."""
    path = tmp_path / "sample.likely"
    path.write_bytes(sample_once)
    return path
