"""Weights of classes are tried where a class is rare and hardly ever predicted."""

from __future__ import annotations

import likely
import numpy as np
import pytest
from likely.core.decisions import MOST_LOST
from likely.options.model import with_defaults
from likely.reading.rows import Labelled, Sample
from likely.sample import load_sample
from likely.training.material import CountedSample, Goal, count_sample
from likely.training.sample import Sampler
from likely.training.search import RareGoal, has_rare


def drowned(size: int = 2_000, seed: int = 5) -> tuple[list[str], list[str]]:
    """Texts of three classes. The few words of the rare one are seldom, and occur in the others too."""
    random = np.random.default_rng(seed)
    common = [f"w{at}" for at in range(400)]
    texts, labels = [], []
    for at in range(size):
        label = "odd" if at % 30 == 0 else ("good", "bad")[at % 2]
        words = random.choice(common, 8).tolist()
        words += random.choice([f"{label}{n}" for n in range(200)], 1).tolist() if random.random() < 0.7 else []
        words += random.choice([f"odd{n}" for n in range(200)], 1).tolist() if random.random() < 0.08 else []
        texts.append(" ".join(words))
        labels.append(label)
    return texts, labels


def counted(texts: list[str], labels: list[str]) -> CountedSample:
    sampler = Sampler(10_000)
    sampler.add(Labelled(texts, labels))
    sample: Sample = sampler.sample()
    return CountedSample(count_sample({}, sample), sample, 1)


def test_a_class_is_rare_among_the_others() -> None:
    assert has_rare(counted(*drowned()).gold)
    assert not has_rare(counted(*load_sample()).gold)


def test_the_goal_is_the_f1_of_classes_that_are_hardly_found() -> None:
    some = counted(*drowned())
    values = with_defaults({"alpha": 3.0})
    left = some.left_out(values)
    goal = RareGoal.of(left, some, Goal())
    assert goal is not None
    assert goal.labels == ["odd"]
    assert goal.least_accuracy == pytest.approx(np.mean(left.joint.argmax(axis=1) == some.gold) - MOST_LOST)
    for weight in (None, "balanced"):
        assert 0 <= goal.judge(some, {**values, "class_weight": weight}).trial.value <= 1
    asked = RareGoal.of(left, some, Goal("f1:good"))
    assert asked is not None
    assert (asked.labels, asked.least_accuracy, asked.gain) == (["good"], 0.0, 0.0)
    few = counted(*load_sample())
    assert RareGoal.of(few.left_out(with_defaults({})), few, Goal()) is None


@pytest.mark.slow
@pytest.mark.parametrize("tune", ["auto", "f1:odd"])
def test_training_tries_weights_and_says_what_it_chose(tune: str) -> None:
    texts, labels = drowned()
    model = likely.train(texts, labels, tune=tune)
    assert model.tuning_ is not None
    assert "odd" in model.thresholds_ or model.class_weight is not None
    found = model.evaluate(*drowned(1_000, seed=6)).per_class["odd"].recall
    assert found is not None
    assert found > 0.05
    turned = likely.train(texts[::-1], labels[::-1], tune=tune)
    assert turned.get_params() == model.get_params()
    assert turned.thresholds_ == model.thresholds_
    given = likely.train(texts, labels, tune=tune, class_weight="balanced")
    assert given.class_weight == "balanced"
