"""Leaving one out is training without it: every variant, on small corpora."""

from __future__ import annotations

import itertools
from typing import Any

import likely
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely import NaiveBayes

VARIANTS = ["multinomial", "binary", "bernoulli", "complement", "complement_normalized"]
OPTIONS: list[dict[str, Any]] = [
    {},
    {"alpha": 0.1, "ngrams": (1, 2)},
    {"prior": "uniform"},
    {"min_documents": 2},
    {"min_documents": 0.3, "max_documents": 0.7},
    {"stop_words": "auto"},
    {"weighting": "tfidf"},
    {"weighting": "tfidf", "tf": "raw", "idf": "smooth", "min_documents": 2},
    {"hash_bits": 10},
    {"analyzer": "char_wb", "ngrams": (1, 2)},
]
CASES = [
    (variant, options)
    for variant, options in itertools.product(VARIANTS, OPTIONS)
    if not (variant == "bernoulli" and "weighting" in options)
]
CASES.append(("multinomial", {"alpha": 0}))
CASES.append(("binary", {"alpha": 0, "weighting": "tfidf"}))

documents = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["a", "b", "c", "d", "e", "not"]), max_size=6).map(" ".join), st.sampled_from("xyz")
    ),
    min_size=2,
    max_size=9,
)


def retrained(options: dict[str, Any], texts: list[str], labels: list[str], out: int, classes: list[str]) -> Any:
    rest = [(t, label) for i, (t, label) in enumerate(zip(texts, labels, strict=True)) if i != out]
    model = NaiveBayes(**options).fit([t for t, _ in rest], [label for _, label in rest])
    found = dict(zip(model.classes_.tolist(), model.predict_joint_log_proba([texts[out]])[0], strict=True))
    return [found.get(label, -np.inf) for label in classes]


@pytest.mark.parametrize(("variant", "options"), CASES, ids=str)
@settings(max_examples=25)
@given(sample=documents)
def test_leaving_out_is_training_without(
    variant: str, options: dict[str, Any], sample: list[tuple[str, str]]
) -> None:
    texts, labels = [t for t, _ in sample], [label for _, label in sample]
    model = NaiveBayes(variant=variant, **options).fit(texts, labels)  # type: ignore[arg-type]
    found = model.leave_one_out(texts, labels)
    classes = model.classes_.tolist()
    for row in range(len(texts)):
        expected = retrained({"variant": variant, **options}, texts, labels, row, classes)
        assert np.allclose(found[row], expected, rtol=1e-9, atol=1e-9), (texts, labels, row, expected, found[row])


def test_what_cannot_be_left_out() -> None:
    model = NaiveBayes().fit(["a b", "c"], [1, 2])
    with pytest.raises(likely.errors.NotLearnedError, match="row 1 was not learned with this label"):
        model.leave_one_out(["a b", "a"], [1, 2])
    with pytest.raises(likely.errors.NotLearnedError, match="row 0 was never learned"):
        model.leave_one_out(["a b"], [3])
    with pytest.raises(likely.errors.LengthError, match="only 1 texts"):
        model.leave_one_out(["a b"], [1, 2])
    with pytest.raises(likely.errors.LengthError, match="more texts"):
        model.leave_one_out(["a b", "c"], [1])
    assert model.leave_one_out([], []).shape == (0, 2)
    for options in ({"max_terms": 1}, {"spelling": "on"}, {"weighting": "tfidf", "norm": "l2"}):
        with pytest.raises(likely.errors.OptionError, match="leave_one_out is not defined with"):
            NaiveBayes(**options).fit(["a b", "c"], [1, 2]).leave_one_out(["c"], [2])
