"""`likely check`: findings, JSON and the exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from likely.sample import load_sample

from .conftest import Run  # noqa: TC001

TEXTS, LABELS = load_sample()


@pytest.fixture
def films(tmp_path: Path) -> Path:
    path = tmp_path / "films.jsonl"
    rows = ({"text": text, "label": label} for text, label in zip(TEXTS, LABELS, strict=True))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_good_data(run: Run, films: Path) -> None:
    done = run("check", films)
    assert done.out.startswith("480 rows of 2 classes: negative 240, positive 240.")
    assert "SERIOUS" not in done.out
    assert "read as JSON Lines" in done.err


def test_serious_findings_and_what_to_do(run: Run, tmp_path: Path) -> None:
    rows = [f'"{text}",pos\n' for text in ("good fun", "so good", "fine film")] * 4
    rows += [f'"{text}",neg\n' for text in ("bad fun", "so bad", "good fun", "...")] * 4
    (tmp_path / "films.csv").write_text("review,sentiment\n" + "".join(rows))
    done = run("check", "films.csv", status=1)
    assert "SERIOUS  8 rows of 28 (29%) have the same text as another row, but a" in done.out
    found = run("check", "films.csv", "--json", status=1).json
    fixes = {each["kind"]: each["fix"] for each in found["findings"]}
    assert fixes["contradictions"] == "correct the labels, or leave these texts out"
    assert {"empty", "copies"} <= fixes.keys()


def test_the_number_of_examples(run: Run, films: Path) -> None:
    with films.open("a") as file:
        file.writelines(json.dumps({"text": "word", "label": "negative"}) + "\n" for _ in range(10))
    shown = {top: run("check", films, "--top", top).out.count("  row ") for top in (0, 2, 5)}
    assert shown[0] == 0
    assert 0 < shown[2] < shown[5]


def test_bad_input(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("")
    assert "empty.csv" in run("check", "empty.csv", status=2).err
    assert "Missing argument 'DATA...'" in run("check", status=2).err
    assert "nothing.csv" in run("check", "nothing.csv", status=2).err


def test_texts_cannot_control_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text('text,label\n"\x1b[31m red",a\n"\u202e evil",\x1b[32mb\n"x y",a\n')
    done = run("check", "bad.csv", status=1)
    assert "\x1b" not in done.out + done.err
    assert "\u202e" not in done.out
