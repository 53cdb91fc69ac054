"""Samples of documents: the same whatever their order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import LengthError
from likely.reading.rows import Labelled, folds_of, in_memory
from likely.training.sample import MOST_SPELLINGS, OVERHEAD, Sampler, bytes_of, group_numbers

documents = st.lists(st.tuples(st.text("abc", max_size=3), st.sampled_from("xy")), max_size=40)


def drawn(rows: list[tuple[str, str]], size: int, batch: int) -> Sampler:
    sampler = Sampler(size)
    for at in range(0, len(rows), batch):
        some = rows[at : at + batch]
        sampler.add(Labelled([text for text, _ in some], [label for _, label in some]))
    return sampler


@given(documents, st.randoms(use_true_random=False), st.integers(1, 12), st.integers(1, 10))
def test_a_sample_depends_on_the_documents_alone(rows: Any, random: Any, size: int, batch: int) -> None:
    sample = drawn(rows, size, 100).sample()
    other = list(rows)
    random.shuffle(other)
    assert drawn(other, size, batch).sample() == sample
    assert sample.of == len(rows)
    counted = dict(zip(zip(sample.texts, sample.labels, strict=True), sample.times, strict=True))
    assert len(counted) == len(sample.texts)
    assert all(times == rows.count(pair) for pair, times in counted.items()), "with all their copies"
    assert len(set(sample.groups)) == min(size, len({copy_of(text) for text, _ in rows}))
    kept = {copy_of(text) for text in sample.texts}
    assert {pair for pair in rows if copy_of(pair[0]) in kept} == set(counted), (
        "also those that are spelled otherwise"
    )


def copy_of(text: str) -> int:
    return int(group_numbers(Labelled([text], ["x"]))[0])


@given(documents, st.integers(1, 12), st.integers(1, 12))
def test_the_first_of_a_sample_are_a_sample(rows: Any, one: int, other: int) -> None:
    unique = list({copy_of(text): (text, label) for text, label in rows}.values())
    small, large = sorted((one, other))
    assert drawn(unique, large, 5).sample().first(small) == drawn(unique, small, 3).sample()


grouped = st.lists(
    st.tuples(st.text("abc", max_size=3), st.sampled_from("xy"), st.sampled_from([1.0, 0.1, 0.3]), st.integers(0, 4)),
    max_size=30,
)


@given(grouped, st.randoms(use_true_random=False), st.integers(1, 12), st.integers(1, 10))
def test_all_documents_of_a_group_are_in_a_sample(rows: Any, random: Any, size: int, batch: int) -> None:
    other = list(rows)
    random.shuffle(other)
    one, two = Sampler(size), Sampler(size)
    one.add(Labelled(*(list(column) for column in zip(*rows, strict=True))) if rows else Labelled([], [], [], []))
    for at in range(0, len(other), batch):
        two.add(Labelled(*(list(column) for column in zip(*other[at : at + batch], strict=True))))
    sample = one.sample()
    if rows:
        assert sample == two.sample(), "the weights are summed exactly, whatever their order"
    kept = len({(text, label, group) for text, label, _, group in rows})
    assert len(sample) == min(size, kept)
    assert len(sample.texts) == kept or size < kept
    few = sample.first(1)
    groups = set(sample.groups[:1])
    assert len(few) <= 1
    assert sorted(few.times) == sorted(
        times for times, group in zip(sample.times, sample.groups, strict=True) if group in groups
    )


def test_groups_of_many_texts_stay_whole_as_far_as_there_is_room() -> None:
    sampler = Sampler(10, most_bytes=40_000)
    for at in range(0, 400, 40):
        numbers = range(at, at + 40)
        sampler.add(Labelled([f"text {n}" for n in numbers], ["x"] * 40, None, [n % 8 for n in numbers]))
    sample = sampler.sample()
    sizes = np.unique(np.array(sample.groups, np.uint64), return_counts=True)[1]
    assert set(sizes.tolist()) == {50}
    assert 1 <= len(sizes) < 8
    assert len(sample) == 10


def test_copies_that_are_spelled_in_many_ways_are_counted_for_one_of_them() -> None:
    sampler = Sampler(10)
    for at in range(500):
        sampler.add(Labelled(["so good" + "!" * at], ["x"]))
    sample = sampler.sample()
    assert len(sample.texts) == MOST_SPELLINGS
    assert sum(sample.times) == 500
    assert len(set(sample.groups)) == 1


def test_the_same_text_is_never_in_two_folds() -> None:
    texts = [f"text {at}" for at in range(2000)]
    numbers = group_numbers(Labelled(pa.array(texts), []))
    folds = folds_of(group_numbers(Labelled([*texts, *(text.upper() for text in texts)], [])).tolist())
    assert folds[:2000].tolist() == folds[2000:].tolist() == folds_of(numbers.tolist()).tolist()
    sizes = np.bincount(folds_of(numbers.tolist(), 4), minlength=4)
    assert len(sizes) == 4
    assert sizes.min() > 400


def test_texts_that_come_once_are_kept_and_must_be_as_many_as_labels() -> None:
    held = in_memory((text for text in ["a", "b"]), (label for label in ["x", "y"]))
    assert held == Labelled(["a", "b"], ["x", "y"])
    table = pa.chunked_array([["a"], ["b"]])
    assert in_memory(table, ["x", "y"]).texts is table
    with pytest.raises(LengthError, match=r"^1 label for 2 texts: give"):
        in_memory(["a", "b"], ["x"])


def test_about_how_many_bytes_texts_have() -> None:
    assert bytes_of(["abc", "de"]) == 5
    assert bytes_of(pa.array(["abc", "de"])) >= 5
    odd: list[Any] = [None, 3, "a"]
    assert bytes_of(odd) == 1


@given(documents, st.randoms(use_true_random=False), st.integers(1, 12), st.integers(1, 10), st.integers(0, 900))
def test_a_sample_of_few_bytes_depends_on_the_documents_alone(
    rows: Any, random: Any, size: int, batch: int, most: int
) -> None:
    other = list(rows)
    random.shuffle(other)
    one, two = Sampler(size, most), Sampler(size, most)
    for text, label in rows:
        one.add(Labelled([text], [label]))
    for at in range(0, len(other), batch):
        two.add(Labelled(*map(list, zip(*other[at : at + batch], strict=True))))
    sample = one.sample()
    assert sample == two.sample()
    kept = set(zip(sample.texts, sample.labels, strict=True))
    few = len(set(sample.groups)) <= 1 or sum(len(text) + OVERHEAD for text, _ in kept) <= most
    assert few
    assert bool(kept) == bool(rows)


def test_copies_are_counted_and_not_kept() -> None:
    sampler = Sampler(100)
    thanks = pa.array(["thanks a lot", "no thanks"] * 5000)
    for _ in range(20):
        sampler.add(Labelled(thanks, ["x", "y"] * 5000))
    sampler.add(Labelled([f"text {at}" for at in range(50)], ["x"] * 50))
    assert sum(map(len, [sampler._kept, *sampler._fresh])) <= 2 * 100
    sample = sampler.sample()
    assert (len(sample), sum(sample.times), sample.of) == (52, 200_050, 200_050)
    assert sample.times[sample.texts.index("no thanks")] == 100_000


def test_a_long_text_with_many_copies_is_kept_once() -> None:
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 8192, pa.int32()), ["good " * 10_000])
    sampler = Sampler(5000)
    sampler.add(Labelled(long, ["x", "y"] * 4096))
    sample = sampler.sample()
    assert (sample.labels, sample.times) == (["x", "y"], [4096.0, 4096.0])


@given(grouped, st.randoms(use_true_random=False), st.integers(1, 5), st.integers(1, 10))
def test_documents_of_weight_0_are_not_there(rows: Any, random: Any, size: int, batch: int) -> None:
    zeros = [(f"zero {at}", "x", 0.0, at) for at in range(10)]
    mixed = [*rows, *zeros]
    random.shuffle(mixed)
    one, two = Sampler(size), Sampler(size)
    for text, label, weight, _ in rows:
        one.add(Labelled([text], [label], [weight]))
    for at in range(0, len(mixed), batch):
        texts, labels, weights, _ = (list(column) for column in zip(*mixed[at : at + batch], strict=True))
        two.add(Labelled(texts, labels, weights))
    assert one.sample() == two.sample()
