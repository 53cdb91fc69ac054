"""Reading data with a progress bar on standard error, and a report of what was read and skipped."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from likely.cli.output import note

if TYPE_CHECKING:
    from types import TracebackType

    from likely.options.reading import ReadingOptions
    from likely.reading.corpus import Corpus, Split

_EVERY = 0.1
_WAIT = 0.3
_WIDTH = 24


class Progress:
    """A progress bar with documents, MB/s and the time left, if standard error is a terminal.

    The bar appears only if reading takes longer than a moment.
    """

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._shown = 0.0
        self.is_on = sys.stderr.isatty()

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
    '[############------------]  50 %  1,000 documents  2.5 MB/s  2 s left'
    """
    speed = done / max(seconds, 1e-9)
    shown = speed if read is None else read / max(seconds, 1e-9)
    parts = [f"{documents:,} documents", f"{shown / 1e6:.1f} MB/s"]
    if total:
        share = min(done / total, 1.0)
        full = round(share * _WIDTH)
        parts.insert(0, f"[{'#' * full}{'-' * (_WIDTH - full)}] {share:4.0%}".replace("%", " %"))
        parts.append(f"{max(total - done, 0) / max(speed, 1.0):.0f} s left")
    return "  ".join(parts)


class How(TypedDict, total=False):
    """Which parts of a corpus are read."""

    labelled: bool
    whole: bool
    prompt: bool
    split: Split | None


def open_corpus(
    source: str | list[str] | None, reading: ReadingOptions, progress: Progress, **how: Unpack[How]
) -> Corpus:
    """A corpus that is read with a progress bar."""
    from likely.extras import spare_pandas
    from likely.reading.corpus import Corpus

    spare_pandas()

    return Corpus(source, reading, observe=progress if progress.is_on else None, **how)


def tell(corpus: Corpus, what: str = "") -> None:
    """Print on standard error what was read, what was skipped, and which labels are doubtful."""
    from likely.terminal import printable

    skipped = [str(corpus.skipped)] if corpus.skipped.count else []
    for line in (corpus.summary(), *skipped, *corpus.notes(), *corpus.labels.doubts()):
        note(what + printable(line))


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
