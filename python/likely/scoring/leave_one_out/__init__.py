"""The exact leave-one-out scores of learned documents: each from a model without the document.

All copies of a document are left out with it, and all documents of its group, if groups are given. The counts are
subtracted from the counts of all, so no model is trained again. To test several rules on the same documents, make one
`Documents` and ask it for the scores with each set of rules.

| module | contents |
| --- | --- |
| `leave_one_out.documents` | `Documents`: learned documents, and their scores by any rules |
| `leave_one_out.kinds` | groups of terms with equal counts (kinds), and the terms of documents by kind |
| `leave_one_out.outside` | sums over all terms, by document frequency |
| `leave_one_out.left_out` | `LeftOut`: the result, and when it is defined |
| `leave_one_out.scores` | the scores of documents that are left out alone, as sums over their terms |
| `leave_one_out.equal` | the same with ``document_weight='equal'`` |
| `leave_one_out.units` | which documents are left out together |
| `leave_one_out.removals` | what is taken out of the counts with them |
| `leave_one_out.together` | the scores of documents that are left out together |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.core.rows import rows_of
from likely.labels import unequal
from likely.scoring.leave_one_out.documents import Documents
from likely.scoring.leave_one_out.kinds import Kinds
from likely.scoring.leave_one_out.left_out import LeftOut, check_exact

if TYPE_CHECKING:
    from likely.core.moment import Moment
    from likely.types import Array, Places, Texts

__all__ = ["Documents", "Kinds", "LeftOut", "check_exact", "leave_one_out"]


def leave_one_out(
    moment: Moment,
    texts: Texts,
    gold: Places,
    threads: int,
    times: Array | None = None,
    groups: list[str] | None = None,
    most_cells: int | None = None,
) -> LeftOut:
    """The scores of learned documents, each from a model without it, its copies and its group.

    Parameters
    ----------
    moment
        The counts and the rules.
    texts, gold
        The documents, and their gold classes by place.
    threads
        The number of threads.
    times
        The weight of each document; None if each weighs 1.
    groups
        The group of each document; None if each is a group of its own.
    most_cells
        As for `Documents`; by default, all documents are scored.
    """
    check_exact(moment.counts, moment.rules)
    rows = rows_of(moment.counts, texts, threads)
    if len(rows) != len(gold):
        raise unequal(len(gold), len(rows) if len(rows) < len(gold) else None)
    numbers = None if groups is None else np.unique(np.array(groups, np.str_), return_inverse=True)[1]
    documents = Documents(moment.counts, rows, gold, times, numbers, most_cells=most_cells)
    return documents.left_out(moment.rules, threads, check=True)
