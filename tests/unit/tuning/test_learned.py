"""The settings of nbsvm: all on the first folds of a sample, the best one on more."""

from __future__ import annotations

from typing import Any

import likely
import numpy as np
import pytest
from likely.core import cross_validation
from likely.core.analyzer import Analyzer
from likely.core.counts import Counts
from likely.core.tuning_record import not_default
from likely.options.model import with_defaults
from likely.reading.rows import Labelled
from likely.sample import load_sample
from likely.training import search as learned
from likely.training.material import Goal, Judged
from likely.training.sample import Sampler
from likely.training.search import LEARNED_SETTINGS, Crossed

TEXTS, LABELS = (column[:150] for column in load_sample())
SETTINGS = [with_defaults(setting) for setting in LEARNED_SETTINGS]
HOPELESS = with_defaults({"variant": "nbsvm", "nbsvm": {"cost": 1e-6}})


def crossed(threads: int = 1) -> Crossed:
    sampler = Sampler(1_000)
    sampler.add(Labelled(TEXTS, LABELS))
    counts = Counts.count_batches(Analyzer.of(with_defaults({})), [Labelled(TEXTS, LABELS)], threads)
    return Crossed(counts, sampler.sample(), threads)


def figures(judged: list[Judged]) -> list[tuple[float, ...]]:
    return [(each.trial.log_loss, each.trial.accuracy, each.trial.macro_f1) for each in judged]


def test_few_documents_are_all_judged_at_once() -> None:
    found = crossed()
    assert found.first == found.folds == 5
    left = found.judge(HOPELESS, Goal()).left
    assert left is not None
    assert len(left.joint) == len(found.gold) == len(TEXTS)


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[tuple[float, int]]:
    """The cost and the number of folds of each setting that is scored."""
    found: list[tuple[float, int]] = []
    scores = cross_validation.FoldedScores.scores

    def watched(self: Any, folds: Any, *rest: Any) -> Any:
        found.append((self.rules.cost, len(folds)))
        return scores(self, folds, *rest)

    monkeypatch.setattr(cross_validation.FoldedScores, "scores", watched)
    return found


def test_what_was_judged_on_the_first_folds_is_not_judged_again(
    monkeypatch: pytest.MonkeyPatch, done: list[tuple[float, int]]
) -> None:
    at_once = crossed().judge(SETTINGS[0], Goal())
    monkeypatch.setattr(learned, "ENOUGH_TRIED", 10)
    found = crossed()
    first = found.judge(SETTINGS[0], Goal())
    assert len(first.right) < len(TEXTS)
    assert figures([found.judge(SETTINGS[0], Goal(), first)]) == figures([at_once])
    assert done == [(2.0, 5), (2.0, 2), (2.0, 3)]


@pytest.mark.parametrize(
    ("settings", "costs"), [(SETTINGS[:1], [2.0, 4.0]), ([HOPELESS, *SETTINGS[:1]], [1e-6, 2.0])]
)
def test_only_the_best_setting_is_tried_on_further_folds_and_a_follow_up_if_the_first_is_ahead(
    monkeypatch: pytest.MonkeyPatch,
    done: list[tuple[float, int]],
    settings: list[dict[str, object]],
    costs: list[float],
) -> None:
    monkeypatch.setattr(learned, "ENOUGH_TRIED", 10)
    monkeypatch.setattr(learned, "LEARNED_SETTINGS", [not_default(each) for each in settings])
    model = likely.train(TEXTS, LABELS, prefer="strongest")
    assert model.tuning_ is not None
    tried = {each.options["nbsvm"]["cost"]: each for each in model.tuning_.trials if "nbsvm" in each.options}
    assert sorted(tried) == sorted(costs)
    best = max(tried, key=lambda cost: tried[cost].value)
    assert done == [*((cost, 2) for cost in costs), (best, 3)]


def test_no_more_folds_are_judged_than_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "ENOUGH_JUDGED", 80)
    assert 80 <= len(crossed().gold) < len(TEXTS)


def judged(threads: int = 1) -> list[tuple[float, ...]]:
    found = crossed(threads)
    return figures([found.judge(each, Goal()) for each in SETTINGS])


def test_threads_change_nothing() -> None:
    assert judged(1) == judged(3)


def test_weights_are_learned_as_exactly_as_the_choice_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    roughly = judged()
    monkeypatch.setattr(learned, "TOLERANCE", 1e-9)
    np.testing.assert_allclose(roughly, judged(), rtol=0.05)
