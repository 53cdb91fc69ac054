"""Averages are over the classes where a measure is defined, and say how many these are."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
from likely.evaluation.measures import Tables, averages, mean_of_defined

TABLES = Tables(np.array([2.0, 0.0, 1.0]), np.array([4.0, 0.0, 1.0]), np.array([2.0, 2.0, 0.0]), 5)


def test_what_is_undefined_does_not_make_an_average_vanish() -> None:
    found = averages(TABLES, 1.0)
    assert (found.precision, found.defined_precision) == (0.75, 2)
    assert (found.recall, found.defined_recall) == (0.5, 2)
    assert (found.defined_f, found.classes) == (3, 3)
    assert asdict(found)["defined_precision"] == 2


def test_a_weighted_average_has_the_sizes_of_the_classes_as_weights() -> None:
    found = averages(TABLES, 1.0, weighted=True)
    assert found.recall == 0.5
    assert found.precision == 0.5, "the class without documents has no weight"


def test_an_average_of_nothing_is_undefined() -> None:
    nothing = averages(Tables(np.zeros(2), np.zeros(2), np.zeros(2), 5), 1.0)
    assert (nothing.precision, nothing.recall, nothing.f, nothing.defined_f) == (None, None, None, 0)


def test_means_over_the_last_axis() -> None:
    values = np.array([[1.0, np.nan], [np.nan, np.nan], [0.0, 1.0]])
    assert mean_of_defined(values).tolist()[::2] == [1.0, 0.5]
    assert np.isnan(mean_of_defined(values)[1])
    assert mean_of_defined(values[2], np.array([0.0, 0.0])) == 0.5, "as in scikit-learn"
