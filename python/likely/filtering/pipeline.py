"""Files are read, their rows are scored, and the results are written, all at the same time.

Each step is a generator that runs in a thread of its own (`likely.reading.corpus.ahead`). One step is at most two
batches ahead of the next one, so that the memory is bounded. The kernel works without the lock of the interpreter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.corpus import Corpus, ahead
from likely.reading.stream import is_empty
from likely.reports.rows.predictions import without_problems

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from likely.filtering.places import Job
    from likely.filtering.where import Screen
    from likely.reading.batch import Batch, Chosen, Reader
    from likely.reading.options import Reading
    from likely.reports.rows.predictions import Predictions
    from likely.scoring.scorer import Answers
    from likely.types import Mask


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
    jobs: list[Job], reading: Reading, columns: Chosen | None, predictions: Predictions, screen: Screen
) -> Iterator[Step]:
    """What happens, file by file, up to the rows that are to be written. ``columns`` are those of the model."""
    return ahead(_scored(ahead(_read(jobs, reading, columns, predictions.check)), predictions, screen))


def _read(
    jobs: list[Job], reading: Reading, columns: Chosen | None, check: Callable[[Reader], None]
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
