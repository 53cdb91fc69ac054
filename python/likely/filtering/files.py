"""`filter_files`: the rows of many files that match an expression."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import numpy as np

from likely.core.file import to_bytes
from likely.filtering.outputs import OutputFile
from likely.filtering.pipeline import Begun, Ended, Failed, ScoredRows, Step, steps
from likely.filtering.places import Job, jobs_of
from likely.filtering.record import Done, Record
from likely.filtering.where import Screen, Where
from likely.model.naive_bayes import NaiveBayes, load
from likely.reading.formats import compression_of
from likely.reading.options import reading_of
from likely.reading.stream import name_of
from likely.reading.tables import TableReader
from likely.reports.rows.output import EncodedSink
from likely.reports.rows.predictions import Output, Predictions
from likely.terminal import counted, percent, printable

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from likely.options.typed import ReadingOptions
    from likely.reading.corpus import Places
    from likely.reports.rows.writer import Writer
    from likely.types import Prior

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
    **reading: Unpack[ReadingOptions],
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
