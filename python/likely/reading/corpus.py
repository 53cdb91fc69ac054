"""`Corpus`: labelled texts from any source, in batches."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import BadRowsError, SkippedRowsWarning, SourceError, UnknownOptionError
from likely.reading.columns import choose
from likely.reading.formats import NAMES
from likely.reading.frames import frame_reader, is_frame
from likely.reading.opening import Opening
from likely.reading.options import Reading, reading_of
from likely.reading.prefetch import ahead
from likely.reading.skipped import Skipped
from likely.reading.sources import are_places, places_of
from likely.reading.sql import sql_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from likely.reading.batch import Batch, Chosen, Reader
    from likely.reading.holdout import Split
    from likely.types import Source


class Corpus:
    """Texts from any source, with or without labels, in batches. It can be iterated more than once.

    Parameters
    ----------
    source : path, glob, several of them, frame or None
        Where the texts are; ``"-"`` is standard input. None if the query in ``reading`` names the files.
    reading : Reading, optional
        How the source is read.
    labelled : bool
        Whether labels are read.
    whole : bool
        Whether whole rows are read, and not only the texts and the labels.
    prompt : bool
        Whether rows are returned as soon as they arrive, and not only in large batches.
    split : Split, optional
        Which rows are returned. Default: all.
    observe : callable, optional
        Called after each batch with the number of documents, of bytes read, and of bytes in all (None if unknown).

    Examples
    --------
    >>> import pyarrow as pa
    >>> corpus = Corpus(pa.table({"review": ["good", "bad"], "stars": [5, 1]}))
    >>> [(batch.texts.to_pylist(), list(batch.labels)) for batch in corpus]
    [(['good', 'bad'], [5, 1])]
    >>> corpus.summary()
    'read as a frame, text=review, label=stars, 2 rows'
    """

    def __init__(
        self,
        source: Source | None,
        reading: Reading | None = None,
        *,
        labelled: bool = True,
        whole: bool = False,
        prompt: bool = False,
        split: Split | None = None,
        observe: Callable[[int, int, int | None], None] | None = None,
    ) -> None:
        self.reading = reading or Reading()
        self.labelled = labelled
        self.rows = self.bytes = 0
        self.skipped = Skipped(self.reading.strict)
        self.formats: list[str] = []
        self.chosen: Chosen | None = None
        self._source = source
        self._whole = whole
        self._prompt = prompt
        self._split = split
        self._before = 0
        self._observe = observe
        self._total: int | None = None

    def __iter__(self) -> Iterator[Batch]:
        batches = (batch for _, batches in self.files() for batch in batches)
        yield from batches if self._prompt else ahead(batches)

    def files(self) -> Iterator[tuple[Reader, Iterator[Batch]]]:
        """Each file and its batches. The batches of a file must be read before the next file is opened."""
        self.rows = self.bytes = self._before = 0
        self.formats, self.chosen, self.skipped = [], None, Skipped(self.reading.strict)
        for reader in self._readers():
            with closing(reader):
                if NAMES[reader.format] not in self.formats:
                    self.formats.append(NAMES[reader.format])
                self.chosen = self._choose(reader)
                yield reader, self._batches(reader, self.chosen)
        if not self.rows and self.skipped.count:
            raise BadRowsError(f"no row could be read. {self.skipped}")

    def is_rereadable(self) -> bool:
        """Whether the source can be read more than once: it is neither a pipe nor a stream of batches."""
        places = places_of(self._source) if self.reading.sql is None and are_places(self._source) else []
        pipe = any(place is None or (place.exists() and not (place.is_file() or place.is_dir())) for place in places)
        return not (pipe or hasattr(self._source, "read_next_batch"))

    def check_rereadable(self, why: str) -> None:
        """Raise ``SourceError`` if the source can be read only once."""
        if not self.is_rereadable():
            raise SourceError(
                f"{why} reads the texts twice, which is not possible with a stream: give a file or a table"
            )

    def summary(self) -> str:
        """One line that says what was read, and how."""
        columns = ""
        if self.chosen and self.formats != [NAMES["lines"]]:
            columns = f", text={self.chosen.text}" + (f", label={self.chosen.label}" if self.chosen.label else "")
        rows = "row" if self.rows == 1 else "rows"
        return f"read as {' and '.join(self.formats) or 'nothing'}{columns}, {self.rows:,} {rows}"

    @contextmanager
    def told(self) -> Iterator[None]:
        """A context in which the source is read. At its end, a summary is logged, and skipped rows are a warning."""
        yield
        logging.getLogger("likely").info(self.summary())
        if self.skipped.count:
            warnings.warn(str(self.skipped), SkippedRowsWarning, stacklevel=_frames_of_ours())

    def _choose(self, reader: Reader) -> Chosen:
        # The columns that are guessed in the first file are those of all other files.
        text = self.reading.text or (self.chosen.text if self.chosen else None)
        label = self.reading.label or (self.chosen.label if self.chosen else None)
        if self.labelled and reader.columns == ["text"] and reader.format == "lines":
            raise SourceError(
                f"{reader.where} is plain text without labels: give CSV, JSON Lines, fastText lines "
                "(__label__), or a folder with one sub-folder per class"
            )
        if not self.labelled:
            label = None
        return choose(reader.sample(), text, label, reader.where, labelled=self.labelled)

    def _batches(self, reader: Reader, chosen: Chosen) -> Iterator[Batch]:
        before, self._before = self._before, self._before + reader.size()
        for each in reader.batches(chosen, whole=self._whole):
            batch = each.chosen(self._split.rows(each.texts)) if self._split else each
            if not len(batch.texts):
                continue
            self.rows += len(batch.texts)
            self.bytes += batch.texts.nbytes
            if self._observe:
                self._observe(self.rows, before + reader.position(), self._total)
            yield batch

    def _readers(self) -> Iterator[Reader]:
        if self.reading.sql is not None:
            yield sql_reader(self.reading.sql, _database(self._source), self.skipped)
        elif are_places(self._source):
            places = places_of(self._source)
            self._total = _size(places)
            opening = Opening(self.reading, self.skipped, self.labelled, self._prompt)
            for place in places:
                yield from opening.readers(place)
        elif is_frame(self._source):
            yield frame_reader(self._source, self.skipped)
        else:
            raise SourceError(
                f"cannot read labelled texts from a {type(self._source).__name__}: give a path, a frame, "
                "or texts and labels"
            )


def corpus_of(source: Source | Corpus | None, reading: Mapping[str, object]) -> Corpus:
    """The corpus of a source. A source that is a corpus already is returned as it is.

    Examples
    --------
    >>> corpus_of("reviews.csv", {"text": "body"}).reading.text
    'body'
    """
    if not isinstance(source, Corpus):
        return Corpus(source, reading_of(reading))
    if reading:
        raise UnknownOptionError(f"{next(iter(reading))} says how a source is read, but this corpus already knows")
    return source


def _frames_of_ours() -> int:
    """The number of frames between here and the caller of the library, whose line a warning names."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] in ("likely", "contextlib"):
        frame, level = frame.f_back, level + 1
    return level


def _database(source: object) -> Path | None:
    """The database that runs a query, or None for DuckDB itself."""
    if isinstance(source, list | tuple) and len(source) == 1:
        source = source[0]
    if source is None or isinstance(source, str | os.PathLike):
        return None if source is None else Path(source)
    raise SourceError("with sql, the source must be one database file, or None if the query names the files")


def _size(places: list[Path | None]) -> int | None:
    """The number of bytes of all files, or None if it is not known."""
    if any(place is None or not place.is_file() for place in places):
        return None
    return sum(place.stat().st_size for place in places if place)
