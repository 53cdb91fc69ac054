"""Samples and folds of texts. They depend on the texts alone, not on their order or their batches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeGuard, cast

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.arrow_data import one_column
from likely.errors import TextError
from likely.labels import LabelIndex, coded, python_labels, unequal
from likely.reading.kept_rows import KeptRows
from likely.reading.labelled import Labelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from likely.reading.labelled import Batches
    from likely.types import Groups, Label, Labels, Mask, Places, SampleWeight, Texts

FOLDS = 5
"""The number of folds of a cross-validation."""

MOST_BYTES = 256 << 20
"""The largest size of the texts of a sample in memory, about."""


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


class Scalar(Protocol):
    """An element of an Arrow array."""

    def as_py(self) -> str:
        """The element as an object of Python."""


class Strings(Protocol):
    """An Arrow array of strings."""

    nbytes: int

    def __len__(self) -> int: ...

    def __getitem__(self, at: int) -> Scalar: ...

    def __iter__(self) -> Iterator[Scalar]: ...

    def to_pylist(self) -> list[str]:
        """The strings."""


class Sampler:
    """Draws a sample of at most ``size`` texts, with all their copies.

    If documents have groups, all documents of as many groups as `MOST_BYTES` allow are in the sample, and at most
    ``size`` of its rows are judged.

    With ``most_number``, documents whose groups have larger numbers are not looked at. If the sample was limited to
    smaller numbers anyway (`reached`), it is the same without this bound.

    Examples
    --------
    >>> sampler = Sampler(2)
    >>> sampler.add(Labelled(["a", "b"], ["+", "-"]))
    >>> sampler.add(Labelled(["c", "A!", "a"], ["+", "-", "+"]))
    >>> sample = sampler.sample()
    >>> sorted(zip(sample.texts, sample.labels, sample.times))
    [('A!', '-', 1.0), ('a', '+', 2.0), ('b', '-', 1.0)]
    >>> other = Sampler(2)
    >>> other.add(Labelled(["A!", "c", "a", "b", "a"], ["-", "+", "+", "-", "+"]))
    >>> other.sample() == sample
    True
    """

    def __init__(self, size: int, most_bytes: int = MOST_BYTES, most_number: int = 2**64 - 1) -> None:
        self.size, self.of = size, 0
        self.bytes = 0
        self.most_bytes = most_bytes
        self._most = np.uint64(most_number)
        """Only groups with numbers up to this one can be in the sample."""
        self._labels = LabelIndex()
        self._kept = KeptRows.none()
        self._fresh: list[KeptRows] = []
        """Rows that were drawn since the last time that the sample was thinned."""
        self._fresh_rows = self._fresh_size = 0
        self._grouped = False

    def watch(self, batches: Batches) -> Iterator[Labelled]:
        """The same batches. The sample is drawn while they pass."""
        for batch in batches:
            self.add(batch)
            yield batch

    def add(self, batch: Labelled) -> None:
        """Draw from more documents, whose texts are a list or an Arrow array."""
        self._grouped = self._grouped or batch.groups is not None
        drawn, heavy = group_numbers(batch), _heavy(batch)
        self.bytes += bytes_of(batch.texts)
        self.of += len(drawn) if heavy is None else int(heavy.sum())
        could = drawn <= self._most if heavy is None else heavy & (drawn <= self._most)
        if not self._grouped:
            smallest = np.unique(drawn[could])[: self.size]
            if len(smallest) == self.size:  # the others of this batch cannot be in the sample
                self._most = smallest[-1]
                could &= drawn <= self._most
        places = np.flatnonzero(could)
        self._keep(_distinct(batch, places, drawn[places], self._labels))

    def kept(self) -> tuple[KeptRows, list[Label]]:
        """The documents that are in the sample so far, and the labels by their numbers."""
        self._thin()
        return self._kept, self._labels.labels

    def reached(self) -> int:
        """The number up to which groups are in the sample: smaller than ``most_number`` if the sample is full."""
        self._thin()
        return int(self._most)

    def take(self, rows: KeptRows, labels: Sequence[Label], *, grouped: bool = False) -> None:
        """Draw from what another sampler of the same size has `kept`.

        The sample is then the one of the documents of both. Their number (``of``) is for the caller to add.

        Examples
        --------
        >>> one, other, both = Sampler(2), Sampler(2), Sampler(2)
        >>> one.add(Labelled(["a", "b"], ["+", "-"]))
        >>> other.add(Labelled(["c", "a"], ["-", "+"]))
        >>> both.add(Labelled(["a", "b", "c", "a"], ["+", "-", "-", "+"]))
        >>> one.take(*other.kept())
        >>> one.sample().texts == both.sample().texts, one.sample().times == both.sample().times
        (True, True)
        """
        self._grouped = self._grouped or grouped
        codes = np.array([self._labels.number(label) for label in labels], np.uint32)
        could = np.flatnonzero(rows.groups <= self._most)
        rows = rows.at(could)
        self._keep(replace(rows, codes=codes[rows.codes] if len(rows) else rows.codes))

    def _keep(self, rows: KeptRows) -> None:
        self._fresh.append(rows)
        self._fresh_rows += len(rows)
        self._fresh_size += rows.total_size
        # What is kept may double before it is thinned, so that thinning costs a constant time per document.
        too_many = self._fresh_rows > 2 * max(self.size, len(self._kept))
        if too_many or self._fresh_size > 2 * max(self.most_bytes, self._kept.total_size):
            self._thin()

    def _thin(self) -> None:
        """Keep only the groups with the smallest numbers. From now on, ignore the other numbers and larger ones."""
        kept = KeptRows.joined([self._kept, *self._fresh])
        if not self._grouped:
            kept = kept.spelled()
        fit, starts = kept.groups_within(self.most_bytes), kept.starts()
        fit = max(fit if self._grouped else min(self.size, fit), 1)
        if fit < len(starts):
            self._most = kept.groups[starts[fit]] - np.uint64(1)
            kept = kept.at(slice(starts[fit]))
        self._kept, self._fresh = kept, []
        self._fresh_rows = self._fresh_size = 0

    def sample(self) -> Sample:
        """The sample, in the order of the numbers drawn."""
        self._thin()
        rows, labels = self._kept.whole(), self._labels.labels
        rows = rows.at(rows.in_order(labels))
        if self._grouped:
            numbers = _native.sample_numbers(rows.texts.tolist())
            rows = rows.at(np.lexsort((np.arange(len(rows)), rows.groups, numbers)))
        sample = Sample(
            rows.texts.tolist(),
            [labels[code] for code in rows.codes.tolist()],
            rows.times(),
            rows.groups.tolist(),
            rows.copies.tolist(),
            len(rows),
            self.of,
            self._grouped,
        )
        return sample.first(self.size) if self._grouped else sample


def group_numbers(batch: Labelled) -> npt.NDArray[np.uint64]:
    """The number of each document's group, or, without groups, the number that all copies of its text have.

    Examples
    --------
    >>> numbers = group_numbers(Labelled(["so good", "bad", "So good!"], ["+", "-", "+"]))
    >>> numbers[0] == numbers[2], numbers[0] == numbers[1]
    (np.True_, np.False_)
    """
    if batch.groups is None:
        return _native.copy_numbers(batch.texts)
    groups = values_of(batch.groups)
    numbers = _native.sample_numbers([str(group) for group in groups])
    # A document without a group belongs together with its copies only.
    alone = np.array([is_missing(group) for group in groups], np.bool_)
    return np.where(alone, _native.copy_numbers(batch.texts), numbers) if alone.any() else numbers


def _heavy(batch: Labelled) -> Mask | None:
    """Whether the weight of each document is above 0; None if there are no weights."""
    return None if batch.weights is None else np.asarray(values_of(batch.weights), np.float64) > 0


def is_missing(group: object) -> bool:
    """Whether a document has no group: None, NaN or an empty text.

    Examples
    --------
    >>> is_missing(None), is_missing(float("nan")), is_missing(""), is_missing(0)
    (True, True, True, False)
    """
    return group is None or group == "" or group != group  # noqa: PLR0124 - only NaN differs from itself


def _distinct(batch: Labelled, places: Places, groups: npt.NDArray[np.uint64], labels: LabelIndex) -> KeptRows:
    """The distinct documents of a batch at these places, which are in these groups.

    Texts with the same number are almost always equal, and taken as equal.
    """
    codes = labels.encode(coded(batch.labels))[places]
    numbers = _native.sample_numbers(batch.texts)[places]
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15) + groups * np.uint64(0x94D049BB133111EB)
    mixed += codes.astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9)
    weights = None
    if batch.weights is not None:
        weights = np.asarray(values_of(batch.weights), np.float64)[places]
        mixed += weights.view(np.uint64)
    _, first, copies = np.unique(mixed, return_index=True, return_counts=True)
    texts = _texts_at(batch.texts, places[first])
    weights = None if weights is None else weights[first]
    return KeptRows.of(groups[first], numbers[first], codes[first], texts, copies, weights)


def values_of(column: Groups | SampleWeight) -> list[object]:
    """The values of a column: a list, an array or Arrow data."""
    return cast("list[object]", column.to_pylist()) if _is_arrow(column) else list(cast("Iterable[object]", column))


def _is_arrow(texts: object) -> TypeGuard[Strings]:
    return hasattr(texts, "to_pylist")


def _texts_at(texts: Texts, places: Places) -> list[str]:
    """The texts at some places."""
    if _is_arrow(texts) and not isinstance(texts, _native.Strings):
        return [texts[at].as_py() for at in places.tolist()]
    return [cast("Sequence[str]", texts)[at] for at in places.tolist()]


def in_memory(texts: Texts, labels: Labels) -> Labelled:
    """The texts and labels in memory, so that they can be read more than once. Their numbers must be equal."""
    # A single string is not a list of its characters. The functions that use the texts raise an error for it.
    if not (isinstance(texts, list | str | bytes) or _is_arrow(texts)):
        texts = list(cast("Iterable[str]", one_column(texts, "texts", TextError)))
    found = python_labels(labels)
    size = len(cast("list[str] | Strings", texts))
    if size != len(found) and not isinstance(texts, str | bytes):
        raise unequal(len(found), size)
    return Labelled(cast("Texts", texts), found)


def bytes_of(texts: Texts) -> int:
    """About the number of bytes of some texts."""
    if hasattr(texts, "nbytes"):
        return int(texts.nbytes)
    return sum(len(text) for text in cast("Iterable[object]", texts) if isinstance(text, str | bytes))


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
