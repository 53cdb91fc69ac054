"""Samples of documents: the same whatever their order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import LengthError
from likely.reading.labelled import Labelled
from likely.reading.sampling import Sampler, bytes_of, folds_of, in_memory

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
    pairs = list(zip(sample.texts, sample.labels, strict=True))
    assert all(pairs.count(pair) <= rows.count(pair) for pair in pairs)
    assert len(sample) == min(size, len(rows))


@given(documents, st.integers(1, 12), st.integers(1, 12))
def test_the_first_of_a_sample_are_a_sample(rows: Any, one: int, other: int) -> None:
    unique = list({text: (text, label) for text, label in rows}.values())
    small, large = sorted((one, other))
    assert drawn(unique, large, 5).sample().first(small) == drawn(unique, small, 3).sample()


def test_the_same_text_is_never_in_two_folds() -> None:
    texts = [f"text {at}" for at in range(2000)]
    folds = folds_of(texts * 2)
    assert folds[:2000].tolist() == folds[2000:].tolist() == folds_of(pa.array(texts)).tolist()
    sizes = np.bincount(folds_of(texts, 4), minlength=4)
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


@given(documents, st.randoms(use_true_random=False), st.integers(1, 12), st.integers(1, 10), st.integers(0, 9))
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
    texts = set(sample.texts)
    assert len(texts) <= 1 or sum(map(len, texts)) <= most
    assert bool(texts) == bool(rows)


def test_copies_are_counted_and_not_kept() -> None:
    sampler = Sampler(100)
    thanks = pa.array(["thanks a lot", "no thanks"] * 5000)
    for _ in range(20):
        sampler.add(Labelled(thanks, ["x", "y"] * 5000))
    sampler.add(Labelled([f"text {at}" for at in range(50)], ["x"] * 50))
    assert len(sampler._texts) == 52
    sample = sampler.sample()
    assert len(sample) == 100
    assert 45 <= sample.texts.count("no thanks") <= 55, "a sample has the shares of the documents"
    assert 15 <= sample.first(40).texts.count("no thanks") <= 25, "and so has its beginning"


def test_a_long_text_with_many_copies_is_kept_once() -> None:
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 8192, pa.int32()), ["good " * 10_000])
    sampler = Sampler(5000)
    sampler.add(Labelled(long, ["x", "y"] * 4096))
    sample = sampler.sample()
    assert (len(sample), len({id(text) for text in sample.texts})) == (5000, 1)
    assert sample.labels.count("x") == 2500
