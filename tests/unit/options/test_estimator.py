"""The contract of scikit-learn: options as attributes, all checked before any is set."""

from __future__ import annotations

import pytest
from likely import NaiveBayes
from likely.errors import OptionError, UnknownOptionError
from likely.options.table import OPTIONS
from sklearn.base import clone, is_classifier


def test_the_parameters_are_the_options_in_their_order() -> None:
    assert list(NaiveBayes().get_params()) == list(OPTIONS)
    assert NaiveBayes(alpha=0.5).get_params(deep=False) == NaiveBayes(alpha=0.5).get_params(deep=True)


def test_nothing_is_set_where_one_value_is_wrong() -> None:
    model = NaiveBayes()
    for wrong, error in (({"ngrams": (2, 1)}, OptionError), ({"unheard": 1}, UnknownOptionError)):
        with pytest.raises(error):
            model.set_params(alpha=0.5, **wrong)
        assert model.get_params() == NaiveBayes().get_params()
    assert model.set_params(alpha=0.5, ngrams=(1, 2)) is model
    assert (model.alpha, model.ngrams) == (0.5, (1, 2))


def test_attributes_are_checked_and_other_attributes_are_free() -> None:
    model = NaiveBayes()
    with pytest.raises(OptionError, match="alpha"):
        model.alpha = -1
    model.note = "mine"
    assert model.alpha == 1.0


def test_it_is_shown_with_what_differs_from_the_defaults() -> None:
    assert repr(NaiveBayes()) == "NaiveBayes()"
    assert repr(NaiveBayes(stem="english", alpha=0.1)) == "NaiveBayes(alpha=0.1, stem='english')"


def test_scikit_learn_takes_it_for_a_classifier_and_clones_it() -> None:
    model = NaiveBayes(ngrams=(1, 2), stop_words=["a"]).fit(["a b", "c"], [0, 1])
    assert is_classifier(model)
    assert clone(model).get_params() == model.get_params()
    assert not clone(model).__sklearn_is_fitted__()
