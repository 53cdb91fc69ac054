"""Copies among documents are counted, with those that have different labels."""

from __future__ import annotations

import likely
import numpy as np
import pytest
from likely.reading.rows import Labelled, repeats_of
from likely.training.sample import Sampler


def test_copies_are_counted_whatever_their_case_and_weight() -> None:
    sampler = Sampler(100)
    texts = ["so good", "So good!", "bad", "bad", "bad", "one", ""]
    sampler.add(Labelled(texts, ["+", "-", "-", "-", "-", "+", "-"], [1.0, 0.5, 3.0, 1.0, 1.0, 1.0, 1.0]))
    found = repeats_of(sampler.sample())
    assert (found.documents, found.of, found.copies, found.texts, found.differing) == (7, 7, 3, 2, 1)
    assert "3 copies of 2 texts, 1 of these texts with different labels" in str(found)


def test_a_sample_says_that_it_is_one() -> None:
    sampler = Sampler(10)
    sampler.add(Labelled([f"text {at // 2}" for at in range(100)], ["x"] * 100))
    found = repeats_of(sampler.sample())
    assert (found.documents, found.of, found.copies, found.texts) == (20, 100, 10, 10)
    assert "10 copies of 10 texts in a sample of 20 documents, all with one label" in str(found)


def test_groups_do_not_hide_copies() -> None:
    sampler = Sampler(10)
    sampler.add(Labelled(["a", "a", "b"], ["x", "y", "x"], None, ["p", "q", "q"]))
    assert repeats_of(sampler.sample()).differing == 1


@pytest.mark.parametrize("how", [{}, {"alpha": 0.5}, {"plain": True, "calibrate": True}], ids=str)
def test_random_labels_of_copies_are_judged_at_chance(how: dict[str, object]) -> None:
    random = np.random.default_rng(3)
    texts = [" ".join(random.choice([f"w{at}" for at in range(500)], 10)) for _ in range(400)] * 3
    labels = random.choice(["x", "y"], 400).tolist() * 3
    model = likely.train(texts, labels, **how)
    assert model._state.repeats is not None
    assert model._state.repeats.copies == 800
    assert model.calibration_ is not None
    assert model.calibration_.curve[-1].coverage == 1
    assert (model.calibration_.curve[-1].accuracy or 0) < 0.6
    if model.tuning_ is not None:
        assert model.tuning_.trials[0].accuracy < 0.6


def test_copies_are_found_across_groups() -> None:
    sampler = Sampler(10)
    sampler.add(Labelled(["so good", "So good!", "bad"], ["+", "+", "-"], groups=["ann", "bob", "ann"]))
    sample = sampler.sample()
    assert sample.is_grouped
    assert sample.first(1).is_grouped
    assert (repeats_of(sample).copies, repeats_of(sample).texts) == (1, 1)
