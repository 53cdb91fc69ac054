"""Samples of labelled texts. They depend on the texts alone, not on their order or their batches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.labels import LabelIndex, coded
from likely.reading.rows import Batches, Labelled, Sample, is_missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from likely.types import Array, Groups, Label, Mask, Places, SampleWeight, Texts


OVERHEAD = 200
"""About the number of bytes that a text needs in memory beside its characters."""
MOST_SPELLINGS = 16
"""Of the texts that are copies of each other but not equal, at most this many are kept. What is counted of the others
is counted for the first of them."""
UNIT = 2**64
"""Weights are summed as whole multiples of 1 / UNIT, which is exact in any order; the kernel counts them so too."""


@dataclass(frozen=True, eq=False)
class KeptRows:
    """Documents as columns. `joined` sorts them by group and text, and makes equal ones one row.

    Attributes
    ----------
    groups, numbers : array of uint64
        The number of the group, and the number of the text: texts with the same number are equal.
    codes : array
        The number of the label.
    texts : array of objects
        The text; None for copies of a text whose own spelling is not kept.
    sizes : array
        About the number of bytes of the text.
    copies : array
        The number of documents.
    weights : array of objects, or None
        The weight of the documents as a multiple of 1 / `UNIT`; None if each document weighs 1.

    Examples
    --------
    >>> numbers = np.array([7, 7, 8], np.uint64)
    >>> rows = KeptRows.of(numbers, numbers, np.array([0, 0, 1]), ["a", "a", "b"], np.array([1, 2, 1]), None)
    >>> one = KeptRows.joined([rows])
    >>> one.texts.tolist(), one.times()
    (['a', 'b'], [3.0, 1.0])
    """

    groups: npt.NDArray[np.uint64]
    numbers: npt.NDArray[np.uint64]
    codes: npt.NDArray[np.integer]
    texts: npt.NDArray[np.object_]
    sizes: npt.NDArray[np.int64]
    copies: npt.NDArray[np.int64]
    weights: npt.NDArray[np.object_] | None

    def __len__(self) -> int:
        return len(self.groups)

    @classmethod
    def of(
        cls,
        groups: npt.NDArray[np.uint64],
        numbers: npt.NDArray[np.uint64],
        codes: npt.NDArray[np.integer],
        texts: list[str],
        copies: npt.NDArray[np.int64],
        weights: Array | None,
    ) -> KeptRows:
        """The rows of some documents. Those whose weight is too small for a multiple of 1 / `UNIT` are left out."""
        sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + OVERHEAD
        rows = cls(groups, numbers, codes, np.array(texts, np.object_), sizes, copies, None)
        if weights is None:
            return rows
        exact = [int(weight * UNIT) * times for weight, times in zip(weights.tolist(), copies.tolist(), strict=True)]
        rows = replace(rows, weights=np.array(exact, np.object_))
        return rows if all(exact) else rows.at(np.flatnonzero(exact))

    @classmethod
    def none(cls) -> KeptRows:
        """The rows of nothing."""
        return cls.of(np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros(0, int), [], np.zeros(0, int), None)

    @classmethod
    def joined(cls, parts: Sequence[KeptRows]) -> KeptRows:
        """The rows of all parts, sorted by group, text and label. Equal ones are one row."""
        weights = None
        if any(part.weights is not None for part in parts):
            weights = np.concatenate([part._exact_weights() for part in parts])
        return cls(
            np.concatenate([part.groups for part in parts]),
            np.concatenate([part.numbers for part in parts]),
            np.concatenate([part.codes for part in parts]),
            np.concatenate([part.texts for part in parts]),
            np.concatenate([part.sizes for part in parts]),
            np.concatenate([part.copies for part in parts]),
            weights,
        )._merged()

    def _exact_weights(self) -> npt.NDArray[np.object_]:
        return self.copies.astype(np.object_) * UNIT if self.weights is None else self.weights

    def _merged(self) -> KeptRows:
        order = np.lexsort((self.codes, self.numbers, self.groups))
        rows = self.at(order)
        keys = (rows.groups, rows.numbers, rows.codes)
        is_new = np.any([key[1:] != key[:-1] for key in keys], axis=0)
        if is_new.all():
            return rows
        starts = np.append(0, 1 + np.flatnonzero(is_new))
        weights = None if rows.weights is None else np.add.reduceat(rows.weights, starts)
        return replace(rows.at(starts), copies=np.add.reduceat(rows.copies, starts), weights=weights)

    def at(self, places: Places | slice) -> KeptRows:
        """The rows at these places."""
        return KeptRows(
            self.groups[places],
            self.numbers[places],
            self.codes[places],
            self.texts[places],
            self.sizes[places],
            self.copies[places],
            None if self.weights is None else self.weights[places],
        )

    @property
    def total_size(self) -> int:
        """About the number of bytes of the texts."""
        return int(self.sizes.sum())

    def starts(self) -> Places:
        """The place where each group starts."""
        is_new = self.groups[1:] != self.groups[:-1]
        return np.append(0, 1 + np.flatnonzero(is_new)) if len(self) else np.zeros(0, np.intp)

    def groups_within(self, most_bytes: int) -> int:
        """How many groups, the first ones, have at most this many bytes together."""
        starts = self.starts()
        sizes = np.cumsum(np.add.reduceat(self.sizes, starts)) if len(starts) else starts
        return int(np.searchsorted(sizes, most_bytes, side="right"))

    def spelled(self) -> KeptRows:
        """The same documents with at most `MOST_SPELLINGS` texts per group, the smallest ones."""
        texts, beyond = self.texts.copy(), []
        for start, end in self._larger_groups(MOST_SPELLINGS):
            known = sorted({text for text in self.texts[start:end].tolist() if text is not None})
            others = set(known[MOST_SPELLINGS:])
            beyond += [at for at in range(start, end) if self.texts[at] in others]
        if not beyond:
            return self
        sizes, numbers = self.sizes.copy(), self.numbers.copy()
        texts[beyond], sizes[beyond], numbers[beyond] = None, 0, 0
        return replace(self, texts=texts, sizes=sizes, numbers=numbers)._merged()

    def whole(self) -> KeptRows:
        """The same documents. Copies whose own text is not kept count for the first text of their group."""
        texts, sizes, numbers = self.texts.copy(), self.sizes.copy(), self.numbers.copy()
        for start, end in self._larger_groups(1):
            kept = [at for at in range(start, end) if self.texts[at] is not None]
            if len(kept) == end - start:
                continue
            first = min(kept, key=lambda at: str(self.texts[at]))
            for at in set(range(start, end)).difference(kept):
                texts[at], sizes[at], numbers[at] = texts[first], sizes[first], numbers[first]
        return replace(self, texts=texts, sizes=sizes, numbers=numbers)._merged()

    def in_order(self, labels: Sequence[Label]) -> Places:
        """The places of the rows, sorted by group, text and label; ``labels`` are the labels by their numbers."""
        places = np.arange(len(self))
        for start, end in self._larger_groups(1):
            keys = [(self.texts[at], labels[self.codes[at]]) for at in range(start, end)]
            places[start:end] = start + np.array(sorted(range(end - start), key=keys.__getitem__))
        return places

    def _larger_groups(self, size: int) -> list[tuple[int, int]]:
        """Where each group that has more rows than this starts and ends."""
        edges = np.append(self.starts(), len(self))
        larger = np.flatnonzero(np.diff(edges) > size)
        return list(zip(edges[larger].tolist(), edges[larger + 1].tolist(), strict=True))

    def times(self) -> list[float]:
        """The weight of the documents of each row; without weights, their number."""
        if self.weights is None:
            found: list[float] = self.copies.astype(np.float64).tolist()
            return found
        return [weight / UNIT for weight in self.weights]


MOST_BYTES = 256 << 20
"""The largest size of the texts of a sample in memory, about."""


class Sampler:
    """Draws a sample of at most ``size`` texts, with all their copies.

    If documents have groups, all documents of as many groups as `MOST_BYTES` allow are in the sample, and at most
    ``size`` of its rows are judged.

    With ``most_number``, documents whose groups have larger numbers are not looked at. If the sample was limited to
    smaller numbers anyway (`reached`), it is the same without this bound.

    Examples
    --------
    >>> from likely.reading.rows import Labelled
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
        >>> from likely.reading.rows import Labelled
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
    >>> from likely.reading.rows import Labelled
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
    return (
        cast("list[object]", column.to_pylist())
        if hasattr(column, "to_pylist")
        else list(cast("Iterable[object]", column))
    )


def _texts_at(texts: Texts, places: Places) -> list[str]:
    """The texts at some places."""
    if isinstance(texts, list | _native.Strings):
        return [texts[at] for at in places.tolist()]
    return [cast("pa.Array", texts)[at].as_py() for at in places.tolist()]


def bytes_of(texts: Texts) -> int:
    """About the number of bytes of some texts."""
    if hasattr(texts, "nbytes"):
        return int(texts.nbytes)
    return sum(len(text) for text in cast("Iterable[object]", texts) if isinstance(text, str | bytes))
