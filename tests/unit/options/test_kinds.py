"""Values of options: which are allowed."""

from __future__ import annotations

import math
from typing import Any

import pytest
from likely import NaiveBayes
from likely.errors import (
    OptionError,
)


@pytest.mark.parametrize(
    "options",
    [
        {"variant": "gaussian"},
        {"variant": None},
        {"alpha": -1},
        {"alpha": math.nan},
        {"alpha": math.inf},
        {"alpha": 1e291},
        {"alpha": "1"},
        {"alpha": True},
        {"prior": "flat"},
        {"prior": {"a": 0.5, "b": 0.6}},
        {"prior": {"a": 1.5, "b": -0.5}},
        {"prior": {"a": math.nan, "b": 1}},
        {"prior": {}},
        {"class_weight": "equal"},
        {"class_weight": {"a": 0}},
        {"class_weight": {"a": -1}},
        {"class_weight": {"a": 1e7}},
        {"class_weight": {"a": "2"}},
        {"class_weight": 2},
        {"analyzer": "words"},
        {"ngrams": 2},
        {"ngrams": (0, 1)},
        {"ngrams": (2, 1)},
        {"ngrams": (1, 1.5)},
        {"ngrams": (1, 101)},
        {"lowercase": "yes"},
        {"lowercase": 1},
        {"threads": 0},
        {"threads": 1.5},
        {"threads": True},
        {"threads": 10**30},
        {"alpha": 10**400},
        {"min_documents": 10**400},
        {"max_documents": 10**400},
        {"prior": {"a": 10**400, "b": 1}},
    ],
)
def test_values_that_are_not_allowed(options: dict[str, Any]) -> None:
    (name,) = options
    with pytest.raises(OptionError, match=f"{name}=.*must be"):
        NaiveBayes(**options)
    model = NaiveBayes()
    with pytest.raises(OptionError, match=name):
        model.set_params(**options)
    assert model.get_params() == NaiveBayes().get_params()
    with pytest.raises(OptionError, match=name):
        setattr(model, name, options[name])
    assert model.get_params() == NaiveBayes().get_params()
