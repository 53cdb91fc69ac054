"""Samples of documents: the same whatever their order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import LengthError
from likely.reading.sampling import Sampler, bytes_of, folds_of, in_memory

documents = st.lists(st.tuples(st.text("abc", max_size=3), st.sampled_from("xy")), max_size=40)


def drawn(rows: list[tuple[str, str]], size: int, batch: int) -> Sampler:
    sampler = Sampler(size)
    for at in range(0, len(rows), batch):
        some = rows[at : at + batch]
        sampler.add([text for text, _ in some], [label for _, label in some])
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
    assert len(sample) >= min(size, len(rows))
    if len({text for text, _ in rows}) == len(rows):
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
    texts, labels = in_memory((text for text in ["a", "b"]), (label for label in ["x", "y"]))
    assert (texts, labels) == (["a", "b"], ["x", "y"])
    table = pa.chunked_array([["a"], ["b"]])
    assert in_memory(table, ["x", "y"])[0] is table
    with pytest.raises(LengthError, match="there are 2 texts but 1 labels"):
        in_memory(["a", "b"], ["x"])


def test_about_how_many_bytes_texts_have() -> None:
    assert bytes_of(["abc", "de"]) == 5
    assert bytes_of(pa.array(["abc", "de"])) >= 5
    assert bytes_of([None, 3, "a"]) == 1
