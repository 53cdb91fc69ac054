"""Options as attributes: unknown names, and changes after learning."""

from __future__ import annotations

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import (
    MismatchError,
    UnknownOptionError,
)

Reviews = tuple[list[str], list[str]]


def test_unknown_options() -> None:
    with pytest.raises(UnknownOptionError, match="did you mean 'alpha'"):
        NaiveBayes(alpah=1)
    with pytest.raises(UnknownOptionError, match="the options are task, variant"):
        NaiveBayes().set_params(zzz=1)
    with pytest.raises(TypeError):
        NaiveBayes(1.0)  # type: ignore[call-arg, arg-type]


def test_options_that_weigh_may_change_after_learning(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    text = ["predictable with no fun"]
    model.predict(text)
    for options in ({"alpha": 0.5}, {"variant": "binary"}, {"prior": "uniform"}, {"prior": {"+": 0.9, "-": 0.1}}):
        model.set_params(**options)
        expected = NaiveBayes(**model.get_params()).fit(*reviews)
        assert np.array_equal(model.predict_proba(text), expected.predict_proba(text)), options


def test_options_that_cut_texts_may_not(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    model.set_params(ngrams=(1, 2))
    with pytest.raises(MismatchError, match="call fit"):
        model.learn(["a"], ["+"])
    with pytest.raises(MismatchError, match="in the same way"):
        NaiveBayes().fit(*reviews) + model.fit(*reviews)


def test_names_of_other_libraries_are_understood() -> None:
    for theirs, ours in (("ngram_range", "ngrams"), ("binary", "variant"), ("n_jobs", "threads")):
        with pytest.raises(UnknownOptionError, match=f"did you mean '{ours}'"):
            NaiveBayes().set_params(**{theirs: 1})
