"""Which measures of an evaluation are undefined, and why: one sentence each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.terminal import counted, named, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.evaluation.evaluation import Evaluation
    from likely.types import Label

MOST_NAMED = 5
"""At most this many classes are named in a sentence."""


def undefined(evaluation: Evaluation) -> list[str]:
    """One sentence per measure that is undefined, with the classes and the reason."""
    return [*_of_classes(evaluation), *_of_agreement(evaluation), *_of_probabilities(evaluation)]


def _of_classes(evaluation: Evaluation) -> Iterator[str]:
    f = f"F{evaluation.beta:g}"
    tables = evaluation.per_class.items()
    silent = [label for label, table in tables if not table.predicted and table.support]
    absent = [label for label, table in tables if not table.support and table.predicted]
    neither = [label for label, table in tables if not table.support and not table.predicted]
    if silent:
        yield f"precision of {_named(silent)} is undefined: {_it(silent)} never predicted"
    if absent:
        yield f"recall of {_named(absent)} is undefined: {_none_of(absent)}"
    if neither:
        measures = f"precision, recall and {f}"
        yield f"{measures} of {_named(neither)} are undefined: {_it(neither)} neither a gold label nor predicted"


def _of_agreement(evaluation: Evaluation) -> Iterator[str]:
    reason = _why_no_agreement(evaluation)
    if evaluation.matthews is None:
        yield f"Matthews correlation is undefined: {reason}"
    if evaluation.kappa is None:
        yield f"Cohen's kappa is undefined: {reason}"
    if evaluation.accuracy_of_answered is None:
        yield "the accuracy of answered documents is undefined: none is answered"


def _why_no_agreement(evaluation: Evaluation) -> str:
    one_label = evaluation.majority[1] == 1
    return f"all {'gold labels' if one_label else 'predictions'} are the same"


def _of_probabilities(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.reliability is None:
        return
    if not math.isfinite(evaluation.reliability.log_loss):
        strangers = 0 if evaluation.ranking is None else int((evaluation.ranking.gold < 0).sum())
        one = "the gold label of {} is not a class of the model, so it has the probability 0"
        told = one.format(counted(strangers, "document")) if strangers else "the probability of a gold label is 0"
        yield f"log-loss is infinite: {told}"
    if evaluation.ranking is None:
        yield "areas under curves and top-k accuracy are not computed: there are too many probabilities to keep"
        return
    areas, precisions = evaluation.ranking.roc_auc, evaluation.ranking.average_precision
    if missing := [label for label, area in precisions.items() if area is None]:
        yield f"areas under the curves of {_named(missing)} are undefined: {_none_of(missing)}"
    if everywhere := [label for label, area in areas.items() if area is None and precisions[label] is not None]:
        yield f"the area under the ROC curve of {_named(everywhere)} is undefined: all documents have this gold label"


def _named(labels: list[Label]) -> str:
    return named(labels, MOST_NAMED, lambda label: f'"{printable(label)}"')


def _it(labels: list[Label]) -> str:
    return "it is" if len(labels) == 1 else "they are"


def _none_of(labels: list[Label]) -> str:
    return f"no document has {'this gold label' if len(labels) == 1 else 'one of these gold labels'}"
