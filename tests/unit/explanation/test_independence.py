"""Which terms go together within a class, and what that costs."""

from __future__ import annotations

import json

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import ArgumentError, LabelError, OptionError
from likely.explanation.independence import Independence, dependence, log_odds
from likely.sample import load_sample

FACTORIAL = ["a b", "a", "b", ""] * 4, ["x"] * 8 + ["y"] * 8


def test_independent_terms() -> None:
    texts, labels = ["a b", "a", "b", "c"] * 4 + ["a c", "c", "a", "d"] * 4, ["x"] * 16 + ["y"] * 16
    found = NaiveBayes().fit(texts, labels).independence(texts, labels)
    assert ("a", "b") not in [(each.a, each.b) for each in found.pairs]
    plain = NaiveBayes().fit(*FACTORIAL).independence(*FACTORIAL)
    assert (plain.pairs, plain.times_counted) == ([], 1.0)
    assert (plain.documents, plain.terms, plain.words) == (16, 2, 1.0)


def test_what_is_always_together_is_counted_twice() -> None:
    texts = ["hong kong"] * 6 + [""] * 2 + ["hong kong"] + [""] * 7
    labels = ["asia"] * 8 + ["europe"] * 8
    found = NaiveBayes().fit(texts, labels).independence(texts, labels)
    (pair,) = found.pairs
    assert (pair.a, pair.b, pair.documents) == ("hong", "kong", 7)
    assert pair.expected == pytest.approx(6 * 6 / 8 + 1 / 8)
    information = [-(p * np.log(p) + (1 - p) * np.log(1 - p)) for p in (6 / 8, 1 / 8)]
    assert pair.g2 == pytest.approx(2 * 8 * sum(information))  # all that the one tells, the other does
    once = np.log((6.5 / 9) / (1.5 / 9))
    assert pair.double_counted == pytest.approx(once)
    assert found.times_counted == pytest.approx(2.0)
    assert found.effective_words == pytest.approx(found.words / 2)


def test_together_they_may_say_more() -> None:
    texts = ["not good", "not good", "bad", "not", "good", "good", "not bad", "good"]
    labels = ["-"] * 4 + ["+"] * 4
    pairs = NaiveBayes().fit(texts, labels).independence(texts, labels).pairs
    pair = next(each for each in pairs if (each.a, each.b) == ("good", "not"))
    assert pair.double_counted < 0


def test_order_threads_and_batches_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, labels = load_sample()
    model = NaiveBayes().fit(texts, labels)
    found = model.independence(texts, labels, n=5)
    assert len(found.pairs) == 5
    monkeypatch.setattr("likely.explanation.independence.AT_ONCE", 7)
    turned = NaiveBayes(threads=1).fit(texts[::-1], labels[::-1]).independence(texts[::-1], labels[::-1], n=5)
    assert turned.pairs == found.pairs
    assert turned.times_counted == pytest.approx(found.times_counted)
    assert model.independence(iter(texts)).documents == 480


def test_many_classes_compare_fewer_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.explanation.independence.MOST_CELLS", 200)
    texts, labels = load_sample()
    assert NaiveBayes().fit(texts, labels).independence(texts).terms == 10


def test_one_class_and_unicode() -> None:
    texts = ["déjà naïve", "déjà naïve", "x", "y"]
    found = NaiveBayes().fit(texts, [1] * 4).independence(texts)
    assert {found.pairs[0].a, found.pairs[0].b} == {"déjà", "naïve"}
    assert found.pairs[0].double_counted == 0
    assert found.times_counted == 1.0
    assert "déjà" in str(found)
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_is_refused() -> None:
    model = NaiveBayes().fit(["a b", "b"], ["x", "y"])
    with pytest.raises(ArgumentError, match="no texts"):
        model.independence([])
    with pytest.raises(ArgumentError, match="more texts"):
        model.independence(["a", "b"], ["x"])
    with pytest.raises(ArgumentError, match="2 labels for 1 text"):
        model.independence(["a"], ["x", "y"])
    with pytest.raises(LabelError):
        model.independence(["a"], ["z"])
    with pytest.raises(OptionError, match="n=-1"):
        model.independence(["a"], n=-1)
    with pytest.raises(OptionError, match="hash_bits"):
        NaiveBayes(hash_bits=10).fit(["a", "b"], [0, 1]).independence(["a"])


def test_empty_classes_say_nothing() -> None:
    both, documents = np.zeros((2, 1, 1)), np.array([4.0, 0.0])
    assert dependence(both, documents)[0].tolist() == [[0.0]]
    assert np.isfinite(log_odds(both, documents)).all()


def test_evidence_that_is_counted_less_than_once_is_explained() -> None:
    less, more = (Independence([], 9, 9, 3.0, times) for times in (0.55, 1.55))
    assert "counted 0.55 times (less than once: where one term is, others tend to be missing)" in str(less)
    assert "counted 1.55 times;" in str(more)
