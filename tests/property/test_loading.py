"""Law: a loaded model answers as the saved one, bit for bit, though it reads no more of its file than it needs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from likely import NaiveBayes
from likely.core.file import from_bytes, to_bytes
from likely.errors import LikelyError

from .conftest import Documents, columns, documents, fitted

RULES: list[dict[str, Any]] = [
    {"min_documents": 2},
    {"min_documents": 0.4, "ngrams": (1, 3)},
    {"max_documents": 1},
    {"max_documents": 0.5, "variant": "bernoulli"},
    {"max_terms": 3, "variant": "complement"},
    {"stop_words": "auto", "variant": "complement_normalized"},
    {"weighting": "tfidf"},
    {"weighting": "tfidf_smooth", "min_documents": 2, "class_weight": "balanced"},
    {
        "variant": "binary",
        "weighting": "tfidf_raw",
        "document_weight": "equal",
        "min_documents": 2,
        "ngrams": (1, 3),
        "alpha": 0.56,
    },
    {"weighting": "tfidf", "norm": "l2", "min_documents": 2},
    {"spelling": "on", "min_documents": 2},
    {"hash_bits": 10, "min_documents": 2, "ngrams": (1, 2)},
    {"analyzer": "char_wb", "ngrams": (2, 3), "min_documents": 2},
    {"analyzer": "both", "ngrams": (1, 2), "max_terms": 9},
    {"alpha": 0, "min_documents": 2, "prior": "uniform"},
]
"""Options that keep only some of the terms."""


def loaded(model: NaiveBayes) -> NaiveBayes:
    return NaiveBayes._from_snapshot(from_bytes(to_bytes(model._snapshot())))


def scores(model: NaiveBayes, asked: list[str]) -> list[Any]:
    """Everything that a model says of texts without being asked for all that it has learned.

    With tf-idf, an explanation needs all, since it tells the words that weigh nothing from unknown ones.
    """
    explained = [model.explain(text).to_dict() for text in asked[:2] if not model._settle().rules.tfidf]
    joint = model.predict_joint_log_proba(asked).tolist()
    others = (model.predict_proba(asked).tolist(), model.known(asked).tolist(), vars(model._shift(asked)))
    about = (model.vocabulary_, model.terms_, model.class_tokens_.tolist(), model.top_words(model.classes_[0]))
    return [repr(each) for each in (explained, joint, others, about)]


@pytest.mark.parametrize("opts", RULES, ids=str)
@settings(max_examples=20)
@given(some=documents)
def test_scores_need_only_the_kept_terms(opts: dict[str, Any], some: Documents) -> None:
    model = fitted(some, **opts)
    again, asked = loaded(model), [*columns(some)["texts"], "a b c New York", "unheard of"]
    reads_all = not again._state.has_rest
    assert scores(again, asked) == scores(model, asked)
    assert again._state.has_rest != reads_all, "the rest of the file was read"
    assert again.counts_table() == model.counts_table()
    assert not again._state.has_rest
    assert scores(again, asked) == scores(model, asked)
    assert to_bytes(again._snapshot()) == to_bytes(loaded(model)._snapshot()) == to_bytes(model._snapshot())


@pytest.mark.parametrize("opts", RULES, ids=str)
@settings(max_examples=15)
@given(some=documents, more=documents)
def test_learning_and_forgetting_go_on_as_if_nothing_was_saved(
    opts: dict[str, Any], some: Documents, more: Documents
) -> None:
    results: list[object] = []
    for model in (fitted(some, **opts), loaded(fitted(some, **opts))):
        model.known(["a"])
        try:
            learned = to_bytes(model.learn(**columns(more))._snapshot())
            model.forget(**columns(some[:1]))
            results.append((learned, to_bytes(model._snapshot()), model.predict_joint_log_proba(["a b c"]).tolist()))
        except LikelyError as error:  # with unit length, nothing can be learned, and a model may be left empty
            results.append((str(error),))
    assert repr(results[0]) == repr(results[1])


@pytest.mark.parametrize("change", [{"min_documents": 1}, {"max_terms": 2}, {"weighting": "tfidf_raw"}])
@settings(max_examples=15)
@given(some=documents)
def test_other_rules_read_what_they_need(change: dict[str, Any], some: Documents) -> None:
    model = fitted(some, min_documents=2, ngrams=(1, 2))
    again = loaded(model)
    again.predict(["a b"])
    for each in (model, again):
        each.set_params(**change)
    try:
        expected = model.predict_joint_log_proba(["a b c"])
    except LikelyError:
        return
    assert np.array_equal(again.predict_joint_log_proba(["a b c"]), expected)
    assert again.vocabulary_ == model.vocabulary_


def test_learned_weights_need_only_the_kept_terms() -> None:
    texts = ["good fun", "good plot", "dull plot", "dull dull fun", "good day", "bad day"]
    model = NaiveBayes(variant="nbsvm", min_documents=2, ngrams=(1, 2)).fit(texts, ["+", "+", "-", "-", "+", "-"])
    again = loaded(model)
    assert again._state.has_rest
    assert scores(again, texts) == scores(model, texts)
    assert again._state.has_rest
    assert to_bytes(again._snapshot()) == to_bytes(model._snapshot())
    assert scores(again, texts) == scores(model, texts)


@pytest.mark.parametrize("classes", [2, 40])
def test_any_number_of_classes(classes: int) -> None:
    texts = [f"w{at} w{at % 7} w{at % 3} v{at % classes}" for at in range(6 * classes)]
    labels = [f"c{at % classes}" for at in range(6 * classes)]
    for variant in ("multinomial", "complement", "bernoulli"):
        model = NaiveBayes(variant=variant, min_documents=3).fit(texts, labels)
        assert scores(loaded(model), texts[:9]) == scores(model, texts[:9])
