"""The rows that a sampler keeps."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from likely.training.sample import MOST_SPELLINGS, OVERHEAD, UNIT, KeptRows

LABELS = ["x", "y"]
documents = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from("abc"), st.integers(0, 1), st.sampled_from([0.1, 1.0, 2.5])),
    max_size=30,
)


def rows_of(some: list[tuple[int, str, int, float]], *, weighted: bool = True) -> KeptRows:
    groups = np.array([group for group, *_ in some], np.uint64)
    numbers = np.array([ord(text[0]) * 1000 + len(text) for _, text, *_ in some], np.uint64)
    codes = np.array([code for _, _, code, _ in some], np.intp)
    weights = np.array([weight for *_, weight in some], np.float64) if weighted else None
    return KeptRows.of(groups, numbers, codes, [text for _, text, *_ in some], np.ones(len(some), np.int64), weights)


@given(documents, st.integers(0, 30), st.randoms(use_true_random=False))
def test_rows_are_summed_exactly_in_any_order(some: Any, cut: int, random: Any) -> None:
    other = list(some)
    random.shuffle(other)
    one = KeptRows.joined([KeptRows.none(), rows_of(some)])
    two = KeptRows.joined([KeptRows.joined([rows_of(other[:cut])]), rows_of(other[cut:])])
    expected: dict[tuple[int, str, int], int] = {}
    for group, text, code, weight in some:
        expected[group, text, code] = expected.get((group, text, code), 0) + int(weight * UNIT)
    for rows in (one, two):
        keys = zip(rows.groups.tolist(), rows.texts.tolist(), rows.codes.tolist(), strict=True)
        weights = [] if rows.weights is None else rows.weights.tolist()
        assert dict(zip(keys, weights, strict=True)) == expected
        assert rows.copies.sum() == len(some)


def test_rows_with_and_without_weights_can_be_joined() -> None:
    plain = rows_of([(1, "a", 0, 0.0)], weighted=False)
    assert KeptRows.joined([plain, rows_of([(1, "a", 0, 0.5)])]).times() == [1.5]
    assert KeptRows.joined([plain, plain]).times() == [2.0]


def test_a_weight_that_is_too_small_to_count_is_left_out() -> None:
    assert rows_of([(1, "a", 0, 1e-30), (1, "b", 0, 1.0)]).texts.tolist() == ["b"]


def test_the_smallest_spellings_are_kept_and_stand_for_the_others() -> None:
    many = [(1, "a" * length, length % 2, 1.0) for length in range(1, 40)]
    rows = KeptRows.joined([rows_of([*many, (2, "c", 0, 1.0)])]).spelled()
    kept = ["a" * length for length in range(1, MOST_SPELLINGS + 1)]
    assert sorted(text for text in rows.texts if text is not None) == [*kept, "c"]
    assert rows.total_size == sum(len(text) + OVERHEAD for text in [*kept, "c"])
    whole = rows.whole()
    whole = whole.at(whole.in_order(LABELS))
    assert whole.copies.sum() == 40
    first = [(text, LABELS[code]) for text, code in zip(whole.texts[:3], whole.codes[:3].tolist(), strict=True)]
    assert first == [("a", "x"), ("a", "y"), ("aa", "x")], "the others count for the first text, each with its label"
    assert whole.spelled().copies.tolist() == whole.copies.tolist()


def test_groups_are_cut_by_their_bytes() -> None:
    rows = KeptRows.joined([rows_of([(1, "a", 0, 1.0), (1, "b", 0, 1.0), (2, "a", 0, 1.0)])])
    assert rows.starts().tolist() == [0, 2]
    sizes = [0, 2 * (OVERHEAD + 1) - 1, 2 * (OVERHEAD + 1), 3 * (OVERHEAD + 1)]
    assert [rows.groups_within(size) for size in sizes] == [0, 0, 1, 2]
    assert KeptRows.none().groups_within(5) == 0
