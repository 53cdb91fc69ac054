"""Options as attributes, by the contract of scikit-learn: all are checked before any is set, and they may change."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import MismatchError, OptionError
from likely.options.model import MODEL
from sklearn.base import clone, is_classifier

Reviews = tuple[list[str], list[str]]


def test_the_parameters_are_the_options_in_their_order() -> None:
    assert list(NaiveBayes().get_params()) == list(MODEL)
    assert NaiveBayes(alpha=0.5).get_params(deep=False) == NaiveBayes(alpha=0.5).get_params(deep=True)


def test_nothing_is_set_where_one_value_is_wrong() -> None:
    model = NaiveBayes()
    wrong: dict[str, Any]
    for wrong, error in (({"ngrams": (2, 1)}, OptionError), ({"unheard": 1}, OptionError)):
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


def test_unknown_options() -> None:
    with pytest.raises(OptionError, match="did you mean 'alpha'"):
        NaiveBayes(alpah=1)  # type: ignore[call-arg]
    with pytest.raises(OptionError, match="the options are task, variant"):
        NaiveBayes().set_params(zzz=1)
    by_place: Any = NaiveBayes
    with pytest.raises(TypeError):
        by_place(1.0)


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
    with pytest.raises(MismatchError, match="in the same way") as refused:
        NaiveBayes(alpha=0.5).fit(*reviews) + model.fit(*reviews)
    assert str(refused.value).endswith("To train both alike: likely train DATA -o MODEL --alpha 0.5")


def test_names_of_other_libraries_are_understood() -> None:
    for theirs, ours in (("ngram_range", "ngrams"), ("binary", "variant"), ("n_jobs", "threads")):
        with pytest.raises(OptionError, match=f"did you mean '{ours}'"):
            NaiveBayes().set_params(**{theirs: 1})
