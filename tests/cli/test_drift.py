"""`likely drift`: the exit status, labels if there are some, and a pipe."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

from likely.sample import load_sample

from .conftest import Run  # noqa: TC001

TEXTS, LABELS = load_sample()


def written(path: Path, rows: Sequence[tuple[str, ...]], header: str) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header.split(","), *rows])
    return path


def test_the_exit_status(run: Run, sample: Path, tmp_path: Path) -> None:
    same = written(tmp_path / "same.csv", list(zip(TEXTS, LABELS, strict=True)), "text,label")
    done = run("drift", sample, same)
    assert "480 documents: no drift" in done.out
    other = written(tmp_path / "other.csv", [("gm frens wen moon",)] * 50, "text")
    done = run("drift", sample, other, status=1)
    assert "drift in unknown terms, moved terms" in done.out
    assert done.err.startswith("read as CSV, text=text, 50 rows")


def test_labels_are_read_if_there_are_some(run: Run, sample: Path, tmp_path: Path) -> None:
    rows = list(zip(TEXTS, LABELS, strict=True))
    labelled = run("drift", sample, written(tmp_path / "a.csv", rows, "text,label"), "--json").json["drift"]
    assert labelled["accuracy"]["documents"] == len(TEXTS)
    assert labelled["classes"][0]["gold"] is not None
    bare = run("drift", sample, written(tmp_path / "b.csv", rows, "text,id"), "--json").json
    assert bare["drift"]["accuracy"] is None
    assert bare["read"]["label"] is None
    named = run("drift", sample, tmp_path / "b.csv", "--label-column", "id", "--json").json
    assert named["drift"]["accuracy"]["accuracy"] == labelled["accuracy"]["accuracy"]


def test_a_pipe(run: Run, sample: Path) -> None:
    lines = "".join(json.dumps({"text": text}) + "\n" for text in TEXTS).encode()
    found = run("drift", sample, "-", "--json", stdin=lines).json["drift"]
    assert found["documents"] == len(TEXTS)


def test_data_in_the_place_of_the_model(run: Run, sample: Path, tmp_path: Path) -> None:
    same = written(tmp_path / "same.csv", [("good", "positive")], "text,label")
    assert "give the model first" in run("drift", same, sample, status=2).err
