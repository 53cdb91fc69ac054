"""`filter_files`: the rows of many files that match an expression."""

from __future__ import annotations

import bz2
import glob
import hashlib
import io
import json
import os
import time
import zlib
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

import numpy as np

from likely import _native
from likely.batch.predictions import Output, Predictions, without_problems
from likely.batch.where import Screen, Where
from likely.batch.writers import EncodedSink
from likely.core.file import to_bytes
from likely.errors import ResumeError, SourceError
from likely.model.naive_bayes import NaiveBayes, load
from likely.options.reading import reading_of
from likely.reading.atomic import replacing
from likely.reading.corpus import STANDARD_INPUT, Corpus, ahead, places_of
from likely.reading.formats import compression_of, format_by_name, is_table
from likely.reading.stream import is_empty, name_of
from likely.reading.tables import TableReader
from likely.terminal import counted, percent, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from _typeshed import ReadableBuffer

    from likely.batch.writers import Writer
    from likely.core.scorer import Answers
    from likely.options.reading import ReadingOptions
    from likely.reading.batch import Batch, Chosen, Lines, Reader
    from likely.reading.corpus import Places
    from likely.types import Mask, Prior


@dataclass(frozen=True)
class Begun:
    """A file was opened."""

    job: Job
    reader: Reader


@dataclass(frozen=True)
class Rows:
    """Some rows were read."""

    batch: Batch
    read: int
    """The number of bytes of the rows."""
    position: int
    """How far the file has been read, in bytes of the file."""


@dataclass(frozen=True)
class ScoredRows:
    """Some rows were scored."""

    rows: Rows
    answers: Answers | None
    """What the model answers; None if nothing of it is written."""
    matches: Mask


@dataclass(frozen=True)
class Ended:
    """A file was read to its end."""

    job: Job
    skipped: int
    """The number of rows that could not be read."""
    notes: tuple[str, ...] = ()
    """What was decided while it was read: that another column was taken for the text, for example."""


@dataclass(frozen=True)
class Failed:
    """A file could not be read to its end, or new columns cannot be added to its rows."""

    job: Job
    error: SourceError


Step = Begun | Rows | ScoredRows | Ended | Failed


def steps(
    jobs: list[Job], reading: ReadingOptions, columns: Chosen | None, predictions: Predictions, screen: Screen
) -> Iterator[Step]:
    """What happens, file by file, up to the rows that are to be written. ``columns`` are those of the model."""
    return ahead(_scored(ahead(_read(jobs, reading, columns, predictions.check)), predictions, screen))


def _read(
    jobs: list[Job], reading: ReadingOptions, columns: Chosen | None, check: Callable[[Reader], None]
) -> Iterator[Begun | Rows | Ended | Failed]:
    for job in jobs:
        corpus = Corpus(job.source, reading, labelled=False, whole=True)
        corpus.expect(columns)
        try:
            for reader, batches in corpus.files():
                check(reader)
                yield Begun(job, reader)
                for batch in batches:
                    yield Rows(batch, _size(batch), reader.position())
            yield Ended(job, corpus.skipped.count, tuple(corpus.notes()))
        except SourceError as error:
            yield Ended(job, 0) if is_empty(job.source) else Failed(job, error)


def _scored(
    items: Iterator[Begun | Rows | Ended | Failed], predictions: Predictions, screen: Screen
) -> Iterator[Step]:
    is_copied = False
    for item in items:
        if isinstance(item, Begun):
            is_copied = predictions.copies(item.reader)
        if not isinstance(item, Rows):
            yield item
        elif is_copied:
            yield ScoredRows(item, None, without_problems(item.batch, screen(item.batch.texts)))
        else:
            answers = predictions.answers(item.batch)
            matches = predictions.matching(item.batch, answers)
            if matches is not None:
                yield ScoredRows(item, answers, matches)


def _size(batch: Batch) -> int:
    """The number of bytes of some rows: with all fields, if they are lines."""
    if batch.lines is None:
        return batch.texts.nbytes
    return int((batch.lines.ends - batch.lines.starts).sum()) + len(batch.lines.starts)


_FORMATS = ("csv", "tsv", "jsonl", "parquet", None)
"""The formats that can be filtered. A file whose name does not tell its format is judged when it is read."""


@dataclass(frozen=True)
class Job:
    """A file to filter.

    Attributes
    ----------
    source : Path
        The file that is read.
    name : str
        Its name below the folder of the output, with slashes.
    """

    source: Path
    name: str

    def target(self, folder: Path) -> Path:
        """The file that is written."""
        return folder / self.name


def jobs_of(source: Places, folder: Path) -> list[Job]:
    """One job per file that a source names, in the order of their names.

    A file from a folder or a glob keeps its place below it: below ``web`` for ``web``, ``web/*.jsonl`` and
    ``web/**/*.jsonl``.
    """
    jobs = [
        job
        for each in ([source] if isinstance(source, str | os.PathLike) else source)
        for job in _jobs_of_one(os.fspath(each), folder)
    ]
    seen: dict[str, Path] = {}
    for job in jobs:
        if job.name in seen:
            raise SourceError(
                f"{name_of(seen[job.name])} and {name_of(job.source)} would both become {name_of(job.name)}: "
                "give their common folder, or filter them into two folders"
            )
        seen[job.name] = job.source
        _check(job, folder)
    return sorted(jobs, key=lambda job: job.name)


def _jobs_of_one(source: str, folder: Path) -> list[Job]:
    if source == STANDARD_INPUT:
        raise SourceError("standard input is not a file: name files, or write to standard output")
    path = Path(source)
    if path.is_dir():
        inside = [each for each in sorted(path.rglob("*")) if each.is_file() and _is_data(each, path, folder)]
        if not inside:
            raise SourceError(f"{name_of(path)} has no file of JSON Lines, CSV or Parquet")
        return [Job(each, each.relative_to(path).as_posix()) for each in inside]
    if path.exists() or not glob.has_magic(source):
        return [Job(path, path.name)]
    base = _fixed_part(path)
    found = [each for each in places_of(source) if each is not None and each.is_file()]
    return [Job(each, each.relative_to(base).as_posix()) for each in found if not _is_output(each, base, folder)]


def _is_data(path: Path, base: Path, folder: Path) -> bool:
    """Whether a file in a folder is read: its name stands for a table, and neither it nor its folder is hidden."""
    parts = path.relative_to(base).parts
    hidden = any(part.startswith((".", "_")) for part in parts)
    return is_table(path) and not hidden and not _is_output(path, base, folder)


def _is_output(path: Path, base: Path, folder: Path) -> bool:
    """Whether a file below ``base`` is from earlier work: it is in the folder of the output, which is there, too."""
    output = folder.resolve()
    return output in path.resolve().parents and base.resolve() in output.parents


def _fixed_part(pattern: Path) -> Path:
    """The folder in which a glob begins to search.

    Examples
    --------
    >>> _fixed_part(Path("web/2026/*/a?.jsonl")), _fixed_part(Path("*.jsonl"))
    (PosixPath('web/2026'), PosixPath('.'))
    """
    fixed = []
    for part in pattern.parts[:-1]:
        if glob.has_magic(part):
            break
        fixed.append(part)
    return Path(*fixed)


def _check(job: Job, folder: Path) -> None:
    """Raise ``SourceError`` if a file cannot be filtered, or would be replaced by itself."""
    if not job.source.is_file():
        raise SourceError(f"{name_of(job.source)} is not a file")
    if format_by_name(job.source) not in _FORMATS or job.source.suffix.lower() == ".zip":
        raise SourceError(
            f"{name_of(job.source)} cannot be filtered into a file of its format: use JSON Lines, CSV or Parquet"
        )
    target = job.target(folder)
    if target.exists() and target.samefile(job.source):
        raise SourceError(f"{name_of(target)} cannot be read and written at the same time: choose another folder")


ZSTD_LEVEL, GZIP_LEVEL = 3, 6
"""The levels that the commands ``zstd`` and ``gzip`` use by default."""
_GZIP_HEADER = 16
"""What zlib adds to its window bits to write the header and the checksum of gzip."""


class _Compressor(Protocol):
    """Compresses bytes that come in pieces."""

    def compress(self, data: bytes, /) -> bytes:
        """The compressed bytes that are ready."""

    def flush(self) -> bytes:
        """The last compressed bytes."""


class _Zstd:
    """Compresses with Zstandard."""

    def __init__(self) -> None:
        self._native = _native.ZstdWriter(ZSTD_LEVEL)
        self.compress = self._native.feed
        self.compress_lines = self._native.feed_lines
        self.flush = self._native.finish


def compressor(suffix: str | None) -> _Compressor | None:
    r"""What compresses a file with this suffix; None if it is not compressed. The same bytes become the same bytes.

    Examples
    --------
    >>> import gzip
    >>> gz = compressor(".gz")
    >>> gzip.decompress(gz.compress(b"text") + gz.flush()), compressor(None)
    (b'text', None)
    """
    if suffix == ".gz":
        return zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS + _GZIP_HEADER)
    return {".zst": _Zstd, ".bz2": bz2.BZ2Compressor}[suffix]() if suffix else None


class OutputFile(io.RawIOBase):
    """A file to write to. It appears under its name when it is finished, and not if it is abandoned or killed.

    Parameters
    ----------
    path : Path
        The file. Its folder is created if necessary.
    suffix : str or None
        How it is compressed: ``.gz``, ``.bz2``, ``.zst`` or None.
    """

    def __init__(self, path: Path, suffix: str | None) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._stack = ExitStack()
        self._file: BinaryIO = self._stack.enter_context(replacing(path))
        self._compressor = compressor(suffix)
        self._written = 0

    def write(self, data: ReadableBuffer, /) -> int:
        """Write some bytes."""
        piece = data if isinstance(data, bytes) else bytes(data)
        self._file.write(self._compressor.compress(piece) if self._compressor else piece)
        self._written += len(piece)
        return len(piece)

    def write_lines(self, lines: Lines, line_end: bytes) -> None:
        """Write some rows, each with this line end. The compressor of Zstandard takes them from where they are."""
        if not isinstance(self._compressor, _Zstd) or lines.instead:
            self.write(lines.joined(line_end))
            return
        self._file.write(self._compressor.compress_lines(lines.chunk, lines.starts, lines.ends, line_end))
        self._written += int((lines.ends - lines.starts).sum()) + len(lines.starts) * len(line_end)

    def writable(self) -> bool:
        """Whether bytes can be written: they can."""
        return True

    def tell(self) -> int:
        """The number of bytes that were written, before compression."""
        return self._written

    def finish(self) -> None:
        """Write what is left, and let the file appear."""
        if self._compressor:
            self._file.write(self._compressor.flush())
        self._stack.close()

    def abandon(self, error: BaseException) -> None:
        """Give up after an error, so that the file does not appear."""
        self._stack.__exit__(type(error), error, error.__traceback__)


NAME = ".likely_filter.jsonl"
"""The name of the file. Globs and programs that read whole folders skip names that begin with a dot."""
_VERSION = 1
_AGAIN = "write to another folder, or start over with overwrite=True (--overwrite)"


@dataclass(frozen=True)
class Done:
    """What became of one file: the numbers of its rows, and of its bytes before compression."""

    rows: int
    kept: int
    skipped: int
    read: int


class Record:
    """The record of a folder, which is locked as long as it is open.

    Parameters
    ----------
    folder : Path
        The folder of the output. It is created if necessary.
    task : mapping
        What is done with every file, by the name that a message has for it. A folder has one task only.
    overwrite : bool
        Whether to forget what was done before.
    jobs : list of Job
        The files that are filtered. What was done before must not stay beside other results.
    """

    def __init__(
        self, folder: Path, task: Mapping[str, object], *, overwrite: bool, jobs: Sequence[Job] = ()
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._file: BinaryIO = (folder / NAME).open("a+b")
        try:
            _lock(self._file, folder)
            self._done: dict[str, dict[str, object]] = {}
            self._begun: set[str] = set()
            self._is_fresh = overwrite
            if overwrite:
                self._check_replaced({job.name for job in jobs})
            if overwrite or not self._read(task):
                self._file.truncate(0)
                self._append({"version": _VERSION, **task})
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the file, which unlocks the folder."""
        self._file.close()

    def done(self, job: Job) -> Done | None:
        """What became of a file, if it is finished. Raise ``ResumeError`` if the file has changed since."""
        known = self._done.get(job.name)
        if known is None or not job.target(self._folder).exists():
            return None
        if {name: known[name] for name in ("bytes", "modified")} != _state(job):
            raise ResumeError(
                f"{name_of(job.source)} has changed since it was filtered into {name_of(self._folder)}: {_AGAIN}"
            )
        return Done(**{name: int(str(known[name])) for name in Done.__dataclass_fields__})

    def check_free(self, job: Job) -> None:
        """Raise ``ResumeError`` if a file that is not from this work would be replaced."""
        is_ours = self._is_fresh or job.name in self._begun
        if not is_ours and job.target(self._folder).exists():
            raise ResumeError(f"{name_of(job.target(self._folder))} exists and is not from this work: {_AGAIN}")

    def begin(self, job: Job) -> None:
        """Record that a file is about to be written, so that it may be replaced after a kill."""
        self._begun.add(job.name)
        self._append({"begun": job.name})

    def add(self, job: Job, done: Done) -> None:
        """Record that a file is finished."""
        entry = {"file": job.name, **_state(job), **asdict(done)}
        self._done[job.name] = entry
        self._append(entry)

    def _append(self, entry: Mapping[str, object]) -> None:
        self._file.write(json.dumps(entry).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, task: Mapping[str, object]) -> bool:
        """Read what was recorded; return False if it is nothing. A last line that is not complete is dropped."""
        self._file.seek(0)
        lines = self._file.read()
        whole = lines[: lines.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        try:
            entries = [json.loads(line) for line in whole.splitlines()]
        except ValueError as error:
            raise ResumeError(f"{name_of(self._folder / NAME)} is damaged: {_AGAIN}") from error
        for name, value in {"version": _VERSION, **task}.items() if entries else ():
            if entries[0].get(name) != value:
                raise ResumeError(self._other(name, entries[0].get(name), value))
        self._begun = {entry["begun"] for entry in entries if "begun" in entry}
        self._done = {entry["file"]: entry for entry in entries if "file" in entry}
        return bool(entries)

    def _check_replaced(self, names: set[str]) -> None:
        """Raise ``ResumeError`` if a file of earlier work would stay."""
        self._file.seek(0)
        for name in sorted(set(_finished(self._file.read())) - names):
            if (self._folder / name).exists():
                raise ResumeError(
                    f"{name_of(self._folder / name)} is from earlier work and would stay, because its input is not "
                    "filtered now: remove it, or write to another folder"
                )

    def _other(self, name: str, before: object, now: object) -> str:
        is_short = isinstance(before, str) and name != "model"
        told = f" ({printable(before)}, and now {printable(now)})" if is_short else ""
        return f"{name_of(self._folder)} has results of other work, because the {name} is another one{told}: {_AGAIN}"


def _finished(lines: bytes) -> Iterator[str]:
    """The names of finished files in a record, which may be damaged."""
    for line in lines.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and isinstance(entry.get("file"), str):
            yield entry["file"]


def _state(job: Job) -> dict[str, object]:
    """By what a changed file is recognised."""
    found = job.source.stat()
    return {"bytes": found.st_size, "modified": found.st_mtime_ns}


def _lock(file: BinaryIO, folder: Path) -> None:
    """Lock a file as long as it is open, where the system can do so. The lock ends with the process."""
    try:
        import fcntl
    except ModuleNotFoundError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise ResumeError(f"another process is writing to {name_of(folder)}: wait for it, or end it") from error


MOST_NOTES = 10
_MAGIC = 8
"""The number of bytes at the start of a file that tell how it is compressed."""


@dataclass
class Filtered:
    """What became of the files.

    Attributes
    ----------
    files : int
        The number of files that were written.
    already : int
        The number of files that were finished before, and were skipped.
    rows, kept, skipped : int
        The numbers of rows that were read, that match, and that could not be read; with those of the skipped files.
    read : int
        The number of bytes that were read, before compression, without those of the skipped files.
    seconds : float
        The time.
    unread : dict
        The files that could not be read to their end, or that have a column of the name of a new one already, and
        why. Nothing was written for them.
    notes : list of str
        What was decided while files were read, such as which column was taken for the text where that of the model is
        missing: the first ten lines.

    Examples
    --------
    >>> print(Filtered(files=2, rows=1000, kept=250, read=30_000_000, seconds=0.5))
    kept 250 of 1,000 rows (25.0 %), 2 files, 60.0 MB/s
    """

    files: int = 0
    already: int = 0
    rows: int = 0
    kept: int = 0
    skipped: int = 0
    read: int = 0
    seconds: float = 0.0
    unread: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        share = f" ({percent(self.kept / self.rows)})" if self.rows else ""
        before = f", {self.already:,} finished before" if self.already else ""
        bad = f", {counted(self.skipped, 'row')} could not be read" if self.skipped else ""
        speed = f", {self.read / 1e6 / self.seconds:.1f} MB/s" if self.read and self.seconds else ""
        kept = f"kept {self.kept:,} of {counted(self.rows, 'row')}{share}"
        return f"{kept}, {counted(self.files, 'file')}{before}{bad}{speed}"

    def add(self, done: Done) -> None:
        """Add the rows of a file."""
        self.rows += done.rows
        self.kept += done.kept
        self.skipped += done.skipped


@dataclass(frozen=True)
class Wish:
    """What is written.

    Attributes
    ----------
    only_matching : bool
        Whether only the rows that match are written; otherwise all are, with a column ``matches``.
    proba, top, name
        As for `Predictions`.
    prior : {"fitted", "uniform"}, mapping or None
        As for `NaiveBayes.predict`.
    overwrite : bool
        Whether to replace the results of earlier work.
    fingerprint : str, optional
        By what another model is recognised. Default: a hash of the model, which takes a moment to compute.
    """

    only_matching: bool = True
    proba: bool = False
    top: int | None = None
    name: str = "prediction"
    prior: Prior | None = None
    overwrite: bool = False
    fingerprint: str | None = None


def filter_files(
    model: NaiveBayes | str | os.PathLike[str],
    source: Places,
    output: str | os.PathLike[str],
    where: str | Where,
    *,
    wish: Wish | None = None,
    observe: Callable[[int, int, int, int], None] | None = None,
    **reading: object,
) -> Filtered:
    r"""The numbers of rows that match, after the matching rows of each file were written to a file of the same name.

    The files in the folder ``output`` have the names and formats of those that are read, and are compressed as those
    are. A row that matches is written as it was, byte by byte. Each file appears when it is complete. If the work is
    killed and called again, the finished files are skipped. A file in the folder records what is done; if the model,
    the expression or a finished file has changed since, ``ResumeError`` is raised.

    Parameters
    ----------
    model : NaiveBayes or path
        The model.
    source : path, glob, or several of them
        Files of JSON Lines, CSV or Parquet, also compressed with gzip, bzip2 or Zstandard; or folders of such files.
    output : path
        The folder to write to.
    where : str or Where
        The expression, such as ``"p(good) >= 0.8 and known > 0.3"``; see `Where`.
    wish : Wish, optional
        What is written. Default: the matching rows, without new columns.
    observe : callable, optional
        Called after each batch with the numbers of rows, of bytes of the files that were read, of those in all, and
        of bytes before compression.
    reading
        How the files are read, as for `likely.train`: ``text="body"`` names the column with the texts.

    Examples
    --------
    >>> import tempfile
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["so good", "so bad"], ["good", "bad"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pages = Path(folder, "pages.jsonl")
    ...     _ = pages.write_text('{"id": 1, "text": "good"}\n{"id": 2, "text": "bad"}\n')
    ...     found = filter_files(model, pages, Path(folder, "out"), "p(good) > 0.5")
    ...     print(found.kept, found.rows, Path(folder, "out", "pages.jsonl").read_text())
    1 2 {"id": 1, "text": "good"}
    """
    wish = wish or Wish()
    where = Where.parse(where) if isinstance(where, str) else where
    task: dict[str, object] = {"model": wish.fingerprint or fingerprint(model)}
    model = load(model) if not isinstance(model, NaiveBayes) else model
    labels = model.classes_.tolist()
    where.check(labels)
    task |= {
        "expression": str(where),
        "options of the model": {
            name: repr(value) for name, value in model.get_params().items() if name != "threads"
        },
        "output": repr((wish.only_matching, wish.proba, wish.top, wish.name, wish.prior)),
        "options of reading": repr(sorted(reading.items())),
    }
    predictions = Predictions(
        model,
        wish.name,
        wish.proba,
        wish.top,
        wish.prior,
        lambda texts, answers: where.of_answers(texts, answers, labels),
        wish.only_matching,
    )
    folder = Path(output)
    jobs = jobs_of(source, folder)
    record = Record(folder, task, overwrite=wish.overwrite, jobs=jobs)
    work = _Work(folder, record, predictions, observe)
    try:
        left = work.left(jobs)
        screen = Screen(where, model, wish.prior)
        for step in steps(left, reading_of(reading), model.columns_, predictions, screen):
            work.take(step)
        return work.finished()
    except BaseException as error:
        work.abandon(error)
        raise
    finally:
        record.close()


class _Work:
    """Writes the results of the steps."""

    def __init__(
        self,
        folder: Path,
        record: Record,
        predictions: Predictions,
        observe: Callable[[int, int, int, int], None] | None,
    ) -> None:
        self._folder, self._record, self._predictions, self._observe = folder, record, predictions, observe
        self._found = Filtered()
        self._begun = time.monotonic()
        self._total = self._before = 0
        self._open: _Open | None = None

    def left(self, jobs: list[Job]) -> list[Job]:
        """The files that are not finished yet."""
        left = []
        for job in jobs:
            done = self._record.done(job)
            if done is None:
                self._record.check_free(job)
                self._total += job.source.stat().st_size
                left.append(job)
            else:
                self._found.add(done)
                self._found.already += 1
        return left

    def take(self, step: Step) -> None:
        """Write the result of one step."""
        if isinstance(step, Begun):
            self._record.begin(step.job)
            self._open = _Open(step, self._folder, self._predictions)
        elif isinstance(step, ScoredRows) and self._open is not None:
            self._open.write(step, self._predictions)
            self._found.read += step.rows.read
            if self._observe is not None:
                rows = self._found.rows + self._open.rows
                self._observe(rows, self._before + step.rows.position, self._total, self._found.read)
        elif isinstance(step, Ended):
            self._end(step)
        elif isinstance(step, Failed):
            self._found.unread[name_of(step.job.source)] = printable(step.error)
            self.abandon(step.error)
            self._before += step.job.source.stat().st_size

    def _end(self, step: Ended) -> None:
        if self._open is None:  # the file is empty
            self._record.begin(step.job)
            OutputFile(step.job.target(self._folder), suffix_of(step.job)).finish()
            done = Done(0, 0, 0, 0)
        else:
            done = self._open.finish(step, self._predictions)
        self._open = None
        self._record.add(step.job, done)
        self._found.add(done)
        self._found.files += 1
        self._found.notes += map(printable, step.notes[: MOST_NOTES - len(self._found.notes)])
        self._before += step.job.source.stat().st_size

    def abandon(self, error: BaseException) -> None:
        """Give up the file that is being written."""
        if self._open is not None:
            self._open.abandon(error)
            self._open = None

    def finished(self) -> Filtered:
        """What became of the files."""
        self._found.seconds = time.monotonic() - self._begun
        return self._found


class _Open:
    """A file that is being written."""

    def __init__(self, begun: Begun, folder: Path, predictions: Predictions) -> None:
        self.rows = self._kept = self._read = 0
        self._reader = begun.reader
        self._file = OutputFile(begun.job.target(folder), suffix_of(begun.job))
        try:
            sink = EncodedSink(self._file, None)
            sink.follow(begun.reader)
            self._writer: Writer = predictions.writer(begun.reader, sink, Output())
            self._writer.begin(begun.reader)
        except BaseException as error:
            self._file.abandon(error)
            raise

    def write(self, step: ScoredRows, predictions: Predictions) -> None:
        predictions.put(self._writer, step.rows.batch, step.answers, step.matches)
        self.rows += len(step.matches)
        self._kept += int(step.matches.sum())
        self._read += step.rows.read

    def finish(self, ended: Ended, predictions: Predictions) -> Done:
        empty = self._reader.no_rows() if not self.rows and isinstance(self._reader, TableReader) else None
        if empty is not None:  # a table has a schema, also if it has no rows
            predictions.put(self._writer, empty, predictions.answers(empty), np.zeros(0, np.bool_))
        self._writer.end()
        self._file.finish()
        return Done(self.rows, self._kept, ended.skipped, self._read)

    def abandon(self, error: BaseException) -> None:
        self._writer.abandon()
        self._file.abandon(error)


def suffix_of(job: Job) -> str | None:
    """How a file is compressed: ``.gz``, ``.bz2``, ``.zst`` or None, by its first bytes."""
    with job.source.open("rb") as file:
        return compression_of(file.read(_MAGIC))


def fingerprint(model: NaiveBayes | str | os.PathLike[str]) -> str:
    """By what another model is recognised."""
    data = to_bytes(model._snapshot()) if isinstance(model, NaiveBayes) else Path(model).read_bytes()
    return hashlib.sha256(data).hexdigest()
