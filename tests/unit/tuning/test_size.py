"""Fewer terms are taken if the model is about as good."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.tuning_record import Trial, Tuning
from likely.training import search as size
from likely.training.material import Goal
from likely.training.search import is_worth

BEST = Trial({}, "leave-one-out", 0.30, 0.900, 0.8, -0.30, 1_000_000)


def other(terms: int | None = 200_000, log_loss: float = 0.30, accuracy: float = 0.9) -> Trial:
    return Trial({"min_documents": 2}, "leave-one-out", log_loss, accuracy, 0.8, -log_loss, terms)


@pytest.mark.parametrize(
    ("one", "balanced", "small"),
    [
        (other(), True, True),
        (other(log_loss=0.307, accuracy=0.8975), True, True),
        (other(log_loss=0.308), False, True),
        (other(accuracy=0.889), False, False),
        (other(accuracy=0.8905), False, True),
        (other(terms=1_000_000), False, False),
        (other(terms=None), False, False),
    ],
    ids=str,
)
def test_how_much_fewer_terms_may_cost(one: Trial, balanced: bool, small: bool) -> None:
    assert is_worth(one, BEST, Goal(prefer="balanced")) == balanced
    assert is_worth(one, BEST, Goal(prefer="small")) == small
    assert not is_worth(one, BEST, Goal(prefer="accurate"))


def test_a_small_vocabulary_is_not_made_smaller_unless_that_is_asked_for() -> None:
    best = Trial({}, "leave-one-out", 0.30, 0.9, 0.8, -0.30, 90_000)
    assert not is_worth(other(terms=10_000), best, Goal())
    assert is_worth(other(terms=10_000), best, Goal(prefer="small"))


def test_the_measure_that_is_tuned_for_counts_too() -> None:
    best = Trial({}, "leave-one-out", 0.30, 0.9, 0.80, 0.80, 1_000_000)
    one = Trial({}, "leave-one-out", 0.30, 0.9, 0.77, 0.77, 200_000)
    assert not is_worth(one, best, Goal("macro-f1"))
    assert not is_worth(one, best, Goal("macro-f1", "small"))
    assert is_worth(one, best, Goal("accuracy", "small")) == (one.value >= best.value - 0.01)


def texts_with_rare_words() -> tuple[list[str], list[str]]:
    """Two topics, and a word per document that no other one has."""
    rng = np.random.default_rng(5)
    labels = rng.choice(["a", "b"], 300).tolist()
    words = {"a": "cat dog bird the of", "b": "car bus road the of"}
    texts = [" ".join(rng.choice(words[label].split(), 6)) for label in labels]
    return [f"{text} n{at} m{at}" for at, text in enumerate(texts)], labels


def terms_of(model: NaiveBayes) -> list[int | None]:
    assert model.tuning_ is not None
    return [trial.terms for trial in model.tuning_.trials]


def test_rare_words_that_say_nothing_are_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(size, "SMALL", 50)
    models = {each: likely.train(*texts_with_rare_words(), prefer=each) for each in ("balanced", "small", "accurate")}
    assert models["balanced"].min_documents > 1
    small, balanced, accurate = (len(models[each].vocabulary_) for each in ("small", "balanced", "accurate"))
    assert small <= balanced <= accurate
    for model in models.values():
        assert terms_of(model)[0] == len(model.vocabulary_), "the size in the table is that of the model"
    assert likely.load(models["small"].save(tmp_path / "small.likely").path).prefer == "small"
    assert f"--min-documents {models['balanced'].min_documents}" in str(models["balanced"].tuning_)


@pytest.mark.parametrize("options", [{"min_documents": 1}, {"min_documents": 4}], ids=str)
def test_a_number_of_documents_that_is_given_stays(options: dict[str, Any]) -> None:
    model = likely.train(*texts_with_rare_words(), prefer="small", **options)
    assert model.min_documents == options["min_documents"]


def test_a_larger_setting_that_looks_better_is_explained() -> None:
    small = Trial({"alpha": 0.5, "min_documents": 5}, "leave-one-out", 0.31, 0.895, 0.8, -0.31, 200_000, 90.0)
    large = Trial({"alpha": 0.3}, "leave-one-out", 0.30, 0.900, 0.8, -0.30, 1_000_000, 90.0)
    reason = "A row above it is not clearly better, or costs much more time and memory (see --prefer)."
    assert reason in " ".join(str(Tuning("auto", 10, 10, [small, large])).split())
    assert "above it" not in str(Tuning("auto", 10, 10, [large, small]))


@pytest.mark.parametrize("options", [{"prefer": "small"}, {"min_documents": 20}], ids=str)
def test_a_setting_that_keeps_no_term_is_never_chosen_and_never_fails(options: dict[str, Any]) -> None:
    rng = np.random.default_rng(3)
    texts = [" ".join(rng.choice(list("abcdefghijklmnopqrst"), 4)) for _ in range(40)]
    model = NaiveBayes(tune="auto", threads=1, **options).fit(texts, ["ham"] * 36 + ["spam"] * 4)
    assert len(model.vocabulary_) > 0 or "min_documents" in options
