"""Labelled texts in memory: `Labelled`, one batch of any containers; `Whole`, all rows; `Sample`, some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

import numpy as np

from likely import _native
from likely.arrow_data import listed_texts, one_column
from likely.errors import ArgumentError, TextError
from likely.labels import python_labels, unequal
from likely.terminal import counted
from likely.types import Groups, Labels, SampleWeight, Texts  # noqa: TC001 - needed to resolve the annotations

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array, Label, Mask


class Labelled(NamedTuple):
    """Some documents to learn.

    Attributes
    ----------
    texts, labels
        One label per text.
    weights : optional
        The weight of each document; None if each weighs 1.
    groups : optional
        The group of each document: its author, thread or source; None if no groups were named.

    Examples
    --------
    >>> batch = Labelled(["good", "bad"], ["+", "-"])
    >>> batch.weights is None, batch.groups is None
    (True, True)
    """

    texts: Texts
    labels: Labels
    weights: SampleWeight | None = None
    groups: Groups | None = None


Batches: TypeAlias = Iterable[Labelled]
"""Labelled texts in batches."""


@dataclass(frozen=True, eq=False)
class Whole:
    """All rows of a source.

    Attributes
    ----------
    texts, labels : list
        One label per text.
    weights : array or None
        The weight of each row; None if each weighs 1.
    groups : list of str or None
        The group of each row; None if no groups were named.

    Examples
    --------
    >>> whole = Whole.of([Labelled(["good", "bad"], ["+", "-"]), Labelled(["so"], ["+"])])
    >>> whole.chosen(np.array([True, False, True])).texts
    ['good', 'so']
    """

    texts: list[str]
    labels: list[Label]
    weights: Array | None = None
    groups: list[object] | None = None

    @classmethod
    def of(cls, batches: Batches) -> Whole:
        """The rows of all batches. ``ArgumentError`` if there are none."""
        texts: list[str] = []
        labels: list[Label] = []
        weights: list[float] = []
        groups: list[object] = []
        for batch in batches:
            texts += listed_texts(batch.texts)
            labels += python_labels(batch.labels)
            weights.extend([] if batch.weights is None else cast("Iterable[float]", batch.weights))
            groups.extend([] if batch.groups is None else cast("Iterable[object]", batch.groups))
        if not texts:
            raise ArgumentError("there are no documents: give at least one text and its label")
        return cls(texts, labels, np.array(weights, np.float64) if weights else None, groups or None)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.texts)

    @property
    def counts(self) -> Mask:
        """True for each row that is learned: its weight is above 0."""
        return np.ones(len(self), np.bool_) if self.weights is None else self.weights > 0

    def labelled(self) -> Labelled:
        """All rows as one batch."""
        return Labelled(self.texts, self.labels, self.weights, self.groups)

    def chosen(self, wanted: Mask) -> Whole:
        """The rows where ``wanted`` is True."""
        keep = wanted.tolist()
        return Whole(
            list(compress(self.texts, keep)),
            list(compress(self.labels, keep)),
            None if self.weights is None else self.weights[wanted],
            None if self.groups is None else list(compress(self.groups, keep)),
        )


FOLDS = 5
"""The number of folds of a cross-validation."""


@dataclass(frozen=True)
class Sample:
    """A sample of documents, in an order that depends on the documents alone.

    Equal documents are one row. The copies of a text, and the documents of a group, are all in the sample or none.

    Attributes
    ----------
    texts : list of str
        The texts of the sample.
    labels : list of str, int or bool
        One label per text.
    times : list of float
        The weight of the documents that each row stands for; without weights, their number.
    groups : list of int
        The number of the group that each row belongs to: copies, or a group that was given.
    copies : list of int
        The number of documents that each row stands for, whatever their weight.
    judged : int
        The first rows, as many as this, are judged. The others are only left out with their group.
    of : int
        The number of documents from which the sample was drawn.
    is_grouped : bool
        Whether groups were given. Otherwise each group is a text with its copies.
    """

    texts: list[str]
    labels: list[Label]
    times: list[float]
    groups: list[int]
    copies: list[int]
    judged: int
    of: int
    is_grouped: bool = False

    def __len__(self) -> int:
        """The number of rows that are judged."""
        return self.judged

    @property
    def documents(self) -> tuple[list[str], list[Label], list[float], list[int]]:
        """Texts, labels, weights and groups."""
        return self.texts, self.labels, self.times, self.groups

    @property
    def worth(self) -> list[float]:
        """How much each row counts in a measure: copies count once, with their mean weight.

        New texts are seldom copies, so what a model does with copies says no more than what it does with one of them.
        """
        return [times / copies for times, copies in zip(self.times, self.copies, strict=True)]

    def first(self, size: int) -> Sample:
        """A smaller sample, in which at most ``size`` rows are judged.

        Examples
        --------
        >>> sample = Sample(["a", "b", "c"], ["x", "y", "x"], [1.0, 1.0, 2.0], [7, 8, 7], [1, 1, 2], judged=3, of=4)
        >>> sample.first(1).texts, len(sample.first(1))
        (['a', 'c'], 1)
        """
        if size >= self.judged:
            return self
        judged = set(self.groups[:size])
        rows = [*range(size), *(at for at in range(size, len(self.texts)) if self.groups[at] in judged)]
        texts, labels = [self.texts[at] for at in rows], [self.labels[at] for at in rows]
        times, groups = [self.times[at] for at in rows], [self.groups[at] for at in rows]
        copies = [self.copies[at] for at in rows]
        return Sample(texts, labels, times, groups, copies, size, self.of, self.is_grouped)


def is_missing(group: object) -> bool:
    """Whether a document has no group: None, NaN or an empty text.

    Examples
    --------
    >>> is_missing(None), is_missing(float("nan")), is_missing(""), is_missing(0)
    (True, True, True, False)
    """
    return group is None or group == "" or group != group  # noqa: PLR0124 - only NaN differs from itself


def in_memory(texts: Texts, labels: Labels) -> Labelled:
    """The texts and labels in memory, so that they can be read more than once. Their numbers must be equal."""
    # A single string is not a list of its characters. The functions that use the texts raise an error for it.
    if not (isinstance(texts, list | str | bytes) or hasattr(texts, "to_pylist")):
        texts = list(cast("Iterable[str]", one_column(texts, "texts", TextError)))
    found = python_labels(labels)
    size = len(cast("list[str]", texts))
    if size != len(found) and not isinstance(texts, str | bytes):
        raise unequal(len(found), size)
    return Labelled(cast("Texts", texts), found)


def folds_of(groups: Iterable[object], folds: int = FOLDS) -> npt.NDArray[np.int64]:
    """The fold of each document, from 0 to ``folds - 1``, from the groups that they belong to.

    Examples
    --------
    >>> found = folds_of(["ann", "bob", "ann"])
    >>> bool(found[0] == found[2]), bool((found < FOLDS).all())
    (True, True)
    """
    numbers = _native.sample_numbers([str(group) for group in groups])
    return (numbers % np.uint64(folds)).astype(np.int64)


@dataclass(frozen=True)
class Repeats:
    """Copies among documents: texts that are equal but for case, spaces and punctuation.

    Attributes
    ----------
    documents : int
        The number of documents that were looked at, with all their copies.
    of : int
        The number of all documents.
    copies : int
        How many of them are copies of another one: all but one of each text.
    texts : int
        The number of texts that have copies.
    differing : int
        How many of these texts have copies with different labels.
    """

    documents: int
    of: int
    copies: int
    texts: int
    differing: int

    def to_dict(self) -> dict[str, int]:
        """All fields as plain data."""
        return asdict(self)

    def __str__(self) -> str:
        looked = "" if self.documents == self.of else f" in a sample of {counted(self.documents, 'document')}"
        texts = f"{counted(self.copies, 'copy', 'copies')} of {counted(self.texts, 'text')}{looked}"
        labels = (
            f"{self.differing:,} of these texts with different labels" if self.differing else "all with one label"
        )
        return f"{texts}, {labels}: copies are evaluated together"


def repeats_of(sample: Sample) -> Repeats:
    """The copies among the documents of a sample, which contains all copies of its texts, if it has no groups.

    Examples
    --------
    >>> from likely.reading.rows import Labelled
    >>> from likely.training.sample import Sampler
    >>> sampler = Sampler(10)
    >>> sampler.add(Labelled(["so good", "So good!", "so good", "bad"], ["+", "-", "+", "-"]))
    >>> print(repeats_of(sampler.sample()))
    2 copies of 1 text, 1 of these texts with different labels: copies are evaluated together
    """
    numbers = _native.copy_numbers(sample.texts) if sample.is_grouped else np.array(sample.groups, np.uint64)
    distinct, of_row = np.unique(numbers, return_inverse=True)
    copies = np.zeros(len(distinct), np.int64)
    np.add.at(copies, of_row, np.array(sample.copies, np.int64))
    repeated = copies > 1
    rows = np.flatnonzero(repeated[of_row]).tolist()
    labels = {(int(of_row[row]), sample.labels[row]) for row in rows}
    per_text = Counter(text for text, _ in labels)
    return Repeats(
        documents=int(copies.sum()),
        of=sample.of,
        copies=int((copies[repeated] - 1).sum()),
        texts=int(repeated.sum()),
        differing=sum(number > 1 for number in per_text.values()),
    )
