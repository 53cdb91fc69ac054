"""Rows that are held back: by their texts alone."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.reading.holdout import Split

NUMBERS = pa.array([str(number) for number in range(20_000)])


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.5, 0.999])
def test_the_share_is_about_as_large_as_asked_and_the_rest_is_the_rest(share: float) -> None:
    inside, outside = Split(share, inside=True).rows(NUMBERS), Split(share, inside=False).rows(NUMBERS)
    deviation = np.sqrt(share * (1 - share) / len(NUMBERS))
    assert inside.mean() == pytest.approx(share, abs=4 * deviation + 1e-9)
    assert (inside ^ outside).all()


def test_a_larger_share_holds_the_smaller_one() -> None:
    small, large = (Split(share, inside=True).rows(NUMBERS) for share in (0.2, 0.4))
    assert not (small & ~large).any()


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), min_size=1, max_size=20), st.data())
def test_where_a_text_goes_depends_on_nothing_but_itself(texts: list[str], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(texts))))
    whole = Split(0.5, inside=True).rows(pa.array(texts, pa.string()))
    turned = Split(0.5, inside=True).rows(pa.array([texts[at] for at in order], pa.string()))
    assert turned.tolist() == [whole[at] for at in order]
    doubled = Split(0.5, inside=True).rows(pa.array(texts * 2, pa.string()))
    assert np.array_equal(doubled[: len(texts)], doubled[len(texts) :])
