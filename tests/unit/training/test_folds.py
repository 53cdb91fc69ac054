"""Rounds of a cross-validation or a hold-out: stratified, in whole groups, and the same in any order."""

from __future__ import annotations

import numpy as np
import pytest
from likely.errors import OptionError, SourceError
from likely.reading.rows import Whole
from likely.training.sample import fold_rounds, holdout_rounds

TEXTS = [f"text number {at}" for at in range(300)]
LABELS: list[str | int | bool] = ["rare" if at % 10 == 0 else "often" for at in range(300)]


def test_every_row_is_judged_once_by_a_model_of_all_others() -> None:
    judged_times = np.zeros(len(TEXTS), np.int64)
    rounds = list(fold_rounds(Whole(TEXTS, LABELS), 10))
    for learned, judged in rounds:
        assert not (learned & judged).any()
        assert (learned | judged).all()
        judged_times += judged
        assert int(judged.sum()) == 30
        assert sum(label == "rare" for label, is_judged in zip(LABELS, judged, strict=True) if is_judged) == 3
    assert len(rounds) == 10
    assert (judged_times == 1).all()


def test_the_order_of_the_rows_does_not_matter() -> None:
    forward = fold_rounds(Whole(TEXTS, LABELS), 5).fold
    backward = fold_rounds(Whole(TEXTS[::-1], LABELS[::-1]), 5).fold
    assert forward.tolist() == backward[::-1].tolist()


def test_groups_stay_together() -> None:
    groups: list[object] = [f"author {at % 23}" for at in range(300)]
    rounds = fold_rounds(Whole(TEXTS, LABELS, groups=groups), 5)
    folds = {group: {fold for fold, of in zip(rounds.fold, groups, strict=True) if of == group} for group in groups}
    assert all(len(each) == 1 for each in folds.values())
    assert np.bincount(rounds.fold).min() >= 300 / 5 - 26


def test_rows_without_a_group_are_on_their_own() -> None:
    rounds = fold_rounds(Whole(TEXTS, LABELS, groups=[""] * 300), 5)
    assert np.bincount(rounds.fold).tolist() == [60] * 5


def test_rows_of_weight_0_are_left_aside() -> None:
    weights = np.array([0.0, 1.0] * 150)
    rounds = fold_rounds(Whole(TEXTS, LABELS, weights), 2)
    assert (rounds.fold[::2] == -1).all()
    assert not rounds.can_be_judged[::2].any()


def test_a_class_that_only_one_group_has_is_not_judged() -> None:
    groups: list[object] = ["ann" if label == "rare" else f"{at}" for at, label in enumerate(LABELS)]
    rounds = fold_rounds(Whole(TEXTS, LABELS, groups=groups), 3)
    assert rounds.untested == ["rare"]
    assert not any(judged[::10].any() for _, judged in rounds)


@pytest.mark.parametrize("folds", [0, 1, 301, 100_000, "5", 2.0, None])
def test_folds_that_cannot_be(folds: int) -> None:
    with pytest.raises(OptionError, match=f"folds={folds!r} is not allowed.*300 different texts"):
        fold_rounds(Whole(TEXTS, LABELS), folds)


def test_nothing_can_be_judged() -> None:
    with pytest.raises(SourceError, match="no row can be judged"):
        fold_rounds(Whole(["a", "b"], ["x", "y"]), 2)


def test_held_out_rows() -> None:
    (round_,) = holdout_rounds(Whole(TEXTS, LABELS), 0.2)
    learned, judged = round_
    assert int(judged.sum()) == 60
    assert int(judged[::10].sum()) == 6
    assert (learned ^ judged).all()


def test_held_out_copies_of_learned_rows_are_neither_learned_nor_judged() -> None:
    texts = [*TEXTS, "text number 1"] * 2
    groups: list[object] = [f"{at}" for at in range(len(texts))]
    rounds = holdout_rounds(Whole(texts, [*LABELS, "often"] * 2, groups=groups), 0.5)
    learned, judged = next(iter(rounds))
    known = {text for text, is_learned in zip(texts, learned, strict=True) if is_learned}
    assert not known & {text for text, is_judged in zip(texts, judged, strict=True) if is_judged}


@pytest.mark.parametrize("share", [0, 1, -0.5, 1.5, float("nan")])
def test_shares_that_cannot_be(share: float) -> None:
    with pytest.raises(OptionError, match="share="):
        holdout_rounds(Whole(TEXTS, LABELS), share)
