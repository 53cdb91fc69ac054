"""Presets are allowed options without contradictions, and given options take precedence over them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import OptionError
from likely.options.model import MODEL, PRESETS, check_together, effective, with_defaults, with_preset
from sklearn.base import clone

TEXTS = [
    "Not good at all, I did NOT like it!",
    "A good film: good fun, and good people in it.",
    "WIN 1000 dollars now!!! Call 08712 or visit www.example.com",
    "Ein guter Film, der niemanden langweilt.",
    "See you at 7, at the usual place.",
]
LABELS = ["a", "b", "a", "c", "b"]
EVERY = pytest.mark.parametrize("task", PRESETS)


@EVERY
def test_a_preset_sets_allowed_options_and_none_to_its_default(task: str) -> None:
    for name, value in PRESETS[task].items():
        assert name != "task"
        MODEL[name].check(value)
        assert value != MODEL[name].default


@EVERY
def test_a_preset_has_no_contradictions(task: str) -> None:
    check_together(with_defaults(PRESETS[task]))


@EVERY
def test_a_preset_can_learn_on_and_forget(task: Any) -> None:
    whole = NaiveBayes(task=task).fit(TEXTS, LABELS)
    grown = NaiveBayes(task=task).fit(TEXTS[:3], LABELS[:3]).learn(TEXTS[3:], LABELS[3:])
    extra = NaiveBayes(task=task).fit([*TEXTS, "more"], [*LABELS, "a"]).forget(["more"], ["a"])
    for other in (grown, extra):
        np.testing.assert_array_equal(other.predict_proba(TEXTS), whole.predict_proba(TEXTS))


@EVERY
def test_a_preset_assumes_no_language(task: str) -> None:
    assert not {"stem", "negation", "stop_words"} & set(PRESETS[task])


@EVERY
def test_a_task_works_like_its_options_spelled_out(task: Any) -> None:
    named = NaiveBayes(task=task).fit(TEXTS, LABELS)
    spelled = NaiveBayes(**PRESETS[task]).fit(TEXTS, LABELS)
    trained = likely.train(TEXTS, LABELS, task=task)
    for model in (spelled, trained):
        assert model.vocabulary_ == named.vocabulary_
        np.testing.assert_array_equal(model.predict_proba(TEXTS), named.predict_proba(TEXTS))
    assert trained._options() == {**spelled._options(), "task": task}


@EVERY
def test_a_preset_learns_from_a_handful_of_texts(task: str) -> None:
    model = likely.train(["good fun", "very dull"], ["+", "-"], task=task)
    assert model.predict(["good", "dull"]).tolist() == ["+", "-"]


def test_what_is_given_wins_even_at_its_default() -> None:
    model = likely.train(TEXTS, LABELS, task="sentiment", ngrams=(1, 1))
    assert model._options()["ngrams"] == (1, 1)
    assert model._options()["variant"] == "binary"
    assert not [term for term in model.vocabulary_ if " " in term]


def test_what_is_given_wins_also_if_it_is_the_default() -> None:
    model = NaiveBayes(task="sentiment", ngrams=(1, 1), alpha=1.0)
    values = model._options()
    assert (values["ngrams"], values["alpha"], values["variant"]) == ((1, 1), 1.0, "binary")
    assert (model.alpha, model.variant) == (1.0, "binary")
    model.set_params(task="spam")
    assert (model.alpha, model.ngrams, model.punctuation) == (1.0, (1, 1), "keep")
    assert clone(model).set_params(task="topics").get_params() == model.set_params(task="topics").get_params()
    assert (model.alpha, model.ngrams, model.variant) == (1.0, (1, 1), "multinomial")


def test_what_is_given_later_wins_too() -> None:
    model = NaiveBayes(task="sentiment")
    assert model.alpha == 0.05
    model.alpha = 1.0
    assert model._options()["alpha"] == 1.0
    assert repr(model) == "NaiveBayes(task='sentiment', alpha=1.0)"


def test_no_task_changes_nothing() -> None:
    assert effective({"alpha": 0.5}) == with_defaults({"alpha": 0.5})
    assert with_preset({"alpha": 0.5, "task": None}) == {"alpha": 0.5, "task": None}


def test_a_model_file_keeps_what_the_task_stood_for(tmp_path: Path) -> None:
    model = NaiveBayes(task="spam").fit(TEXTS, LABELS)
    model.save(tmp_path / "model.likely")
    again = likely.load(tmp_path / "model.likely")
    assert again._options() == {**model._options(), "task": None}
    np.testing.assert_array_equal(again.predict_proba(TEXTS), model.predict_proba(TEXTS))


@pytest.mark.parametrize("task", ["sentimnt", "", 7, ["spam"]])
def test_an_unknown_task_is_answered_with_the_choices(task: Any) -> None:
    with pytest.raises(OptionError, match="'sentiment', 'spam', 'topics', 'language' or 'authorship'"):
        NaiveBayes(task=task)
    with pytest.raises(OptionError, match="'sentiment', 'spam', 'topics', 'language' or 'authorship'"):
        likely.train(TEXTS, LABELS, task=task)
