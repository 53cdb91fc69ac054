"""Law: leaving one out with some of the terms is as if no others had been counted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from likely import NaiveBayes
from likely.core.counts import rows_of, single_words

from .conftest import labelled, left_out, split

VARIANTS = ["multinomial", "binary", "bernoulli", "complement", "complement_binary", "complement_normalized"]


RESTRICTED: list[dict[str, Any]] = [
    {},
    {"alpha": 0.1, "min_documents": 2},
    {"stop_words": "auto"},
    {"weighting": "tfidf", "max_documents": 0.7},
    {"weighting": "tfidf_raw"},
]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("options", RESTRICTED, ids=str)
@settings(max_examples=25)
@given(sample=labelled)
def test_some_terms_alone_are_as_if_no_other_had_been_counted(
    variant: str, options: dict[str, Any], sample: list[tuple[str, str]]
) -> None:
    if variant == "bernoulli" and "weighting" in options:
        return
    texts, labels = split(sample)
    both, words = (
        NaiveBayes(variant=variant, ngrams=ngrams, **options).fit(texts, labels)  # type: ignore[arg-type]
        for ngrams in ((1, 2), (1, 1))
    )
    found, expected = left_out(both, texts, labels, words=True), left_out(words, texts, labels)
    assert np.allclose(found.joint, expected.joint, rtol=1e-12, atol=1e-12)
    assert np.allclose(found.length, expected.length, rtol=1e-12, atol=1e-12)
    rows = rows_of(both._snapshot().counts, texts)
    assert np.array_equal(
        rows.only(single_words(both._snapshot().counts)).starts, rows_of(words._snapshot().counts, texts).starts
    )
