"""`select`: documents that resemble a target, from raw documents."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import SourceError
from likely.options.reading_table import READING
from likely.reading.options import reading_of
from likely.reading.stream import name_of
from likely.selecting.choosing import chosen, rankings
from likely.selecting.importance import weight_table
from likely.selecting.lanes import Lanes
from likely.selecting.meter import Meter
from likely.selecting.parts import Part, check_distinct, parts_of, with_column, without_empty
from likely.selecting.selection import Raw, Selection
from likely.selecting.settings import Settings, settings_of
from likely.selecting.targets import Target, numbers_of, targets_of
from likely.selecting.weighing import Weigher, all_skipped, starts_of
from likely.selecting.weights_file import WeightsFile, check_weights_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Unpack

    import numpy.typing as npt

    from likely.options.typed import SelectOptions
    from likely.reading.options import Reading
    from likely.selecting.targets import TargetSource
    from likely.selecting.weighing import Counted
    from likely.types import Path, Source


def select(
    target: TargetSource,
    raw: Source,
    number: int,
    *,
    output: Path | None = None,
    weights: Path | None = None,
    target_text: str | None = None,
    observe: Callable[[int, int, int | None], None] | None = None,
    **options: Unpack[SelectOptions],
) -> Selection:
    """The documents of ``raw`` that resemble ``target``, chosen by importance resampling (Xie et al. 2023).

    Parameters
    ----------
    target : source or mapping
        Documents that the chosen ones should resemble: files, globs or a frame. With a mapping from files to shares,
        each gets its share of the documents: ``{"wiki.jsonl": 0.7, "books.jsonl": 0.3}``.
    raw : source
        The documents to choose from: files, globs or a frame. They are read three times.
    number : int
        How many documents are chosen.
    output : path, optional
        Where the chosen rows are written: a folder, or a file. Default: nothing is written.
    weights : path, optional
        A .csv or .jsonl file to write, with the log importance weight of every raw document.
    target_text : str, optional
        The column with the texts of the target, if it is not that of the raw documents.
    observe : callable, optional
        Called after each batch with the number of documents, of bytes read, and of bytes in all (None if unknown).
    **options
        How documents are chosen: ``best`` for those with the largest weights instead of a sample, the ``seed`` of
        the sample, ``min_words``, the number of ``buckets`` that n-grams are hashed into, the additive smoothing
        ``alpha`` of both models (by default 0.01), and ``threads``. Also the options of `NaiveBayes` that decide the
        n-grams of words (``ngrams``, by default (1, 2), ``stem``, ``tokenizer`` ...), and those of reading
        (``text``, ``format``, ``encoding``, ``strict`` ...).

    Returns
    -------
    Selection
        The same for the same seed, whatever the number of threads, and however the rows are distributed over files,
        as long as their order is the same: the noise of a row depends on the seed and on its number alone.

    Examples
    --------
    >>> raw = [{"text": text} for text in ("good film", "stock market", "bad film", "the market fell")]
    >>> selection = select([{"text": "a film about films"}], raw, 2, best=True, min_words=1)
    >>> selection.rows
    array([0, 2])
    """
    given: dict[str, object] = {**options}
    reading = reading_of({name: given.pop(name) for name in list(given) if name in READING})
    settings = settings_of(number, given)
    if weights is not None:
        check_weights_name(str(weights))
    selecting = _Selecting(settings, targets_of(target), parts_of(raw), reading, target_text)
    selecting.observe(observe, passes=2 if output is None else 3)
    selection = selecting.run(output, weights)
    if output is None:
        return selection
    from likely.selecting.writing import write

    return replace(selection, written=write(selection, output, selecting.meter))


class _Selecting:
    """The steps of `select`."""

    def __init__(
        self,
        settings: Settings,
        targets: list[Target],
        parts: list[Part],
        reading: Reading,
        target_text: str | None,
    ) -> None:
        check_distinct(parts)
        self.settings, self.targets, self.parts = settings, targets, without_empty(parts)
        self.reading = with_column(self.parts, reading)
        self.target_reading = replace(reading, text=target_text or reading.text)
        self.target_parts = [without_empty(parts_of(target.source)) for target in targets]
        self.meter = Meter(None, 0)

    def observe(self, observe: Callable[[int, int, int | None], None] | None, passes: int) -> None:
        """Tell what was read; the raw files are read this number of times."""
        target = sum(part.size for parts in self.target_parts for part in parts)
        self.meter = Meter(observe, target + passes * sum(part.size for part in self.parts))

    def run(self, output: Path | None, weights: Path | None) -> Selection:
        """The selection; nothing of it is written yet, except for the weights."""
        self._check_places(output, weights)
        numbers = numbers_of(self.settings.number, [target.share for target in self.targets])
        tables = [self._counts(parts, with_column(parts, self.target_reading)) for parts in self.target_parts]
        for target, counts in zip(self.targets, tables, strict=True):
            if not counts.any():
                raise SourceError(f"the target {target.name} has no words: nothing can resemble it")
        counted = self._weigher().count(self.parts, self.reading)
        if output is not None:
            from likely.selecting.writing import check_formats

            check_formats(self.parts, [each.formats for each in counted])
        table = weight_table(tables, _summed(counted), self.settings.alpha)
        starts, best = starts_of(counted), rankings(numbers)
        with ExitStack() as open_files:
            file = self._weights_file(weights, open_files)
            weigher = self._weigher(in_order=file is not None)
            short = weigher.weigh(self.parts, self.reading, counted, table, best, file)
        rows = sum(each.rows for each in counted)
        skipped = all_skipped(counted)
        raw = Raw(self.parts, starts, [each.formats for each in counted], rows, short, skipped, self.reading)
        return Selection(*chosen(best, numbers), raw, self.settings, list(zip(self.targets, numbers, strict=True)))

    def _check_places(self, output: Path | None, weights: Path | None) -> None:
        """Raise ``SourceError`` if what is written cannot be, or would replace what is read."""
        from likely.selecting.writing import check_not_read, check_output

        targets = [part for parts in self.target_parts for part in parts]
        if output is not None:
            check_output(output, self.parts, targets)
        if weights is not None:
            check_not_read([weights], [*self.parts, *targets])
            if output is not None and os.path.realpath(weights) == os.path.realpath(output):
                raise SourceError(f"{name_of(weights)} cannot have both the rows and the weights: name two files")

    def _weigher(self, *, in_order: bool = False) -> Weigher:
        lanes = Lanes(self.settings.processors, len(self.parts), in_order=in_order)
        return Weigher(self.settings, lanes, self.meter)

    def _counts(self, parts: list[Part], reading: Reading) -> npt.NDArray[np.uint64]:
        """How many n-grams of a target fall into each bucket."""
        lanes = Lanes(self.settings.processors, len(parts))
        counted = Weigher(self.settings, lanes, self.meter).count(parts, reading)
        return _summed(counted)

    def _weights_file(self, path: Path | None, open_files: ExitStack) -> WeightsFile | None:
        if path is None:
            return None
        from likely.reading.atomic import replacing

        sink = open_files.enter_context(replacing(path))
        return WeightsFile(sink, str(path), [target.name for target in self.targets])


def _summed(counted: list[Counted]) -> npt.NDArray[np.uint64]:
    """The counts of all parts."""
    total: npt.NDArray[np.uint64] = np.sum([each.counts for each in counted], axis=0, dtype=np.uint64)
    return total
