"""The classes that are most often confused."""

from __future__ import annotations

from dataclasses import asdict

from likely import evaluate
from likely.evaluation.evaluation import Confused


def test_the_pairs_with_most_documents_come_first() -> None:
    gold = ["a", "a", "a", "b", "b", "c", "c"]
    predicted = ["b", "b", "a", "c", "b", None, "c"]
    assert evaluate(gold, predicted).confused == [
        Confused("a", "b", 2, 2 / 3),
        Confused("b", "c", 1, 1 / 2),
    ]


def test_there_are_none_if_all_is_right() -> None:
    assert evaluate(["a", "b"], ["a", "b"]).confused == []


def test_as_plain_data() -> None:
    assert asdict(Confused("a", "b", 2, 0.5)) == {"gold": "a", "predicted": "b", "documents": 2, "share": 0.5}
