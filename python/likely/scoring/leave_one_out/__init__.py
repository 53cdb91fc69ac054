"""The score of each learned document from a model without it: its own counts are subtracted, exactly.

Counts can be subtracted, so no model is trained again. To judge the same documents by several rules, make `Kinds` and
their ``cases`` once, and a `LeaveOneOut` for each set of rules.

| module | what it does |
| --- | --- |
| `leave_one_out.kinds` | terms with equal counts as one kind; the terms of documents by kind |
| `leave_one_out.outside` | sums over all terms, by document frequency |
| `leave_one_out.scores` | the scores, as sums of what the terms of a document then weigh |
| `leave_one_out.equal` | the same where all documents count equally |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.errors import LengthError
from likely.scoring.leave_one_out.equal import left_out_by
from likely.scoring.leave_one_out.kinds import Cases, Kinds
from likely.scoring.leave_one_out.scores import LeaveOneOut, LeftOut, check_exact
from likely.vectorize.rows import AT_ONCE, each_rows, rows_of

if TYPE_CHECKING:
    from likely.types import Places, Texts
    from likely.vectorize.rows import Rows
    from likely.weighing.moment import Moment

__all__ = ["Cases", "Kinds", "LeaveOneOut", "LeftOut", "check_exact", "leave_one_out", "left_out_by"]

_SCORES = 1 << 20
"""At most about this many scores are computed at once: with many classes, few documents."""


def leave_one_out(moment: Moment, texts: Texts, gold: Places, threads: int) -> LeftOut:
    """The scores of learned documents with the classes ``gold`` (by place), each from a model without it."""
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
            raise LengthError(f"there are {len(gold)} labels, but more texts: give one label per text")
        cases = kinds.cases(rows)
        cases.check_learned(batch, threads, done)
        done += len(batch)
        return left_out.scores(cases, batch, threads)

    parts = each_rows(counts, texts, threads, at_once, scores) if few is None else [scores(few)]
    if done < len(gold):
        raise LengthError(f"there are {len(gold)} labels, but only {done} texts: give one label per text")
    joint = [np.zeros((0, width)), *(part.joint for part in parts)]
    length = [np.zeros(0), *(part.length for part in parts)]
    return LeftOut(np.concatenate(joint), np.concatenate(length))
