"""An evaluation as plain data, ready for JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from likely.evaluation.averages import AveragesDict
    from likely.evaluation.evaluation import Evaluation
    from likely.evaluation.ranking import RankingDict
    from likely.evaluation.shift import ShiftDict
    from likely.evaluation.table import ClassDict, TableDict
    from likely.types import Label

MOST_CLASSES = 1_000
"""With more classes, the confusion matrix is left out: almost all of its numbers are 0."""
MOST_CONFUSED = 100
"""At most this many pairs of confused classes are listed, those with most documents."""


class MajorityDict(TypedDict):
    """The most frequent gold label as plain data."""

    label: Label
    share: float


class EvaluationDict(TypedDict):
    """An `Evaluation` as plain data: what `Evaluation.to_dict` returns."""

    source: str
    folds: list[float]
    notes: list[str]
    documents: int
    accuracy: float
    majority: MajorityDict
    flatters: str | None
    abstained: int
    answered: float
    accuracy_of_answered: float | None
    balanced_accuracy: float | None
    matthews: float | None
    kappa: float | None
    intervals: dict[str, dict[str, float]]
    beta: float
    labels: list[Label]
    confusion: list[list[int]] | None
    per_class: list[ClassDict]
    macro: AveragesDict
    micro: AveragesDict
    weighted: AveragesDict
    pooled: TableDict
    undefined: list[str]
    confused: list[dict[str, object]]
    mistakes: list[dict[str, object]]
    reliability: dict[str, float | None] | None
    ranking: RankingDict | None
    coverage: list[dict[str, float | None]]
    copies: dict[str, object] | None
    shift: ShiftDict | None
    gold_shares: list[float]
    confidence: float | None
    warnings: list[str]


def plain_evaluation(evaluation: Evaluation) -> EvaluationDict:
    """All measures of an evaluation as plain data."""
    label, share = evaluation.majority
    return {
        "source": evaluation.source,
        "folds": evaluation.folds,
        "notes": evaluation.notes,
        "documents": evaluation.documents,
        "accuracy": evaluation.accuracy,
        "majority": {"label": label, "share": share},
        "flatters": evaluation.flatters,
        "abstained": evaluation.abstained,
        "answered": evaluation.answered,
        "accuracy_of_answered": evaluation.accuracy_of_answered,
        "balanced_accuracy": evaluation.balanced_accuracy,
        "matthews": evaluation.matthews,
        "kappa": evaluation.kappa,
        "intervals": {name: each.to_dict() for name, each in evaluation.intervals.items()},
        "beta": evaluation.beta,
        "labels": list(evaluation.labels),
        "confusion": evaluation.confusion.tolist() if len(evaluation.labels) <= MOST_CLASSES else None,
        "per_class": _per_class(evaluation),
        "macro": evaluation.macro.to_dict(),
        "micro": evaluation.micro.to_dict(),
        "weighted": evaluation.weighted.to_dict(),
        "pooled": evaluation.pooled.to_dict(),
        "undefined": evaluation.undefined,
        "confused": [each.to_dict() for each in evaluation.confused[:MOST_CONFUSED]],
        "mistakes": [each.to_dict() for each in evaluation.mistakes],
        "reliability": None if evaluation.reliability is None else evaluation.reliability.to_dict(),
        "ranking": None if evaluation.ranking is None else evaluation.ranking.to_dict(),
        "coverage": [asdict(row) for row in evaluation.coverage],
        "copies": None if evaluation.copies is None else evaluation.copies.to_dict(),
        "shift": None if evaluation.shift is None else evaluation.shift.to_dict(),
        "gold_shares": evaluation.gold_shares,
        "confidence": evaluation.confidence,
        "warnings": evaluation.warnings,
    }


def _per_class(evaluation: Evaluation) -> list[ClassDict]:
    return [
        {
            "label": label,
            **table.to_dict(),
            "support": table.support,
            "precision": table.precision,
            "recall": table.recall,
            "f": table.f(evaluation.beta),
            "f1": table.f1,
        }
        for label, table in evaluation.per_class.items()
    ]
