"""The two passes over the raw documents: one counts their n-grams, the other weighs each document."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import SourceError
from likely.formulas import log_base, log_delta
from likely.reading.batch import NAMED, Skipped
from likely.reading.corpus import ahead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from likely.batch.select import Meter, Part, Settings, WeightsFile
    from likely.options.reading import ReadingOptions
    from likely.reading.batch import Batch
    from likely.reading.corpus import Corpus
    from likely.types import Array


@dataclass(frozen=True)
class Counted:
    """What the first pass finds in a part.

    Attributes
    ----------
    counts : array
        How many n-grams fall into each bucket.
    rows : int
        The number of rows, with those that cannot be read.
    formats : list of str
        The format of the file; more than one, if it is a folder or an archive with several files.
    skipped : Skipped
        The rows that cannot be read.
    """

    counts: npt.NDArray[np.uint64]
    rows: int
    formats: list[str]
    skipped: Skipped


@dataclass(frozen=True)
class Weigher:
    """Counts and weighs documents.

    Attributes
    ----------
    settings : Settings
        How documents are weighed.
    lanes : Lanes
        How many files are read at a time.
    meter : Meter
        Is told what was read.
    """

    settings: Settings
    lanes: Lanes
    meter: Meter

    def count(self, parts: list[Part], reading: ReadingOptions) -> list[Counted]:
        """The first pass: the counts of each part."""

        def work(part: Part) -> Counted:
            corpus = part.corpus(reading, self.meter.one_file())
            counts, rows = np.zeros(self.settings.buckets, np.uint64), 0
            formats: list[str] = []
            for batch in self.lanes.batches(_batches(corpus, formats)):
                counts += _native.count_buckets(*self._terms(batch), self.settings.buckets, self.lanes.threads)
                rows += len(batch.texts)
            return Counted(counts, rows, formats, corpus.skipped)

        return self.lanes.run(work, parts)

    def weigh(
        self,
        parts: list[Part],
        reading: ReadingOptions,
        counted: list[Counted],
        table: npt.NDArray[np.int64],
        best: list[Best],
        weights_file: WeightsFile | None,
    ) -> int:
        """The second pass: the best rows. Return the number of documents that are too short.

        ``counted`` is what the first pass found. ``table`` has the weights of the buckets, one column per element of
        ``best``.
        """
        places = dict(zip(map(id, parts), zip(starts_of(counted), counted, strict=True), strict=True))

        def work(part: Part) -> int:
            start, found = places[id(part)]
            first, short = start, 0
            corpus = part.corpus(reading, self.meter.one_file())
            for batch in self.lanes.batches(_batches(corpus, [])):
                sums, words = _native.sum_buckets(*self._terms(batch), table, self.lanes.threads)
                fits = words >= self.settings.min_words
                fits[list(batch.problems)] = False
                short += int((~fits).sum()) - len(batch.problems)
                rows = np.flatnonzero(fits) + first
                for at, each in enumerate(best):
                    weights = sums[:, at]
                    each.add(self._keys(weights, at, first)[fits], rows, weights[fits])
                if weights_file is not None:
                    weights_file.add(part.name, first - start, sums, words, batch.problems)
                first += len(words)
            if first != start + found.rows:
                raise changed(part)
            return short

        return sum(self.lanes.run(work, parts))

    def _terms(self, batch: Batch) -> tuple[_native.Analyzer, object]:
        analyzer = self.settings.analyzer
        if analyzer.tokenizer is None:
            return analyzer.native, batch.texts
        return analyzer.native, analyzer.texts(batch.texts.to_pylist())

    def _keys(self, weights: npt.NDArray[np.int64], target: int, first: int) -> npt.NDArray[np.int64]:
        """By what rows are ranked: the weight, and for a sample also the noise, which depends on the row alone."""
        if self.settings.best:
            return weights
        return weights + _native.gumbel_noise(self.settings.seed, target, first, len(weights))


def _batches(corpus: Corpus, formats: list[str]) -> Iterator[Batch]:
    """The batches of all files of a corpus. The formats of the files are added to ``formats``."""
    for reader, batches in corpus.files():
        formats.append(reader.format)
        yield from batches


def changed(part: Part) -> SourceError:
    """The error for a file that has other rows than before."""
    return SourceError(f"{part.name} has changed while documents were selected: do so again when it is complete")


def all_skipped(counted: list[Counted]) -> Skipped:
    """The rows of all parts that cannot be read."""
    found = Skipped()
    for each in counted:
        found.count += each.skipped.count
        found.first += each.skipped.first[: NAMED - len(found.first)]
    return found


def starts_of(counted: list[Counted]) -> list[int]:
    """The number of rows before each part."""
    return [0, *np.cumsum([each.rows for each in counted]).tolist()][:-1]


UNIT = 2.0**32
"""Weights are whole numbers of 2^-32, so that their sums are exact in any order, and the same on every machine."""


def log_probabilities(counts: npt.NDArray[np.uint64], alpha: float) -> Array:
    """Log p(bucket) for each bucket, with additive smoothing.

    Examples
    --------
    >>> np.exp(log_probabilities(np.array([3, 0], np.uint64), 1.0))
    array([0.8, 0.2])
    """
    numbers = counts.astype(np.float64)
    return log_base(numbers.sum(keepdims=True), len(numbers), alpha) + log_delta(numbers, alpha)


def weight_table(
    targets: Sequence[npt.NDArray[np.uint64]], raw: npt.NDArray[np.uint64], alpha: float
) -> npt.NDArray[np.int64]:
    """The log importance weight of each bucket, in units of 2^-32: one row per bucket, one column per target.

    Examples
    --------
    >>> counts = [np.array([3, 0], np.uint64)], np.array([0, 3], np.uint64)
    >>> np.exp(weight_table(*counts, alpha=1.0) / UNIT).round(6)
    array([[4.  ],
           [0.25]])
    """
    base = log_probabilities(raw, alpha)
    ratios = np.stack([log_probabilities(counts, alpha) - base for counts in targets], axis=1)
    return np.rint(ratios * UNIT).astype(np.int64)


if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]

_SPARE = 1 << 16
"""At least this many rows wait before the best are looked for again."""


@dataclass
class Best:
    """The ``number`` rows with the largest keys. Of rows with the same key, the first ones are better.

    Rows may be added in any order and by several threads: the result is the same.

    Examples
    --------
    >>> best = Best(2)
    >>> best.add(np.array([5, 9, 5]), np.array([0, 1, 2]), np.array([50, 90, 50]))
    >>> [column.tolist() for column in best.ranked()]
    [[1, 0], [90, 50]]
    """

    number: int
    spare: int = _SPARE
    _kept: list[tuple[Numbers, Numbers, Numbers]] = field(default_factory=list)
    _waiting: int = 0
    _least: int | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, keys: Numbers, rows: Numbers, weights: Numbers) -> None:
        """Add rows: their keys, their numbers and their weights."""
        with self._lock:
            if self._least is not None:
                better = keys >= self._least
                keys, rows, weights = keys[better], rows[better], weights[better]
            self._kept.append((keys, rows, weights))
            self._waiting += len(keys)
            if self._waiting > self.number + max(self.number, self.spare):
                self._settle()

    def ranked(self) -> tuple[Numbers, Numbers]:
        """The numbers and the weights of the best rows, the best first."""
        with self._lock:
            self._settle()
            _, rows, weights = self._kept[0]
        return rows, weights

    def _settle(self) -> None:
        """Drop all rows but the best."""
        empty = np.zeros(0, np.int64)
        columns = zip(*self._kept, strict=True) if self._kept else [[empty]] * 3
        keys, rows, weights = (np.concatenate(column) for column in columns)
        order = np.lexsort((rows, -keys))[: self.number]
        self._kept, self._waiting = [(keys[order], rows[order], weights[order])], len(order)
        if len(order) == self.number:
            self._least = int(keys[order[-1]])


def rankings(numbers: list[int]) -> list[Best]:
    """One ranking per target, each with as many rows as the target may need.

    The targets before it may take as many of its best rows as they want, so that it needs these, too.

    Examples
    --------
    >>> [best.number for best in rankings([7, 3])]
    [7, 10]
    """
    return [Best(sum(numbers[: at + 1])) for at in range(len(numbers))]


def chosen(rankings: list[Best], numbers: list[int]) -> tuple[npt.NDArray[np.int64], Array, npt.NDArray[np.int64]]:
    """The chosen rows in order, their log weights and the index of the target of each.

    The targets choose one after the other, each the best rows that are left, as in the reference package.
    """
    taken = np.zeros(0, np.int64)
    found = []
    for at, (best, number) in enumerate(zip(rankings, numbers, strict=True)):
        rows, weights = best.ranked()
        free = np.flatnonzero(~np.isin(rows, taken))[:number]
        taken = np.concatenate([taken, rows[free]])
        found.append((rows[free], weights[free], np.full(len(free), at)))
    rows, weights, targets = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(rows)
    return rows[order], weights[order] / UNIT, targets[order]


T = TypeVar("T")
R = TypeVar("R")


class Lanes:
    """Reads several files at a time, with one processor each, or one file with all processors.

    Parameters
    ----------
    processors : int
        The number of threads to use.
    files : int
        The number of files.
    in_order : bool
        Whether the files must be read one after the other.

    Examples
    --------
    >>> lanes = Lanes(8, files=3)
    >>> lanes.number, lanes.threads
    (3, 2)
    """

    def __init__(self, processors: int, files: int, *, in_order: bool = False) -> None:
        self.number = 1 if in_order else max(1, min(processors, files))
        self.threads = max(1, processors // self.number)
        """The number of threads that a lane may use."""
        self._is_stopped = threading.Event()

    def run(self, work: Callable[[Part], R], parts: list[Part]) -> list[R]:
        """The results of ``work`` for all parts, in their order. The largest parts are begun first."""
        if self.number == 1:
            return [work(part) for part in parts]
        with ThreadPoolExecutor(self.number, thread_name_prefix="likely-lane") as pool:
            begun = sorted(range(len(parts)), key=lambda at: -parts[at].size)
            futures = {at: pool.submit(work, parts[at]) for at in begun}
            try:
                return [futures[at].result() for at in range(len(parts))]
            except BaseException:
                self._is_stopped.set()
                for future in futures.values():
                    future.cancel()
                raise

    def batches(self, batches: Iterable[T]) -> Iterator[T]:
        """The same batches; they end early if another lane has failed, or the user has stopped the work."""
        for batch in batches if self.threads == 1 and self.number > 1 else ahead(batches):
            if self._is_stopped.is_set():
                return
            yield batch
