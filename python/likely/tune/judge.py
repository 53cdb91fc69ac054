"""Counts and options to a trial: how good they are on documents that the model has not seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely.calibrated import Calibrated, calibrated
from likely.errors import OptionError
from likely.evaluate import from_confusion
from likely.leave_one_out import Kinds, LeftOut, left_out_by, places_of, rows_of, single_words
from likely.tuning import MEASURES, Trial, not_default

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.counts import Counts
    from likely.labels import Label
    from likely.terms import Rules
    from likely.tune.sample import Sample


@dataclass(frozen=True)
class Goal:
    """What options are to be good at.

    Examples
    --------
    >>> Goal("f1:spam").of_class(["ham", "spam"])
    'spam'
    >>> Goal("recall")
    Traceback (most recent call last):
    likely.errors.OptionError: tune_for='recall' is not allowed: it must be log-loss, accuracy, macro-f1 or f1:CLASS
    """

    tune_for: str = "log-loss"

    def __post_init__(self) -> None:
        if self.tune_for not in MEASURES and not str(self.tune_for).startswith("f1:"):
            raise OptionError(
                f"tune_for={self.tune_for!r} is not allowed: it must be {', '.join(MEASURES)} or f1:CLASS"
            )

    def of_class(self, labels: list[Label]) -> Label | None:
        """The class whose F1 is meant, if one is."""
        if self.tune_for in MEASURES:
            return None
        name = self.tune_for.removeprefix("f1:")
        found = [label for label in labels if str(label) == name]
        if not found:
            raise OptionError(f"tune_for={self.tune_for!r}: there is no class {name!r}")
        return found[0]


@dataclass(frozen=True)
class Judged:
    """A trial, and the calibration that its scores gave."""

    trial: Trial
    calibrated: Calibrated


def judge(left: LeftOut, own: Any, labels: list[Label], options: Mapping[str, Any], way: str, goal: Goal) -> Judged:
    """What scores of documents from models without them are worth."""
    found = calibrated(left.joint, left.length, own)
    width = len(labels)
    guess = left.joint.argmax(axis=1)
    confusion = np.bincount(own * width + guess, minlength=width * width).reshape(width, width)
    evaluation = from_confusion(labels, confusion)
    # A class that was never predicted has no precision, but an F of 0; one without documents has none at all.
    f1 = {label: table.f() for label, table in evaluation.per_class.items()}
    defined = [value for value in f1.values() if value is not None]
    macro = sum(defined) / len(defined)
    log_loss, accuracy = found.after["log_loss"], evaluation.accuracy
    one = goal.of_class(labels)
    value = {"log-loss": -log_loss, "accuracy": accuracy, "macro-f1": macro}.get(goal.tune_for)
    value = float(f1[one] or 0.0) if value is None and one is not None else float(value or 0.0)
    return Judged(Trial(not_default(options), way, log_loss, accuracy, macro, value), found)


class Counted:
    """Counts of all documents with the terms of a sample, to judge by leave-one-out what can be made of them."""

    def __init__(self, counts: Counts, sample: Sample, threads: int) -> None:
        self.counts, self.sample, self.threads = counts, sample, threads
        self.kinds = Kinds(counts)
        self.own = places_of(self.kinds, sample.labels)
        self.cases = self.kinds.cases(self._rows)

    @cached_property
    def _rows(self) -> Any:
        return rows_of(self.counts, self.sample.texts, self.threads)

    @cached_property
    def words(self) -> npt.NDArray[np.bool_]:
        """By id: whether a term is a single word."""
        return single_words(self.counts)

    @cached_property
    def single(self) -> tuple[Kinds, Any]:
        """The same of single words alone."""
        kinds = Kinds(self.counts, self.words)
        return kinds, kinds.cases(self._rows.only(self.words))

    def left_out(self, rules: Rules, *, single_words: bool) -> LeftOut:
        """What the documents of the sample score by some rules, each from the counts of all others."""
        kinds, cases = self.single if single_words else (self.kinds, self.cases)
        return left_out_by(kinds, rules).scores(cases, self.own, self.threads)
