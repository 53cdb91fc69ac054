"""Samples of labelled texts, hold-outs and folds. They depend on the texts alone, not on their order or batches."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.arrow_data import as_list
from likely.errors import ArgumentError, OptionError, SourceError, TextError
from likely.labels import LabelIndex, coded
from likely.options.kinds import is_finite, is_whole
from likely.reading.rows import Batches, Labelled, Sample, Whole, is_missing
from likely.terminal import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa

    from likely.reading.batch import Batch
    from likely.types import Array, Label, Mask, Places, Starts, Texts


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
        names = [each.name for each in fields(cls) if each.name != "weights"]
        columns: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
        weights = None
        if any(part.weights is not None for part in parts):
            whole = (
                part.copies.astype(np.object_) * UNIT if part.weights is None else part.weights for part in parts
            )
            weights = np.concatenate([*whole])
        return cls(**columns, weights=weights)._merged()

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
        columns = {each.name: getattr(self, each.name) for each in fields(self)}
        taken: dict[str, Any] = {name: None if of is None else of[places] for name, of in columns.items()}
        return KeptRows(**taken)

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
        drawn, weights = group_numbers(batch), _weights_of(batch)
        heavy = np.ones(len(drawn), np.bool_) if weights is None else weights > 0
        self.bytes += bytes_of(batch.texts)
        self.of += int(heavy.sum())
        could = heavy & (drawn <= self._most)
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
    groups = as_list(batch.groups, "groups", TextError)
    numbers = _native.sample_numbers([str(group) for group in groups])
    # A document without a group belongs together with its copies only.
    alone = np.array([is_missing(group) for group in groups], np.bool_)
    return np.where(alone, _native.copy_numbers(batch.texts), numbers) if alone.any() else numbers


def _weights_of(batch: Labelled) -> Array | None:
    """The weight of each document; None if there are no weights."""
    weights = None if batch.weights is None else as_list(batch.weights, "sample_weight", TextError)
    return None if weights is None else np.asarray(weights, np.float64)


def _distinct(batch: Labelled, places: Places, groups: npt.NDArray[np.uint64], labels: LabelIndex) -> KeptRows:
    """The distinct documents of a batch at these places, which are in these groups.

    Texts with the same number are almost always equal, and taken as equal.
    """
    codes = labels.encode(coded(batch.labels))[places]
    numbers = _native.sample_numbers(batch.texts)[places]
    mixed = numbers * np.uint64(0x9E3779B97F4A7C15) + groups * np.uint64(0x94D049BB133111EB)
    mixed += codes.astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9)
    weights = _weights_of(batch)
    if weights is not None:
        weights = weights[places]
        mixed += weights.view(np.uint64)
    _, first, copies = np.unique(mixed, return_index=True, return_counts=True)
    texts = _texts_at(batch.texts, places[first])
    weights = None if weights is None else weights[first]
    return KeptRows.of(groups[first], numbers[first], codes[first], texts, copies, weights)


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


# Hold-outs and folds: shares of the rows of every class, in whole groups --------------------------------------------


@dataclass(frozen=True)
class GroupCells:
    """How many rows of each class are in each group: one cell per pair that occurs, ordered by group, then by class.

    Attributes
    ----------
    groups, classes, rows : array
        The group, the class and the number of rows of each cell. Groups and classes are numbered from 0.
    """

    groups: Starts
    classes: Starts
    rows: Starts

    @classmethod
    def of(cls, groups: Starts, classes: Starts) -> GroupCells:
        """The cells of rows, from the group and the class of each."""
        width = int(classes.max(initial=0)) + 1
        pairs, rows = np.unique(groups * width + classes, return_counts=True)
        return cls(pairs // width, pairs % width, rows)


def held_groups(cells: GroupCells, share: float) -> Mask:
    """True for each group that is held out.

    Of every class, the groups with the smallest numbers are held out until they have about this share of its rows. A
    group counts for the class that most of its rows have. Every class keeps rows that are not held out. A class of at
    least two groups also has rows that are, unless each of its groups is the last one of another class.

    Examples
    --------
    >>> groups, classes = np.array([0, 1, 2, 3, 4, 4]), np.array([0, 0, 0, 0, 1, 1])
    >>> held_groups(GroupCells.of(groups, classes), 0.5)
    array([ True,  True, False, False, False])
    """
    size = int(cells.groups.max(initial=-1)) + 1
    rows = np.bincount(cells.groups, cells.rows, size)
    held = np.zeros(size, np.bool_)
    for members in _strata(cells):
        held[members[_taken(rows[members].tolist(), share)]] = True
    _mend(cells, rows, held)
    return held


def folds_of_groups(cells: GroupCells, folds: int) -> Starts:
    """The fold of each group, from 0 to ``folds - 1``: about the same number of rows of every class in each fold.

    A group counts for the class that most of its rows have. Of every class, the largest groups come first, and each
    goes where the fewest rows of the class are so far (of several such folds, where the fewest rows are).

    Examples
    --------
    >>> folds_of_groups(GroupCells.of(np.array([0, 1, 2, 3, 4, 4]), np.array([0, 0, 0, 0, 1, 1])), 2)
    array([0, 1, 0, 1, 0])
    """
    size = int(cells.groups.max(initial=-1)) + 1
    rows = np.bincount(cells.groups, cells.rows, size)
    found, totals = np.zeros(size, np.int64), [0.0] * folds
    for members in _strata(cells):
        open_folds = [(0.0, totals[fold], fold) for fold in range(folds)]
        heapq.heapify(open_folds)
        for group in members[np.argsort(-rows[members], kind="stable")].tolist():
            of_class, total, fold = open_folds[0]
            heapq.heapreplace(open_folds, (of_class + rows[group], total + rows[group], fold))
            found[group], totals[fold] = fold, total + rows[group]
    return found


def _strata(cells: GroupCells) -> list[Starts]:
    """The groups of each class that most of their rows have, in order."""
    order = np.lexsort((cells.classes, -cells.rows, cells.groups))
    _, first = np.unique(cells.groups[order], return_index=True)
    stratum = cells.classes[order][first]
    by_class = np.argsort(stratum, kind="stable")
    return np.split(by_class, np.flatnonzero(np.diff(stratum[by_class])) + 1)


def _taken(sizes: Sequence[float], share: float) -> list[int]:
    """The places of the first groups that have about a share of all rows: some, but not all of them.

    Examples
    --------
    >>> _taken([1, 1, 1, 1, 1], 0.4), _taken([90, 5, 5], 0.05), _taken([7], 0.5), _taken([1, 1], 0.9)
    ([0, 1], [1], [], [0])
    """
    target, total = share * sum(sizes), 0.0
    taken: list[int] = []
    for at, size in enumerate(sizes):
        if total >= target:
            break
        if size <= 2 * (target - total):  # with this group it is nearer to the target than without it
            taken.append(at)
            total += size
    if taken and len(taken) == len(sizes):
        taken.pop()
    return taken or ([int(np.argmin(sizes))] if len(sizes) > 1 else [])


def _mend(cells: GroupCells, rows: Starts, held: Mask) -> None:
    """Move groups so that every class is learned, and tested if that is possible."""
    starts = np.searchsorted(cells.groups, np.arange(len(held) + 1))
    every, by_class = np.bincount(cells.classes), np.argsort(cells.classes, kind="stable")
    groups_of = np.split(cells.groups[by_class], np.cumsum(every))
    learned = np.bincount(cells.classes[~held[cells.groups]], minlength=len(every))

    def classes_in(group: int) -> Starts:
        return cells.classes[starts[group] : starts[group + 1]]

    def move(group: int, *, is_held: bool) -> None:
        held[group] = is_held
        learned[classes_in(group)] += -1 if is_held else 1

    for each in np.flatnonzero((learned == 0) & (every > 0)).tolist():
        if learned[each] == 0:
            move(int(groups_of[each][-1]), is_held=False)
    fewest_first = np.argsort(every, kind="stable")
    for each in fewest_first[every[fewest_first] > 1].tolist():
        if learned[each] == every[each]:
            free = [group for group in groups_of[each].tolist() if (learned[classes_in(group)] > 1).all()]
            if free:
                move(min(free, key=lambda group: (rows[group], group)), is_held=True)


Numbers: TypeAlias = npt.NDArray[np.uint64]
"""Numbers of groups, or of the copies of a text: equal for what belongs together."""

Side: TypeAlias = Literal["learned", "held out", "judged"]
"""Rows that are not held out; rows that are; and those of them that are judged."""


@dataclass(frozen=True)
class Plan:
    """Which rows of a source are held out.

    Attributes
    ----------
    held : array
        The numbers of the groups that are held out, in order. If no groups were named, the copies of a text are one.
    seen : array
        The numbers of the texts that are held out and have a copy in another group that is not, in order.
    rows, learned, judged : int
        The number of all rows, of those that are not held out, and of those that are judged.
    untested : list of str, int or bool
        The classes of which no row is judged.
    """

    held: Numbers
    seen: Numbers
    rows: int
    learned: int
    judged: int
    untested: list[Label]

    @property
    def copies(self) -> int:
        """The number of rows that are held out, but are not judged: the model has learned a copy."""
        return self.rows - self.learned - self.judged

    def split(self, side: Side) -> Callable[[Batch | Labelled], Mask]:
        """A function that says which rows of a batch are on a side."""
        return partial(self._rows, side)

    def _rows(self, side: Side, batch: Batch | Labelled) -> Mask:
        copies = _native.copy_numbers(batch.texts)
        is_held = _among(copies if batch.groups is None else _native.sample_numbers(batch.groups), self.held)
        is_held &= True if batch.weights is None else np.asarray(batch.weights) > 0
        if side == "learned":
            return ~is_held
        return is_held if side == "held out" else is_held & ~_among(copies, self.seen)


def plan_holdout(batches: Batches, share: float) -> Plan:
    """The plan that holds out about a share of the rows of these batches; ``SourceError`` if none can be held out.

    Copies of a text (`_native.copy_numbers`) belong together, and, if the rows have groups, the rows of a group. A
    class that is one group is learned, and not tested.

    Examples
    --------
    >>> texts, labels = ["So good!", "so good", "dull", "fun", "boring"], ["x", "x", "x", "x", "y"]
    >>> plan = plan_holdout([Labelled(texts, labels)], 0.3)
    >>> plan.rows, plan.learned, plan.judged, plan.untested
    (5, 3, 2, ['y'])
    """
    columns: list[tuple[Numbers, Numbers, Starts]] = []
    places: dict[Label, int] = {}
    rows = 0
    for batch in batches:
        found, texts = coded(batch.labels), _native.copy_numbers(batch.texts)
        groups = texts if batch.groups is None else _native.sample_numbers(batch.groups)
        codes = np.array([places.setdefault(label, len(places)) for label in found.values], np.int64)[found.codes]
        rows += len(codes)
        # Rows of weight 0 teach nothing, and are never held out.
        heavy = slice(None) if batch.weights is None else np.asarray(batch.weights) > 0
        columns.append((groups[heavy], texts[heavy], codes[heavy]))
    if not rows:
        raise ArgumentError("there are no documents: give at least one text and its label")
    of_groups, copies, of_classes = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    labels = sorted(places, key=str)
    rank = {label: at for at, label in enumerate(labels)}
    classes = np.array([rank[label] for label in places], np.int64)[of_classes]
    numbers, group = np.unique(of_groups, return_inverse=True)
    held = held_groups(GroupCells.of(group, classes), share)
    is_held = held[group]
    seen = np.intersect1d(copies[is_held], copies[~is_held])
    judged = is_held & ~_among(copies, seen)
    if not judged.any():
        raise SourceError(
            "no row can be held out: the rows of each class are copies of one text, or one group. Give more data, "
            "leave out --holdout, or test on other data"
        )
    tested = np.bincount(classes[judged], minlength=len(labels))
    untested = [label for label, number in zip(labels, tested.tolist(), strict=True) if not number]
    return Plan(numbers[held], seen, rows, rows - int(is_held.sum()), int(judged.sum()), untested)


def _among(numbers: Numbers, known: Numbers) -> Mask:
    """True for each number that is one of the known numbers, which are in order."""
    if not len(known):
        return np.zeros(len(numbers), np.bool_)
    places = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    found: Mask = known[places] == numbers
    return found


MOST_FOLDS = 1000
"""The largest number of folds. For more, there is leave-one-out."""


@dataclass(frozen=True, eq=False)
class Rounds:
    """Rows in folds. In each round one fold is judged, by a model of all others.

    Attributes
    ----------
    fold : array
        The fold of each row; that of a row that is neither learned nor judged is -1.
    judged : array
        The folds that are judged, in order. The others are only learned.
    can_be_judged : array
        True for each row of a fold that is judged whose class is learned from another fold.
    untested : list of str, int or bool
        The classes of which no row can be judged.
    """

    fold: Starts
    judged: list[int]
    can_be_judged: Mask
    untested: list[Label]

    def __iter__(self) -> Iterator[tuple[Mask, Mask]]:
        """For each round, the rows that are learned, and the rows that are judged."""
        for each in self.judged:
            wanted = self.can_be_judged & (self.fold == each)
            if wanted.any():
                yield (self.fold >= 0) & (self.fold != each), wanted


def fold_rounds(whole: Whole, folds: int) -> Rounds:
    """The rounds of a stratified cross-validation: every fold has about the same share of every class.

    The copies of a text are in one fold, and, if groups are named, the rows of a group. Which fold that is depends on
    the texts (or the names of the groups) alone, so it is the same in every run and in any order of the rows.

    Examples
    --------
    >>> from likely.reading.rows import Whole
    >>> texts = ["good", "Good!", "fine", "fun", "bad", "dull", "sad", "alone"]
    >>> rounds = fold_rounds(Whole(texts, [*"++++---?"]), 2)
    >>> bool(rounds.fold[0] == rounds.fold[1]), rounds.untested
    (True, ['?'])
    >>> sorted(int(judged.sum()) for _, judged in rounds)
    [3, 4]
    """
    heavy = whole.counts
    numbers, groups = np.unique(group_numbers(whole.labelled())[heavy], return_inverse=True)
    if not is_whole(folds) or not 2 <= folds <= min(MOST_FOLDS, len(numbers)):
        what = "different text" if whole.groups is None else "different group"
        most = f"at most {MOST_FOLDS:,}, and at most the number of {what}s"
        there = counted(len(numbers), what)
        raise OptionError(f"folds={folds!r} is not allowed: it must be a whole number, at least 2, {most}: {there}")
    classes = coded(whole.labels).codes.astype(np.int64)
    fold = np.full(len(whole), -1, np.int64)
    fold[heavy] = folds_of_groups(GroupCells.of(groups, classes[heavy]), folds)[groups]
    return _rounds(whole, fold, list(range(folds)), heavy)


def holdout_rounds(whole: Whole, share: float) -> Rounds:
    """The one round in which about a share of the rows of every class is judged (`plan_holdout`).

    Examples
    --------
    >>> from likely.reading.rows import Whole
    >>> rounds = holdout_rounds(Whole(["good", "fine", "bad", "dull"], ["+", "+", "-", "-"]), 0.5)
    >>> [(int(learned.sum()), int(judged.sum())) for learned, judged in rounds]
    [(2, 2)]
    """
    if not is_finite(share) or not 0 < share < 1:
        raise OptionError(f"share={share!r} is not allowed: it must be a number above 0 and below 1")
    plan, rows = plan_holdout([whole.labelled()], share), whole.labelled()
    fold = np.full(len(whole), -1, np.int64)
    fold[plan.split("learned")(rows)] = 0
    judged = plan.split("judged")(rows)
    fold[judged] = 1
    fold[~whole.counts] = -1
    return _rounds(whole, fold, [1], judged)


def _rounds(whole: Whole, fold: Starts, judged: list[int], may: Mask) -> Rounds:
    labels = coded(whole.labels)
    classes, width = labels.codes.astype(np.int64), len(labels.values)
    rows = np.bincount(classes[fold >= 0], minlength=width)
    size = int(fold.max(initial=0)) + 1
    inside = np.bincount(classes[fold >= 0] * size + fold[fold >= 0], minlength=width * size).reshape(width, size)
    known = np.isin(fold, judged) & may
    known &= (rows[classes] - inside[classes, np.maximum(fold, 0)]) > 0
    if not known.any():
        raise SourceError(
            "no row can be judged: the rows of each class are copies of one text, or one group. Give more data, or "
            "evaluate a model on other data (`likely evaluate MODEL DATA`)"
        )
    tested = np.bincount(classes[known], minlength=width)
    untested = [label for label, found in zip(labels.values, tested.tolist(), strict=True) if not found]
    return Rounds(fold, judged, known, sorted(untested, key=str))
