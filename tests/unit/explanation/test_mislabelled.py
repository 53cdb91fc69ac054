"""Documents whose label is probably wrong, and the evidence."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.calibration import Calibration
from likely.errors import LabelError, LikelyError, OptionError
from likely.explanation.suspects import Noise, Suspect, best_length
from likely.sample import load_sample

OPTIONS: list[dict[str, Any]] = [
    {},
    {"ngrams": (1, 2), "alpha": 0.3},
    {"variant": "binary"},
    {"variant": "complement"},
    {"variant": "complement_binary", "ngrams": (1, 2)},
    {"document_weight": "equal"},
    {"variant": "complement", "document_weight": "equal", "alpha": 0.1},
    {"stop_words": "auto"},
    {"hash_bits": 12},
]


def flipped(rows: list[int]) -> tuple[list[str], list[str]]:
    texts, labels = load_sample()
    for row in rows:
        labels[row] = "negative" if labels[row] == "positive" else "positive"
    return texts, labels


def test_texts_that_say_nothing_about_their_labels_contradict_none() -> None:
    rng = random.Random(3)
    words = [f"word{at}" for at in range(20)]
    texts, labels = [" ".join(rng.sample(words, 5)) for _ in range(24)], [rng.choice("ab") for _ in range(24)]
    assert NaiveBayes().fit(texts, labels).suspects(texts, labels) == []


@pytest.mark.parametrize("options", OPTIONS)
def test_flipped_labels_are_found(options: dict[str, Any]) -> None:
    rows = random.Random(3).sample(range(480), 24)
    texts, labels = flipped(rows)
    found = NaiveBayes(**options).fit(texts, labels).suspects(texts, labels, n=24)
    assert len(found) == 24
    assert len({each.row for each in found} & set(rows)) >= 8
    assert len({each.row for each in found[:3]} & set(rows)) >= 2
    assert [each.probability for each in found] == sorted((each.probability for each in found), reverse=True)
    for each in found:
        assert (each.text, each.label) == (texts[each.row], labels[each.row])
        assert each.suggested != each.label


@pytest.mark.parametrize("options", OPTIONS)
def test_the_evidence_is_that_of_an_explanation(options: dict[str, Any]) -> None:
    texts, labels = flipped([7])
    model = NaiveBayes(**options).fit(texts, labels)
    (found,) = model.suspects(texts, labels, n=1)
    contrast = model.explain(found.text).contrast(found.suggested, found.label)
    speaking = {each.term: each.log_ratio for each in contrast if each.log_ratio > 0}
    assert found.terms
    assert dict(found.terms) == pytest.approx({term: speaking[term] for term, _ in found.terms})
    assert max(speaking.values()) == pytest.approx(found.terms[0][1])


def test_order_and_container_of_the_documents_do_not_matter() -> None:
    texts, labels = flipped([7, 50, 333])
    model = NaiveBayes().fit(texts, labels)
    found = model.suspects(texts, labels)
    turned = model.suspects(texts[::-1], labels[::-1])
    assert {each.text for each in turned} == {each.text for each in found}
    assert model.suspects(np.array(texts), np.array(labels)) == found
    assert model.suspects(iter(texts), iter(labels)) == found


def test_nothing_to_suspect() -> None:
    model = NaiveBayes().fit(["a", "b"], ["x", "y"])
    assert model.suspects(["a", "b"], ["x", "y"]) == []  # each is the only one of its class
    assert model.suspects([], []) == []
    one = NaiveBayes().fit(["a", "b"], ["x", "x"])
    assert one.suspects(["a", "b"], ["x", "x"]) == []
    numbers = range(50)
    texts = [*(f"good fun {n}" for n in numbers), *(f"bad plot {n}" for n in numbers)]
    labels = ["+"] * 50 + ["-"] * 50
    assert NaiveBayes().fit(texts, labels).suspects(texts, labels) == []
    labels[3] = "-"
    assert [each.row for each in NaiveBayes().fit(texts, labels).suspects(texts, labels)] == [3]


def test_what_is_refused() -> None:
    texts, labels = load_sample()
    model = NaiveBayes().fit(texts, labels)
    with pytest.raises(OptionError, match="n=-1"):
        model.suspects(texts, labels, n=-1)
    with pytest.raises(LabelError, match="'neutral' in row 1"):
        model.suspects(texts[:1], ["neutral"])
    with pytest.raises(LikelyError):
        model.suspects("a text", ["positive"])
    with pytest.raises(LikelyError, match="cannot be left out"):
        NaiveBayes(variant="nbsvm").fit(texts, labels).suspects(texts, labels)
    with pytest.raises(OptionError, match="leave_one_out is not defined"):
        NaiveBayes(spelling="on").fit(texts, labels).suspects(texts, labels)


def test_how_a_suspect_looks() -> None:
    text = "naïve 漢字 \x1b[31m " + "x" * 300
    shown = str(Suspect(3, text, "ham", "späm", 0.9, [("naiv", 1.25), ("漢字", 0.5)], ["naïve", "漢字"]))
    assert shown.splitlines()[0] == "row 4: ham, rather späm (wrong with probability 0.9)"
    assert "naïve +1.25, 漢字 +0.5" in shown
    assert "\x1b" not in shown
    assert shown.endswith("...")
    json.dumps(Suspect(3, text, "ham", "spam", 0.9, [("a", float("inf"))], ["a"]).to_dict(), allow_nan=False)


def test_unsmoothed_models() -> None:
    texts, labels = flipped([7])
    model = NaiveBayes(alpha=0).fit(texts, labels)
    assert all(0 <= each.probability <= 1 for each in model.suspects(texts, labels))


def test_lengths_and_bounds() -> None:
    assert best_length(np.zeros(0)) == 0
    assert best_length(np.ones(3)) == 3
    assert (
        Noise(Calibration(1.0, 0.0, 0.0), 0.1).log_odds(np.array([[0.0, -np.inf]]), np.ones(1), np.array([1]))[0]
        == np.inf
    )
