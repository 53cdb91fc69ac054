"""The settings of nbsvm: a race over the folds of a sample."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely.core import cross_validation
from likely.core.analyzer import Analyzer
from likely.core.counts import Counts
from likely.options.model import with_defaults
from likely.reading.rows import Labelled
from likely.sample import load_sample
from likely.training import search as learned
from likely.training.material import Goal, Judged
from likely.training.sample import Sampler
from likely.training.search import FOLLOW_UP, LEARNED_SETTINGS, Crossed, is_behind

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


def test_few_documents_are_not_raced() -> None:
    found = crossed()
    raced = found.race([*SETTINGS, HOPELESS], Goal())
    assert len(raced) == 4
    assert figures(raced) == figures([found.judge(each, Goal()) for each in (*SETTINGS, HOPELESS)])
    assert all(each.left is not None and len(each.left.joint) == len(TEXTS) for each in raced)


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


def test_a_setting_that_is_behind_after_two_folds_is_not_tried_on_the_others(
    monkeypatch: pytest.MonkeyPatch, done: list[tuple[float, int]]
) -> None:
    monkeypatch.setattr(learned, "FEWEST_RACED", 10)
    raced = crossed().race([SETTINGS[0], HOPELESS], Goal())
    assert done == [(2.0, 2), (1e-6, 2), (2.0, 3)]
    assert figures(raced) == figures([crossed().judge(SETTINGS[0], Goal())])


def test_a_follow_up_is_tried_only_if_the_first_setting_is_ahead(
    monkeypatch: pytest.MonkeyPatch, done: list[tuple[float, int]]
) -> None:
    follow_up = with_defaults(FOLLOW_UP)
    few = crossed().race([HOPELESS, SETTINGS[0]], Goal(), follow_up)
    assert [each.trial.options["nbsvm"]["cost"] for each in few] == [1e-6, 2.0, 4.0], "few documents are not raced"
    monkeypatch.setattr(learned, "FEWEST_RACED", 10)
    done.clear()
    crossed().race([SETTINGS[0], HOPELESS], Goal(), follow_up)
    assert done[:3] == [(2.0, 2), (1e-6, 2), (4.0, 2)]
    done.clear()
    crossed().race([HOPELESS, SETTINGS[0]], Goal(), follow_up)
    assert done == [(1e-6, 2), (2.0, 2), (2.0, 3)]


def test_no_more_folds_are_judged_than_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "ENOUGH_JUDGED", 80)
    found = crossed()
    few = found.race(SETTINGS, Goal())
    assert 80 <= len(found.gold) < len(TEXTS)
    assert all(each.left is not None and len(each.left.joint) == len(found.gold) for each in few)
    assert all(len(each.right) == len(found.gold) for each in few)


def test_threads_change_nothing() -> None:
    assert figures(crossed(1).race(SETTINGS, Goal())) == figures(crossed(3).race(SETTINGS, Goal()))


def test_who_is_behind() -> None:
    one, other = crossed().race([SETTINGS[0], HOPELESS], Goal())
    assert is_behind(other, one, Goal())
    assert not is_behind(one, one, Goal())
    assert not is_behind(one, other, Goal())


def test_weights_are_learned_as_exactly_as_the_choice_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    roughly = figures(crossed().race(SETTINGS, Goal()))
    monkeypatch.setattr(learned, "TOLERANCE", 1e-9)
    exactly = figures(crossed().race(SETTINGS, Goal()))
    np.testing.assert_allclose(roughly, exactly, rtol=0.05)
