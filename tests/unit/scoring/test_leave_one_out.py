"""The scores of learned documents by any rules; tests/property/test_leave_one_out.py compares them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core import leave_one_out
from likely.core.counts import rows_of, single_words
from likely.core.leave_one_out import LearnedDocuments, check_exact
from likely.core.rules import Rules
from likely.errors import NotLearnedError, OptionError
from likely.options.model import with_defaults

TEXTS = ["a b c", "a b", "c d", "a b", "d e", "b e e"]
LABELS = ["x", "y", "x", "y", "x", "y"]


def documents(model: NaiveBayes, **how: Any) -> LearnedDocuments:
    counts = model._snapshot().counts
    return LearnedDocuments(counts, rows_of(counts, TEXTS), counts.live().places.of_all(LABELS), **how)


@pytest.mark.parametrize("options", [{}, {"variant": "complement"}, {"alpha": 0.1, "prior": "uniform"}], ids=str)
def test_one_object_gives_the_scores_by_any_rules(options: dict[str, Any]) -> None:
    shared = documents(NaiveBayes().fit(TEXTS, LABELS))
    expected = NaiveBayes(**options).fit(TEXTS, LABELS).leave_one_out(TEXTS, LABELS)
    for _ in range(2):
        found = shared.left_out(Rules.of(with_defaults(options)))
        assert np.allclose(found.joint, expected, rtol=1e-12)
    assert found.times is None


def test_the_first_documents_are_scored_and_the_others_left_out_with_them() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    groups, rules = np.array([1, 1, 2, 3, 2, 1]), model._snapshot().rules
    whole, some = documents(model, groups=groups), documents(model, groups=groups, judged=2)
    assert np.allclose(some.left_out(rules).joint, whole.left_out(rules).joint[:2], rtol=1e-12)
    weighted = documents(model, times=np.full(6, 0.5), judged=2).left_out(rules)
    assert weighted.times is not None
    assert (weighted.times.tolist(), weighted.weights.tolist()) == ([0.5, 0.5], [0.5, 0.5])


def test_terms_can_be_left_aside() -> None:
    pairs = NaiveBayes(ngrams=(1, 2)).fit(TEXTS, LABELS)
    only = single_words(pairs._snapshot().counts)
    words = NaiveBayes().fit(TEXTS, LABELS)
    found = documents(pairs, only=only).left_out(words._snapshot().rules)
    assert np.allclose(found.joint, words.leave_one_out(TEXTS, LABELS), rtol=1e-12)


def test_documents_that_take_long_are_left_aside_if_that_is_allowed() -> None:
    texts, labels, groups = TEXTS * 2, LABELS * 2, np.arange(12) % 5  # every text has a copy in another group
    model = NaiveBayes().fit(texts, labels)
    counts, rules = model._snapshot().counts, model._snapshot().rules
    given = (counts, rows_of(counts, texts), counts.live().places.of_all(labels), None, groups)
    whole, some = LearnedDocuments(*given).left_out(rules), LearnedDocuments(*given, most_cells=40).left_out(rules)
    assert whole.times is None
    assert some.times is not None
    kept = some.times > 0
    assert 0 < kept.sum() < 12
    assert np.allclose(some.joint[kept], whole.joint[kept], rtol=1e-12)


VARIANTS: list[dict[str, Any]] = [
    {},
    {"variant": "complement_normalized"},
    {"variant": "bernoulli", "min_documents": 2},
    {"document_weight": "equal", "weighting": "tfidf_raw"},
]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_batches_and_threads_do_not_change_the_scores(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(4)
    texts = [" ".join(rng.choice(list("abcdefghij"), 8)) for _ in range(60)]
    labels = rng.choice(["x", "y", "z"], 60).tolist()
    model = NaiveBayes(**options).fit(texts, labels)
    counts, rules = model._snapshot().counts, model._snapshot().rules
    given = (counts, rows_of(counts, texts), counts.live().places.of_all(labels))
    whole = LearnedDocuments(*given).left_out(rules, 2)
    monkeypatch.setattr(leave_one_out, "LEAST", 8)
    monkeypatch.setattr(leave_one_out, "AT_ONCE", 16)
    batched = LearnedDocuments(*given)
    for threads in (1, 3):
        found = batched.left_out(rules, threads)
        assert np.array_equal(found.joint, whole.joint)
        assert np.array_equal(found.length, whole.length)
        assert np.array_equal(np.asarray(found.unknown), np.asarray(whole.unknown))


def test_what_is_kept_for_the_next_alpha_is_not_used_for_other_rules() -> None:
    shared = documents(NaiveBayes().fit(TEXTS, LABELS))
    settings: tuple[dict[str, Any], ...] = (
        {"alpha": 1.0},
        {"alpha": 0.1},
        {"alpha": 0.1, "min_documents": 2},
        {"alpha": 0.1},
    )
    for options in settings:
        found = shared.left_out(Rules.of(with_defaults(options)))
        expected = NaiveBayes(**options).fit(TEXTS, LABELS).leave_one_out(TEXTS, LABELS)
        assert np.allclose(found.joint, expected, rtol=1e-12)


def test_the_size_of_a_model_is_the_number_of_its_kept_terms() -> None:
    model = NaiveBayes(min_documents=2).fit(TEXTS, LABELS)
    found = documents(model)
    assert found.terms(model._snapshot().rules) == len(model.vocabulary_)
    assert found.lookups == 13 / 6


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"variant": "binary", "weighting": "tfidf_raw", "document_weight": "equal"},
        {"variant": "complement_binary", "document_weight": "equal"},
        {"variant": "bernoulli"},
        {"class_weight": "balanced", "ngrams": (1, 2)},
    ],
    ids=str,
)
@pytest.mark.parametrize("least", [2, 3])
@pytest.mark.parametrize("groups", [None, np.arange(60) % 23], ids=["alone", "groups"])
def test_rare_terms_need_not_be_looked_at(options: dict[str, Any], least: int, groups: Any) -> None:
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(list("abcdefghijklmnopqrstuvwxyz"), 4)) for _ in range(50)]
    texts, labels = texts + texts[:10], rng.choice(["x", "y", "z"], 60).tolist()  # some have copies
    model = NaiveBayes(min_documents=least, **options).fit(texts, labels)
    counts, rules = model._snapshot().counts, model._snapshot().rules
    given = (counts, rows_of(counts, texts), counts.live().places.of_all(labels), None, groups)
    whole, fewer = LearnedDocuments(*given).left_out(rules), LearnedDocuments(*given).keeping(least).left_out(rules)
    assert np.allclose(fewer.joint, whole.joint, rtol=1e-12)
    for one, other in ((fewer.length, whole.length), (fewer.unknown, whole.unknown), (fewer.tokens, whole.tokens)):
        assert np.allclose(np.asarray(one), np.asarray(other), rtol=1e-12)
    assert (
        LearnedDocuments(*given).keeping(least).terms(rules)
        == LearnedDocuments(*given).terms(rules)
        == len(model.vocabulary_)
    )


REVIEWS = ["good fun", "good fun", "dull plot", "dull", "fun plot", "good"]
SIGNS = ["+", "+", "-", "-", "+", "+"]


def test_random_labels_are_not_learned_by_heart_from_copies() -> None:
    random = np.random.default_rng(7)
    words = [f"w{at}" for at in range(300)]
    texts = [" ".join(random.choice(words, 8)) for _ in range(200)] * 3
    labels = random.choice(["x", "y"], 200).tolist() * 3
    model = NaiveBayes().fit(texts, labels)
    right = model.classes_[model.leave_one_out(texts, labels).argmax(axis=1)] == np.array(labels)
    assert right.mean() < 0.6
    assert (model.predict(texts) == np.array(labels)).mean() > 0.9


def test_a_class_of_which_nothing_is_left_is_impossible() -> None:
    model = NaiveBayes().fit(REVIEWS, SIGNS)
    found = model.leave_one_out(REVIEWS, SIGNS, groups=["p", "p", "q", "q", "r", "s"])
    assert np.isneginf(found[2:4, 1]).all()
    assert np.isfinite(found[[0, 1, 4, 5]]).all()
    whole = model.leave_one_out(REVIEWS, SIGNS, groups=["p"] * 6)
    assert np.isneginf(whole).all()


def test_what_was_not_learned_cannot_be_left_out() -> None:
    model = NaiveBayes().fit(REVIEWS, SIGNS)
    for texts, labels, weights in (
        (["dull", "dull"], ["-", "-"], [1.0, 2.0]),
        (["plot", "plot"], ["+", "+"], [1.0, 1.0]),
        (["unheard", "unheard"], ["+", "+"], [1.0, 1.0]),
        (["good good good good"], ["+"], [1.5]),
    ):
        if texts[0] == "unheard":
            continue  # it has no known term, so it is a text without terms
        with pytest.raises(NotLearnedError, match="row 1 was not learned with this label and weight"):
            model.leave_one_out(texts, labels, weights)


def test_weights_of_classes_are_those_without_the_document() -> None:
    model = NaiveBayes(class_weight="balanced").fit(REVIEWS, SIGNS)
    others = NaiveBayes(class_weight="balanced").fit(REVIEWS[2:], SIGNS[2:])
    found = model.leave_one_out(REVIEWS, SIGNS)
    assert np.allclose(found[0], others.predict_joint_log_proba(REVIEWS[:1])[0], rtol=1e-12)
    with pytest.raises(OptionError, match="class_weight and variant='complement_normalized'"):
        NaiveBayes(class_weight="balanced", variant="complement_normalized").fit(REVIEWS, SIGNS).leave_one_out(
            REVIEWS, SIGNS
        )


def test_most_options_are_exact() -> None:
    snapshot = NaiveBayes(weighting="tfidf", min_documents=2, document_weight="equal").fit(REVIEWS, SIGNS)._snapshot()
    check_exact(snapshot.counts, snapshot.rules)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (NaiveBayes(weighting="tfidf", norm="l2"), "norm='l2'"),
        (NaiveBayes(spelling="on"), "spelling='on'"),
        (NaiveBayes(max_terms=2), "max_terms=2"),
    ],
)
def test_options_that_depend_on_all_documents_are_refused(model: NaiveBayes, reason: str) -> None:
    snapshot = model.fit(REVIEWS, SIGNS)._snapshot()
    with pytest.raises(OptionError, match=f"not defined with {reason}: which terms are kept"):
        check_exact(snapshot.counts, snapshot.rules)
