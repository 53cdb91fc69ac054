"""The variant nbsvm as a model: what it can be asked, what it cannot, and that order and threads change nothing."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import MismatchError, NotAdditiveError, OptionError, SourceError

Reviews = tuple[list[str], list[str]]

TEXTS = ["good fun", "good plot", "bad plot", "dull bad bad", "so so", "so it goes"]
LABELS = ["+", "+", "-", "-", "0", "0"]
NEW = ["good so plot", "bad", "", "unheard", "so good so bad"]
TFIDF = {"weighting": "tfidf", "norm": "l2"}
OPTIONS: list[dict[str, Any]] = [
    {},
    TFIDF,
    {"nbsvm": {"interpolation": 0.5}, "hash_bits": 12},
    {"nbsvm": {"loss": "logistic"}, "max_terms": 5},
]


def nbsvm(**options: Any) -> NaiveBayes:
    return NaiveBayes(variant="nbsvm", **options).fit(TEXTS, LABELS)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_order_and_threads_change_no_byte(options: dict[str, Any]) -> None:
    model = nbsvm(**options)
    turned = NaiveBayes(variant="nbsvm", threads=3, **options).fit(TEXTS[::-1], np.array(LABELS[::-1]))
    assert to_bytes(turned._snapshot()) == to_bytes(model._snapshot())


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("classes", [1, 2, 3, 40])
def test_models_come_back_and_explain_themselves(options: dict[str, Any], classes: int) -> None:
    texts = [f"{text} w{at % classes}" for at, text in enumerate(TEXTS * 8)]
    model = NaiveBayes(variant="nbsvm", **options).fit(texts, [at % classes for at in range(48)])
    again = pickle.loads(pickle.dumps(model))
    scores = model.predict_joint_log_proba(NEW)
    assert (again.predict_joint_log_proba(NEW) == scores).all()
    assert to_bytes(again._snapshot()) == to_bytes(copy.deepcopy(model)._snapshot()) == to_bytes(model._snapshot())
    for text, row in zip(NEW, scores, strict=True):
        why = model.explain(text)
        for label, score in zip(model.classes_.tolist(), row, strict=True):
            parts = [each.contribution[label] for each in why.terms]
            assert why.log_prior[label] + why.lacking[label] + sum(parts) == pytest.approx(score, abs=1e-9)
    assert model.predict_proba(NEW).sum(axis=1) == pytest.approx(1)


def test_it_learns_from_files_and_counts_stay(tmp_path: Path) -> None:
    rows = "".join(f"{text},{label}\n" for text, label in zip(TEXTS, LABELS, strict=True))
    (tmp_path / "reviews.csv").write_text("text,label\n" + rows)
    model = likely.train(tmp_path / "reviews.csv", variant="nbsvm")
    assert to_bytes(model._remember_columns(None)._snapshot()) == to_bytes(nbsvm()._snapshot())
    plain = NaiveBayes(variant="binary").fit(TEXTS, LABELS)
    assert model.top_words("-") == plain.top_words("-")
    assert model.counts("bad") == plain.counts("bad")
    assert model.ratio("bad", "-", "+") == plain.ratio("bad", "-", "+")
    assert model.log_prior_.tolist() == plain.log_prior_.tolist()
    # The counts are those of any variant, so another one can be had without learning anew.
    assert (model.set_params(variant="binary").predict(NEW) == plain.predict(NEW)).all()
    assert (model.learn(["good"], ["+"]).predict(NEW) == plain.learn(["good"], ["+"]).predict(NEW)).all()
    with pytest.raises(MismatchError, match="weights of variant='nbsvm' have not been learned: call fit"):
        model.set_params(variant="nbsvm").predict(NEW)


CHANGES: list[Callable[[NaiveBayes], Any]] = [
    lambda model: model.learn(["good"], ["+"]),
    lambda model: model.partial_fit(["good"], ["+"]),
    lambda model: model.forget(["good fun"], ["+"]),
    lambda model: model + model,
    lambda model: model - model,
    lambda model: sum([model, model]),
    lambda model: model.leave_one_out(TEXTS, LABELS),
]


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_not_additive_says_so_and_what_to_do(change: Callable[[NaiveBayes], Any]) -> None:
    model = nbsvm()
    before = to_bytes(model._snapshot())
    with pytest.raises(NotAdditiveError, match=r"all documents at once.*: (call fit|use cross-validation)"):
        change(model)
    assert to_bytes(model._snapshot()) == before


def test_options_that_change_what_was_learned() -> None:
    model = nbsvm()
    expected = model.predict_joint_log_proba(NEW)
    for options in ({"nbsvm": {"cost": 2.0}}, {"alpha": 0.5}, {"min_documents": 2}, {"norm": "l2"}):
        defaults = {name: getattr(model, name) for name in options}
        model.set_params(**options)
        with pytest.raises(MismatchError, match="call fit to learn again"):
            model.predict(NEW)
        with pytest.raises(MismatchError, match="have not been learned"):
            pickle.loads(pickle.dumps(model)).predict(NEW)
        model.set_params(**defaults)
        assert (model.predict_joint_log_proba(NEW) == expected).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nbsvm": {"cost": 2.0}}, "nbsvm={'cost': 2.0} has no effect with variant='multinomial'"),
        ({"variant": "binary", "nbsvm": {"loss": "logistic"}}, "nbsvm={'loss': 'logistic'} has no effect"),
        ({"nbsvm": {"interpolation": 0.25}}, "nbsvm={'interpolation': 0.25} has no effect"),
        ({"variant": "nbsvm", "spelling": "on"}, "spelling='on' has no effect with variant='nbsvm'"),
        ({"variant": "nbsvm", "prior": "uniform"}, "prior='uniform' has no effect with variant='nbsvm'"),
        ({"variant": "nbsvm", "alpha": 0}, "alpha=0 contradicts variant='nbsvm'"),
        ({"variant": "nbsvm", "nbsvm": {"cost": 0}}, "nbsvm={'cost': 0} is not allowed: nbsvm must be None or"),
        ({"variant": "nbsvm", "nbsvm": {"interpolation": 1.5}}, "'interpolation' \\(a number from 0 to 1\\)"),
        ({"norm": "l2"}, "norm='l2' has no effect with weighting='counts'"),
        ({"C": 2.0}, "did you mean 'nbsvm'"),
    ],
)
def test_options_that_do_not_go_together(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        NaiveBayes(**options).fit(TEXTS, LABELS)


def test_texts_are_read_twice() -> None:
    with pytest.raises(SourceError, match="variant='nbsvm' reads the texts twice"):
        NaiveBayes(variant="nbsvm").fit(iter(TEXTS), LABELS)
    labels = iter(LABELS)
    assert to_bytes(NaiveBayes(variant="nbsvm").fit(TEXTS, labels)._snapshot()) == to_bytes(nbsvm()._snapshot())


def test_terms_can_be_dropped_when_it_is_saved(tmp_path: Path) -> None:
    model = nbsvm()
    kept = model.pruned(min_documents=2)
    assert kept.vocabulary_ == ["bad", "good", "plot", "so"]
    assert (kept.predict_joint_log_proba(["good plot"]) == model.predict_joint_log_proba(["good plot"])).all()
    saved = model.save(tmp_path / "m.likely", min_documents=2)
    assert saved.dropped_terms > 0
    assert likely.load(tmp_path / "m.likely").terms_ == saved.terms


def test_it_is_better_than_its_ratios_where_words_depend_on_each_other() -> None:
    # "not" and "good" together are said often, so naive Bayes counts the same evidence twice.
    texts = ["not good at all"] * 6 + ["good"] * 3 + ["bad"] * 2 + ["not bad"] * 4
    labels = ["-"] * 6 + ["+"] * 3 + ["-"] * 2 + ["+"] * 4
    model = NaiveBayes(variant="nbsvm", nbsvm={"cost": 10.0}).fit(texts, labels)
    assert model.score(texts, labels) == 1.0
    assert NaiveBayes(variant="binary").fit(texts, labels).score(texts, labels) < 1.0


def test_models_of_empty_texts_come_back() -> None:
    model = NaiveBayes(variant="nbsvm").fit(["", "", ""], ["x", "y", "x"])
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(NEW) == model.predict_proba(NEW)).all()
    assert to_bytes(again._snapshot()) == to_bytes(model._snapshot())


BEFORE = [
    [
        [0.404, -1.189, 0.234],
        [-0.845, 0.755, -0.751],
        [-0.473, -0.472, -0.415],
        [-0.473, -0.472, -0.415],
        [0.021, 0.026, 0.078],
    ],
    [
        [0.219, -0.919, -0.049],
        [-0.889, 1.067, -0.812],
        [-0.481, -0.534, -0.468],
        [-0.481, -0.534, -0.468],
        [-0.237, -0.221, 0.215],
    ],
    [
        [0.087, -1.018, -0.126],
        [-0.773, 0.336, -0.704],
        [-0.473, -0.472, -0.415],
        [-0.473, -0.472, -0.415],
        [-0.259, -0.257, -0.203],
    ],
    [
        [0.401, -1.51, 0.566],
        [-0.88, 0.565, -0.789],
        [-0.526, -0.422, -0.606],
        [-0.526, -0.422, -0.606],
        [0.046, -0.523, 0.556],
    ],
]
"""The scores of ``NEW`` from the solver that stopped when no row pulled harder than 0.01."""


def test_the_solution_is_as_it_was_to_a_fiftieth() -> None:
    for options, expected in zip(OPTIONS, BEFORE, strict=True):
        np.testing.assert_allclose(nbsvm(**options).predict_joint_log_proba(NEW), expected, atol=0.02)
