"""How an evaluation was measured, in sentences."""

from __future__ import annotations

from dataclasses import replace

import likely
from likely.evaluation.evaluation import source_text
from likely.sample import load_sample

TEXTS, LABELS = load_sample()
PLAIN = likely.evaluate(["a", "b"], ["a", "b"])


def test_a_test_set_needs_no_words() -> None:
    assert source_text(PLAIN) == ""


def test_the_spread_over_folds() -> None:
    found = source_text(replace(PLAIN, folds=[0.5, 0.7, 0.9]))
    assert found == "Accuracy in the 3 folds: 0.5 to 0.9, standard deviation 0.2."
    assert source_text(replace(PLAIN, folds=[0.5])) == ""


def test_notes_cannot_control_a_terminal() -> None:
    assert source_text(replace(PLAIN, notes=["not tested: \x1b[31m"])) == "not tested: \\x1b[31m"


def test_copies_are_shown_within_80_columns() -> None:
    rows = [
        {"text": text, "label": label, "author": f"{at}"}
        for at, (text, label) in enumerate([*zip(TEXTS, LABELS, strict=True)] * 2)
    ]
    found = likely.cross_validate(rows, group="author", folds=3, plain=True)
    said = source_text(found)
    assert "judged documents of 960 are copies of documents that were learned" in " ".join(said.split())
    assert "= learned row" in said
    assert max(map(len, said.splitlines())) <= 80
    assert said in str(found)
