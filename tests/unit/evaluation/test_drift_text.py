"""The text of drift: verdict, bounds, classes and terms, within 80 columns and harmless."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from likely.core.shift import Shift
from likely.evaluation.drift import Drift, MovedTerm, MovedTerms
from likely.evaluation.intervals import Interval


def test_what_it_says() -> None:
    labels = [f"class {at} \x1b" + "x" * 100 for at in range(30)]
    shares = np.full(30, 1 / 30)
    shift = Shift(1000, 9000, 0.3, 0.08, list(labels), shares, shares, True)
    top = [MovedTerm("covid", "covid\u202e" * 20, 0.2, 0.0, 20.5), MovedTerm("old", "old-", 0.01, 0.02, -4.2)]
    found = Drift(shift, [Interval(0.0, 0.1)] * 30, MovedTerms(900, 500, 300, top), shares)
    shown = str(found)
    assert shown.startswith("1,000 documents: drift in unknown terms, moved terms.\n")
    assert "> 0.1800  DRIFT" in shown
    assert "20 more classes differ less." in shown
    assert "+20.5" in shown
    assert "900 documents of the data" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_labels_that_are_not_classes_fit_too() -> None:
    shares = np.full(11, 1 / 11)
    shift = Shift(1000, 9000, 0.1, 0.08, [f"class {at}" for at in range(11)], shares, shares, True)
    shown = str(Drift(shift, None, None, shares / 2))
    assert "50.0% of the labels" in " ".join(shown.split())
    assert "1 more class differs less." in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_nothing_known() -> None:
    shift = Shift(30, 0, None, 0.1, ["a", "b"], None, np.array([0.5, 0.5]), False)
    shown = str(Drift(shift, None, None))
    assert "no drift found; 3 of 3 checks could not be judged." in shown
    assert "cannot be estimated" in shown


def test_a_handful_of_documents_says_nothing() -> None:
    shift = Shift(29, 900, 0.9, 0.1, ["a", "b"], np.array([0.9, 0.1]), np.array([0.5, 0.5]), True)
    found = Drift(shift, None, None)
    assert str(found) == "29 documents: too few yet to tell (at least 30)."
    assert {(each.found, each.bound) for each in found.checks} == {(None, None)}
    assert not found.is_drifted
    assert Drift(replace(shift, documents=30), None, None).is_drifted
