"""Law: leaving one out is training without it, for every variant, on small corpora."""

from __future__ import annotations

import itertools
from typing import Any

import likely
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.counts import rows_of

from .conftest import copies, labelled, split, without

VARIANTS = ["multinomial", "binary", "bernoulli", "complement", "complement_binary", "complement_normalized"]


OPTIONS: list[dict[str, Any]] = [
    {},
    {"alpha": 0.1, "ngrams": (1, 2)},
    {"alpha": 1e-6},
    {"alpha": 1e-10},
    {"alpha": 1e-10, "weighting": "tfidf"},
    {"prior": "uniform"},
    {"min_documents": 2},
    {"min_documents": 0.3, "max_documents": 0.7},
    {"max_documents": 3, "ngrams": (1, 2)},
    {"stop_words": "auto"},
    {"weighting": "tfidf"},
    {"weighting": "tfidf_raw_smooth", "min_documents": 2},
    {"weighting": "tfidf", "min_documents": 2, "max_documents": 0.8, "ngrams": (1, 2)},
    {"weighting": "tfidf_smooth", "stop_words": "auto"},
    {"hash_bits": 10},
    {"analyzer": "char_wb", "ngrams": (1, 2)},
]


CASES = [
    (variant, options)
    for variant, options in itertools.product(VARIANTS, OPTIONS)
    if not (variant == "bernoulli" and "weighting" in options)
]


EQUAL: list[dict[str, Any]] = [
    {},
    {"alpha": 1e-6, "ngrams": (1, 2)},
    {"alpha": 1e-10},
    {"alpha": 1e-10, "weighting": "tfidf"},
    {"weighting": "tfidf", "min_documents": 2},
    {"weighting": "tfidf_raw_smooth", "max_documents": 0.8},
]


CASES += [
    (variant, {"document_weight": "equal", **options})
    for variant, options in itertools.product(("multinomial", "binary", "complement", "complement_binary"), EQUAL)
]


GIVEN = {"x": 0.5, "y": 0.3, "z": 0.2}


CASES += [(variant, {"prior": GIVEN}) for variant in VARIANTS if variant != "complement_normalized"]


WEIGHTED: list[dict[str, Any]] = [
    {"class_weight": "balanced"},
    {"class_weight": "sqrt_balanced", "weighting": "tfidf", "min_documents": 2},
    {"class_weight": {"x": 3.0}, "alpha": 1e-6, "prior": "uniform"},
]


CASES += [
    (variant, options)
    for variant, options in itertools.product(VARIANTS, WEIGHTED)
    if variant != "complement_normalized" and not (variant == "bernoulli" and "weighting" in options)
]


UNSMOOTHED: list[dict[str, Any]] = [
    {},
    {"weighting": "tfidf"},
    {"min_documents": 2},
    {"weighting": "tfidf_raw_smooth"},
]


CASES += [("multinomial", {"alpha": 0, "document_weight": "equal"})]


CASES += [(v, {"alpha": 0, **options}) for v, options in itertools.product(("multinomial", "binary"), UNSMOOTHED)]


def scores_in(model: NaiveBayes, text: str, classes: list[str]) -> list[float]:
    found = dict(zip(model.classes_.tolist(), model.predict_joint_log_proba([text])[0], strict=True))
    return [found.get(label, -np.inf) for label in classes]


def check(options: dict[str, Any], sample: list[tuple[str, str]], groups: Any = None, weights: Any = None) -> None:
    """Compare the scores with those of models that were trained without a document, its copies and its group."""
    texts, labels = split(sample)
    if isinstance(options.get("class_weight"), dict) and not set(labels).issuperset(options["class_weight"]):
        return
    model = NaiveBayes(**options).fit(texts, labels, weights)
    found = model.leave_one_out(texts, labels, weights, groups)
    for row, text in enumerate(texts):
        out = copies(model, texts, row) | ({at for at in range(len(texts)) if groups and groups[at] == groups[row]})
        if len(out) == len(texts):
            assert np.isneginf(found[row]).all()
            continue
        named = [*(options["prior"] if isinstance(options.get("prior"), dict) else ())]
        named += [*(options["class_weight"] if isinstance(options.get("class_weight"), dict) else ())]
        if not {label for at, label in enumerate(labels) if at not in out}.issuperset(named):
            continue  # the model without them lacks a class that is named
        expected = scores_in(without(options, texts, labels, out, weights), text, model.classes_.tolist())
        close = np.allclose(found[row], expected, rtol=1e-9, atol=1e-9)
        assert close, (texts, labels, groups, weights, row, expected, found[row])


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "options"), CASES, ids=str)
@settings(max_examples=20)
@given(sample=labelled, data=st.data())
def test_leaving_out_is_training_without(
    variant: str, options: dict[str, Any], sample: list[tuple[str, str]], data: st.DataObject
) -> None:
    size = len(sample)
    groups = data.draw(st.none() | st.lists(st.sampled_from("pqrs"), min_size=size, max_size=size), "groups")
    weight = st.sampled_from([1.0, 1.0, 2.0, 0.25, 0.3])
    weights = data.draw(st.none() | st.lists(weight, min_size=size, max_size=size), "weights")
    check({"variant": variant, **options}, sample, groups, weights)


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=15)
@given(sample=labelled, times=st.integers(2, 4))
def test_copies_with_other_labels_are_left_out_too(variant: str, sample: Any, times: int) -> None:
    turned = {"x": "y", "y": "z", "z": "x"}
    check({"variant": variant}, [*sample * times, *((text, turned[label]) for text, label in sample[:2])])


@pytest.mark.parametrize("variant", VARIANTS)
def test_batches_of_removals_do_not_matter(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts, labels = ["a b", "a c c", "", "b d", "e a", "c", "a b"] * 2, list("xyzxyzy") * 2
    groups = list("pqrpqrstuvwtuv")
    model = NaiveBayes(variant=variant).fit(texts, labels)  # type: ignore[arg-type]
    whole = model.leave_one_out(texts, labels, groups=groups)
    monkeypatch.setattr("likely.core.removals.AT_ONCE", 1)
    assert np.allclose(model.leave_one_out(texts, labels, groups=groups), whole, rtol=1e-13)


def test_batches_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["a b", "a c c", "", "b d", "e a", "c", "a d d", "e e", "b b c", "a"]
    labels = list("xyzxyzxyzx")
    model = NaiveBayes(variant="complement", weighting="tfidf").fit(texts, labels)
    whole, rows = model.leave_one_out(texts, labels), rows_of(model._snapshot().counts, texts)
    monkeypatch.setattr("likely.core.leave_one_out.AT_ONCE", 4)
    monkeypatch.setattr("likely.core.counts.AT_ONCE", 4)
    assert np.allclose(model.leave_one_out(texts, labels), whole, rtol=1e-13)
    again = rows_of(model._snapshot().counts, texts)
    assert all(np.array_equal(getattr(rows, name), getattr(again, name)) for name in vars(rows))
    with pytest.raises(likely.errors.NotLearnedError, match="row 7 was not learned with this label"):
        model.leave_one_out([*texts[:6], "a b c"], [*labels[:6], "x"])
    with pytest.raises(likely.errors.NotLearnedError, match="row 2 was not learned with this label and weight"):
        model.leave_one_out(["a b", "a c c", "a c c"], ["x", "y", "y"])


def test_scores_do_not_depend_on_the_order_of_learning() -> None:
    texts, labels = ["a b", "a c c", "b d", "e a", "c f"], list("xyxyz")
    model = NaiveBayes(weighting="tfidf").fit(texts, labels)
    turned = NaiveBayes(weighting="tfidf").fit(texts[::-1], labels[::-1])
    assert np.array_equal(model.leave_one_out(texts, labels), turned.leave_one_out(texts, labels))


def test_what_cannot_be_left_out() -> None:
    model = NaiveBayes().fit(["a b", "c"], [1, 2])
    with pytest.raises(likely.errors.NotLearnedError, match="row 2 was not learned with this label"):
        model.leave_one_out(["a b", "a"], [1, 2])
    with pytest.raises(likely.errors.NotLearnedError, match="row 1 was not learned with this label"):
        model.leave_one_out(["a a b"], [1])
    with pytest.raises(likely.errors.LabelError, match="the label 3 in row 1 is not one of the classes 1, 2"):
        model.leave_one_out(["a b"], [3])
    with pytest.raises(likely.errors.ArgumentError, match="2 labels for 1 text"):
        model.leave_one_out(["a b"], [1, 2])
    with pytest.raises(likely.errors.ArgumentError, match="more texts"):
        model.leave_one_out(["a b", "c"], [1])
    with pytest.raises(likely.errors.ArgumentError, match="1 groups for 2 texts"):
        model.leave_one_out(["a b", "c"], [1, 2], groups=["p"])
    assert model.leave_one_out([], []).shape == (0, 2)
    assert len(rows_of(model._snapshot().counts, [])) == 0
    with pytest.raises(likely.errors.NotFittedError):
        NaiveBayes().leave_one_out(["a"], [1])
    normalized = {"variant": "complement_normalized", "class_weight": "balanced"}
    for options in ({"max_terms": 1}, {"spelling": "on"}, {"weighting": "tfidf", "norm": "l2"}, normalized):
        with pytest.raises(likely.errors.OptionError, match="leave_one_out is not defined with"):
            NaiveBayes(**options).fit(["a b", "c"], [1, 2]).leave_one_out(["c"], [2])
