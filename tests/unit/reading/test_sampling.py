"""Samples of documents: the same whatever their order."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from likely.reading.sampling import Sampler

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
