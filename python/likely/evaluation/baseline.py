"""The baseline that always answers the most frequent class, and the warning if accuracy flatters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.terminal import exact_percent, percent, printable

if TYPE_CHECKING:
    from likely.evaluation.table import Tables
    from likely.types import Label

FLATTERING = 0.1
"""Warn if the accuracy is at least this much above the balanced accuracy."""


def majority(labels: list[Label], tables: Tables) -> tuple[Label, float]:
    """The most frequent gold label (of equally frequent ones the first), and the share of documents that have it."""
    place = int(tables.support.argmax())
    return labels[place], float(tables.support[place] / tables.documents)


def flattery(labels: list[Label], tables: Tables) -> str | None:
    """Why accuracy says little about these predictions, as one sentence; None if it does not flatter.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.table import Tables
    >>> tables = Tables(np.array([90.0, 1.0]), np.array([99.0, 1.0]), np.array([90.0, 10.0]), 100)
    >>> print(flattery(["ham", "spam"], tables))
    accuracy (91.0 %) flatters: the mean recall of the classes is only 55.0 %, and that of "spam" is 10.0 %
    """
    label, share = majority(labels, tables)
    accuracy, shown = float(tables.tp.sum() / tables.documents), f'"{printable(label)}"'
    if share == 1:
        return f"all documents have the gold label {shown}, so nothing can be said about other classes"
    if accuracy <= share:
        figure, advice = exact_percent(accuracy), "look at precision and recall of each class"
        if accuracy == share:
            return f"accuracy ({figure}) flatters: always answering {shown} would be as good; {advice}"
        return f"always answering {shown} would be better ({exact_percent(share)}) than this accuracy; {advice}"
    recalls = tables.recall
    balanced = float(np.nanmean(recalls))
    if accuracy - balanced < FLATTERING:
        return None
    worst = int(np.nanargmin(recalls))
    return (
        f"accuracy ({percent(accuracy)}) flatters: the mean recall of the classes is only {percent(balanced)}, "
        f'and that of "{printable(labels[worst])}" is {percent(float(recalls[worst]))}'
    )
