"""`NearCopies`: documents that were judged by a model that has learned near-copies of them, and what that changes."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from likely.formulas import share
from likely.terminal import counted, cut, number, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.evaluation.fingerprints import Fingerprints
    from likely.evaluation.near_pairs import Closest
    from likely.types import Label, Mask, Places

SHOWN = 5
"""At most this many examples are kept."""
LONGEST = 100
"""At most this many characters of a text are kept."""
LONGEST_LINE = 74
"""At most this many columns of a terminal are used for a text."""


@dataclass(frozen=True)
class CopyExample:
    """A judged document, and the most similar document that the model has learned.

    Rows are indices, from 0; ``other_row`` is that of the learned document in its own data.
    """

    row: int
    other_row: int
    similarity: float
    label: Label
    other_label: Label
    text: str
    other_text: str

    def __str__(self) -> str:
        of = f"row {self.row + 1:,} ({printable(self.label)})"
        learned = f"row {self.other_row + 1:,} ({printable(self.other_label)})"
        first = f"  {of} ~ learned {learned}, similarity {self.similarity:.2f}"
        return f"{first}\n    {cut(printable(self.text), LONGEST_LINE)}"


@dataclass(frozen=True)
class NearCopies:
    """Near-copies across what was learned and what was judged.

    A near-copy is a document with a similarity of at least 0.8: the number of words and pairs of neighbouring words
    that two documents have in common, divided by the number of those that either has (Jaccard). An exact copy is
    equal but for case, spaces and punctuation.

    Attributes
    ----------
    judged : int
        The number of judged documents that were looked at.
    documents, of : int
        The number of judged and learned documents that were looked at, and of all of them. If that is larger, the
        data was too large to look at all.
    near : int
        The number of judged documents of which the model has learned a near-copy or an exact copy.
    exact : int
        The number of judged documents of which it has learned an exact copy.
    differing : int
        The number of judged documents whose closest learned document has another label.
    accuracy, accuracy_of_copies, accuracy_without : float or None
        The accuracy of all documents that were looked at, of those with near-copies, and of the others; None if there
        are none.
    examples : list of CopyExample
        Some of them: those that are not exact first.
    """

    judged: int
    documents: int
    of: int
    near: int
    exact: int
    differing: int
    accuracy: float | None
    accuracy_of_copies: float | None
    accuracy_without: float | None
    examples: list[CopyExample] = field(default_factory=list)

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        looked = (
            "" if self.documents == self.of else f" (among the first {self.documents:,} of {self.of:,} documents)"
        )
        if not self.near:
            return f"No judged document is a near-copy of one that was learned{looked}."
        kinds = f"{self.exact:,} exact, {self.near - self.exact:,} near"
        differing = f", {self.differing:,} with another label" if self.differing else ""
        judged = f"{counted(self.near, 'judged document')} of {self.judged:,}{looked}"
        return (
            f"{judged} {'is a copy' if self.near == 1 else 'are copies'} of documents that were learned ({kinds}"
            f"{differing}): accuracy {number(self.accuracy_of_copies)} on them, {number(self.accuracy_without)} "
            f"without them, {number(self.accuracy)} in all."
        )


@dataclass(frozen=True)
class Told:
    """Documents for people: the text, the label and the row of each, by the places of `Closest`."""

    texts: Sequence[str]
    labels: Sequence[Label]
    rows: Sequence[int]


def near_copies(closest: Closest, right: Mask, judged: Places, told: Told, prints: Fingerprints) -> NearCopies:
    """The record of judged documents.

    ``closest`` has the closest document on another side of each document, ``judged`` the places of the documents that
    were judged, and ``right`` whether each of these got its gold label.

    Examples
    --------
    >>> from likely.evaluation.fingerprints import FingerprintMaker
    >>> from likely.evaluation.near_pairs import closest_copies
    >>> told = Told(["so good", "bad", "So good!"], ["+", "-", "+"], [0, 1, 0])
    >>> prints = FingerprintMaker().add(told.texts).made()
    >>> closest = closest_copies(prints, np.array([0, 0, 1]))
    >>> print(near_copies(closest, np.array([True, False]), np.array([0, 1]), told, prints))
    1 judged document of 2 is a copy of documents that were learned (1 exact, 0 near): accuracy 1 on them, 0 without
    them, 0.5 in all.
    """
    found = closest.found[judged]
    with_copy = judged[found]
    exact = closest.similarity[with_copy] == 1
    labels = told.labels
    differing = [labels[at] != labels[closest.place[at]] for at in with_copy.tolist()]
    order = with_copy[np.lexsort((with_copy, -closest.similarity[with_copy], exact))]
    return NearCopies(
        len(judged),
        len(prints),
        prints.of,
        len(with_copy),
        int(exact.sum()),
        sum(differing),
        share(int(right.sum()), len(right)),
        share(int(right[found].sum()), len(with_copy)),
        share(int(right[~found].sum()), len(right) - len(with_copy)),
        [_example(at, closest, told) for at in _distinct(order, closest)],
    )


def _distinct(order: Places, closest: Closest) -> list[int]:
    """The first documents, without those that are only the other half of a pair."""
    found: dict[frozenset[int], int] = {}
    for at in order.tolist():
        found.setdefault(frozenset((at, int(closest.place[at]))), at)
        if len(found) == SHOWN:
            break
    return list(found.values())


def _example(at: int, closest: Closest, told: Told) -> CopyExample:
    other = int(closest.place[at])
    texts = (" ".join(told.texts[place][: 4 * LONGEST].split())[:LONGEST] for place in (at, other))
    rows, labels = (told.rows[at], told.rows[other]), (told.labels[at], told.labels[other])
    return CopyExample(*rows, float(closest.similarity[at]), *labels, *texts)
