"""The record of near-copies across what was learned and what was judged."""

from __future__ import annotations

import json

import numpy as np
from likely.evaluation.near_copies import (
    LONGEST,
    SHOWN,
    Closest,
    FingerprintMaker,
    NearCopies,
    ShownDocuments,
    near_copies,
)


def record(places: list[int], similarity: list[float], right: list[bool], labels: list[str]) -> NearCopies:
    told = ShownDocuments([f"text {at}  " * 50 for at in range(len(places))], labels, list(range(len(places))))
    prints = FingerprintMaker().add(list(told.texts)).made()
    closest = Closest(np.array(places), np.array(similarity))
    return near_copies(closest, np.array(right), np.arange(len(right)), told, prints)


def test_numbers_and_effect() -> None:
    found = record([4, 5, -1, -1, 0, 1], [1.0, 0.9, 0, 0, 1.0, 0.9], [True, True, False, True], list("ababbb"))
    assert (found.judged, found.documents, found.of) == (4, 6, 6)
    assert (found.near, found.exact, found.differing) == (2, 1, 1)
    assert (found.accuracy, found.accuracy_of_copies, found.accuracy_without) == (0.75, 1.0, 0.5)
    assert [(each.row, each.other_row, each.similarity) for each in found.examples] == [(1, 5, 0.9), (0, 4, 1.0)]
    assert "2 judged documents of 4 are copies" in str(found)
    assert "1 exact, 1 near, 1 with another label" in str(found)


def test_nothing_found() -> None:
    found = record([-1, -1], [0, 0], [True, False], list("ab"))
    assert found.accuracy_of_copies is None
    assert str(found) == "No judged document is a near-copy of one that was learned."


def test_all_are_copies() -> None:
    found = record([1, 0], [1, 1], [True, True], list("aa"))
    assert found.accuracy_without is None
    assert "undefined without them" in str(found)


def test_examples_are_few_and_short() -> None:
    found = record([(at + 1) % 20 for at in range(20)], [0.9] * 20, [True] * 20, ["a"] * 20)
    assert len(found.examples) == SHOWN
    assert max(len(each.text) for each in found.examples) <= LONGEST
    assert json.loads(json.dumps(found.to_dict()))["near"] == 20


def test_texts_cannot_control_a_terminal() -> None:
    told = ShownDocuments(["\x1b[31m red", "\x1b[31m red"], ["\x1b", "b"], [0, 1])
    prints = FingerprintMaker().add(list(told.texts)).made()
    found = near_copies(Closest(np.array([1, 0]), np.ones(2)), np.array([True]), np.array([0]), told, prints)
    assert "\x1b" not in str(found.examples[0])


def test_a_pair_is_shown_once() -> None:
    found = record([1, 0, 3, 2], [0.9, 0.9, 1.0, 1.0], [True] * 4, ["a"] * 4)
    assert [(each.row, each.other_row) for each in found.examples] == [(0, 1), (2, 3)]
