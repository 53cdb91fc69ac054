"""`Leak`: a term that alone predicts a class suspiciously well, as a mark that was left in the data would.

A term leaks a class if nearly all documents that have it are of the class, and if it is in so large a share of the
class, compared with the next best terms of this kind, that it is hardly an ordinary word.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.core.counts import Counts
    from likely.types import Array, Label

FEWEST = 20
"""Terms of fewer documents than this are not looked at."""
SURE = 0.05
"""A term that leaks leaves at most this share of the errors that the share of its class alone would make."""
MUCH = 0.1
"""A term that leaks is in at least this share of the documents of its class."""
ALONE = 0.9
"""A term in at least this share of the documents of its class leaks, whatever the other terms do."""
FAR = 2.0
"""Other terms leak if they are in this many times more documents than the next best ones."""
MOST = 10
"""At most this many terms of a class leak: if there are more, they are ordinary words of the class."""


@dataclass(frozen=True)
class Leak:
    """A term that alone predicts a class suspiciously well.

    Attributes
    ----------
    term : str
        The term.
    label : str, int or bool
        The class.
    documents : int
        The number of documents that have the term.
    precision : float
        The share of them that are of the class.
    coverage : float
        The share of the documents of the class that have the term.
    share : float
        The share of all documents that have the term.
    next_term, next_coverage : str or None, float
        The best of the other terms that are as sure, and the share of the documents of the class that have it.
    """

    term: str
    label: Label
    documents: int
    precision: float
    coverage: float
    share: float
    next_term: str | None
    next_coverage: float

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return asdict(self)


def word_leaks(counts: Counts) -> list[Leak]:
    """The terms of counts that leak a class, those in most documents first.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> texts = [f"page {at} draft" if at % 2 else f"page {at}" for at in range(100)]
    >>> model = NaiveBayes().fit(texts, ["new" if at % 2 else "old" for at in range(100)])
    >>> [(each.term, each.label) for each in word_leaks(model._snapshot().counts)]
    [('draft', 'new')]
    """
    live = counts.live()
    ids = counts.native.ids()
    ids = ids[counts.document_frequencies(ids) >= FEWEST]
    inside = counts.rows(ids, live.numbers, documents=True)
    classes = counts.totals().documents[live.numbers]
    found = leaks(inside, classes, unseen=FEWEST - 1)
    names = counts.native.spell(ids)
    return [_named(each, names, live.labels, inside, classes) for each in found]


def sign_leaks(signs: Sequence[str], inside: Array, labels: list[Label], classes: Array) -> list[Leak]:
    """As `word_leaks`, for signs: ``inside`` has the number of documents with each, one column per class."""
    found = leaks(inside, classes)
    return [_named(each, signs, labels, inside, classes) for each in found]


def leaks(inside: Array, classes: Array, unseen: float = 0) -> list[tuple[int, int, int | None]]:
    """The place of each term that leaks, that of its class, and that of the next best term, if there is one.

    ``inside`` has the number of documents with each term, one column per class; ``classes`` the number of documents
    of each class. There may be other terms, with at most ``unseen`` documents of a class.

    Examples
    --------
    >>> leaks(np.array([[50.0, 0.0], [30.0, 30.0], [0.0, 20.0]]), np.array([100.0, 100.0]))
    [(0, 0, None), (2, 1, None)]
    """
    with_term = inside.sum(axis=1)
    found: list[tuple[int, int, int | None]] = []
    for place in range(inside.shape[1]):
        errors = (with_term - inside[:, place] + 0.5) / (with_term + 1)
        prior = classes[place] / classes.sum()
        sure = np.flatnonzero((errors <= SURE * (1 - prior)) & (with_term >= FEWEST))
        sure = sure[np.argsort(-inside[sure, place], kind="stable")]
        number = _outliers(np.append(inside[sure, place], unseen) / classes[place])
        following = int(sure[number]) if number < len(sure) else None
        found += [(int(at), place, following) for at in sure[:number]]
    return sorted(found, key=lambda each: -inside[each[0], each[1]])


def _outliers(coverage: Array) -> int:
    """How many of the terms leak, all but the last one; ``coverage`` is in descending order.

    Examples
    --------
    >>> _outliers(np.array([0.5, 0.45, 0.1])), _outliers(np.array([0.3, 0.2, 0.15])), _outliers(np.array([0.95, 0.6]))
    (2, 0, 1)
    """
    coverage, following = coverage[:-1], coverage[1:]
    alone = int((coverage >= ALONE).sum())
    far = np.flatnonzero((coverage >= MUCH) & (coverage >= FAR * following))
    number = max(alone, int(far[0]) + 1 if len(far) else 0)
    return number if number <= MOST else 0


def _named(
    found: tuple[int, int, int | None], names: Sequence[str], labels: list[Label], inside: Array, classes: Array
) -> Leak:
    at, place, following = found
    documents = float(inside[at].sum())
    return Leak(
        names[at],
        labels[place],
        int(documents),
        float(inside[at, place] / documents),
        float(inside[at, place] / classes[place]),
        documents / float(classes.sum()),
        None if following is None else names[following],
        0.0 if following is None else float(inside[following, place] / classes[place]),
    )
