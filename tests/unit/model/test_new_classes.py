"""New classes are named before they are learned, and can be refused."""

from __future__ import annotations

import logging

import likely
import pytest
from likely.core.file import to_bytes
from likely.core.state import NewClasses
from likely.errors import LabelError, NotFittedError


def test_new_classes_are_named_with_what_may_be_meant() -> None:
    assert str(NewClasses({"spma": 1}, ["ham", "spam"])) == (
        "1 new class: 'spma' (1 text; did you mean 'spam'?). Known classes: 'ham', 'spam'"
    )
    assert str(NewClasses({3: 2.5}, [1, 2])) == "1 new class: 3 (2.5 texts). Known classes: 1, 2"
    many = str(NewClasses({f"new {number}": 1 for number in range(50)}, [f"old {number}" for number in range(5_000)]))
    assert many.startswith("50 new classes: 'new 0' (1 text), ")
    assert " and 45 more. Known classes: 'old 0', " in many
    assert len(many) < 500


def test_new_classes_are_refused_and_nothing_is_learned() -> None:
    model = likely.NaiveBayes().fit(["good", "bad"], ["pos", "neg"])
    before = to_bytes(model._snapshot())
    with pytest.raises(LabelError, match=r"1 new class: 'pso' \(1 text; did you mean 'pos'"):
        model.learn(["fine", "so"], ["pos", "pso"], new_classes=False)
    assert to_bytes(model._snapshot()) == before
    model.learn(["fine"], ["pos"], new_classes=False)
    assert model.class_documents_.tolist() == [1, 2]
    with pytest.raises(NotFittedError):
        likely.NaiveBayes().learn(["fine"], ["pos"], new_classes=False)


def test_a_class_that_was_forgotten_is_new() -> None:
    model = likely.NaiveBayes().fit(["good", "bad"], ["pos", "neg"]).forget(["bad"], ["neg"])
    with pytest.raises(LabelError, match="Known classes: 'pos'"):
        model.learn(["bad"], ["neg"], new_classes=False)


def test_new_classes_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "likely"):
        likely.NaiveBayes().fit(["good"], ["pos"]).learn(["bad"], ["neg"]).learn(["bad"], ["neg"])
    assert caplog.messages == ["1 new class: 'neg' (1 text). Known classes: 'pos'"]
