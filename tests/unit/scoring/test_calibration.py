"""The numbers of a calibration: what is found, and what it means."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.core.calibration import LEAST, MOST, Calibration, Fit, Place, fit_calibration, log_loss, logs_of
from likely.core.leave_one_out import LeftOut
from likely.formulas import log_posterior


def raw(joint: Any) -> Any:
    return log_posterior(joint, np.zeros(joint.shape[1]))


def simulated(truth: Calibration, documents: int, classes: int, seed: int) -> tuple[Any, Any, Any]:
    """Scores that grow with the length, and classes drawn as the truth says of them."""
    rng = np.random.default_rng(seed)
    length = rng.integers(2, 400, documents).astype(float)
    joint = rng.normal(size=(documents, classes)) * np.sqrt(length)[:, None] - 5 * length[:, None]
    probabilities = np.exp(truth.log_probabilities(joint, length))
    own = (probabilities.cumsum(axis=1) < rng.random(documents)[:, None]).sum(axis=1)
    return joint, length, own


@pytest.mark.parametrize("truth", [(0.8, 0.5, 0.0), (3.0, 0.7, 0.0), (1.5, 0.2, 0.5), (0.05, 0.0, 0.0)], ids=str)
@pytest.mark.parametrize("classes", [2, 5])
def test_what_made_the_data_is_found(truth: tuple[float, float, float], classes: int) -> None:
    known = Calibration(*truth)
    joint, length, own = simulated(known, 40_000, classes, 1)
    found = fit_calibration(joint, length, own)
    asked = simulated(known, 500, classes, 2)[:2]
    expected, probabilities = (np.exp(each.log_probabilities(*asked)) for each in (known, found))
    assert np.abs(expected - probabilities).max() < 0.05
    assert found.gamma + found.delta / 2 == pytest.approx(known.gamma + known.delta / 2, abs=0.05)


def test_few_documents_make_no_certainty_of_little_evidence() -> None:
    """Where all of a few dozen texts are right, how sure a text with hardly any evidence may be is not known."""
    joint = np.array([[0.0, -4.0], [-5.0, 0.0], [0.0, -3.0], [-6.0, 0.0]] * 9)
    found = fit_calibration(joint, np.full(36, 5.0), np.array([0, 1] * 18))
    assert np.exp(found.log_probabilities(np.array([[0.0, -0.03]]), np.array([1.0]))).max() < 0.6


scores = st.floats(-300, 0).map(lambda number: round(number, 3))


@st.composite
def examples(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Scores of a few documents, some of them impossible for a class that is not their own; lengths; own classes."""
    documents, classes = draw(st.integers(1, 12)), draw(st.integers(1, 4))
    joint = np.array(draw(st.lists(scores, min_size=documents * classes, max_size=documents * classes)))
    joint = joint.reshape(documents, classes)
    own = np.array(draw(st.lists(st.integers(0, classes - 1), min_size=documents, max_size=documents)))
    away = np.array(draw(st.lists(st.booleans(), min_size=documents, max_size=documents)))
    other = (own + 1) % classes
    joint[np.arange(documents)[away & (other != own)], other[away & (other != own)]] = -np.inf
    lengths = st.one_of(st.integers(0, 2000).map(float), st.floats(0.01, 3))
    return joint, np.array(draw(st.lists(lengths, min_size=documents, max_size=documents))), own


def smoothed_loss(logs: Any, joint: Any, own: Any) -> float:
    """The mean cross-entropy to targets that are a little off 0 and 1, as Platt (1999) has them."""
    documents = len(joint)
    total = 0.0
    for row, c, possible in zip(logs, own, np.isfinite(joint), strict=True):
        shares = np.where(possible, 1.0 / max(possible.sum() - 1, 1), 0.0)
        shares[c] = documents + 1.0
        shares /= shares.sum()
        total -= sum(share * value for share, value in zip(shares, row, strict=True) if share)
    return float(total / documents)


@given(examples())
def test_no_fit_is_worse_than_the_raw_scores(example: tuple[Any, Any, Any]) -> None:
    joint, length, own = example
    found = fit_calibration(joint, length, own)
    logs = found.log_probabilities(joint, np.maximum(length, 1.0))
    assert smoothed_loss(logs, joint, own) <= smoothed_loss(raw(joint), joint, own) * (1 + 1e-6) + 1e-9


@given(examples())
def test_probabilities_keep_the_order_and_are_finite(example: tuple[Any, Any, Any]) -> None:
    joint, length, own = example
    found = fit_calibration(joint, length, own)
    values = np.array([np.log(found.tau), found.gamma, found.delta])
    assert ((values >= LEAST - 1e-9) & (values <= MOST + 1e-9)).all()
    logs = found.log_probabilities(joint, length)
    assert not np.isnan(logs).any()
    assert np.exp(logs).sum(axis=1) == pytest.approx(1)
    assert (logs[np.isneginf(joint)] == -np.inf).all()
    for before, after in zip(joint, logs, strict=True):
        order = np.argsort(before, kind="stable")
        assert (np.diff(after[order][np.isfinite(before[order])]) >= -1e-12).all()


def test_data_that_are_always_right_give_numbers_that_are_finite_and_modest() -> None:
    joint = np.where(np.eye(2)[[0, 1] * 20] > 0, 0.0, -1e4)
    found = fit_calibration(joint, np.full(40, 50.0), np.array([0, 1] * 20))
    sure = np.exp(found.log_probabilities(joint, np.full(40, 50.0)).max(axis=1))
    assert sure == pytest.approx(41 / 42, abs=1e-3)


def test_data_that_say_nothing_give_no_certainty() -> None:
    rng = np.random.default_rng(0)
    joint, own = rng.normal(size=(4000, 2)) * 50, rng.integers(0, 2, 4000)
    found = fit_calibration(joint, np.full(4000, 100.0), own)
    assert np.exp(found.log_probabilities(joint, np.full(4000, 100.0))).max() < 0.6


def test_scores_that_differ_by_a_constant_a_document_say_the_same() -> None:
    joint, length, own = simulated(Calibration(1.0, 0.5, 0.0), 500, 3, 5)
    found = fit_calibration(joint, length, own)
    moved = fit_calibration(joint - 1000.0 * length[:, None], length, own)
    assert (moved.tau, moved.gamma, moved.delta) == pytest.approx((found.tau, found.gamma, found.delta), rel=1e-3)


def test_many_classes_that_are_always_right_are_certain() -> None:
    joint = np.where(np.eye(1_000)[np.arange(200)] > 0, 0.0, -50.0)
    found = fit_calibration(joint, np.full(200, 20.0), np.arange(200))
    sure = np.exp(found.log_probabilities(joint, np.full(200, 20.0)).max(axis=1))
    assert sure == pytest.approx(201 / 202, abs=1e-3)


@given(examples())
def test_the_log_loss_is_that_of_the_probabilities(example: tuple[Any, Any, Any]) -> None:
    joint, length, own = example
    logs = Calibration(1.3, 0.4, 0.2).log_probabilities(joint, length)
    expected = -logs[np.arange(len(own)), own].mean()
    assert log_loss(Calibration(1.3, 0.4, 0.2), LeftOut(joint, length), own) == pytest.approx(
        expected, rel=1e-9, abs=1e-9
    )


def test_slopes_and_curves_are_those_of_the_loss() -> None:
    joint, length, own = simulated(Calibration(1.0, 0.5, 0.3), 300, 4, 7)
    fit, at, step = Fit.of(joint, length, own, np.ones(len(own)), 1), np.array([0.1, 0.5, 0.3]), 1e-5
    for place in range(3):
        up, down = (fit.look(at + sign * step * np.eye(3)[place]) for sign in (1, -1))
        assert fit.look(at).slope[place] == pytest.approx((up.loss - down.loss) / (2 * step), rel=1e-4, abs=1e-8)
        assert fit.look(at).curve[place] == pytest.approx((up.slope - down.slope) / (2 * step), rel=1e-3, abs=1e-6)


def test_a_fit_takes_few_looks_and_the_same_result_on_any_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, whole = [], Fit.look

    def watched(fit: Fit, at: Any) -> Place:
        looks.append(at)
        return whole(fit, at)

    monkeypatch.setattr(Fit, "look", watched)
    joint, length, own = simulated(Calibration(3.0, 0.7, 0.5), 4_000, 20, 3)
    found = fit_calibration(joint, length, own)
    assert len(looks) < 20
    assert fit_calibration(joint, length, own, threads=3) == found


@given(st.integers(1, 6), st.integers(1, 40), st.booleans(), st.integers(0, 1_000))
def test_the_spread_is_that_over_the_possible_classes(rows: int, classes: int, all_possible: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    joint, length = rng.normal(-500, 50, (rows, classes)), rng.integers(0, 50, rows).astype(float)
    if not all_possible:
        joint[rng.random(joint.shape) < 0.3] = -np.inf
    spreads = [row[np.isfinite(row)].std() if np.isfinite(row).any() else 0.0 for row in joint]
    ones, lengths, found = logs_of(joint, length)
    assert ones.tolist() == [1.0] * rows
    np.testing.assert_array_equal(lengths, -np.log(np.maximum(length, 1)))
    expected = [-np.log(each) if each > 0 else 0.0 for each in spreads]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
