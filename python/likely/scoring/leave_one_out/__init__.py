"""The scores that each learned document would get from a model that never saw it: its own counts taken away, exactly.

Counts can be subtracted, so no model is trained anew. For one judgement after the other of the same documents make
`Kinds` and their ``cases`` once, and a `LeaveOneOut` for each set of rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import LengthError, NotLearnedError
from likely.labels import python_labels
from likely.scoring.leave_one_out.equal import left_out_by
from likely.scoring.leave_one_out.kinds import Cases, Kinds
from likely.scoring.leave_one_out.scores import LeaveOneOut, LeftOut, check_exact
from likely.vectorize.rows import AT_ONCE, Rows, each_rows, rows_of, single_words

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Ids
    from likely.weighing.terms import Rules

__all__ = [
    "Cases",
    "Kinds",
    "LeaveOneOut",
    "LeftOut",
    "Rows",
    "check_exact",
    "leave_one_out",
    "left_out_by",
    "places_of",
    "rows_of",
    "single_words",
]

_SCORES = 1 << 20
"""So many scores are made at once: with many classes of few documents."""


def leave_one_out(counts: Counts, rules: Rules, texts: Any, labels: Any, threads: int) -> LeftOut:
    """The scores of learned documents, each from a model without it; see `likely.NaiveBayes.leave_one_out`."""
    check_exact(counts, rules)
    width, done = len(counts.live()), 0
    at_once = min(AT_ONCE, _SCORES // width + 1)
    few = rows_of(counts, texts, threads) if isinstance(texts, list) and len(texts) <= at_once else None
    kinds = Kinds(counts, rows=few)
    own, left_out = places_of(kinds, labels), left_out_by(kinds, rules)

    def scores(rows: Rows) -> LeftOut:
        nonlocal done
        batch = own[done : done + len(rows)]
        if len(batch) < len(rows):
            raise LengthError(f"there are {len(own)} labels, but more texts than that: give one label a text")
        cases = kinds.cases(rows)
        cases.check_learned(batch, threads, done)
        done += len(batch)
        return left_out.scores(cases, batch, threads)

    parts = each_rows(counts, texts, threads, at_once, scores) if few is None else [scores(few)]
    if done < len(own):
        raise LengthError(f"there are {len(own)} labels, but only {done} texts: give one label a text")
    joint = [np.zeros((0, width)), *(part.joint for part in parts)]
    length = [np.zeros(0), *(part.length for part in parts)]
    return LeftOut(np.concatenate(joint), np.concatenate(length))


def places_of(kinds: Kinds, labels: Any) -> Ids:
    """The place of each label among the classes."""
    places = {label: place for place, label in enumerate(kinds.labels)}
    found = [places.get(label, -1) for label in python_labels(labels)]
    if -1 in found:
        row = found.index(-1)
        raise NotLearnedError(f"the label in row {row} was never learned: only what was learned can be left out")
    return np.array(found, np.uint32)
