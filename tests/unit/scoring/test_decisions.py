"""Which class is predicted if some classes have thresholds, everywhere where a class is decided."""

from __future__ import annotations

import json
import math
import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes, load
from likely.core.decisions import ChosenThresholds, Decision, decided, decision_of
from likely.errors import OptionError, TrainingWarning

if TYPE_CHECKING:
    from pathlib import Path

TEXTS, LABELS = ["good fun", "good plot", "dull plot", "so so"], ["+", "+", "-", "0"]
NEW = ["good good", "good", "dull", "dull fun", "so", "", "unheard of", "plot"]


def model(thresholds: Any, **options: Any) -> NaiveBayes:
    return NaiveBayes(thresholds=thresholds, **options).fit(TEXTS, LABELS)


def by_the_rule(row: list[float], thresholds: dict[int, float]) -> int:
    """The rule as the documentation states it, for one text."""
    reached = {at: row[at] / bound for at, bound in thresholds.items() if row[at] >= bound}
    if reached:
        return max(reached, key=lambda at: (reached[at], -at))
    free = [at for at in range(len(row)) if at not in thresholds]
    if free:
        return max(free, key=lambda at: (row[at], -at))
    return max(thresholds, key=lambda at: (row[at] / thresholds[at], -at))


@given(
    st.lists(st.lists(st.integers(1, 50), min_size=3, max_size=3), min_size=1),
    st.dictionaries(st.integers(0, 2), st.integers(1, 99), min_size=1),
)
def test_the_rule(rows: list[list[int]], percent: dict[int, int]) -> None:
    thresholds = {at: bound / 100 for at, bound in percent.items()}
    shares = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    decision = Decision(np.array([thresholds.get(at, np.nan) for at in range(3)]))
    for row, found in zip(shares, decision.places(np.log(shares)), strict=True):
        ratios = sorted(row[at] / bound for at, bound in thresholds.items())
        near = any(abs(ratio - 1) < 1e-9 for ratio in ratios) or any(np.diff(ratios) < 1e-9)
        assert near or found == by_the_rule(row.tolist(), thresholds)


def test_without_thresholds_the_most_probable_class_is_predicted() -> None:
    assert decided(np.log([[0.2, 0.8]]), None).tolist() == [1]
    assert decision_of({}, ["a", "b"]) is None


def test_all_answers_follow_the_thresholds() -> None:
    plain, own = model(None), model({"-": 0.2})
    shares = plain.predict_proba(NEW)
    expected = ["+-0"[by_the_rule(row, {1: 0.2})] for row in shares.tolist()]
    assert expected != plain.predict(NEW).tolist()
    assert own.predict(NEW).tolist() == expected
    found = own._predict_all(NEW, 3)
    assert found.answers.tolist() == found.labels[:, 0].tolist() == expected
    assert own.predict_top(NEW, 2)[0][:, 0].tolist() == expected
    places = ["+-0".index(label) for label in expected]
    np.testing.assert_allclose(found.probabilities[:, 0], shares[np.arange(len(NEW)), places])
    assert sorted(found.labels[0].tolist()) == ["+", "-", "0"]
    assert [own.explain(text).label for text in NEW] == expected
    assert own.score(NEW, expected) == own.evaluate(NEW, expected).accuracy == 1.0
    assert own.evaluate(NEW, expected).coverage[0].accuracy == 1.0
    np.testing.assert_array_equal(own.predict_proba(NEW), shares)


def test_another_prior_is_decided_by_given_thresholds_too() -> None:
    own, prior = model({"-": 0.2}), {"+": 0.2, "-": 0.1, "0": 0.7}
    shares = own.predict_proba(NEW, prior=prior).tolist()
    assert own.predict(NEW, prior=prior).tolist() == ["+-0"[by_the_rule(row, {1: 0.2})] for row in shares]


@pytest.mark.parametrize("thresholds", [{"+": 0.6}, {"-": 0.3}, {"+": 0.2, "-": 0.7}, {"+": 0.5}, {"-": 0.5}])
def test_the_log_odds_agree_with_the_prediction(thresholds: dict[str, float]) -> None:
    two = NaiveBayes(thresholds=thresholds).fit(TEXTS[:3], LABELS[:3])
    assert (two.decision_function(NEW) > 0).tolist() == (two.predict(NEW) == "-").tolist()


def test_the_log_odds_are_shifted_by_those_of_the_threshold() -> None:
    plain, own = (NaiveBayes(thresholds=each).fit(TEXTS[:3], LABELS[:3]) for each in (None, {"-": 0.3}))
    shift = own.decision_function(NEW) - plain.decision_function(NEW)
    np.testing.assert_allclose(shift, -math.log(0.3 / 0.7))


def test_a_model_abstains_by_the_probability_of_the_predicted_class() -> None:
    own = model({"-": 0.2})
    answers, shares = own.predict(NEW, abstain=0.31), own.predict_proba(NEW)
    for answer, decided_, row, known in zip(answers, own.predict(NEW), shares, own.known(NEW), strict=True):
        sure = known > 0 and row["+-0".index(decided_)] >= 0.31
        assert answer == (decided_ if sure else None)
    margins = own.predict(NEW, abstain={"margin": 0.01})
    assert margins[3] is None  # "dull fun": another class is more probable than the predicted one
    assert own.predict(NEW)[3] == "-"


def test_a_file_and_a_pickle_keep_the_thresholds(tmp_path: Path) -> None:
    for thresholds in ({"-": 0.2}, {}, {"-": np.float64(0.2), "+": 0.5}):
        own = model(thresholds)
        own.save(tmp_path / "m.likely")
        for other in (load(tmp_path / "m.likely"), pickle.loads(pickle.dumps(own))):
            assert other.thresholds == thresholds
            assert other.predict(NEW).tolist() == own.predict(NEW).tolist()


def test_thresholds_that_were_chosen_are_kept_with_the_wish(tmp_path: Path) -> None:
    texts = [f"{text} n{copy}" for copy in range(6) for text in TEXTS]  # copies would be left out together
    own = NaiveBayes(thresholds="f1:-").fit(texts, LABELS * 6)
    own.save(tmp_path / "m.likely")
    other = load(tmp_path / "m.likely")
    assert other.thresholds == "f1:-"
    assert other.thresholds_ == own.thresholds_ != {}
    costs = model({("+", "-"): 5, ("-", "+"): 1})
    costs.save(tmp_path / "m.likely")
    assert load(tmp_path / "m.likely").thresholds == {("+", "-"): 5.0, ("-", "+"): 1.0}


def test_chosen_thresholds_hold_for_the_option_that_they_were_chosen_for() -> None:
    own = model(None)
    own._state.decide(ChosenThresholds({"-": 0.2}, None, own._settle().rules))
    assert own.thresholds_ == {"-": 0.2}
    assert own.set_params(thresholds={}).thresholds_ == {}
    assert own.set_params(thresholds={"+": 0.4}).thresholds_ == {"+": 0.4}
    assert own.set_params(thresholds=None).thresholds_ == {"-": 0.2}
    assert own.set_params(alpha=0.5).thresholds_ == {}


def test_a_wish_that_was_not_fulfilled_is_told() -> None:
    own = model(None).set_params(thresholds="macro-f1")
    with pytest.warns(TrainingWarning, match="fit_thresholds"):
        assert own.predict(["dull"]).tolist() == ["-"]


def test_a_class_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(OptionError, match="'minus' is not one of the classes"):
        model({"minus": 0.3})
    numbers = NaiveBayes(thresholds={"1": 0.2}).fit(["a", "b"], [0, 1])  # as the command line gives it
    assert numbers.thresholds_ == {1: 0.2}
    with pytest.raises(OptionError, match="the label True is not one of the classes 0, 1"):
        NaiveBayes(thresholds={True: 0.2}).fit(["a", "b"], [0, 1])


@pytest.mark.parametrize("wrong", [{"-": 0}, {"-": 1}, {"-": "x"}, {1.5: 0.5}, 0.5, "f1", {("+", "-"): -1}, ["-"]])
def test_what_is_no_threshold_is_refused(wrong: Any) -> None:
    with pytest.raises(OptionError, match="thresholds="):
        NaiveBayes(thresholds=wrong)


def test_the_explanation_shows_which_threshold_decided() -> None:
    found = model({"-": 0.2}).explain("dull fun")
    share = found.posterior["-"]
    assert found.is_by_threshold
    assert f"-: {share:.4g} reaches its threshold 0.2\n\nDecision: -" in str(found)
    assert f">-: {share:.4g} reaches its threshold 0.2</p>" in found._repr_html_()
    document = json.loads(json.dumps(found.to_dict()))
    assert (document["label"], document["thresholds"], document["by_threshold"]) == ("-", [None, 0.2, None], True)
    shy = model({"+": 0.9}).explain("good")
    assert f"+: {shy.posterior['+']:.4g} does not reach its threshold 0.9" in str(shy)
    plain = model(None).explain("good")
    assert "threshold" not in str(plain)
    assert (plain.to_dict()["thresholds"], plain.to_dict()["by_threshold"]) == ([None] * 3, False)
