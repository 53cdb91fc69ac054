"""Law: the length of a document that is left out is that of its terms that others have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from likely import NaiveBayes
from likely.core.counts import rows_of
from likely.formulas import term_frequency

from .conftest import copies, labelled, left_out, split, without


@pytest.mark.parametrize("options", [{}, {"weighting": "tfidf"}, {"variant": "binary", "min_documents": 2}], ids=str)
@settings(max_examples=25)
@given(sample=labelled)
def test_the_length_is_that_of_the_terms_known_without_a_document(
    options: dict[str, Any], sample: list[tuple[str, str]]
) -> None:
    texts, labels = split(sample)
    model = NaiveBayes(**options).fit(texts, labels)
    found = left_out(model, texts, labels)
    for row, text in enumerate(texts):
        out = copies(model, texts, row)
        if len(out) == len(texts):
            continue
        others = without(options, texts, labels, out, None)
        terms = others._snapshot().moment.terms
        rows = rows_of(others._snapshot().counts, [text])
        values = term_frequency(rows.occurrences.astype(np.float64), sublinear=terms.value == "damped")
        values = np.ones(len(values)) if terms.value == "presence" else values
        scales = terms.scales_of(rows.ids)
        assert np.isclose(found.length[row], (values * (1.0 if scales is None else scales)).sum(), atol=1e-9)
