"""The exact leave-one-out scores of learned documents: each from a model without the document.

The counts of a document are subtracted from the counts of all, so no model is trained again. To test several rules on
the same documents, make `Kinds` and their ``cases`` once, and one `LeaveOneOut` per set of rules.

| module | contents |
| --- | --- |
| `leave_one_out.kinds` | groups of terms with equal counts (kinds), and the terms of documents by kind |
| `leave_one_out.outside` | sums over all terms, by document frequency |
| `leave_one_out.left_out` | `LeftOut`: the result, and when it is defined |
| `leave_one_out.scores` | the scores, as sums over the terms of each document |
| `leave_one_out.equal` | the scores with ``document_weight='equal'`` |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.labels import unequal
from likely.scoring.leave_one_out.equal import left_out_by
from likely.scoring.leave_one_out.kinds import Cases, Kinds
from likely.scoring.leave_one_out.left_out import LeftOut, check_exact
from likely.scoring.leave_one_out.scores import LeaveOneOut
from likely.vectorize.rows import AT_ONCE, each_rows, rows_of

if TYPE_CHECKING:
    from likely.types import Places, Texts
    from likely.vectorize.rows import Rows
    from likely.weighing.moment import Moment

__all__ = ["Cases", "Kinds", "LeaveOneOut", "LeftOut", "check_exact", "leave_one_out", "left_out_by"]

_SCORES = 1 << 20
"""About the largest number of scores that are computed at a time. With many classes, that is a small batch."""


def leave_one_out(moment: Moment, texts: Texts, gold: Places, threads: int) -> LeftOut:
    """The scores of learned documents with the gold classes ``gold`` (by place), each from a model without it."""
    counts = moment.counts
    check_exact(counts, moment.rules)
    width, done = len(counts.live().labels), 0
    at_once = min(AT_ONCE, _SCORES // width + 1)
    few = rows_of(counts, texts, threads) if isinstance(texts, list) and len(texts) <= at_once else None
    kinds = Kinds(counts, rows=few)
    left_out = left_out_by(kinds, moment.rules)

    def scores(rows: Rows) -> LeftOut:
        nonlocal done
        batch = gold[done : done + len(rows)].astype(np.uint32)
        if len(batch) < len(rows):
            raise unequal(len(gold), None)
        cases = kinds.cases(rows)
        cases.check_learned(batch, threads, done)
        done += len(batch)
        return left_out.scores(cases, batch, threads)

    parts = each_rows(counts, texts, threads, at_once, scores) if few is None else [scores(few)]
    if done < len(gold):
        raise unequal(len(gold), done)
    joint = [np.zeros((0, width)), *(part.joint for part in parts)]
    length = [np.zeros(0), *(part.length for part in parts)]
    return LeftOut(np.concatenate(joint), np.concatenate(length))
