"""Hashed terms: nothing is learned, and what shares a column is a matter of the number of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely.errors import OptionError, TextError
from likely.vectorize import HashingVectorizer

DOCUMENTS = ["so so good", "bad", "", "good bad ugly"]


def test_it_needs_no_fit_and_fit_changes_nothing() -> None:
    vectorizer = HashingVectorizer(n_features=64)
    before = vectorizer.transform(DOCUMENTS).toarray()
    assert np.array_equal(vectorizer.fit(["other words"]).transform(DOCUMENTS).toarray(), before)
    assert np.array_equal(vectorizer.partial_fit(["more"]).fit_transform(DOCUMENTS).toarray(), before)


@pytest.mark.parametrize(("norm", "power"), [("l1", 1), ("l2", 2)])
def test_rows_have_the_length_that_was_asked_for(norm: Any, power: int) -> None:
    matrix = HashingVectorizer(n_features=256, norm=norm).transform(DOCUMENTS)
    lengths = np.asarray((abs(matrix).power(power)).sum(axis=1)).ravel()
    assert lengths == pytest.approx([1, 1, 0, 1])


def test_signs_cancel_and_without_them_counts_add_up() -> None:
    documents = [" ".join(f"w{at}" for at in range(1000))]
    plain = HashingVectorizer(n_features=8, norm=None, alternate_sign=False).transform(documents)
    assert plain.sum() == 1000
    signed = HashingVectorizer(n_features=8, norm=None).transform(documents)
    assert abs(signed.sum()) < 200


def test_binary_entries_are_ones() -> None:
    matrix = HashingVectorizer(n_features=2**20, norm=None, binary=True, alternate_sign=False).transform(
        ["a aa aa bb"]
    )
    assert matrix.data.tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("asked", "norm", "found"),
    [(np.float32, "l2", np.float32), (np.int64, "l2", np.float64), (np.int64, None, np.int64)],
)
def test_whole_numbers_cannot_be_brought_to_a_length(asked: Any, norm: Any, found: Any) -> None:
    assert HashingVectorizer(dtype=asked, norm=norm).transform(["aa"]).dtype == found


def test_what_is_refused() -> None:
    with pytest.raises(OptionError, match="empty sequence"):
        HashingVectorizer().transform([])
    with pytest.raises((OptionError, TextError, ValueError), match="string"):
        HashingVectorizer().transform("one text")
    with pytest.raises(OptionError, match="n_features"):
        HashingVectorizer(n_features=0).transform(DOCUMENTS)
