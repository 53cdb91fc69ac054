"""The difference between two models: options, classes, and terms with different counts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.core.counts import Counts
    from likely.core.moment import Moment
    from likely.types import Label


@dataclass(frozen=True)
class Change:
    """The count of a term in a class in two models: before and after."""

    term: str
    label: Label
    before: float
    after: float


@dataclass(frozen=True)
class Difference:
    """The difference between a first and a second model.

    Attributes
    ----------
    options : dict
        The options that differ: the value before and after.
    documents : dict
        The classes whose number of documents differs: the number before and after; 0 if a model lacks the class.
    terms : (int, int)
        The number of kept terms of each model.
    new_terms, lost_terms : int
        The number of terms that only the second, and only the first, model has.
    changed_counts : int
        The number of pairs of a term and a class whose counts differ.
    changes : list of Change
        The largest changes.
    """

    options: dict[str, tuple[object, object]]
    documents: dict[Label, tuple[float, float]]
    terms: tuple[int, int]
    new_terms: int
    lost_terms: int
    changed_counts: int
    changes: list[Change]

    @property
    def is_none(self) -> bool:
        """Whether the models are the same."""
        return not (self.options or self.documents or self.changed_counts)

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        document: dict[str, object] = asdict(self)
        document["documents"] = [[label, *pair] for label, pair in self.documents.items()]
        return document | {"same": self.is_none}


def difference(before: Moment, after: Moment, options: Mapping[str, tuple[object, object]], n: int) -> Difference:
    """The difference between two models: ``options`` are those that differ, ``n`` the number of changes to list."""
    pairs = _changed(before.counts, after.counts)
    pairs.sort(key=lambda pair: -abs(pair.after - pair.before))
    known = [set(moment.counts.native.spell(moment.terms.sorted_ids())) for moment in (before, after)]
    return Difference(
        options=dict(options),
        documents=_documents(before, after),
        terms=(len(known[0]), len(known[1])),
        new_terms=len(known[1] - known[0]),
        lost_terms=len(known[0] - known[1]),
        changed_counts=len(pairs),
        changes=pairs[:n],
    )


def _documents(before: Moment, after: Moment) -> dict[Label, tuple[float, float]]:
    old, new = (class_documents(moment) for moment in (before, after))
    labels = [*old, *(label for label in new if label not in old)]
    pairs = {label: (old.get(label, 0.0), new.get(label, 0.0)) for label in labels}
    return {label: pair for label, pair in pairs.items() if pair[0] != pair[1]}


def class_documents(moment: Moment) -> dict[Label, float]:
    """The number of documents of each class."""
    live = moment.counts.live()
    return dict(zip(live.labels, moment.counts.totals().documents[live.numbers].tolist(), strict=True))


def _changed(before: Counts, after: Counts) -> list[Change]:
    """The pairs of a term and a class whose counts differ, sorted."""
    old, new = _by_pair(before), _by_pair(after)
    changed = sorted((key for key in old.keys() | new.keys() if old.get(key, 0) != new.get(key, 0)), key=str)
    return [
        Change(term, label, float(old.get((term, label), 0)), float(new.get((term, label), 0)))
        for term, label in changed
    ]


def _by_pair(counts: Counts) -> dict[tuple[str, Label], float]:
    """The count of each pair of a term and a class."""
    columns, labels = counts.columns(), counts.live().labels
    terms = np.repeat(np.array(columns.terms, object), columns.lengths).tolist()
    classes = [labels[rank] for rank in columns.ranks.tolist()]
    return dict(zip(zip(terms, classes, strict=True), columns.count.tolist(), strict=True))
