"""`select`: documents that resemble a target, from raw documents."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import threading
from collections.abc import Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from likely.batch.importance import (
    UNIT,
    Lanes,
    Weigher,
    all_skipped,
    changed,
    chosen,
    rankings,
    starts_of,
    weight_table,
)
from likely.batch.writers import ROWS_OF_GROUP, EncodedSink, OutputFile
from likely.core.analyzer import Analyzer, thread_count
from likely.errors import OptionError, SourceError
from likely.extras import extra
from likely.options.kinds import is_whole
from likely.options.model import ANALYZE_OPTIONS, MODEL, check_cut, check_options, with_defaults
from likely.options.reading import READING, SELECTING, reading_of
from likely.reading.corpus import Corpus, are_places, places_of
from likely.reading.formats import COMPRESSED, NAMES, format_by_name
from likely.reading.records import CsvReader
from likely.reading.stream import is_empty, name_of
from likely.terminal import counted, printable, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import numpy.typing as npt

    from likely.batch.importance import Counted
    from likely.batch.writers import Sink
    from likely.options.reading import ReadingOptions
    from likely.reading.batch import Lines, Reader, Skipped
    from likely.types import Array, Source
    from likely.types import Path as AnyPath

    Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Raw:
    """The raw documents.

    Attributes
    ----------
    parts : list of Part
        The files.
    starts : list of int
        The number of rows before each file.
    formats : list of list of str
        The formats of each file.
    rows : int
        The number of rows in all, with those that cannot be read.
    short : int
        The number of documents with fewer words than asked for.
    skipped : Skipped
        The rows that could not be read.
    reading : ReadingOptions
        How the files are read.
    """

    parts: list[Part]
    starts: list[int]
    formats: list[list[str]]
    rows: int
    short: int
    skipped: Skipped
    reading: ReadingOptions

    @property
    def ends(self) -> list[int]:
        """The number of rows before the end of each file."""
        return [*self.starts[1:], self.rows]


@dataclass(frozen=True, eq=False)
class Selection:
    """The documents that were chosen from raw documents.

    Attributes
    ----------
    rows : array of int64
        The numbers of the chosen rows, counted from 0 through all files, in order.
    log_weights : array
        The log importance weight of each chosen row, for the target that it was chosen for.
    targets : array of int64
        The index of the target that each row was chosen for.
    raw : Raw
        What they were chosen from.
    """

    rows: npt.NDArray[np.int64]
    log_weights: Array
    targets: npt.NDArray[np.int64]
    raw: Raw = field(repr=False)
    settings: Settings = field(repr=False)
    wanted: list[tuple[Target, int]] = field(repr=False)
    """The targets, and how many documents should be chosen for each."""
    written: list[str] = field(default_factory=list, repr=False)
    """The names of the files that were written."""

    def __len__(self) -> int:
        """The number of chosen documents."""
        return len(self.rows)

    @property
    def candidates(self) -> int:
        """The number of documents that could be chosen: they could be read, and are not too short."""
        return self.raw.rows - self.raw.skipped.count - self.raw.short

    @property
    def files(self) -> dict[str, npt.NDArray[np.int64]]:
        """The chosen rows of each file, counted from 0 in the file."""
        parts = zip(self.raw.parts, self.raw.starts, self.raw.ends, strict=True)
        return {part.name: self._between(start, end) for part, start, end in parts}

    def _between(self, start: int, end: int) -> npt.NDArray[np.int64]:
        first, last = np.searchsorted(self.rows, [start, end])
        return self.rows[first:last] - start

    def write(self, output: AnyPath) -> list[str]:
        """Write the chosen rows as they are in their files, and return the names of the new files.

        If ``output`` is a folder, it gets one file per raw file, with the same name, format and compression. If it is
        the name of a file, all rows go there. A file has its name only when it is complete.
        """
        return write(self, output)

    def to_dict(self) -> dict[str, object]:
        """The selection as plain data (`docs/json.md`)."""
        return {
            "number": self.settings.number,
            "chosen": len(self),
            "rows": self.raw.rows,
            "candidates": self.candidates,
            "short": self.raw.short,
            "skipped": self.raw.skipped.count,
            "skipped_first": self.raw.skipped.first,
            "best": self.settings.best,
            "seed": None if self.settings.best else self.settings.seed,
            "min_words": self.settings.min_words,
            "buckets": self.settings.buckets,
            "alpha": self.settings.alpha,
            "text": self.raw.reading.text,
            "targets": [
                {"target": target.name, "share": target.share, "chosen": int((self.targets == at).sum())}
                for at, (target, _) in enumerate(self.wanted)
            ],
            "files": [{"file": name, "chosen": len(rows)} for name, rows in self.files.items()],
            "written": self.written,
        }

    def __str__(self) -> str:
        how = "the best" if self.settings.best else f"a sample (seed {self.settings.seed})"
        lines = [f"Selected {counted(len(self), 'document')} of {self.candidates:,}: {how}."]
        if len(self.wanted) > 1:
            pairs = [
                f"{printable(target.name)} {int((self.targets == at).sum()):,}"
                for at, (target, _) in enumerate(self.wanted)
            ]
            lines.append(f"Per target: {', '.join(pairs)}.")
        if self.raw.short:
            least = counted(self.settings.min_words, "word")
            lines.append(f"{counted(self.raw.short, 'document')} with fewer than {least} left out.")
        if len(self) < self.settings.number:
            lines.append(f"There are fewer than the {self.settings.number:,} that were asked for.")
        return "\n".join(map(wrapped, lines))


WORD_OPTIONS = tuple(name for name in ANALYZE_OPTIONS if name not in ("analyzer", "hash_bits"))
"""The options of a model that decide the n-grams of words of a text."""
DEFAULTS: dict[str, object] = {"ngrams": (1, 2), "alpha": 0.01}
"""Options of a model with another default here. With many buckets, a larger alpha would outweigh a small target."""


@dataclass(frozen=True)
class Settings:
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


def settings_of(number: int, options: Mapping[str, Any]) -> Settings:
    """The settings of options by name, which are checked.

    Examples
    --------
    >>> settings_of(10, {"min_words": 5}).buckets
    10000
    >>> settings_of(10, {"bucket": 5})
    Traceback (most recent call last):
    likely.errors.OptionError: there is no option 'bucket': did you mean 'buckets'?
    """
    if not is_whole(number) or number < 1:
        raise OptionError(f"number={number!r} is not allowed: number must be a whole number >= 1")
    own = {name: MODEL[name] for name in ("alpha", "threads")} | SELECTING
    table = own | {name: MODEL[name] for name in WORD_OPTIONS}
    check_options(options, table=table)
    options = {**DEFAULTS, **options}
    values = {name: options.get(name, option.default) for name, option in own.items()}
    if values["alpha"] == 0:
        raise OptionError("alpha=0 is not allowed here: a bucket that is new to the target would rule a document out")
    cut = with_defaults({name: value for name, value in options.items() if name in WORD_OPTIONS})
    check_cut(cut)
    return Settings(number, Analyzer.of(cut), **values)


TargetSource: TypeAlias = "Source | Mapping[str, float] | Mapping[Path, float]"
"""One source, or several files with their shares."""


@dataclass(frozen=True)
class Target:
    """Documents that the chosen ones should resemble.

    Attributes
    ----------
    source : source
        Where the documents are.
    name : str
        The name for messages and reports.
    share : float
        The share of the chosen documents that resemble this target.
    """

    source: Source
    name: str
    share: float = 1.0


def targets_of(source: TargetSource) -> list[Target]:
    """The targets that a source names. The files of a list or a glob are one target.

    Examples
    --------
    >>> [(each.name, each.share) for each in targets_of({"wiki.jsonl": 3, "books.jsonl": 1})]
    [('wiki.jsonl', 0.75), ('books.jsonl', 0.25)]
    """
    if not isinstance(source, Mapping):
        return [Target(source, _name_of(source))]
    total = 0.0
    for path, share in source.items():
        if not isinstance(share, int | float) or isinstance(share, bool) or not 0 < share < math.inf:
            raise OptionError(f"the share of the target {name_of(path)} must be a number > 0, but is {share!r}")
        total += share
    if not source:
        raise OptionError("there is no target: give a file of documents that the chosen ones should resemble")
    return [Target(path, name_of(path), share / total) for path, share in source.items()]


def _name_of(source: Source) -> str:
    if not are_places(source):
        return "a frame"
    places = source if isinstance(source, list | tuple) else [source]
    return ", ".join(map(name_of, places))


def numbers_of(number: int, shares: Sequence[float]) -> list[int]:
    """How many of ``number`` documents each target gets: the largest remainders are rounded up.

    Examples
    --------
    >>> numbers_of(10, [0.7, 0.3]), numbers_of(10, [1 / 3, 1 / 3, 1 / 3])
    ([7, 3], [4, 3, 3])
    """
    exact = [number * share for share in shares]
    numbers = [math.floor(each) for each in exact]
    by_remainder = sorted(range(len(shares)), key=lambda at: (numbers[at] - exact[at], at))
    for at in by_remainder[: number - sum(numbers)]:
        numbers[at] += 1
    return numbers


@dataclass(frozen=True)
class Part:
    """A file or a frame.

    Attributes
    ----------
    source : source
        What is read.
    name : str
        Its name for messages and reports.
    path : Path or None
        The file; None for a frame.
    """

    source: Source
    name: str
    path: Path | None = None

    @property
    def size(self) -> int:
        """The number of bytes of the file; 0 if it is not known."""
        return self.path.stat().st_size if self.path is not None and self.path.is_file() else 0

    def corpus(
        self,
        reading: ReadingOptions,
        observe: Callable[[int, int, int | None], None] | None = None,
        *,
        whole: bool = False,
    ) -> Corpus:
        """The documents, without labels."""
        return Corpus(self.source, reading, labelled=False, whole=whole, observe=observe)


def parts_of(source: Source) -> list[Part]:
    """The parts of a source, in order. ``SourceError`` if one can be read only once.

    Examples
    --------
    >>> [part.name for part in parts_of(["b.jsonl", "a.jsonl"])]
    ['b.jsonl', 'a.jsonl']
    """
    corpus = Corpus(source, labelled=False)
    corpus.check_rereadable("Selecting documents")
    if not are_places(source):
        return [Part(source, "the frame")]
    return [Part(path, name_of(path), path) for path in places_of(source) if path is not None]


def with_column(parts: list[Part], reading: ReadingOptions) -> ReadingOptions:
    """How all parts are read: with the text column that is guessed in the first one, unless one is given."""
    if reading.text is not None:
        return reading
    corpus = parts[0].corpus(reading)
    for _ in corpus.files():
        break
    return replace(reading, text=corpus.columns.text) if corpus.columns else reading


def without_empty(parts: list[Part]) -> list[Part]:
    """The parts that are not files without rows, such as the last one of many; all of them, if they all are empty."""
    return [part for part in parts if part.path is None or not is_empty(part.path)] or parts


def check_distinct(parts: list[Part]) -> None:
    """Raise ``SourceError`` if a file is named twice: its rows would be chosen twice.

    Examples
    --------
    >>> check_distinct(parts_of(["a.jsonl", "./a.jsonl"]))
    Traceback (most recent call last):
    likely.errors.SourceError: the raw file a.jsonl is given twice: leave one out
    """
    seen = set()
    for part in parts:
        if part.path is not None and (place := part.path.absolute()) in seen:
            raise SourceError(f"the raw file {part.name} is given twice: leave one out")
        if part.path is not None:
            seen.add(place)


if TYPE_CHECKING:
    from collections.abc import Callable

    Observe: TypeAlias = Callable[[int, int, int | None], None]


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


FORMATS = (".csv", ".jsonl")


class WeightsFile:
    """Writes one row per raw document: its file, its row there (from 1), its words, and its log importance weights.

    A row that cannot be read has neither words nor weights.

    Parameters
    ----------
    sink : Sink
        Where the rows go.
    name : str
        The name of the file, which says whether it is CSV or JSON Lines.
    targets : list of str
        The names of the targets. If there are several, each has a column of its own.
    """

    def __init__(self, sink: Sink, name: str, targets: list[str]) -> None:
        check_weights_name(name)
        self._sink = sink
        self._is_csv = name.lower().endswith(".csv")
        weights = ["log_weight"] if len(targets) == 1 else [f"log_weight_{at}" for at in range(1, len(targets) + 1)]
        self._columns = ["file", "row", "words", *weights]
        if self._is_csv:
            sink.write((",".join(self._columns) + "\n").encode())

    def add(
        self,
        file: str,
        before: int,
        sums: npt.NDArray[np.int64],
        words: npt.NDArray[np.uint64],
        problems: Mapping[int, str],
    ) -> None:
        """Write the rows of a batch, of which ``before`` rows of the file precede."""
        weights = (sums / UNIT).tolist()
        nothing = [None] * (1 + sums.shape[1])
        rows = (
            [file, before + at + 1, *(nothing if at in problems else [number, *weights[at]])]
            for at, number in enumerate(words.tolist())
        )
        if self._is_csv:
            lines = io.StringIO()
            csv.writer(lines, lineterminator="\n").writerows(rows)
            self._sink.write(lines.getvalue().encode("utf-8", "surrogateescape"))
        else:
            self._sink.write(
                "".join(json.dumps(dict(zip(self._columns, row, strict=True))) + "\n" for row in rows).encode()
            )


def check_weights_name(name: str) -> None:
    """Raise ``SourceError`` if the name of the file does not say how it is written.

    Examples
    --------
    >>> check_weights_name("weights.xls")
    Traceback (most recent call last):
    likely.errors.SourceError: weights.xls: weights are written as .csv or .jsonl: name such a file
    """
    if not name.lower().endswith(FORMATS):
        raise SourceError(f"{name}: weights are written as {' or '.join(FORMATS)}: name such a file")


def select(
    target: TargetSource,
    raw: Source,
    number: int,
    *,
    output: AnyPath | None = None,
    weights: AnyPath | None = None,
    target_text: str | None = None,
    observe: Callable[[int, int, int | None], None] | None = None,
    **options: object,
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

    return replace(selection, written=write(selection, output, selecting.meter))


class _Selecting:
    """The steps of `select`."""

    def __init__(
        self,
        settings: Settings,
        targets: list[Target],
        parts: list[Part],
        reading: ReadingOptions,
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

    def run(self, output: AnyPath | None, weights: AnyPath | None) -> Selection:
        """The selection; nothing of it is written yet, except for the weights."""
        self._check_places(output, weights)
        numbers = numbers_of(self.settings.number, [target.share for target in self.targets])
        tables = [self._counts(parts, with_column(parts, self.target_reading)) for parts in self.target_parts]
        for target, counts in zip(self.targets, tables, strict=True):
            if not counts.any():
                raise SourceError(f"the target {target.name} has no words: nothing can resemble it")
        counted = self._weigher().count(self.parts, self.reading)
        if output is not None:
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

    def _check_places(self, output: AnyPath | None, weights: AnyPath | None) -> None:
        """Raise ``SourceError`` if what is written cannot be, or would replace what is read."""
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

    def _counts(self, parts: list[Part], reading: ReadingOptions) -> npt.NDArray[np.uint64]:
        """How many n-grams of a target fall into each bucket."""
        lanes = Lanes(self.settings.processors, len(parts))
        counted = Weigher(self.settings, lanes, self.meter).count(parts, reading)
        return _summed(counted)

    def _weights_file(self, path: AnyPath | None, open_files: ExitStack) -> WeightsFile | None:
        if path is None:
            return None
        from likely.reading.atomic import replacing

        sink = open_files.enter_context(replacing(path))
        return WeightsFile(sink, str(path), [target.name for target in self.targets])


def _summed(counted: list[Counted]) -> npt.NDArray[np.uint64]:
    """The counts of all parts."""
    total: npt.NDArray[np.uint64] = np.sum([each.counts for each in counted], axis=0, dtype=np.uint64)
    return total


def write_parquet_rows(path: Path, rows: npt.NDArray[np.int64], sink: Sink) -> None:
    """Write the rows with these numbers, which ascend."""
    pa = extra("pyarrow", "Writing Parquet")
    pq = extra("pyarrow.parquet", "Writing Parquet")
    try:
        with pq.ParquetFile(path) as file:
            kind = file.metadata.row_group(0).column(0).compression if file.metadata.num_row_groups else "ZSTD"
            place = pa.PythonFile(sink, mode="w")
            with pq.ParquetWriter(place, file.schema_arrow, compression=kind.lower()) as writer:
                first = 0
                for batch in file.iter_batches(ROWS_OF_GROUP):
                    wanted = rows[(rows >= first) & (rows < first + batch.num_rows)] - first
                    if len(wanted):
                        writer.write_batch(batch.take(pa.array(wanted)))
                    first += batch.num_rows
    except pa.ArrowException as error:
        raise SourceError(f"{name_of(path)}: its rows cannot be written: {error}") from error


WRITTEN = ("jsonl", "csv", "tsv", "lines", "fasttext", "parquet")
"""The formats whose rows can be written as they are."""


def write(selection: Selection, output: AnyPath, meter: Meter | None = None) -> list[str]:
    """Write the chosen rows; return the names of the new files. A file without chosen rows is not written."""
    raw, place = selection.raw, Path(output)
    check_output(place, raw.parts)
    check_formats(raw.parts, raw.formats)
    rows = dict(zip(map(id, raw.parts), selection.files.values(), strict=True))
    formats = dict(zip(map(id, raw.parts), raw.formats, strict=True))
    copying = _Copying(rows, formats, raw.reading, meter or Meter(None, 0))
    if is_one_file(place):
        return copying.to_file(place, raw.parts)
    return copying.to_folder(place, raw.parts, Lanes(selection.settings.processors, len(raw.parts)))


@dataclass(frozen=True)
class _Copying:
    """Copies rows of parts, whose ``rows`` and ``formats`` are known by the `id` of the part."""

    rows: dict[int, Rows]
    formats: dict[int, list[str]]
    reading: ReadingOptions
    meter: Meter

    def to_folder(self, folder: Path, parts: list[Part], lanes: Lanes) -> list[str]:
        """Write one file per part."""
        places = {id(part): folder / name for part, name in zip(parts, output_names(parts), strict=True)}
        _check_stale([places[id(part)] for part in parts if not len(self.rows[id(part)])])

        def work(part: Part) -> str:
            place = places[id(part)]
            with _new_file(place, self.formats[id(part)]) as file:
                self._copy(part, file, lanes)
            return name_of(place)

        return lanes.run(work, [part for part in parts if len(self.rows[id(part)])])

    def to_file(self, place: Path, parts: list[Part]) -> list[str]:
        """Write the rows of all parts to one file."""
        kinds = sorted({kind for part in parts for kind in self.formats[id(part)]})
        if len(kinds) > 1 or (len(parts) > 1 and kinds[0] in ("csv", "tsv", "parquet")):
            raise SourceError(
                f"{name_of(place)}: the rows of several files ({' and '.join(NAMES[kind] for kind in kinds)}) cannot "
                "be written to one file: name a folder"
            )
        with _new_file(place, kinds) as file:
            for part in parts:
                if len(self.rows[id(part)]):
                    self._copy(part, file, Lanes(1, 1))
        return [name_of(place)]

    def _copy(self, part: Part, sink: Sink, lanes: Lanes) -> None:
        rows = self.rows[id(part)]
        if self.formats[id(part)] == ["parquet"]:
            write_parquet_rows(cast("Path", part.path), rows, sink)
            return
        encoded, first = EncodedSink(sink, None), 0
        for reader, batches in part.corpus(self.reading, self.meter.one_file(), whole=True).files():
            encoded.follow(reader)
            encoded.write(_header(reader))
            for batch in lanes.batches(batches):
                start, end = np.searchsorted(rows, [first, first + len(batch.texts)])
                if start < end:
                    encoded.write(_joined(cast("Lines", batch.lines), rows[start:end] - first))
                first += len(batch.texts)
                if end == len(rows):
                    return
        raise changed(part)


def _header(reader: Reader) -> bytes:
    """What precedes the rows of a file: the header of separated values."""
    if not isinstance(reader, CsvReader):
        return b""
    return b"".join(line + reader.line_end for line in (reader.declaration, reader.header) if line is not None)


def _joined(lines: Lines, wanted: Rows) -> bytes:
    """Some rows with their line ends. The last row of a file may lack its own."""
    chunk = lines.chunk
    parts: list[bytes] = []
    for start, end in zip(lines.starts[wanted].tolist(), lines.ends[wanted].tolist(), strict=True):
        parts += (chunk[start:end], b"\r\n" if chunk[end : end + 2] == b"\r\n" else b"\n")
    return b"".join(parts)


@contextmanager
def _new_file(place: Path, formats: list[str]) -> Iterator[Sink]:
    """A file that appears when it is complete, compressed as its name says. Parquet compresses by itself."""
    suffix = place.suffix.lower()
    file = OutputFile(place, suffix if suffix in COMPRESSED and "parquet" not in formats else None)
    try:
        yield file
    except BaseException as error:
        file.abandon(error)
        raise
    file.finish()


def is_one_file(output: Path) -> bool:
    """Whether the output is one file: it is not a folder, and its name is that of a table.

    Examples
    --------
    >>> is_one_file(Path("out.jsonl.gz")), is_one_file(Path("out"))
    (True, False)
    """
    return not output.is_dir() and format_by_name(output) is not None


def output_names(parts: list[Part]) -> list[str]:
    """The name of each file in the folder of the output: that of the raw file, below the folder of all raw files.

    Examples
    --------
    >>> from likely.batch.select import parts_of
    >>> output_names(parts_of(["web/a/1.jsonl", "web/b/1.jsonl"]))
    ['a/1.jsonl', 'b/1.jsonl']
    """
    paths = [os.path.abspath(part.path) for part in parts if part.path is not None]
    folder = os.path.commonpath([os.path.dirname(path) for path in paths])
    return [os.path.relpath(path, folder) for path in paths]


def check_output(output: AnyPath, parts: list[Part], targets: list[Part] | None = None) -> None:
    """Raise ``SourceError`` if the output cannot be written, before anything is read."""
    place = Path(output)
    if any(part.path is None for part in parts):
        raise SourceError("a frame has no file to write to: take its rows by their numbers, selection.rows")
    for part in parts:
        if cast("Path", part.path).is_dir():
            raise SourceError(f"{part.name} is a folder: give its files, as in '{part.name}/*.jsonl'")
    if place.exists() and not place.is_dir() and not is_one_file(place):
        raise SourceError(f"{name_of(place)} is a file: name a folder, or a file such as selected.jsonl")
    new = [place] if is_one_file(place) else [place / name for name in output_names(parts)]
    check_not_read(new, [*parts, *(targets or [])])


def check_not_read(new: Iterable[AnyPath], parts: list[Part]) -> None:
    """Raise ``SourceError`` if a new file would replace a file that is read."""
    read = {os.path.realpath(part.path) for part in parts if part.path is not None}
    for path in new:
        if os.path.realpath(path) in read:
            raise SourceError(f"{name_of(path)} is read, and would be replaced: write to another place")


def check_formats(parts: list[Part], formats: list[list[str]]) -> None:
    """Raise ``SourceError`` for a file whose rows cannot be written as they are."""
    for part, found in zip(parts, formats, strict=True):
        if len(found) != 1:
            raise SourceError(f"{part.name} has several files: unpack it, and give the files")
        if found[0] not in WRITTEN:
            raise SourceError(
                f"{part.name} is {NAMES[found[0]]}, whose rows cannot be written as they are: convert it to JSON "
                "Lines, CSV or Parquet"
            )


def _check_stale(places: list[Path]) -> None:
    """Raise ``SourceError`` if a file of an earlier run is there that would not be replaced."""
    for place in places:
        if place.exists():
            raise SourceError(
                f"{name_of(place)} is there already, and no row of that raw file was chosen now: remove it, or "
                "choose another folder"
            )
