"""The data of a command: where it is, how it is read with a progress bar, and what is told about it."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from likely.cli.flags import given
from likely.cli.output import note
from likely.options.reading import READING, ReadingOptions, reading_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.cli.flags import Values
    from likely.reading.corpus import Corpus

_EVERY = 0.1
_WAIT = 0.3
_WIDTH = 24


class Progress(contextlib.AbstractContextManager["Progress"]):
    """A progress bar with documents, MB/s and the time left, if standard error is a terminal.

    The bar appears only if reading takes longer than a moment.
    """

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown = 0.0
        self.is_on = sys.stderr.isatty()

    @property
    def observe(self) -> Progress | None:
        """What readers report to, if the bar may appear."""
        return self if self.is_on else None

    def __exit__(self, *_: object) -> None:
        if self._shown:
            click.echo("\r\x1b[K", nl=False, err=True, color=True)

    def __call__(self, documents: int, done: int, total: int | None, read: int | None = None) -> None:
        """Update the bar; ``read`` is the number of bytes before compression, if that is known."""
        now = time.monotonic()
        if not self.is_on or now - self._begun < _WAIT or now - self._shown < _EVERY:
            return
        self._shown = now
        click.echo(f"\r{bar(documents, done, total, now - self._begun, read)}\x1b[K", nl=False, err=True, color=True)


def bar(documents: int, done: int, total: int | None, seconds: float, read: int | None = None) -> str:
    """The progress bar as text. The MB/s are those of ``read``, if that is given, and else those of ``done``.

    Examples
    --------
    >>> bar(1000, 5_000_000, 10_000_000, 2.0)
    '[############------------]  50%  1,000 documents  2.5 MB/s  2 s left'
    """
    speed = done / max(seconds, 1e-9)
    shown = speed if read is None else read / max(seconds, 1e-9)
    parts = [f"{documents:,} documents", f"{shown / 1e6:.1f} MB/s"]
    if total:
        share = min(done / total, 1.0)
        full = round(share * _WIDTH)
        parts.insert(0, f"[{'#' * full}{'-' * (_WIDTH - full)}] {share:4.0%}")
        parts.append(f"{max(total - done, 0) / max(speed, 1.0):.0f} s left")
    return "  ".join(parts)


def text_of(given: str) -> str:
    """A text that was given; for ``-``, that of standard input, whose bytes a mail of another encoding keeps."""
    if given != "-":
        return given
    raw = sys.stdin.buffer.read()
    try:
        return raw.decode().rstrip("\n")
    except UnicodeDecodeError:
        return raw.decode("latin-1").rstrip("\n")


def source_of(values: Values, *, default: str | None = None) -> str | list[str] | None:
    """The source that DATA names: a path, several paths, or None if the query of --sql names the files."""
    data = list(values["data"])
    if values.get("sql") is not None:
        if len(data) > 1:
            raise click.UsageError("With --sql, give at most one database as DATA.")
        return data[0] if data else None
    if not data and default is None:
        raise click.UsageError("Missing argument 'DATA...'. Give a file, a folder, a glob, or - for standard input.")
    return data or [default or "-"]


def open_corpus(
    values: Values,
    progress: Progress,
    source: str | list[str] | None = None,
    reading: ReadingOptions | None = None,
    **how: Any,
) -> Corpus:
    """The data of a command, or another source, with a progress bar; ``how`` are further arguments of `Corpus`."""
    from likely.extras import spare_pandas
    from likely.reading.corpus import Corpus

    spare_pandas()
    source, reading = source or source_of(values), reading or reading_of(given(READING, values))
    return Corpus(source, reading, observe=progress.observe, **how)


@contextlib.contextmanager
def reading_data(values: Values, *, what: str = "", **how: Any) -> Iterator[Corpus]:
    """As `open_corpus`; at the end, what was read is told."""
    with Progress() as progress:
        corpus = open_corpus(values, progress, **how)
        yield corpus
    tell(corpus, what)


def tell(corpus: Corpus, what: str = "") -> None:
    """Print on standard error what was read, what was skipped, and which labels are doubtful."""
    skipped = [str(corpus.skipped)] if corpus.skipped.count else []
    for line in (corpus.summary(), *skipped, *corpus.notes(), *corpus.labels.doubts()):
        note(what + line)


def reading_document(corpus: Corpus) -> dict[str, object]:
    """What was read and what was skipped, for programs."""
    return {
        "format": corpus.formats,
        "text": corpus.chosen.text if corpus.chosen else None,
        "label": corpus.chosen.label if corpus.chosen else None,
        "weight": corpus.reading.weight,
        "group": corpus.reading.group,
        "rows": corpus.rows,
        "bytes": corpus.bytes,
        "skipped": corpus.skipped.count,
        "skipped_first": corpus.skipped.first,
        "notes": corpus.notes(),
        "doubts": corpus.labels.doubts(),
    }
