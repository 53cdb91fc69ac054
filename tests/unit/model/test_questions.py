"""Questions to a model: counts, ratios and words that agree with each other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import LabelError
from likely.sample import load_sample

TEXTS, LABELS = ["good fun fun", "good end", "dull plot", "dull end"], ["+", "+", "-", "-"]


@pytest.fixture
def model() -> NaiveBayes:
    return NaiveBayes().fit(TEXTS, LABELS)


def test_the_numbers_of_a_model(model: NaiveBayes) -> None:
    assert model.classes_.tolist() == ["+", "-"]
    assert model.class_documents_.tolist() == [2, 2]
    assert model.class_tokens_.tolist() == [5, 4]
    assert (model.terms_, model._dropped_terms, model._collisions) == (5, 0, None)
    assert model.vocabulary_ == ["dull", "end", "fun", "good", "plot"]


def test_a_term_over_all_classes_is_its_counts_and_its_probability(model: NaiveBayes) -> None:
    rows = {row["class"]: row for row in model._term_row("Fun")}
    assert {label: (row["count"], row["documents"]) for label, row in rows.items()} == {"+": (2, 1), "-": (0, 0)}
    assert {label: (each.count, each.documents) for label, each in model.counts("Fun").items()} == {
        "+": (2, 1),
        "-": (0, 0),
    }
    assert rows["+"]["probability"] == pytest.approx((2 + 1) / (5 + 5))
    assert rows["-"]["probability"] == pytest.approx(1 / (4 + 5))


def test_the_table_of_ratios_has_the_ratio_of_each_term(model: NaiveBayes) -> None:
    table = {row["term"]: row for row in model.ratio_table("+", "-").to_pylist()}
    assert sorted(table) == model.vocabulary_
    for term, row in table.items():
        one = model.ratio(term, "+", "-")
        assert row["ratio"] == pytest.approx(one.ratio)
        assert row["log_ratio"] == pytest.approx(math.log(one.ratio or math.nan))


def test_what_is_known_follows_the_bounds_and_the_counts(model: NaiveBayes) -> None:
    assert model.knows(["fun", "end", "zzz", "Fun"]) == [True, True, False, False]
    model.set_params(min_documents=2)
    assert model.knows(["fun", "end"]) == [False, True]
    model.learn(["fun"], ["+"])
    assert model.knows(["fun", "end"]) == [True, True]


def test_words_are_read_as_known_ones_only_with_spelling(model: NaiveBayes) -> None:
    assert model._read_terms(["gooood", "dull"]) == ["gooood", "dull"]
    spelling = NaiveBayes(spelling="on", ngrams=(1, 2)).fit(["terrible plot", "wonderful end"], ["-", "+"])
    assert spelling._read_terms(["terible plot", "wonderfull", "zzz"]) == ["terrible plot", "wonderful", "zzz"]


def test_buckets_may_collide() -> None:
    few, many = (NaiveBayes(hash_bits=10).fit([" ".join(f"w{at}" for at in range(n))], ["x"]) for n in (2, 500))
    assert few._collisions is not None
    assert many._collisions is not None
    assert 0 <= few._collisions < 1 < many._collisions


def test_a_class_that_is_not_known_is_named(model: NaiveBayes) -> None:
    for ask in (
        model.top_words,
        lambda label: model.ratio("fun", label, "+"),
        lambda label: model.log_likelihood("fun", label),
    ):
        with pytest.raises(LabelError, match=r"'\?'"):
            ask("?")


def test_leaving_one_out_is_more_honest_than_asking_again() -> None:
    texts, labels = load_sample()
    model = NaiveBayes().fit(texts, labels)
    honest = model.classes_[model.leave_one_out(texts, labels).argmax(axis=1)]
    assert np.mean(honest == np.array(labels)) < model.score(texts, labels)


@pytest.mark.parametrize("name", ["terms_", "classes_", "class_documents_", "_dropped_terms"])
def test_plain_numbers_weigh_and_sort_nothing(name: str) -> None:
    model = NaiveBayes(variant="complement", weighting="tfidf").fit(["good fun", "dull", "so dull"], ["+", "-", "-"])
    getattr(model, name)
    assert not model._state._weights
    assert "sorted_ids" not in model._state.counts._derived


def test_weights_of_classes_leave_the_counts_as_they_were_learned() -> None:
    texts, labels = ["good fun", "good plot", "good", "dull"], ["+", "+", "+", "-"]
    plain, weighted = (NaiveBayes(class_weight=each).fit(texts, labels) for each in (None, "balanced"))
    assert plain.class_weights_.tolist() == [1.0, 1.0]
    assert weighted.class_weights_ == pytest.approx([2 / 3, 2.0])
    assert weighted.class_tokens_.tolist() == plain.class_tokens_.tolist()
    assert weighted.top_words("+") == plain.top_words("+")
    ratio = weighted.ratio("good", "+", "-")
    assert (ratio.count_a, ratio.count_b) == (3, 0)
    assert ratio.p_a == pytest.approx((3 * 2 / 3 + 1) / (5 * 2 / 3 + 4))
    row = weighted._term_row("good")[0]
    assert (row["count"], row["documents"]) == (3, 3)
    assert row["probability"] == pytest.approx(ratio.p_a)
