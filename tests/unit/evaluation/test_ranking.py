"""Rankings by probability: what is undefined, ties, and bad questions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely import evaluate
from likely.errors import OptionError, UnknownClassError
from likely.evaluation.ranking import Ranking


def test_areas_of_classes_that_are_nowhere_or_everywhere_are_undefined() -> None:
    found = evaluate(["a", "a"], ["a", "a"], probabilities=[[0.9, 0.1], [0.8, 0.2]], classes=["a", "b"])
    assert found.ranking is not None
    assert found.ranking.roc_auc == {"a": None, "b": None}
    assert found.ranking.average_precision == {"a": 1.0, "b": None}
    assert found.ranking.macro_roc_auc is None
    assert found.ranking.macro_average_precision == 1.0
    assert "roc_auc" not in found.intervals
    assert any("ROC" in each for each in found.undefined)


def test_labels_that_are_not_classes_count_as_outside() -> None:
    ranking = Ranking(["a", "b"], np.array([0, -1]), np.log([[0.9, 0.1], [0.2, 0.8]]))
    assert ranking.roc_auc == {"a": 1.0, "b": None}
    assert ranking.top(1) == ranking.top(2) == 0.5


def test_the_top_of_all_classes_is_everything() -> None:
    ranking = Ranking([1, 2, 3], np.array([0, 1, 2]), np.log(np.full((3, 3), 1 / 3)))
    assert [ranking.top(k) for k in (1, 2, 3, 4)] == [1 / 3, 2 / 3, 1.0, 1.0]
    assert ranking.to_dict()["top"] == {"1": 1 / 3, "2": 2 / 3}


@pytest.mark.parametrize("k", [0, -1, 1.5, "1"])
def test_other_tops_are_refused(k: Any) -> None:
    with pytest.raises(OptionError, match="k must be a whole number"):
        Ranking(["a"], np.array([0]), np.zeros((1, 1))).top(k)


def test_curves_are_of_classes() -> None:
    with pytest.raises(UnknownClassError, match="'c'"):
        Ranking(["a", "b"], np.array([0]), np.log([[0.5, 0.5]])).roc_curve("c")
