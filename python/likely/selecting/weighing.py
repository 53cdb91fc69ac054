"""The two passes over the raw documents: one counts their n-grams, the other weighs each document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.errors import SourceError
from likely.reading.batch import NAMED, Skipped

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from likely.reading.batch import Batch
    from likely.reading.corpus import Corpus
    from likely.reading.options import Reading
    from likely.selecting.best import Best
    from likely.selecting.lanes import Lanes
    from likely.selecting.meter import Meter
    from likely.selecting.parts import Part
    from likely.selecting.settings import Settings
    from likely.selecting.weights_file import WeightsFile


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

    def count(self, parts: list[Part], reading: Reading) -> list[Counted]:
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
        reading: Reading,
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
