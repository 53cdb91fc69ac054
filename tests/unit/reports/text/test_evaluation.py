"""Evaluations for people."""

from __future__ import annotations

from likely import evaluate
from likely.reports.text.evaluation import MOST_ROWS, evaluation_text


def test_the_tables_hold_the_figures() -> None:
    text = evaluation_text(evaluate(["a", "a", "b"], ["a", "b", "b"]))
    rows = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line.strip()}
    assert text.startswith("accuracy 0.6667 on 3 documents\n")
    assert rows["a"] == ["1", "1"], "the last table is the confusion matrix"
    assert ["a", "1", "0.5", "0.6667", "2"] in [line.split() for line in text.splitlines()]
    assert rows["micro"][-1] == "3"
    assert [line.split() for line in text.splitlines()[-2:]] == [["a", "1", "1"], ["b", "0", "1"]]


def test_only_the_largest_of_many_classes_are_listed() -> None:
    gold = [f"c{at:03}" for at in range(MOST_ROWS + 20)] + ["c069"] * 5
    text = evaluation_text(evaluate(gold, gold))
    assert "20 smaller classes are not listed, but they are part of the averages." in text
    assert "\nc069 " in text
    assert "gold labels (rows)" not in text, "a confusion matrix of that many classes cannot be read"


def test_labels_do_not_steer_the_terminal() -> None:
    found = evaluate(["<b>\x1b[31m", "x"], ["<b>\x1b[31m", "x"])
    assert "\x1b" not in evaluation_text(found)
