"""`Comparison`: how two classifiers compare on the same documents, and whether the difference may be chance."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from likely.evaluation.evaluation import Evaluation
from likely.evaluation.intervals import REPLICATES, SEED
from likely.evaluation.paired import McNemar, Outcomes, difference_intervals, differences, mcnemar

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.evaluation.intervals import Interval
    from likely.evaluation.paired import Differences
    from likely.evaluation.table import Table
    from likely.types import Label

SIGNIFICANT = 0.05
"""A difference is significant if the p-value of McNemar's test is below this."""
LONGEST = 300
"""The largest number of characters of a text that is shown."""


class ComparisonDict(TypedDict):
    """A `Comparison` as plain data: what `Comparison.to_dict` returns."""

    names: list[str]
    documents: int
    labels: list[Label]
    accuracy: dict[str, object]
    macro_f1: dict[str, object]
    both_right: int
    only_a_right: int
    only_b_right: int
    neither_right: int
    mcnemar: dict[str, object]
    verdict: str
    is_worse: bool
    bootstrap: dict[str, object]
    per_class: list[dict[str, object]]
    words: list[dict[str, object]]
    examples: list[dict[str, object]]


@dataclass(frozen=True)
class Disagreement:
    """A document that only one of the two classifiers gets right.

    Attributes
    ----------
    row : int
        The number of the document in the data, from 0.
    text : str or None
        The text, if it is known.
    gold, a, b : label
        The gold label and the two predictions; None where a classifier abstained.
    """

    row: int
    text: str | None
    gold: Label
    a: Label | None
    b: Label | None

    @property
    def is_right_in_b(self) -> bool:
        """Whether the second classifier is the one that gets it right."""
        return self.b == self.gold

    @property
    def rival(self) -> Label | None:
        """The wrong prediction; None if the classifier that is not right abstained."""
        return self.a if self.is_right_in_b else self.b

    def to_dict(self) -> dict[str, object]:
        """The document as plain data, with the beginning of its text."""
        return {**asdict(self), "text": None if self.text is None else self.text[:LONGEST]}


@dataclass(frozen=True)
class WordChange:
    """A term whose evidence for the gold label differs between two models, in documents that only one gets right.

    Attributes
    ----------
    term : str
        The term.
    is_right_in_b : bool
        Whether these are documents that only the second model gets right.
    documents : int
        The number of these documents that contain the term.
    a, b : float
        What the term adds, in each model, to the log-odds of the gold label against the wrong prediction: the mean
        over these documents.
    """

    term: str
    is_right_in_b: bool
    documents: int
    a: float
    b: float

    @property
    def effect(self) -> float:
        """The sum of the differences over all these documents."""
        return (self.b - self.a) * self.documents


@dataclass(frozen=True)
class ClassChange:
    """A class against the rest, by both classifiers."""

    label: Label
    a: Table
    b: Table

    @property
    def recall(self) -> float | None:
        """The recall of the second classifier minus that of the first; None if one is undefined."""
        return _minus(self.b.recall, self.a.recall)

    @property
    def precision(self) -> float | None:
        """The precision of the second classifier minus that of the first; None if one is undefined."""
        return _minus(self.b.precision, self.a.precision)

    @property
    def mistakes(self) -> int:
        """How many more mistakes the second classifier makes with this class: missed and wrongly found documents."""
        return self.b.fp + self.b.fn - self.a.fp - self.a.fn

    def to_dict(self) -> dict[str, object]:
        """The class as plain data."""
        sides = {name: getattr(self, name) for name in ("a", "b")}
        return {
            "label": self.label,
            "documents": self.a.tp + self.a.fn,
            "recall": {**{name: side.recall for name, side in sides.items()}, "difference": self.recall},
            "precision": {**{name: side.precision for name, side in sides.items()}, "difference": self.precision},
            "mistakes": self.mistakes,
        }


@dataclass(frozen=True, eq=False)
class Comparison:
    """How a classifier B compares with a classifier A on the same documents.

    Attributes
    ----------
    names : (str, str)
        What the classifiers are called.
    labels : list
        The classes, sorted.
    outcomes : Outcomes
        The number of documents of each combination of gold label, prediction of A and prediction of B.
    disagreements : list of Disagreement
        Documents that only one of the two gets right: a sample, spread evenly over the data.
    words : list of WordChange
        For two models, the terms whose evidence differs most in these documents, the largest effect first.

    Examples
    --------
    >>> from likely.evaluation.pairing import compare_labels
    >>> found = compare_labels(["x", "x", "y", "y"], ["x", "y", "y", "x"], ["x", "x", "y", "x"])
    >>> found.differences.accuracy, found.mcnemar.only_second, found.verdict
    (0.25, 1, 'the difference may be chance')
    """

    names: tuple[str, str]
    labels: list[Label]
    outcomes: Outcomes
    disagreements: list[Disagreement] = field(default_factory=list)
    words: list[WordChange] = field(default_factory=list)

    @property
    def documents(self) -> int:
        """The number of documents."""
        return self.outcomes.documents

    @cached_property
    def a(self) -> Evaluation:
        """The evaluation of the first classifier."""
        return self._evaluation(self.outcomes.first)

    @cached_property
    def b(self) -> Evaluation:
        """The evaluation of the second classifier."""
        return self._evaluation(self.outcomes.second)

    def _evaluation(self, predicted: npt.NDArray[np.int64]) -> Evaluation:
        pairs, places = np.unique(np.stack([self.outcomes.gold, predicted]), axis=1, return_inverse=True)
        counts = np.bincount(places.reshape(-1), weights=self.outcomes.counts).astype(np.int64)
        return Evaluation(self.labels, pairs[0], pairs[1], counts)

    @property
    def differences(self) -> Differences:
        """Accuracy and macro-F1 of B minus those of A."""
        return differences(self.outcomes)

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """The 95 % intervals of these differences, by paired bootstrap over the documents."""
        accuracy, macro_f1 = difference_intervals(self.outcomes)
        return {"accuracy": accuracy, "macro_f1": macro_f1}

    @cached_property
    def mcnemar(self) -> McNemar:
        """McNemar's test of the accuracies."""
        right_a, right_b = self._right
        counts = self.outcomes.counts
        return mcnemar(int(counts[right_a & ~right_b].sum()), int(counts[right_b & ~right_a].sum()))

    @property
    def _right(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        return self.outcomes.first == self.outcomes.gold, self.outcomes.second == self.outcomes.gold

    @property
    def both_right(self) -> int:
        """The number of documents that both get right."""
        right_a, right_b = self._right
        return int(self.outcomes.counts[right_a & right_b].sum())

    @property
    def neither_right(self) -> int:
        """The number of documents that neither gets right."""
        right_a, right_b = self._right
        return int(self.outcomes.counts[~(right_a | right_b)].sum())

    @property
    def is_significant(self) -> bool:
        """Whether chance alone would seldom make the accuracies as different as they are."""
        return self.mcnemar.p_value < SIGNIFICANT

    @property
    def is_worse(self) -> bool:
        """Whether B is significantly less accurate than A."""
        return self.is_significant and self.mcnemar.only_second < self.mcnemar.only_first

    @property
    def verdict(self) -> str:
        """What the test says, in a few words."""
        if not self.mcnemar.only_first + self.mcnemar.only_second:
            return "both are right on the same documents"
        if not self.is_significant:
            return "the difference may be chance"
        return f"B is significantly {'less' if self.is_worse else 'more'} accurate than A"

    @property
    def per_class(self) -> list[ClassChange]:
        """Each class by both classifiers, those whose mistakes changed most first."""
        tables = ((label, self.a.per_class[label], self.b.per_class[label]) for label in self.labels)
        return sorted((ClassChange(*each) for each in tables), key=lambda change: -abs(change.mistakes))

    def to_dict(self) -> ComparisonDict:
        """All measures as plain data, ready for JSON."""
        test = self.mcnemar
        return {
            "names": list(self.names),
            "documents": self.documents,
            "labels": list(self.labels),
            "accuracy": self._measure("accuracy", self.a.accuracy, self.b.accuracy),
            "macro_f1": self._measure("macro_f1", self.a.macro.f, self.b.macro.f),
            "both_right": self.both_right,
            "only_a_right": test.only_first,
            "only_b_right": test.only_second,
            "neither_right": self.neither_right,
            "mcnemar": {"p_value": test.p_value, "exact": test.is_exact},
            "verdict": self.verdict,
            "is_worse": self.is_worse,
            "bootstrap": {"replicates": REPLICATES, "seed": SEED},
            "per_class": [each.to_dict() for each in self.per_class],
            "words": [{**asdict(each), "effect": each.effect} for each in self.words],
            "examples": [each.to_dict() for each in self.disagreements],
        }

    def _measure(self, name: str, a: float | None, b: float | None) -> dict[str, object]:
        difference = getattr(self.differences, name)
        return {"a": a, "b": b, "difference": difference, "interval": self.intervals[name].to_dict()}

    def __str__(self) -> str:
        from likely.reports import comparison_text

        return comparison_text(self)


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other
