"""Merging: the model of the documents of two models, or of one without those of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.counting.counts import Counts
    from likely.model.learner import Learner

M = TypeVar("M", bound="Learner")


def combined(one: M, other: M, combine: Callable[[Counts, Counts], object]) -> M:
    """A new model with the options of the first, and with the counts of both as ``combine`` puts them together."""
    one._check_additive()
    mine, theirs = _copied(one), _copied(other)
    combine(mine, theirs)
    both = one._alike()
    both._state.replace(mine)
    is_same = not other._state.is_fitted or other.columns_ == one.columns_
    return both.remember_columns(one.columns_ if is_same else None)


def _copied(model: Learner) -> Counts:
    with model._state.lock:
        return model._state.counts.copy()
