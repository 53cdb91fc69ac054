"""What a term counts in a document."""

from __future__ import annotations

import math

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.terms import term_values

OCCURRENCES = np.array([1, 2, 7], np.uint32)


def test_the_three_values() -> None:
    assert term_values(OCCURRENCES, "count").tolist() == [1, 2, 7]
    assert term_values(OCCURRENCES, "presence").tolist() == [1, 1, 1]
    assert term_values(OCCURRENCES, "damped").tolist() == pytest.approx([1, 1 + math.log(2), 1 + math.log(7)])
    for value in ("count", "presence", "damped"):
        assert term_values(OCCURRENCES[:0], value).dtype == np.float64


@pytest.mark.parametrize(
    ("options", "value"),
    [({}, "count"), ({"variant": "binary"}, "presence"), ({"weighting": "tfidf_smooth"}, "damped")],
    ids=str,
)
def test_they_are_the_values_that_the_kernel_scores_with(options: dict[str, str], value: str) -> None:
    model = NaiveBayes(**options).fit(["a b b", "a c"], ["x", "y"])  # type: ignore[arg-type]
    once, often = (
        np.diff(model.predict_joint_log_proba([text]) - model.log_prior_)[0, 0] for text in ("b", " ".join("b" * 5))
    )
    assert once != 0
    assert often / once == pytest.approx(term_values(np.array([5]), value)[0])
