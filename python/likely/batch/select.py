"""`select`: documents that resemble a target, from raw documents.

The raw documents are read two times: one pass counts their n-grams, the other weighs each document. A third pass, of
the same readers and writers as `likely predict`, copies the chosen rows.
"""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from likely import _native
from likely.batch.writers import RowOutput, copying, output_file, row_output
from likely.core.analyzer import Analyzer, thread_count
from likely.errors import OptionError, SourceError
from likely.formulas import log_base, log_delta
from likely.options.kinds import is_whole
from likely.options.model import ANALYZE_OPTIONS, MODEL, check_cut, check_options, with_defaults
from likely.options.reading import READING, SELECTING, ReadingOptions, reading_of
from likely.reading.batch import NAMED, Batch, Skipped
from likely.reading.corpus import Corpus, ahead, are_places, places_of
from likely.reading.formats import COMPRESSED, NAMES, format_by_name
from likely.reading.stream import is_empty, name_of
from likely.terminal import counted, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import numpy.typing as npt

    from likely.types import Array, Source
    from likely.types import Path as AnyPath

    Numbers = npt.NDArray[np.int64]
    Observe = Callable[[int, int, int | None], None]

T = TypeVar("T")
R = TypeVar("R")

UNIT = 2.0**32
"""Weights are whole numbers of 2^-32, so that their sums are exact in any order, and the same on every machine."""
WORD_OPTIONS = tuple(name for name in ANALYZE_OPTIONS if name not in ("analyzer", "hash_bits"))
"""The options of a model that decide the n-grams of words of a text."""
DEFAULTS: dict[str, object] = {"ngrams": (1, 2), "alpha": 0.01}
"""Options of a model with another default here. With many buckets, a larger alpha would outweigh a small target."""
WRITTEN = ("jsonl", "csv", "tsv", "lines", "fasttext", "parquet")
"""The formats whose rows can be written as they are."""


# The documents -------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class DocumentSource:
    """A file or a frame, and what the first pass found in it.

    Attributes
    ----------
    source : source
        What is read.
    name : str
        Its name for messages and reports.
    path : Path or None
        The file; None for a frame.
    start : int
        The number of rows in the files before it.
    rows : int
        The number of its rows, with those that cannot be read.
    formats : list of str
        The format of the file; more than one, if it is a folder or an archive with several files.
    skipped : Skipped
        The rows that cannot be read.
    """

    source: Source
    name: str
    path: Path | None = None
    start: int = 0
    rows: int = 0
    formats: list[str] = field(default_factory=list)
    skipped: Skipped = field(default_factory=Skipped)

    @property
    def size(self) -> int:
        """The number of bytes of the file; 0 if it is not known."""
        return self.path.stat().st_size if self.path is not None and self.path.is_file() else 0

    def corpus(self, reading: ReadingOptions, observe: Observe | None = None, *, whole: bool = False) -> Corpus:
        """The documents, without labels."""
        return Corpus(self.source, reading, labelled=False, whole=whole, observe=observe)

    def changed(self) -> SourceError:
        """The error for a file that has other rows than before."""
        return SourceError(
            f"{self.name} changed while documents were being selected: run the selection again "
            "when the file is complete"
        )


def sources_of(source: Source) -> list[DocumentSource]:
    """The files of a source, in order. ``SourceError`` if one can be read only once.

    Examples
    --------
    >>> [each.name for each in sources_of(["b.jsonl", "a.jsonl"])]
    ['b.jsonl', 'a.jsonl']
    """
    Corpus(source, labelled=False).check_rereadable("Selecting documents")
    if not are_places(source):
        return [DocumentSource(source, "the frame")]
    return [DocumentSource(path, name_of(path), path) for path in places_of(source) if path is not None]


def with_column(files: list[DocumentSource], reading: ReadingOptions) -> ReadingOptions:
    """How all files are read: with the text column that is guessed in the first one, unless one is given."""
    if reading.text is not None:
        return reading
    corpus = files[0].corpus(reading)
    for _ in corpus.files():
        break
    return replace(reading, text=corpus.columns.text) if corpus.columns else reading


def without_empty(files: list[DocumentSource]) -> list[DocumentSource]:
    """The files that have rows, unlike the last one of many may; all of them, if they all are empty."""
    return [each for each in files if each.path is None or not is_empty(each.path)] or files


def check_distinct(files: list[DocumentSource]) -> None:
    """Raise ``SourceError`` if a file is named twice: its rows would be chosen twice.

    Examples
    --------
    >>> check_distinct(sources_of(["a.jsonl", "./a.jsonl"]))
    Traceback (most recent call last):
    likely.errors.SourceError: the raw file a.jsonl is given twice: leave one out
    """
    seen = set()
    for each in files:
        place = each.path and each.path.absolute()
        if place in seen:
            raise SourceError(f"the raw file {each.name} is given twice: leave one out")
        seen.add(place)


# The weights ---------------------------------------------------------------------------------------------------


def log_probabilities(counts: npt.NDArray[np.uint64], alpha: float) -> Array:
    """Log p(bucket) for each bucket, with additive smoothing.

    Examples
    --------
    >>> np.exp(log_probabilities(np.array([3, 0], np.uint64), 1.0))
    array([0.8, 0.2])
    """
    numbers = counts.astype(np.float64)
    return log_base(numbers.sum(keepdims=True), len(numbers), alpha) + log_delta(numbers, alpha)


def weights_of(target: npt.NDArray[np.uint64], raw: npt.NDArray[np.uint64], alpha: float) -> Numbers:
    """The log importance weight of each bucket, in units of 2^-32.

    Examples
    --------
    >>> np.exp(weights_of(np.array([3, 0], np.uint64), np.array([0, 3], np.uint64), alpha=1.0) / UNIT).round(6)
    array([4.  , 0.25])
    """
    ratios = log_probabilities(target, alpha) - log_probabilities(raw, alpha)
    return np.rint(ratios * UNIT).astype(np.int64)


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


# Several files at a time ---------------------------------------------------------------------------------------


class Lanes:
    """Reads several files at a time, with one processor each, or one file with all processors.

    Parameters
    ----------
    processors : int
        The number of threads to use.
    files : int
        The number of files.

    Examples
    --------
    >>> lanes = Lanes(8, files=3)
    >>> lanes.number, lanes.threads
    (3, 2)
    """

    def __init__(self, processors: int, files: int) -> None:
        self.number = max(1, min(processors, files))
        self.threads = max(1, processors // self.number)
        """The number of threads that a lane may use."""
        self._is_stopped = threading.Event()

    def run(self, work: Callable[[DocumentSource], R], files: list[DocumentSource]) -> list[R]:
        """The results of ``work`` for all files, in their order. The largest files are begun first."""
        if self.number == 1:
            return [work(each) for each in files]
        with ThreadPoolExecutor(self.number, thread_name_prefix="likely-lane") as pool:
            begun = sorted(range(len(files)), key=lambda at: -files[at].size)
            futures = {at: pool.submit(work, files[at]) for at in begun}
            try:
                return [futures[at].result() for at in range(len(files))]
            except BaseException:
                self._is_stopped.set()
                pool.shutdown(cancel_futures=True)
                raise

    def batches(self, batches: Iterable[T]) -> Iterator[T]:
        """The same batches; they end early if another lane has failed, or the user has stopped the work."""
        for batch in batches if self.threads == 1 and self.number > 1 else ahead(batches):
            if self._is_stopped.is_set():
                return
            yield batch


@dataclass
class Meter:
    """Adds up what is read in all lanes and passes.

    ``observe`` is called with the number of documents, of bytes read, and of bytes in all, as that of `Corpus`.
    """

    observe: Observe | None
    total: int
    documents: int = 0
    done: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def one_file(self) -> Observe | None:
        """What the corpus of one file calls."""
        if self.observe is None:
            return None
        observe, before = self.observe, [0, 0]

        def add(documents: int, done: int, _: int | None) -> None:
            with self._lock:
                self.documents += documents - before[0]
                self.done += done - before[1]
                before[:] = documents, done
                observe(self.documents, self.done, self.total or None)

        return add


# Selecting -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SelectingOptions:
    """How documents are weighed and chosen.

    Attributes
    ----------
    number : int
        How many documents are chosen.
    analyzer : Analyzer
        How a text becomes n-grams.
    best, seed, min_words, buckets, alpha, threads
        The options of the same names.
    """

    number: int
    analyzer: Analyzer
    best: bool
    seed: int
    min_words: int
    buckets: int
    alpha: float
    threads: int | None

    @cached_property
    def processors(self) -> int:
        """The number of threads to use."""
        return thread_count(self.threads)

    @classmethod
    def of(cls, number: int, options: Mapping[str, Any]) -> SelectingOptions:
        """Options by name, which are checked.

        Examples
        --------
        >>> SelectingOptions.of(10, {"min_words": 5}).buckets
        10000
        >>> SelectingOptions.of(10, {"bucket": 5})
        Traceback (most recent call last):
        likely.errors.OptionError: there is no option 'bucket': did you mean 'buckets'?
        """
        if not is_whole(number) or number < 1:
            raise OptionError(f"number={number!r} is not allowed: number must be a whole number >= 1")
        own = {name: MODEL[name] for name in ("alpha", "threads")} | SELECTING
        check_options(options, table=own | {name: MODEL[name] for name in WORD_OPTIONS})
        options = {**DEFAULTS, **options}
        values = {name: options.get(name, option.default) for name, option in own.items()}
        if values["alpha"] == 0:
            raise OptionError(
                "alpha=0 is not allowed here: a single n-gram that the target lacks would rule a document out"
            )
        cut = with_defaults({name: value for name, value in options.items() if name in WORD_OPTIONS})
        check_cut(cut)
        return cls(number, Analyzer.of(cut), **values)


@dataclass(frozen=True, eq=False)
class Selection:
    """The documents that were chosen from raw documents.

    Attributes
    ----------
    rows : array of int64
        The numbers of the chosen rows, counted from 0 through all files, in order.
    log_weights : array
        The log importance weight of each chosen row.
    short : int
        The number of raw documents with fewer words than asked for.
    written : list of str
        The names of the files that were written.
    """

    rows: Numbers
    log_weights: Array
    short: int
    written: list[str] = field(repr=False)
    _steps: Selecting = field(repr=False)

    def __len__(self) -> int:
        """The number of chosen documents."""
        return len(self.rows)

    @property
    def raw_rows(self) -> int:
        """The number of raw rows, with those that cannot be read."""
        return sum(each.rows for each in self._steps.raw)

    @property
    def skipped(self) -> Skipped:
        """The raw rows that could not be read."""
        found = Skipped()
        for each in self._steps.raw:
            found.count += each.skipped.count
            found.first += each.skipped.first[: NAMED - len(found.first)]
        return found

    @property
    def candidates(self) -> int:
        """The number of documents that could be chosen: they could be read, and are not too short."""
        return self.raw_rows - self.skipped.count - self.short

    @property
    def files(self) -> dict[str, Numbers]:
        """The chosen rows of each file, counted from 0 in the file."""
        return {each.name: self._rows_of(each) for each in self._steps.raw}

    def _rows_of(self, file: DocumentSource) -> Numbers:
        first, last = np.searchsorted(self.rows, [file.start, file.start + file.rows])
        return self.rows[first:last] - file.start

    def write(self, output: AnyPath) -> list[str]:
        """Write the chosen rows as they are in their files, and return the names of the new files.

        If ``output`` is a folder, it gets one file per raw file, with the same name, format and compression. If it is
        the name of a file, all rows go there. A file has its name only when it is complete. A raw file without chosen
        rows has no file in the folder.
        """
        files, place = self._steps.raw, Path(output)
        check_output(place, files)
        check_formats(files)
        wanted = {id(each): self._rows_of(each) for each in files}
        with_rows = [each for each in files if len(wanted[id(each)])]
        if is_one_file(place):
            with _new_file(place, files[0].formats) as rows:
                for each in with_rows:
                    self._steps.copy(each, wanted[id(each)], rows, Lanes(1, 1))
            return [name_of(place)]
        places = {id(each): place / name for each, name in zip(files, output_names(files), strict=True)}
        _check_stale([places[id(each)] for each in files if not len(wanted[id(each)])])
        lanes = Lanes(self._steps.settings.processors, len(files))

        def work(file: DocumentSource) -> str:
            with _new_file(places[id(file)], file.formats) as rows:
                self._steps.copy(file, wanted[id(file)], rows, lanes)
            return name_of(places[id(file)])

        return lanes.run(work, with_rows)

    def to_dict(self) -> dict[str, object]:
        """The selection as plain data (`docs/reference/json.md`)."""
        settings, skipped = self._steps.settings, self.skipped
        return {
            "number": settings.number,
            "chosen": len(self),
            "rows": self.raw_rows,
            "candidates": self.candidates,
            "short": self.short,
            "skipped": skipped.count,
            "skipped_first": skipped.first,
            "best": settings.best,
            "seed": None if settings.best else settings.seed,
            **{name: getattr(settings, name) for name in ("min_words", "buckets", "alpha")},
            "text": self._steps.reading.text,
            "files": [{"file": name, "chosen": len(rows)} for name, rows in self.files.items()],
            "written": self.written,
        }

    def __str__(self) -> str:
        settings = self._steps.settings
        how = "the best" if settings.best else f"a sample (seed {settings.seed})"
        lines = [f"Selected {counted(len(self), 'document')} of {self.candidates:,}: {how}."]
        if self.short:
            least = counted(settings.min_words, "word")
            lines.append(f"{counted(self.short, 'document')} with fewer than {least} left out.")
        if len(self) < settings.number:
            lines.append(f"There are fewer than the {settings.number:,} that were asked for.")
        return "\n".join(map(wrapped, lines))


def select(
    target: Source,
    raw: Source,
    number: int,
    *,
    output: AnyPath | None = None,
    target_text: str | None = None,
    observe: Callable[[int, int, int | None], None] | None = None,
    **options: object,
) -> Selection:
    """Select the documents of ``raw`` that resemble ``target``, by importance resampling (Xie et al. 2023).

    Parameters
    ----------
    target : source
        Documents that the chosen ones should resemble: files, globs or a DataFrame.
    raw : source
        The documents to choose from: files, globs or a DataFrame. They are read three times.
    number : int
        How many documents are chosen.
    output : path, optional
        Where the chosen rows are written: a folder, or a file. Default: nothing is written.
    target_text : str, optional
        The column with the target's texts, if it differs from the raw documents'.
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
    settings = SelectingOptions.of(number, given)
    steps = Selecting(settings, sources_of(target), sources_of(raw), reading, target_text)
    steps.observe(observe, passes=2 if output is None else 3)
    selection = steps.run(output)
    if output is not None:
        selection = replace(selection, written=selection.write(output))
    steps.observe(None, passes=0)  # nobody listens to a later `write`
    return selection


class Selecting:
    """The steps of `select`."""

    def __init__(
        self,
        settings: SelectingOptions,
        target: list[DocumentSource],
        raw: list[DocumentSource],
        reading: ReadingOptions,
        target_text: str | None,
    ) -> None:
        check_distinct(raw)
        self.settings, self.target, self.raw = settings, without_empty(target), without_empty(raw)
        self.reading = with_column(self.raw, reading)
        self._target_reading = replace(reading, text=target_text or reading.text)
        self._meter = Meter(None, 0)

    def observe(self, observe: Observe | None, passes: int) -> None:
        """Tell what was read; the raw files are read this number of times."""
        target, raw = (sum(each.size for each in files) for files in (self.target, self.raw))
        self._meter = Meter(observe, target + passes * raw)

    def run(self, output: AnyPath | None) -> Selection:
        """The selection; nothing of it is written yet."""
        if output is not None:
            check_output(output, self.raw, [*self.raw, *self.target])
        target = self._count(self.target, with_column(self.target, self._target_reading))
        if not target.any():
            raise SourceError(f"the target {self.target[0].name} has no words: nothing can resemble it")
        raw = self._count(self.raw, self.reading)
        if output is not None:
            check_formats(self.raw)
        best = Best(self.settings.number)
        short = self._weigh(weights_of(target, raw, self.settings.alpha), best)
        rows, weights = best.ranked()
        order = np.argsort(rows)
        return Selection(rows[order], weights[order] / UNIT, short, [], self)

    def _count(self, files: list[DocumentSource], reading: ReadingOptions) -> npt.NDArray[np.uint64]:
        """The first pass: how many n-grams of all files fall into each bucket."""
        lanes = Lanes(self.settings.processors, len(files))
        buckets = self.settings.buckets

        def work(file: DocumentSource) -> npt.NDArray[np.uint64]:
            corpus, counts = file.corpus(reading, self._meter.one_file()), np.zeros(buckets, np.uint64)
            for batch in lanes.batches(_batches(corpus, file.formats)):
                counts += _native.count_buckets(*self._terms(batch), buckets, lanes.threads)
                file.rows += len(batch.texts)
            file.skipped = corpus.skipped
            return counts

        total: npt.NDArray[np.uint64] = np.sum(lanes.run(work, files), axis=0, dtype=np.uint64)
        for before, each in pairwise(files):
            each.start = before.start + before.rows
        return total

    def _weigh(self, of_buckets: Numbers, best: Best) -> int:
        """The second pass: the best rows. Return the number of documents that are too short."""
        lanes = Lanes(self.settings.processors, len(self.raw))

        def work(file: DocumentSource) -> int:
            read = short = 0
            corpus = file.corpus(self.reading, self._meter.one_file())
            for batch in lanes.batches(_batches(corpus, [])):
                weights, words = _native.sum_buckets(*self._terms(batch), of_buckets, lanes.threads)
                fits = words >= self.settings.min_words
                fits[list(batch.problems)] = False
                short += int((~fits).sum()) - len(batch.problems)
                first = file.start + read
                rows = np.flatnonzero(fits) + first
                best.add(self._keys(weights, first)[fits], rows, weights[fits])
                read += len(words)
            if read != file.rows:
                raise file.changed()
            return short

        return sum(lanes.run(work, self.raw))

    def _terms(self, batch: Batch) -> tuple[_native.Analyzer, object]:
        analyzer = self.settings.analyzer
        if analyzer.tokenizer is None:
            return analyzer.native, batch.texts
        return analyzer.native, analyzer.texts(batch.texts.to_pylist())

    def _keys(self, weights: Numbers, first: int) -> Numbers:
        """By what rows are ranked: the weight, and for a sample also the noise, which depends on the row alone."""
        if self.settings.best:
            return weights
        return weights + _native.gumbel_noise(self.settings.seed, first, len(weights))

    def copy(self, file: DocumentSource, wanted: Numbers, place: RowOutput, lanes: Lanes) -> None:
        """The third pass: write the rows of a file with these numbers."""
        first = 0
        for reader, batches in file.corpus(self.reading, self._meter.one_file(), whole=True).files():
            place.begin(reader)
            for batch in lanes.batches(batches):
                start, end = np.searchsorted(wanted, [first, first + len(batch.texts)])
                is_wanted = np.zeros(len(batch.texts), np.bool_)
                is_wanted[wanted[start:end] - first] = True
                if start < end:
                    place.put(batch, [], is_wanted)
                first += len(batch.texts)
                if end == len(wanted):
                    return
        raise file.changed()


def _batches(corpus: Corpus, formats: list[str]) -> Iterator[Batch]:
    """The batches of all files of a corpus. The formats of the files are added to ``formats``."""
    for reader, batches in corpus.files():
        formats.append(reader.format)
        yield from batches


# Where the rows go ---------------------------------------------------------------------------------------------


@contextmanager
def _new_file(place: Path, formats: list[str]) -> Iterator[RowOutput]:
    """A file that appears when it is complete, compressed as its name says. Parquet compresses by itself."""
    suffix = place.suffix.lower()
    is_packed = suffix in COMPRESSED and "parquet" not in formats
    with output_file(place, suffix if is_packed else None) as file, row_output(file, copying) as rows:
        yield rows


def is_one_file(output: Path) -> bool:
    """Whether the output is one file: it is not a folder, and its name is that of a table.

    Examples
    --------
    >>> is_one_file(Path("out.jsonl.gz")), is_one_file(Path("out"))
    (True, False)
    """
    return not output.is_dir() and format_by_name(output) is not None


def output_names(files: list[DocumentSource]) -> list[str]:
    """The name of each file in the folder of the output: that of the raw file, below the folder of all raw files.

    Examples
    --------
    >>> output_names(sources_of(["web/a/1.jsonl", "web/b/1.jsonl"]))
    ['a/1.jsonl', 'b/1.jsonl']
    """
    paths = [os.path.abspath(each.path) for each in files if each.path is not None]
    folder = os.path.commonpath([os.path.dirname(path) for path in paths])
    return [os.path.relpath(path, folder) for path in paths]


def check_output(output: AnyPath, files: list[DocumentSource], read: list[DocumentSource] | None = None) -> None:
    """Raise ``SourceError`` if the output cannot be written, before anything is read."""
    place = Path(output)
    if any(each.path is None for each in files):
        raise SourceError("a frame has no file to write to: take its rows by their numbers, selection.rows")
    for each in files:
        if cast("Path", each.path).is_dir():
            raise SourceError(f"{each.name} is a folder: give its files, as in '{each.name}/*.jsonl'")
    if place.exists() and not place.is_dir() and not is_one_file(place):
        raise SourceError(f"{name_of(place)} is a file: name a folder, or a file such as selected.jsonl")
    replaced = {os.path.realpath(each.path) for each in read or files if each.path is not None}
    for new in [place] if is_one_file(place) else [place / name for name in output_names(files)]:
        if os.path.realpath(new) in replaced:
            raise SourceError(f"output {name_of(new)} is also an input; choose another path")


def check_formats(files: list[DocumentSource]) -> None:
    """Raise ``SourceError`` for a file whose rows cannot be written as they are."""
    for each in files:
        if len(each.formats) != 1:
            raise SourceError(f"{each.name} has several files: unpack it, and give the files")
        if each.formats[0] not in WRITTEN:
            raise SourceError(
                f"{each.name} is {NAMES[each.formats[0]]}, whose rows cannot be written as they are: convert it to "
                "JSON Lines, CSV or Parquet"
            )


def _check_stale(places: list[Path]) -> None:
    """Raise ``SourceError`` if a file of an earlier run is there that would not be replaced."""
    for place in places:
        if place.exists():
            raise SourceError(
                f"{name_of(place)} already exists, and this run selected no row of that raw file: remove it, or "
                "choose another folder"
            )
