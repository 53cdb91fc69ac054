"""The weights of classes, from their numbers of documents."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.core.terms import class_factors
from likely.errors import OptionError


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any))
def test_balanced_factors_make_the_classes_with_documents_equal(documents: list[int]) -> None:
    there = [number for number in documents if number]
    expected = [sum(there) / (len(there) * number) if number else 1.0 for number in documents]
    labels = list(range(len(documents)))
    found = class_factors(np.array([documents, documents], np.float64), labels, "balanced")
    assert found == pytest.approx(np.array([expected, expected]), rel=1e-12)
    roots = class_factors(np.array(documents, np.float64), labels, "sqrt_balanced")
    assert roots == pytest.approx(np.sqrt(expected), rel=1e-12)
    assert class_factors(np.zeros(2), ["a", "b"], "balanced").tolist() == [1.0, 1.0]


def test_factors_of_a_mapping_name_some_classes() -> None:
    documents, labels = np.array([3.0, 1.0]), ["+", "-"]
    assert class_factors(documents, labels, {"-": 3}).tolist() == [1.0, 3.0]
    assert class_factors(documents, labels, None).tolist() == [1.0, 1.0]
    with pytest.raises(OptionError, match="names the class 'x', which the model does not have"):
        class_factors(documents, labels, {"x": 2})
