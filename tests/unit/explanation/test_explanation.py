"""Explanations as data."""

from __future__ import annotations

import json
import math

import pytest
from likely import NaiveBayes
from likely.errors import TextError

Reviews = tuple[list[str], list[str]]


def test_every_term_has_count_spans_and_contributions(reviews: Reviews) -> None:
    explanation = NaiveBayes(ngrams=(1, 2)).fit(*reviews).explain("Very, very powerful!")
    assert [(e.term, e.count, e.spans) for e in explanation.terms] == [
        ("very", 2, [(0, 4), (6, 10)]),
        ("powerful", 1, [(11, 19)]),
        ("very powerful", 1, [(6, 19)]),
    ]
    assert explanation.unknown == ["very very"]
    assert explanation.unknown_spans == [(0, 10)]
    for evidence in explanation.terms:
        for label in "+-":
            expected = evidence.count * math.log(evidence.likelihood[label])
            assert evidence.contribution[label] == pytest.approx(expected, rel=1e-12)
            above, below = evidence.fractions[label]
            assert evidence.likelihood[label] == pytest.approx(above / below, rel=1e-12)


def test_the_binary_variant_counts_a_term_once(reviews: Reviews) -> None:
    explanation = NaiveBayes(variant="binary").fit(*reviews).explain("fun fun fun")
    assert [(e.count, len(e.spans)) for e in explanation.terms] == [(1, 3)]


def test_to_dict_is_plain_data(reviews: Reviews) -> None:
    explanation = NaiveBayes(alpha=0).fit(*reviews).explain("boring \ud800 fun")
    data = explanation.to_dict()
    assert data["classes"] == ["+", "-"]
    assert data["terms"][0]["term"] == "boring"
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["scores"] == [None, None]
    assert json.dumps(NaiveBayes(alpha=0).fit(*reviews).ratio("fun", "+", "-").to_dict(), allow_nan=False)


def test_more_classes_have_no_log_odds() -> None:
    model = NaiveBayes().fit(["a", "b", "c"], [1, 2, 3])
    explanation = model.explain("a b")
    assert explanation.log_odds is None
    assert "log-odds" not in str(explanation)
    assert NaiveBayes().fit(["a", "b"], [1, 2]).explain("b").log_odds == pytest.approx(math.log(2))


def test_the_prior_is_right_to_the_last_digit() -> None:
    prior = NaiveBayes().fit(["a", "b", "c", "d"], ["x", "x", "x", "y"]).explain("a").prior
    assert prior == {"x": 0.75, "y": 0.25}


def test_bad_input_is_named(reviews: Reviews) -> None:
    with pytest.raises(TextError, match="list, not str"):
        NaiveBayes().fit(*reviews).explain(["a list"])  # type: ignore[arg-type]


def test_the_share_of_known_terms(reviews: Reviews) -> None:
    model = NaiveBayes(ngrams=(1, 2)).fit(*reviews)
    assert model.explain("Very, very powerful!").known == 0.8
    unknown = model.explain("zzz qqq")
    assert (unknown.known, unknown.to_dict()["known"]) == (0.0, 0.0)
    assert "the prior decides" in str(unknown)


def test_a_likelihood_that_is_too_large_for_a_float_is_not_infinity_in_json() -> None:
    model = NaiveBayes(variant="complement", alpha=5e-324).fit(["good film", "bad film"], ["pos", "neg"])
    document = model.explain("good film").to_dict()
    json.dumps(document, allow_nan=False)
    assert document["terms"][0]["likelihood"][1] is None
