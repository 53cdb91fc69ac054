"""Sparse matrices as scipy wants them."""

from __future__ import annotations

import numpy as np
import pytest
from likely.errors import OptionError, TextError
from likely.vectorize import vectorize


def test_a_matrix_that_scipy_takes_as_it_is() -> None:
    matrix = vectorize(["b a b", "", "c"], ngrams=(1, 2))
    csr = matrix.to_scipy()
    assert csr.has_canonical_format
    assert csr.indices.dtype == csr.indptr.dtype == np.int32
    assert matrix.terms == ["a", "a b", "b", "b a", "c"]
    assert csr.toarray().tolist() == [[1, 1, 2, 1, 0], [0] * 5, [0, 0, 0, 0, 1]]


def test_nothing_gives_an_empty_matrix() -> None:
    assert vectorize([]).shape == (0, 0)
    assert vectorize(["", "!"]).shape == (2, 0)


def test_bad_input_is_named() -> None:
    with pytest.raises(TextError, match="row 2"):
        vectorize(["a", None])  # type: ignore[list-item]
    with pytest.raises(OptionError, match=r"variant.*is not used here \(valid: analyzer, ngrams"):
        vectorize(["a"], variant="binary")
