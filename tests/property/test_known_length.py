"""Law: the length of a document that is left out is that of its terms that others have."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.formulas import term_frequency
from likely.scoring.leave_one_out import Kinds, LeaveOneOut, LeftOut, places_of, rows_of, single_words

# Long documents of few words repeat them.
documents = st.lists(
    st.tuples(
        st.lists(st.sampled_from(["a", "a", "a", "b", "c", "d", "e", "not"]), max_size=9).map(" ".join),
        st.sampled_from("xyz"),
    ),
    min_size=2,
    max_size=9,
)


def split(sample: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [text for text, _ in sample], [label for _, label in sample]


def without(
    options: dict[str, Any], texts: list[str], labels: list[str], out: int, weights: Any = None
) -> NaiveBayes:
    rest = [at for at in range(len(texts)) if at != out]
    weights = None if weights is None else [weights[at] for at in rest]
    return NaiveBayes(**options).fit([texts[at] for at in rest], [labels[at] for at in rest], weights)


def left_out(model: NaiveBayes, texts: list[str], labels: list[str], *, words: bool = False) -> LeftOut:
    counts = model.snapshot().counts
    kinds = Kinds(counts, single_words(counts) if words else None)
    cases = kinds.cases(rows_of(counts, texts, 2))
    return LeaveOneOut(kinds, model.snapshot().rules).scores(cases, places_of(kinds, labels), 2)


@pytest.mark.parametrize("options", [{}, {"weighting": "tfidf"}, {"variant": "binary", "min_documents": 2}], ids=str)
@settings(max_examples=25)
@given(sample=documents)
def test_the_length_is_that_of_the_terms_known_without_a_document(
    options: dict[str, Any], sample: list[tuple[str, str]]
) -> None:
    texts, labels = split(sample)
    found = left_out(NaiveBayes(**options).fit(texts, labels), texts, labels)
    for row, text in enumerate(texts):
        others = without(options, texts, labels, row)
        terms = others.snapshot().moment.terms
        rows = rows_of(others.snapshot().counts, [text])
        values = term_frequency(rows.occurrences.astype(np.float64), sublinear=terms.value == "damped")
        values = np.ones(len(values)) if terms.value == "presence" else values
        scales = terms.scales_of(rows.ids)
        assert np.isclose(found.length[row], (values * (1.0 if scales is None else scales)).sum(), atol=1e-9)
