"""Merging: the counts of two models together, with the options of the first."""

from __future__ import annotations

import pytest
from likely import NaiveBayes
from likely.counting.counts import Counts
from likely.errors import NotAdditiveError
from likely.model.merging import combined


def test_a_merged_model_has_the_options_of_the_first_and_the_counts_of_both() -> None:
    one = NaiveBayes(alpha=0.5).fit(["good fun"], ["+"])
    other = NaiveBayes(alpha=2.0).fit(["dull"], ["-"])
    both = combined(one, other, Counts.add)
    assert both.alpha == 0.5
    assert both.counts_table() == NaiveBayes().fit(["good fun", "dull"], ["+", "-"]).counts_table()
    assert combined(both, other, Counts.subtract).counts_table() == one.counts_table()
    assert one.classes_.tolist() == ["+"]


def test_a_model_that_is_not_additive_cannot_be_merged() -> None:
    model = NaiveBayes(variant="nbsvm").fit(["good", "bad"], ["+", "-"])
    with pytest.raises(NotAdditiveError):
        combined(model, model, Counts.add)
