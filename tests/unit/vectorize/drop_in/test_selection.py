"""Which columns are kept: against scikit-learn, whatever the bounds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import OptionError
from likely.vectorize import CountVectorizer
from likely.vectorize.drop_in.selection import Selection
from sklearn.feature_extraction.text import CountVectorizer as Theirs

bounds = st.one_of(st.integers(1, 4), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
documents = st.lists(
    st.lists(st.sampled_from(["aa", "bb", "cc", "dd"]), max_size=5).map(" ".join), min_size=1, max_size=6
)


@given(documents, bounds, bounds, st.sampled_from([None, 1, 2, 3]), st.booleans())
def test_the_same_columns_as_scikit_learn_or_an_error_where_it_has_one(
    texts: list[str], most: Any, least: Any, features: int | None, binary: bool
) -> None:
    params: dict[str, Any] = {"max_df": most, "min_df": least, "max_features": features, "binary": binary}
    try:
        expected = Theirs(**params).fit(texts).vocabulary_
    except ValueError:
        with pytest.raises(OptionError):
            CountVectorizer(**params).fit(texts)
        return
    assert CountVectorizer(**params).fit(texts).vocabulary_ == expected


@pytest.mark.parametrize(
    ("bounds", "all_stay"),
    [
        ((1.0, 1, None), True),
        ((1.0, 0, None), True),
        ((1, 1, None), False),
        ((1.0, 0.0, None), False),
        ((1.0, 1, 5), False),
    ],
)
def test_whether_all_are_kept_whatever_the_documents(bounds: tuple[Any, Any, Any], all_stay: bool) -> None:
    assert Selection(*bounds).keeps_all is all_stay
