"""`Part`: a file of raw documents, or a frame; each is read several times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.corpus import Corpus, are_places, places_of
from likely.reading.stream import is_empty, name_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from likely.reading.options import Reading
    from likely.types import Source


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
        self, reading: Reading, observe: Callable[[int, int, int | None], None] | None = None, *, whole: bool = False
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


def with_column(parts: list[Part], reading: Reading) -> Reading:
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
