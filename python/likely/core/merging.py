"""Merging: the model of the documents of two models, or of one without those of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from likely.core.counts import Counts
    from likely.core.model import Model


M = TypeVar("M", bound="Model")


def added(one: M, other: M) -> M:
    """A new model of the documents of both, with the options of the first.

    It is as if the larger model had learned the documents of the smaller one: it is calibrated as the larger one is,
    and remembers how many documents were learned since. If only one is calibrated, its calibration is kept.
    """
    one._check_additive()
    mine, theirs = _copied(one), _copied(other)
    sizes = one._state.documents, other._state.documents
    mine.add(theirs)
    first, second = (one, other) if sizes[0] >= sizes[1] else (other, one)
    kept = (first, min(sizes)) if _is_calibrated(first, one) else (second, max(sizes))
    return _made(one, other, mine, *kept)


def subtracted(one: M, other: M) -> M:
    """A new model of the documents of one without those of the other, calibrated as the first is."""
    one._check_additive()
    mine, theirs = _copied(one), _copied(other)
    mine.subtract(theirs)
    return _made(one, other, mine, one, other._state.documents)


def _made(one: M, other: M, counts: Counts, calibrated: M, changed: float) -> M:
    """A model with the options of the first, and the calibration of one of them after ``changed`` documents."""
    model = one._alike()
    model._state.replace(counts)
    is_wanted = one.calibrate is not False or _is_calibrated(one, one)
    if is_wanted and _is_calibrated(calibrated, one):
        model._state.take_calibration(calibrated._state, changed)
        model._state.take_thresholds(calibrated._state)
    is_same = not other._state.is_fitted or other.columns_ == one.columns_
    return model._remember_columns(one.columns_ if is_same else None)


def _is_calibrated(model: Model, one: Model) -> bool:
    """Whether a model is calibrated for scores with the options of the first."""
    return model._state.calibration_for(one._settle().rules) is not None


def _copied(model: Model) -> Counts:
    with model._state.lock:
        return model._state.counts.copy()
