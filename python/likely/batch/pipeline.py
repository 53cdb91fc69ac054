"""The row pipeline: read, score, decide, write. Rows go to a stream, to one file, or to a folder of files.

`RowPredictor.write` is behind ``likely predict``. `filter_files` is behind ``likely predict --where`` into a folder,
which has a record by which interrupted work is resumed.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import time
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import chain, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from likely.batch.where import Screen, Where
from likely.batch.writers import (
    OF_LINES,
    CsvWriter,
    JsonWriter,
    ParquetWriter,
    RowOutput,
    TsvWriter,
    check_free,
    copying,
    output_file,
    row_output,
    same_format,
)
from likely.core.decisions import check_unsure
from likely.core.file import to_bytes
from likely.errors import OutputError, SourceError
from likely.model.naive_bayes import NaiveBayes, load
from likely.options.reading import WRITTEN_FORMATS, ReadingOptions, reading_of
from likely.reading.batch import Batch, Reader, without_problem
from likely.reading.corpus import STANDARD_INPUT, Corpus, Places, ahead, places_of
from likely.reading.formats import compression_of, format_by_name, is_table
from likely.reading.stream import is_empty, name_of
from likely.terminal import counted, percent, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from likely.batch.writers import Column, EncodedSink, Sink, Writer
    from likely.core.scorer import Answers, Scorer
    from likely.core.shift import Shift, ShiftWatch
    from likely.reading.tables import TableReader
    from likely.types import Mask, Prior

_WRITERS: dict[str, type[Writer]] = {
    "csv": CsvWriter,
    "tsv": TsvWriter,
    "jsonl": JsonWriter,
    "parquet": ParquetWriter,
}


@dataclass(frozen=True)
class RowPredictor:
    """The columns that are added to each row, and how rows are written.

    Attributes
    ----------
    model : NaiveBayes
        The model that predicts.
    name : str
        The name of the column with the predicted label.
    proba : bool
        Whether to add the probability of the label, and the share of the terms that the model knows.
    top : int or None
        How many labels to add, the most probable ones with their probabilities.
    prior : {"fitted", "uniform"}, mapping or None
        P(class) where the rows come from; None for the model's own prior.
    where : Where, optional
        Which texts match. It fills the column ``matches``, unless ``only_matching`` is True.
    only_matching : bool
        Whether only the rows that match are written: as they were if neither ``proba`` nor ``top`` asks for columns.
    format : str or None
        One of `WRITTEN_FORMATS`; None for the input's format.
    is_format_given : bool
        Whether the format was asked for by its name: then CSV has commas, whatever the input has.
    """

    model: NaiveBayes
    name: str
    proba: bool
    top: int | None
    prior: Prior | None = None
    where: Where | None = None
    only_matching: bool = False
    format: str | None = None
    is_format_given: bool = False

    def __post_init__(self) -> None:
        if self.where is not None:
            self.where.check(self.model.classes_.tolist())

    def write(self, corpus: Corpus, sink: Sink) -> list[str]:
        """Read a corpus, and write its rows with the predictions. Return what should be known, one line each."""
        watch = self.model._watch(prior=self.prior)
        unheard = texts = 0
        with row_output(sink, self.writer) as place:
            for step in steps([(None, corpus)], self, watch):
                if isinstance(step, FileBegun):
                    place.begin(step.reader)
                elif isinstance(step, ScoredRows):
                    if step.answers is not None:
                        texts += len(step.batch.texts) - len(step.batch.problems)
                        unheard += int((step.answers.known == 0).sum()) - len(step.batch.problems)
                    self.put(place, step)
        none_known = f"{unheard:,} of {texts:,} texts have no known words; predicting from the class prior"
        return [*([none_known] if unheard else []), *_told(watch.shift()), *place.doubts()]

    @cached_property
    def scorer(self) -> Scorer:
        """One scorer for all rows, which remembers their words."""
        return self.model._scorer().remembering()

    def answers(self, batch: Batch, watch: ShiftWatch | None = None) -> Answers:
        """What the model answers about some rows."""
        scorer = self.scorer if len(batch.texts) else None  # the schema of no rows is asked for in another thread
        return self.model._predict_all(batch.texts, self._number(), prior=self.prior, watch=watch, scorer=scorer)

    def matching(self, batch: Batch, found: Answers) -> Mask | None:
        """Whether each row matches; None if that is not asked for. A row with a problem does not."""
        if self.where is None:
            return None
        matches = self.where.of_answers(batch.texts, found, self.model.classes_.tolist())
        return matches & without_problem(len(matches), batch.problems)

    def put(self, place: RowOutput, step: ScoredRows) -> None:
        """Write some rows, or those that match, with their new columns; there are none if the writer copies rows."""
        columns, matches = [], step.matches
        if step.answers is not None and place.writer is not None:
            columns = self.columns(step.answers, has_known=self._named("known") in place.writer.names)
        if matches is not None and not self.only_matching:
            columns.append(matches)
        place.put(step.batch, columns, matches if self.only_matching else None)

    def check(self, reader: Reader) -> None:
        """Raise ``SourceError`` if new columns cannot be added to the rows of a file in its own format."""
        if not self._is_unchanged:
            check_free(self.names(has_known=reader.format in ("json", "jsonl")), reader)

    def copies(self, reader: Reader) -> bool:
        """Whether rows of a file are copied without new columns."""
        is_copied = self._is_unchanged and reader.format in (*OF_LINES, "parquet")
        return is_copied and self.format in (None, same_format(reader))

    def writer(self, reader: Reader, sink: EncodedSink) -> Writer:
        """The writer for the format of the first file, unless another one is wanted."""
        if self.copies(reader):
            return copying(reader, sink)
        same = same_format(reader)
        wanted = self.format or (same if same in WRITTEN_FORMATS else "csv")
        if wanted in ("csv", "tsv"):  # JSON and Parquet have null for an abstention
            check_unsure(self.model.classes_.tolist(), self.model.abstain)
        place = sink if wanted in ("csv", "tsv") else sink.bytes  # JSON is UTF-8, whatever the input is
        names, is_asked_for = self.names(has_known=wanted == "jsonl"), self.is_format_given or wanted != same
        return _WRITERS[wanted](place, reader, names, self.model.classes_.dtype, is_asked_for=is_asked_for)

    def names(self, *, has_known: bool = False) -> list[str]:
        """The names of the new columns. The last one says why a row has no prediction."""
        stems = [self.name, self._named("probability")] if self.proba or self.top else [self.name]
        places = ["", *(f"_{at}" for at in range(2, self._number() + 1))]
        names = [f"{stem}{place}" for place in places for stem in stems]
        if has_known or self.proba or self.top:
            names.append(self._named("known"))
        if self.where is not None and not self.only_matching:
            names.append(self._named("matches"))
        return [*names, self._named("problem")]

    @property
    def _is_unchanged(self) -> bool:
        return self.only_matching and not self.proba and not self.top

    def _named(self, what: str) -> str:
        """The name of a column that accompanies the prediction."""
        return what if self.name == "prediction" else f"{self.name}_{what}"

    def _number(self) -> int:
        """The number of labels per row."""
        return min(self.top or 1, len(self.model.classes_))

    def columns(self, found: Answers, *, has_known: bool) -> list[Column]:
        """The new columns of some texts, in the order of their names, without the one of problems."""
        columns: list[Column] = [found.answers]
        if self.proba or self.top:
            pairs = ((found.labels[:, at], found.probabilities[:, at]) for at in range(self._number()))
            columns = [column for pair in pairs for column in pair]
            columns[0] = found.answers  # the most probable label, unless the model abstains
        return [*columns, found.known] if has_known else columns


def _told(shift: Shift) -> list[str]:
    """How far the texts are from the training data, in one line, which is the warning if there is one."""
    return [f"warning: {shift.warning}" if shift.warning else str(shift)] if shift.terms else []


@dataclass(frozen=True)
class FileBegun:
    """A file was opened."""

    job: InputFile | None
    """The file, if it becomes a file of its own."""
    reader: Reader
    is_copied: bool
    """Whether its rows are copied without new columns."""


@dataclass(frozen=True)
class ScoredRows:
    """Some rows were read and scored."""

    batch: Batch
    read: int
    """The number of bytes of the rows."""
    position: int
    """How far the file has been read, in bytes of the file."""
    answers: Answers | None = None
    """What the model answers; None if nothing of it is written."""
    matches: Mask | None = None
    """Whether each row matches; None if that is not asked for."""


@dataclass(frozen=True)
class FileEnded:
    """A file was read to its end; or, if there is an error, could not be, or cannot get new columns."""

    job: InputFile | None
    skipped: int = 0
    """The number of rows that could not be read."""
    notes: tuple[str, ...] = ()
    """What was decided while it was read, such as another column for the text, and which rows could not be read."""
    error: SourceError | None = None

    def check(self) -> None:
        """Raise ``UnreadFile`` if there is an error."""
        if self.error is not None:
            raise UnreadFile from self.error


class UnreadFile(Exception):  # noqa: N818 - it never leaves this module
    """A file could not be read to its end. Its cause says why."""


Step = FileBegun | ScoredRows | FileEnded


def steps(
    work: Iterable[tuple[InputFile | None, Corpus]],
    predictor: RowPredictor,
    watch: ShiftWatch | None = None,
) -> Iterator[Step]:
    """What happens, file by file, up to the rows that are to be written: one thread reads, and another one scores.

    Rows that become a file of their own have a job. An error in such a file does not end the work.
    """
    return ahead(_scored(ahead(_read(work, predictor)), predictor, watch))


def _read(work: Iterable[tuple[InputFile | None, Corpus]], predictor: RowPredictor) -> Iterator[Step]:
    for job, corpus in work:
        is_copied: bool | None = None
        try:
            for reader, batches in corpus.files():
                if is_copied is None:  # the first file decides for all that go to the same place
                    is_copied = predictor.copies(reader)
                if job is not None:
                    predictor.check(reader)
                yield FileBegun(job, reader, is_copied)
                for batch in batches:
                    yield ScoredRows(batch, _size(batch), reader.position())
            skipped = [str(corpus.skipped)] if corpus.skipped.count else []
            yield FileEnded(job, corpus.skipped.count, (*corpus.notes(), *skipped))
        except SourceError as error:
            if job is None:
                raise
            yield FileEnded(job) if is_empty(job.source) else FileEnded(job, error=error)


def _scored(items: Iterator[Step], predictor: RowPredictor, watch: ShiftWatch | None) -> Iterator[Step]:
    screen, is_copied = None, False
    if predictor.where is not None:
        screen = Screen(predictor.where, predictor.model, predictor.prior)
    for item in items:
        if isinstance(item, FileBegun):
            is_copied = item.is_copied
        if not isinstance(item, ScoredRows):
            yield item
        elif is_copied and screen is not None:
            matches = screen(item.batch.texts)
            yield replace(item, matches=matches & without_problem(len(matches), item.batch.problems))
        else:
            answers = predictor.answers(item.batch, watch)
            yield replace(item, answers=answers, matches=predictor.matching(item.batch, answers))


def _size(batch: Batch) -> int:
    """The number of bytes of some rows: with all fields, if they are lines."""
    if batch.lines is None:
        return batch.texts.nbytes
    return int((batch.lines.ends - batch.lines.starts).sum()) + len(batch.lines.starts)


# Filtering files into a folder ----------------------------------------------------------------------------------

_FILTERED = ("csv", "tsv", "jsonl", "parquet", None)
"""The formats that can be filtered. A file whose name does not tell its format is judged when it is read."""
_MAGIC = 8
"""The number of bytes at the start of a file that tell how it is compressed."""


@dataclass(frozen=True)
class InputFile:
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

    def compression(self) -> str | None:
        """How the file is compressed: ``.gz``, ``.bz2``, ``.zst`` or None, by its first bytes."""
        with self.source.open("rb") as file:
            return compression_of(file.read(_MAGIC))


def jobs_of(source: Places, folder: Path) -> list[InputFile]:
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


def _jobs_of_one(source: str, folder: Path) -> list[InputFile]:
    if source == STANDARD_INPUT:
        raise SourceError("standard input is not a file: name files, or write to standard output")
    path = Path(source)
    if path.is_dir():
        inside = [each for each in sorted(path.rglob("*")) if each.is_file() and _is_data(each, path, folder)]
        if not inside:
            raise SourceError(f"{name_of(path)} has no file of JSON Lines, CSV or Parquet")
        return [InputFile(each, each.relative_to(path).as_posix()) for each in inside]
    if path.exists() or not glob.has_magic(source):
        return [InputFile(path, path.name)]
    base = _fixed_part(path)
    found = [each for each in places_of(source) if each is not None and each.is_file()]
    return [
        InputFile(each, each.relative_to(base).as_posix()) for each in found if not _is_output(each, base, folder)
    ]


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
    return Path(*takewhile(lambda part: not glob.has_magic(part), pattern.parts[:-1]))


def _check(job: InputFile, folder: Path) -> None:
    """Raise ``SourceError`` if a file cannot be filtered, or would be replaced by itself."""
    if not job.source.is_file():
        raise SourceError(f"{name_of(job.source)} is not a file")
    if format_by_name(job.source) not in _FILTERED or job.source.suffix.lower() == ".zip":
        raise SourceError(
            f"{name_of(job.source)} cannot be filtered into a file of its format: use JSON Lines, CSV or Parquet"
        )
    target = folder / job.name
    if target.exists() and target.samefile(job.source):
        raise SourceError(f"output {name_of(target)} is also an input; choose another folder")


RECORD_NAME = ".likely_filter.jsonl"
"""The name of the file. Globs and programs that read whole folders skip names that begin with a dot."""
_VERSION = 1
_AGAIN = "write to another folder, or start over with overwrite=True (--overwrite)"


@dataclass
class RowCounts:
    """What became of one file: the numbers of its rows, and of its bytes before compression."""

    rows: int = 0
    kept: int = 0
    skipped: int = 0
    read: int = 0


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
    jobs : list of InputFile
        The files that are filtered. What was done before must not stay beside other results.
    """

    def __init__(
        self, folder: Path, task: Mapping[str, object], *, overwrite: bool, jobs: Sequence[InputFile] = ()
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._file: BinaryIO = (folder / RECORD_NAME).open("a+b")
        try:
            _lock(self._file, folder)
            self._done: dict[str, dict[str, object]] = {}
            self._begun: set[str] = set()
            self._is_fresh = overwrite
            entries = self._read()
            if overwrite:
                self._check_replaced(entries, {job.name for job in jobs})
            if overwrite or not entries:
                self._file.truncate(0)
                self._append({"version": _VERSION, **task})
                return
            for name, value in {"version": _VERSION, **task}.items():
                before = entries[0].get(name)
                if before != value:
                    is_short = isinstance(before, str) and name != "model"
                    told = f" ({printable(before)}, and now {printable(value)})" if is_short else ""
                    why = f"because the {name} has changed{told}"
                    raise OutputError(f"{name_of(folder)} has results of a different run, {why}: {_AGAIN}")
            self._begun = {entry["begun"] for entry in entries if "begun" in entry}
            self._done = {entry["file"]: entry for entry in entries if "file" in entry}
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the file, which unlocks the folder."""
        self._file.close()

    def done(self, job: InputFile) -> RowCounts | None:
        """What became of a file, if it is finished. Raise ``OutputError`` if the file has changed since."""
        known = self._done.get(job.name)
        if known is None or not (self._folder / job.name).exists():
            return None
        if {name: known[name] for name in ("bytes", "modified")} != _state(job):
            raise OutputError(
                f"{name_of(job.source)} has changed since it was filtered into {name_of(self._folder)}: {_AGAIN}"
            )
        return RowCounts(**{name: int(str(known[name])) for name in RowCounts.__dataclass_fields__})

    def check_free(self, job: InputFile) -> None:
        """Raise ``OutputError`` if a file that is not from this work would be replaced."""
        is_ours = self._is_fresh or job.name in self._begun
        if not is_ours and (self._folder / job.name).exists():
            raise OutputError(f"{name_of(self._folder / job.name)} exists and was not written by this run: {_AGAIN}")

    def begin(self, job: InputFile) -> None:
        """Record that a file is about to be written, so that it may be replaced after a kill."""
        self._begun.add(job.name)
        self._append({"begun": job.name})

    def add(self, job: InputFile, done: RowCounts) -> None:
        """Record that a file is finished."""
        entry = {"file": job.name, **_state(job), **asdict(done)}
        self._done[job.name] = entry
        self._append(entry)

    def _append(self, entry: Mapping[str, object]) -> None:
        self._file.write(json.dumps(entry).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self) -> list[dict[str, Any]]:
        """What was recorded, without a last line that is not complete, or damaged lines if they are replaced."""
        self._file.seek(0)
        lines = self._file.read()
        whole = lines[: lines.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        entries = []
        for line in whole.splitlines():
            try:
                entries.append(dict(json.loads(line)))
            except (TypeError, ValueError) as error:
                if not self._is_fresh:
                    raise OutputError(f"{name_of(self._folder / RECORD_NAME)} is damaged: {_AGAIN}") from error
        return entries

    def _check_replaced(self, entries: list[dict[str, Any]], names: set[str]) -> None:
        """Raise ``OutputError`` if a file of earlier work would stay."""
        for name in sorted({str(entry["file"]) for entry in entries if "file" in entry} - names):
            if (self._folder / name).exists():
                raise OutputError(
                    f"{name_of(self._folder / name)} is from an earlier run and would remain, because its input "
                    "is not part of this run: remove it, or write to another folder"
                )


def _state(job: InputFile) -> dict[str, object]:
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
        raise OutputError(f"another process is writing to {name_of(folder)}: wait for it, or end it") from error


MOST_NOTES = 10
"""At most this many notes are kept."""


@dataclass(kw_only=True)
class Filtered(RowCounts):
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
        missing, and which rows could not be read: the first ten lines. The last line says how far the texts are from
        the training data, if all of them were scored exactly.

    Examples
    --------
    >>> print(Filtered(files=2, rows=1000, kept=250, read=30_000_000, seconds=0.5))
    kept 250 of 1,000 rows (25.0%), 2 files, 60.0 MB/s
    """

    files: int = 0
    already: int = 0
    seconds: float = 0.0
    unread: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        share = f" ({percent(self.kept / self.rows)})" if self.rows else ""
        before = f", {self.already:,} already finished" if self.already else ""
        bad = f", {counted(self.skipped, 'row')} could not be read" if self.skipped else ""
        speed = f", {self.read / 1e6 / self.seconds:.1f} MB/s" if self.read and self.seconds else ""
        kept = f"kept {self.kept:,} of {counted(self.rows, 'row')}{share}"
        return f"{kept}, {counted(self.files, 'file')}{before}{bad}{speed}"

    def add(self, done: RowCounts) -> None:
        """Add the rows of a file."""
        self.rows += done.rows
        self.kept += done.kept
        self.skipped += done.skipped


def filter_files(  # noqa: PLR0913
    model: NaiveBayes | str | os.PathLike[str],
    source: Places,
    output: str | os.PathLike[str],
    where: str | Where,
    *,
    only_matching: bool = True,
    proba: bool = False,
    top: int | None = None,
    name: str = "prediction",
    prior: Prior | None = None,
    overwrite: bool = False,
    fingerprint: str | None = None,
    observe: Callable[[int, int, int, int], None] | None = None,
    **reading: object,
) -> Filtered:
    r"""The numbers of rows that match, after the matching rows of each file were written to a file of the same name.

    The files in the folder ``output`` have the names and formats of those that are read, and are compressed as those
    are. A row that matches is written as it was, byte by byte. Each file appears when it is complete. If the work is
    killed and called again, the finished files are skipped. A file in the folder records what is done; if the model,
    the expression or a finished file has changed since, ``OutputError`` is raised.

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
    only_matching : bool
        Whether only the rows that match are written; otherwise all are, with a column ``matches``.
    proba, top, name, prior
        As for `RowPredictor`.
    overwrite : bool
        Whether to replace the results of earlier work.
    fingerprint : str, optional
        By what another model is recognised. Default: a hash of the model, which takes a moment to compute.
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
    where = Where.parse(where) if isinstance(where, str) else where
    mark = fingerprint or fingerprint_of(model)
    model = load(model) if not isinstance(model, NaiveBayes) else model
    predictor = RowPredictor(model, name, proba, top, prior, where, only_matching)
    params = {name: repr(value) for name, value in model.get_params().items() if name != "threads"}
    task: dict[str, object] = {
        "model": mark,
        "expression": str(where),
        "options of the model": params,
        "output": repr((only_matching, proba, top, name, prior)),
        "options of reading": repr(sorted(reading.items())),
    }
    folder = Path(output)
    jobs = jobs_of(source, folder)
    with closing(Record(folder, task, overwrite=overwrite, jobs=jobs)) as record:
        return _Work(folder, record, predictor, observe).done(jobs, reading_of(reading))


@dataclass
class _Work:
    """Writes the results of the steps."""

    _folder: Path
    _record: Record
    _predictor: RowPredictor
    _observe: Callable[[int, int, int, int], None] | None
    _found: Filtered = field(default_factory=Filtered)
    _total: int = 0
    _before: int = 0

    def done(self, jobs: list[InputFile], reading: ReadingOptions) -> Filtered:
        """Filter the files that are not finished yet."""
        begun = time.monotonic()
        watch = self._predictor.model._watch(prior=self._predictor.prior)
        more = steps(self._left(jobs, reading), self._predictor, watch)
        for first in more:
            job = cast("InputFile", cast("FileBegun | FileEnded", first).job)
            try:
                self._write(job, first, more)
            except UnreadFile as unread:
                self._found.unread[name_of(job.source)] = printable(unread.__cause__)
            self._before += job.source.stat().st_size
        self._found.notes += _told(watch.shift())
        self._found.seconds = time.monotonic() - begun
        return self._found

    def _left(self, jobs: list[InputFile], reading: ReadingOptions) -> list[tuple[InputFile | None, Corpus]]:
        """The files that are not finished yet, and their rows."""
        left: list[tuple[InputFile | None, Corpus]] = []
        for job in jobs:
            done = self._record.done(job)
            if done is None:
                self._record.check_free(job)
                self._total += job.source.stat().st_size
                corpus = Corpus(job.source, reading, labelled=False, whole=True)
                corpus.expect(self._predictor.model.columns_)
                left.append((job, corpus))
            else:
                self._found.add(done)
                self._found.already += 1
        return left

    def _write(self, job: InputFile, first: Step, more: Iterator[Step]) -> None:
        """Write the rows of one file, which begins with the first step; nothing of it if it cannot be read."""
        if isinstance(first, FileEnded):
            first.check()
        counts, found, reader = RowCounts(), self._found, None
        self._record.begin(job)
        with (
            output_file(self._folder / job.name, job.compression()) as file,
            row_output(file, self._predictor.writer) as rows,
        ):
            for step in chain([first], more):
                if isinstance(step, FileEnded):
                    step.check()
                    counts.skipped = step.skipped
                    found.notes += map(printable, step.notes[: MOST_NOTES - len(found.notes)])
                    break
                if isinstance(step, FileBegun):
                    reader = step.reader
                    rows.begin(reader)
                    continue
                self._predictor.put(rows, step)
                counts.rows += len(step.batch.texts)
                counts.kept += int(cast("Mask", step.matches).sum())
                counts.read += step.read
                found.read += step.read
                if self._observe is not None:
                    read = self._before + step.position
                    self._observe(found.rows + counts.rows, read, self._total, found.read)
            if not counts.rows and reader is not None and reader.format == "parquet":
                # A table has a schema, even if it has no rows.
                empty = cast("TableReader", reader).no_rows()
                answers = self._predictor.answers(empty)
                self._predictor.put(rows, ScoredRows(empty, 0, 0, answers, np.zeros(0, np.bool_)))
        self._record.add(job, counts)
        found.add(counts)
        found.files += 1


def fingerprint_of(model: NaiveBayes | str | os.PathLike[str]) -> str:
    """By what another model is recognised."""
    data = to_bytes(model._snapshot()) if isinstance(model, NaiveBayes) else Path(model).read_bytes()
    return hashlib.sha256(data).hexdigest()
