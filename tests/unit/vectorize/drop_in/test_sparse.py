"""Sparse rows, as scipy makes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely.vectorize import CountVectorizer
from likely.vectorize.drop_in.sparse import weigh_rows

DOCUMENTS = ["So, so good", "good été, good", "", "Bad: so bad"]


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_few_rows_are_as_scipy_makes_them(rows: int) -> None:
    from scipy.sparse import csr_matrix

    vectorizer = CountVectorizer().fit(DOCUMENTS)
    for _ in range(2):  # the second time by a shorter way
        made = vectorizer.transform(DOCUMENTS[:rows])
        expected = csr_matrix((made.data, made.indices, made.indptr), shape=made.shape)
        assert expected.has_canonical_format
        assert vars(made).keys() == vars(expected).keys()
        assert (made + made - 2 * expected).nnz == 0
        assert made[:, 0].shape == (rows, 1)
        assert made.T.tocsr().shape == made.shape[::-1]


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_rows_are_weighed_whatever_their_index(index: Any) -> None:
    values = np.array([3.0, 4.0, 2.0])
    parts = values, np.array([0, 1, 1], dtype=index), np.array([0, 2, 2, 3], dtype=index)
    weigh_rows(parts, np.array([1.0, 0.5]), sublinear=False, norm="l1", threads=1)
    np.testing.assert_allclose(values, [0.6, 0.4, 1.0])
