"""Counts of labelled texts with some options."""

from __future__ import annotations

from likely.reading.rows import Labelled
from likely.training.material import count, count_sample
from likely.training.sample import Sampler


def test_a_sample_of_all_documents_has_their_counts() -> None:
    batch = Labelled(["so good", "so bad", "so so"], [1, 0, 1])
    sampler = Sampler(10)
    sampler.add(batch)
    options = {"ngrams": (1, 2)}
    assert count_sample(options, sampler.sample()).table() == count(options, [batch]).table()
