"""Everything that a model has learned: changed all or nothing, under one lock, and nothing outdated is used."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.calibration import Calibration, CalibrationRecord
from likely.core.counts import Counts
from likely.core.file import Pruning
from likely.core.state import State
from likely.core.weights import ModelSettings
from likely.errors import NotFittedError, NotLearnedError
from likely.options.model import with_defaults
from likely.reading.rows import Labelled

TEXTS, LABELS = ["good fun", "good plot", "dull plot"], ["+", "+", "-"]
NEW = ["good dull plot", "fun", "unheard"]
MORE, THEIRS = ["dull fun fun", "new"], ["+", "?"]


def settled(**options: Any) -> ModelSettings:
    return ModelSettings.of(with_defaults({"threads": 1, **options}))


PLAIN = settled()


def counted(texts: list[str], labels: list[str]) -> Counts:
    return Counts.count_batches(PLAIN.analyzer, [Labelled(texts, labels)], 1)


def made(texts: list[str] = TEXTS, labels: list[str] = LABELS) -> State:
    state = State(PLAIN.analyzer)
    state.correct(counted(texts, labels), None, PLAIN.rules)
    return state


def joint(state: State, how: ModelSettings = PLAIN) -> Any:
    return state.scorer(how).joint(NEW)


def record() -> CalibrationRecord:
    return CalibrationRecord(Calibration(0.5, 0.0, 0.0), 3, {}, {}, [])


def test_nothing_can_be_asked_before_something_is_learned() -> None:
    state = State(PLAIN.analyzer)
    assert not state.is_fitted
    asks: list[Callable[[], object]] = [
        lambda: state.moment(PLAIN.rules),
        lambda: state.scorer(PLAIN),
        state.check_fitted,
    ]
    for ask in asks:
        with pytest.raises(NotFittedError, match="call fit or learn"):
            ask()
    state.correct(counted(TEXTS, LABELS), None, PLAIN.rules)
    state.check_fitted()
    assert np.array_equal(joint(state), joint(made()))


CHANGES: dict[str, Callable[[State], None]] = {
    "add": lambda state: state.correct(counted(MORE, THEIRS), None, PLAIN.rules),
    "add with other rules": lambda state: state.correct(counted(MORE, THEIRS), None, settled(alpha=0.1).rules),
    "subtract": lambda state: state.correct(None, counted(TEXTS[1:2], LABELS[1:2]), PLAIN.rules, ages=1.0),
    "subtract a class": lambda state: state.correct(None, counted(TEXTS[2:], LABELS[2:]), PLAIN.rules, ages=1.0),
    "replace": lambda state: state.replace(counted(MORE, THEIRS)),
}
AFTER = {
    "add": ([*TEXTS, *MORE], [*LABELS, *THEIRS]),
    "add with other rules": ([*TEXTS, *MORE], [*LABELS, *THEIRS]),
    "subtract": ([TEXTS[0], TEXTS[2]], [LABELS[0], LABELS[2]]),
    "subtract a class": (TEXTS[:2], LABELS[:2]),
    "replace": (MORE, THEIRS),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("options", [{}, {"variant": "complement"}, {"min_documents": 2}], ids=str)
def test_a_scorer_from_before_a_change_is_not_used_after_it(change: str, options: dict[str, Any]) -> None:
    state, how = made(), settled(**options)
    before = state.scorer(how)
    CHANGES[change](state)
    assert state.scorer(how) is not before
    assert np.array_equal(joint(state, how), joint(made(*AFTER[change]), how))


def test_weights_are_made_once_until_something_changes() -> None:
    state, other = made(), settled(alpha=0.1)
    first = state.scorer(PLAIN)
    assert state.weights(PLAIN.rules) is state.weights(PLAIN.rules)
    assert state.scorer(PLAIN).classes is first.classes
    assert not np.array_equal(state.scorer(other).joint(NEW), first.joint(NEW))
    assert np.array_equal(joint(state), joint(made())), "other options and back again"


def test_a_moment_has_the_weights_that_were_made_for_the_same_rules() -> None:
    state = made()
    weights = state.weights(PLAIN.rules)
    assert state.moment(PLAIN.rules).weights is weights
    assert state.moment_of(weights).classes is weights.classes
    assert state.moment(settled(alpha=0.1).rules).weights is not weights
    state.correct(counted(MORE, THEIRS), None, PLAIN.rules)
    assert state.moment(PLAIN.rules).classes.labels == ["+", "-", "?"]


WRONG = [(["unheard"], ["+"]), (["good"], ["?"]), ([*TEXTS[:1], "dull dull"], ["+", "-"]), ([""] * 9, ["+"] * 9)]


@pytest.mark.parametrize(("texts", "labels"), WRONG, ids=str)
def test_an_error_changes_nothing(texts: list[str], labels: list[str]) -> None:
    state = made()
    state.pruning = Pruning(7)
    state.calibrate(record(), PLAIN.rules)
    before, table = joint(state), state.counts.table()
    weights = state.weights(PLAIN.rules)
    with pytest.raises(NotLearnedError):
        state.correct(None, counted(texts, labels), PLAIN.rules, ages=1.0)
    assert state.counts.table() == table
    assert np.array_equal(joint(state), before)
    assert state.weights(PLAIN.rules) is weights, "they still fit, so they are not made again"
    assert state.pruning == Pruning(7)
    assert state.calibration_for(PLAIN.rules) == replace(record(), of=len(TEXTS))


@pytest.mark.parametrize("late", [False, True])
def test_weights_are_made_again_after_an_interruption(monkeypatch: pytest.MonkeyPatch, late: bool) -> None:
    """Ctrl-C before the counts have changed, or when they have."""
    state, add = made(), Counts.add
    joint(state)

    def interrupted(counts: Counts, other: Counts) -> Any:
        if late:
            add(counts, other)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Counts, "add", interrupted)
        with pytest.raises(KeyboardInterrupt):
            state.correct(counted(MORE, THEIRS), None, PLAIN.rules)
    expected = made(*AFTER["add"]) if late else made()
    assert np.array_equal(joint(state), joint(expected))
    assert state.counts.table() == expected.counts.table()


def test_what_is_learned_or_forgotten_drops_what_no_longer_holds() -> None:
    state = made()
    state.calibrate(record(), PLAIN.rules)
    state.pruning = Pruning(7)
    state.correct(counted(MORE, THEIRS), None, PLAIN.rules)
    assert state.pruning == Pruning()
    found = state.calibration_for(PLAIN.rules)
    assert found is not None
    assert (found.calibration, found.of, found.changed) == (record().calibration, len(TEXTS), len(MORE))
    state.replace(counted(TEXTS, LABELS))
    assert state.calibration_for(PLAIN.rules) is None


def test_a_calibration_is_used_with_the_rules_it_was_fitted_to_only() -> None:
    state, other = made(), settled(alpha=0.1)
    raw = state.scorer(PLAIN).log_probabilities(NEW)
    state.calibrate(record(), PLAIN.rules)
    assert state.scorer(PLAIN).calibration == record().calibration
    assert not np.allclose(state.scorer(PLAIN).log_probabilities(NEW), raw)
    assert state.scorer(other).calibration is None
    assert state.snapshot(PLAIN.values, PLAIN.rules).calibration == replace(record(), of=len(TEXTS))
    assert state.snapshot(other.values, other.rules).calibration is None
    state.calibrate(None, PLAIN.rules)
    assert np.array_equal(state.scorer(PLAIN).log_probabilities(NEW), raw)


@pytest.mark.parametrize("options", [{}, {"variant": "complement"}], ids=str)
def test_answers_are_those_of_before_or_of_after_while_others_learn(options: dict[str, Any]) -> None:
    how = settled(**options)
    more = counted(["dull fun fun"], ["+"])
    state, after = made(), made([*TEXTS, "dull fun fun"], [*LABELS, "+"])
    allowed = {row.tobytes() for each in (state, after) for row in joint(each, how)[:1]}
    assert len(allowed) == 2
    stop, errors = threading.Event(), []

    def change() -> None:
        while not stop.is_set():
            state.correct(more.copy(), None, how.rules)
            state.correct(None, more, how.rules, ages=1.0)

    def ask() -> None:
        for _ in range(500):
            found = state.scorer(how).joint(NEW[:1])
            if found[0].tobytes() not in allowed:
                errors.append(found)

    changing, *asking = [threading.Thread(target=work) for work in (change, ask, ask)]
    for thread in (changing, *asking):
        thread.start()
    for thread in asking:
        thread.join()
    stop.set()
    changing.join()
    assert not errors
    assert state.counts.table() == made().counts.table()


def test_threads_that_add_lose_nothing() -> None:
    state, barrier = State(PLAIN.analyzer), threading.Barrier(4)

    def add(number: int) -> None:
        part = counted([f"w{number}"], ["x"])
        barrier.wait()
        for _ in range(20):
            state.correct(part.copy(), None, PLAIN.rules)

    threads = [threading.Thread(target=add, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [row["count"] for row in state.counts.table().to_pylist()] == [20] * 4


def test_a_scorer_stays_at_its_moment_while_classes_come_and_go() -> None:
    state = made()
    scorer = state.scorer(PLAIN)
    before, labels = scorer.joint(NEW), list(scorer.classes.labels)
    state.correct(counted(MORE, THEIRS), None, PLAIN.rules)
    assert state.scorer(PLAIN).classes.labels == ["+", "-", "?"]
    assert scorer.classes.labels == labels
    assert np.array_equal(scorer.joint(NEW), before)


def test_scores_and_classes_are_of_one_moment_in_every_read() -> None:
    model = NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"])
    later = [f"c{at}" for at in range(8)]
    expected = {}
    for at in range(len(later) + 1):
        known = NaiveBayes().fit(["good fun", "dull plot", *later[:at]], ["+", "-", *later[:at]])
        expected[at + 2] = known.predict_joint_log_proba(["good plot"])[0]
    stop = threading.Event()

    def come_and_go() -> None:
        while not stop.is_set():
            for label in later:
                model.learn([label], [label])
            for label in later[::-1]:
                model.forget([label], [label])

    thread = threading.Thread(target=come_and_go)
    thread.start()
    try:
        for _ in range(500):
            row = model.predict_joint_log_proba(["good plot"])[0]
            assert np.array_equal(row, expected[len(row)])
    finally:
        stop.set()
        thread.join()


def test_a_calibration_ages_by_the_difference_of_a_correction() -> None:
    model = NaiveBayes(calibrate=True).fit(TEXTS * 3, LABELS * 3)
    model._correct(model._count_one("one more", "+"), None)
    assert model.calibration_ is not None
    assert model.calibration_.changed == 1
    model._correct(model._count_one("one more", "-"), model._count_one("one more", "+"))
    assert model.calibration_.changed == 1
    model._correct(None, model._count_one("one more", "-"))
    assert model.calibration_.changed == 0
