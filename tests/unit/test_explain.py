"""Explanations as data, text and HTML."""

from __future__ import annotations

import json
import math

import pytest
from likely import NaiveBayes
from likely.errors import TextError

Reviews = tuple[list[str], list[str]]

DERIVATION = """\
Text: predictable with no fun

             count  P(w|+)  P(w|-)  log P(w|+)  log P(w|-)
prior                  0.4     0.6     -0.9163     -0.5108
predictable      1    1/29    2/34     -3.3673     -2.8332
no               1    1/29    2/34     -3.3673     -2.8332
fun              1    2/29    1/34     -2.6741     -3.5264
score                             -10.3250     -9.7036

Not known, so ignored: with

P(+) * product of P(w|+) = 0.4 * 1/29 * 1/29 * 2/29 = 3.28e-05  (log P(+, text) = -10.3250)
P(-) * product of P(w|-) = 0.6 * 2/34 * 2/34 * 1/34 = 6.106e-05  (log P(-, text) = -9.7036)

P(+|text) = 0.3495
P(-|text) = 0.6505

log-odds of - against + = 0.6214 > 0

Decision: -"""


def squeezed(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_the_derivation_is_written_as_a_textbook_writes_it(reviews: Reviews) -> None:
    assert squeezed(str(NaiveBayes().fit(*reviews).explain("predictable with no fun"))) == squeezed(DERIVATION)


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


def test_text_and_labels_are_escaped() -> None:
    bad = "<script>alert(1)</script> \x1b[31m \u202e"
    model = NaiveBayes().fit([bad, "b"], [bad, "&"])
    explanation = model.explain(bad)
    for page in (explanation._repr_html_(), model.evaluate([bad], [bad])._repr_html_()):
        assert "<script>" not in page
    for printed in (str(explanation), str(model.evaluate([bad], [bad]))):
        assert "\x1b" not in printed
        assert "\u202e" not in printed
        assert "\\x1b" in printed


def test_html_highlights_the_words(reviews: Reviews) -> None:
    page = NaiveBayes().fit(*reviews).explain("fun & boring & fun")._repr_html_()
    assert page.count("<mark") == 3
    assert "&amp;" in page
    assert page.index("218,54,51") != page.index("46,160,67")


def test_long_texts_are_summed_up(reviews: Reviews) -> None:
    texts = [" ".join(f"w{at}" for at in range(200)), "other"]
    printed = str(NaiveBayes().fit(texts, ["x", "y"]).explain(texts[0] + " new" * 3))
    assert "160 further known terms" in printed
    assert "Not known, so ignored: new" in printed
    assert len(printed.splitlines()) < 70


def test_the_prior_is_right_to_the_last_digit() -> None:
    prior = NaiveBayes().fit(["a", "b", "c", "d"], ["x", "x", "x", "y"]).explain("a").prior
    assert prior == {"x": 0.75, "y": 0.25}


def test_bad_input_is_named(reviews: Reviews) -> None:
    with pytest.raises(TextError, match="list, not str"):
        NaiveBayes().fit(*reviews).explain(["a list"])  # type: ignore[arg-type]
