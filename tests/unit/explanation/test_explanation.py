"""Explanations as data."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import asdict

import pytest
from likely import NaiveBayes
from likely.errors import TextError
from likely.terminal import percent

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


def test_log_odds_are_those_of_the_predicted_class_against_its_rival() -> None:
    found = NaiveBayes().fit(["a", "b", "c"], [1, 2, 3]).explain("b b a")
    assert (found.label, found.rival) == (2, 1)
    assert found.log_odds == pytest.approx(math.log(2))
    assert NaiveBayes().fit(["a"], [1]).explain("a").log_odds is None


def test_what_would_change_the_answer() -> None:
    texts = ["good fun", "so good", "good", "a dull plot", "dull", "so dull a film"]
    model = NaiveBayes(ngrams=(1, 2)).fit(texts, ["+", "+", "+", "-", "-", "-"])
    found = model.explain("so good, but a dull plot of a dull film")
    assert found.label == "-"
    change = found.change
    assert change is not None
    assert (change.words, change.label) == (["dull", "a"], "+")
    rest = "".join(found.text[at] for at in range(len(found.text)) if not any(a <= at < b for a, b in change.spans))
    assert model.predict([rest]) == ["+"]
    assert model.predict_proba([rest])[0][0] == pytest.approx(change.probability)
    assert f'Without "dull", "a", the answer would be +, {percent(change.probability)}.' in str(found)
    assert dict(found.to_dict())["change"] == {**asdict(change), "spans": [[*span] for span in change.spans]}
    assert NaiveBayes().fit(["a", "a b"], ["x", "x"]).explain("a").change is None


def test_what_would_change_the_answer_if_the_space_around_words_is_a_term() -> None:
    model = NaiveBayes(analyzer="char_wb", ngrams=(1, 2)).fit(["good fun", "dull, dull"], ["+", "-"])
    for text in ("good", "good.", " good!", "x"):
        change = model.explain(text).change
        assert (change is None) is (text == "x")
        assert change is None or all(start < end for start, end in change.spans)


def test_an_explanation_that_was_pickled_still_says_what_would_change_it() -> None:
    found = NaiveBayes().fit(["good", "dull dull"], ["+", "-"]).explain("good")
    copied = pickle.loads(pickle.dumps(found))
    assert (copied.change, str(copied)) == (found.change, str(found))


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


def test_the_likelihood_of_a_complement_is_that_of_the_other_classes() -> None:
    found = NaiveBayes(variant="complement").fit(["good film", "bad film"], ["pos", "neg"]).explain("good")
    assert found.terms[0].fractions == {"neg": (2.0, 5.0), "pos": (1.0, 5.0)}
    assert found.terms[0].likelihood == {"neg": 0.4, "pos": 0.2}
    assert found.terms[0].contribution["pos"] == pytest.approx(-math.log(0.2))
