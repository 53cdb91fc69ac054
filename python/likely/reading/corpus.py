"""`Corpus`: from a source to batches of texts, with the columns chosen and bad rows counted."""

from __future__ import annotations

import io
import logging
import os
import sys
import warnings
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.errors import BadRowsError, SkippedRowsWarning, SourceError, UnknownOptionError
from likely.options.table import FORMATS
from likely.reading.batch import Batch, Chosen, Reader, Skipped
from likely.reading.columns import choose
from likely.reading.csv import CsvReader
from likely.reading.documents import folder_reader, mail_reader, mbox_reader
from likely.reading.formats import NAMES, format_by_content, format_by_name
from likely.reading.jsonl import JsonReader
from likely.reading.lines import LineReader
from likely.reading.prefetch import ahead
from likely.reading.sources import are_places, kind_of_folder, places_of
from likely.reading.stream import Stream
from likely.reading.tables import arrow_reader, frame_reader, parquet_reader, sql_reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from likely.reading.holdout import Split


@dataclass(frozen=True)
class Reading:
    """How to read a source.

    Attributes
    ----------
    text, label : str or None
        The columns; None to guess.
    sql : str or None
        A query, asked of the source if that is a database, else of DuckDB.
    format : str or None
        The format of the files; None to guess.
    header : bool or None
        Whether CSV and TSV files begin with a header; None for yes, unless it looks like a row. Without one columns
        are called 1, 2, ...
    strict : bool
        Whether a row that cannot be read is an error.
    encoding : str or None
        The encoding of text files; None for UTF-8.
    """

    text: str | None = None
    label: str | None = None
    sql: str | None = None
    format: str | None = None
    header: bool | None = None
    strict: bool = False
    encoding: str | None = None

    def __post_init__(self) -> None:
        if self.format is not None and self.format not in FORMATS:
            raise SourceError(f"there is no format {self.format!r}: the formats are {', '.join(FORMATS)}")
        if self.encoding is not None:
            try:
                "".encode(self.encoding)
            except (LookupError, ValueError):
                raise SourceError(f"there is no encoding {self.encoding!r}: try latin-1, cp1252 or utf-16") from None


def reading_of(values: Mapping[str, Any]) -> Reading:
    """A `Reading` of values by name.

    Examples
    --------
    >>> reading_of({"texts": "body"})
    Traceback (most recent call last):
    likely.errors.UnknownOptionError: there is no option 'texts': how to read is said by text, label, sql, format,
    header, strict, encoding
    """
    names = [each.name for each in fields(Reading)]
    for name in values:
        if name not in names:
            raise UnknownOptionError(f"there is no option {name!r}: how to read is said by {', '.join(names)}")
    return Reading(**values)


class Corpus:
    """Labelled (or unlabelled) texts from anywhere, in batches.

    Parameters
    ----------
    source
        A path, a glob, several of them, ``"-"`` for standard input, a frame; None if a query says it all.
    reading : Reading
        How to read it.
    labelled : bool
        Whether labels are wanted.
    whole : bool
        Whether whole rows are wanted, not only text and label.
    prompt : bool
        Whether rows are wanted as soon as they come, not only when there are many.
    split : Split, optional
        Which of the rows are wanted, if not all.
    observe : callable, optional
        Called with documents, bytes read and bytes in all (None if that is not known) after each batch.

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
        source: Any,
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
        """Each file as it is opened, and its batches, which must be read before the next file is asked for."""
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
        """Whether the source can be read more than once: it is no pipe and no stream of batches."""
        places = places_of(self._source) if self.reading.sql is None and are_places(self._source) else []
        pipe = any(place is None or (place.exists() and not (place.is_file() or place.is_dir())) for place in places)
        return not (pipe or hasattr(self._source, "read_next_batch"))

    def check_rereadable(self, why: str) -> None:
        """Raise ``SourceError`` if the source can be read only once."""
        if not self.is_rereadable():
            raise SourceError(f"{why} reads the texts twice, which a stream cannot be: give a file or a table")

    def summary(self) -> str:
        """What was read and how, in one line."""
        columns = ""
        if self.chosen and self.formats != [NAMES["lines"]]:
            columns = f", text={self.chosen.text}" + (f", label={self.chosen.label}" if self.chosen.label else "")
        rows = "row" if self.rows == 1 else "rows"
        return f"read as {' and '.join(self.formats) or 'nothing'}{columns}, {self.rows:,} {rows}"

    @contextmanager
    def told(self) -> Iterator[None]:
        """Read within this to have it logged how the source was read, and to be warned of rows that were skipped."""
        yield
        logging.getLogger("likely").info(self.summary())
        if self.skipped.count:
            warnings.warn(str(self.skipped), SkippedRowsWarning, stacklevel=_frames_of_ours())

    def _choose(self, reader: Reader) -> Chosen:
        # What was found in the first file holds for the others.
        text = self.reading.text or (self.chosen.text if self.chosen else None)
        label = self.reading.label or (self.chosen.label if self.chosen else None)
        if self.labelled and reader.columns == ["text"] and reader.format == "lines":
            raise SourceError(
                f"{reader.where} is plain text without labels: give CSV, JSON Lines, fastText's __label__ lines, "
                "or a folder with a sub-folder for each class"
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
            for place in places:
                yield from self._open(place)
        elif hasattr(self._source, "__arrow_c_stream__") or hasattr(self._source, "__arrow_c_array__"):
            yield frame_reader(self._source, self.skipped)
        else:
            raise SourceError(
                f"cannot read labelled texts from a {type(self._source).__name__}: give a path, a frame, "
                "or texts and labels"
            )

    def _open(self, place: Path | None) -> Iterator[Reader]:
        if place is None or not place.is_dir():
            yield self._open_file(place)
            return
        kind, inside = kind_of_folder(place, labelled=self.labelled)
        if kind == "files":
            for each in inside:
                yield self._open_file(each)
        elif kind == "folder":
            yield folder_reader(place, inside, self.skipped)
        else:
            yield mail_reader(place, "maildir" if kind == "maildir" else "eml", self.skipped)

    def _open_file(self, path: Path | None) -> Reader:
        stream = Stream(path, patient=not self._prompt, encoding=self.reading.encoding)
        try:
            return self._reader(path, stream)
        except BaseException:
            stream.close()
            raise

    def _reader(self, path: Path | None, stream: Stream) -> Reader:
        name = self.reading.format or (format_by_name(path) if path else None)
        name = name or format_by_content(stream.head, stream.where)
        if name in ("csv", "tsv"):
            return CsvReader(stream, self.skipped, header=self.reading.header, tabs=name == "tsv")
        if name == "jsonl":
            format_by_content(stream.head, stream.where)  # an array is none
            return JsonReader(stream, self.skipped)
        if name in ("fasttext", "lines"):
            return LineReader(stream, self.skipped, marked=name == "fasttext")
        if name == "mbox" or (name == "eml" and path is None):
            return mbox_reader(stream)
        return self._open_binary(path, name, stream)

    def _open_binary(self, path: Path | None, name: str, stream: Stream) -> Reader:
        """What is read by going to and fro; in memory, if it is compressed or comes from a pipe."""
        if name == "eml" and path:
            stream.close()
            return mail_reader(path, name, self.skipped)
        if name == "database":
            raise SourceError(f"{stream.where} is a database: say what to read with sql=... (--sql)")
        in_memory = path is None or stream.is_compressed
        file = io.BytesIO(stream.rest()) if in_memory else None
        stream.close()
        place = path or Path(stream.where)
        return (parquet_reader if name == "parquet" else arrow_reader)(place, file, self.skipped)


def corpus_of(source: Any, reading: Mapping[str, Any]) -> Corpus:
    """A corpus of a source; one that somebody has made already is taken as it is.

    Examples
    --------
    >>> corpus_of("reviews.csv", {"text": "body"}).reading.text
    'body'
    """
    if not isinstance(source, Corpus):
        return Corpus(source, reading_of(reading))
    if reading:
        raise UnknownOptionError(f"{next(iter(reading))} says how to read a source, but the corpus says that itself")
    return source


def _frames_of_ours() -> int:
    """How many calls back the caller of the library is, whichever way it came here."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] in ("likely", "contextlib"):
        frame, level = frame.f_back, level + 1
    return level


def _database(source: Any) -> Path | None:
    """The one database a query is asked of; None for DuckDB itself."""
    if isinstance(source, list | tuple) and len(source) == 1:
        source = source[0]
    if source is None or isinstance(source, str | os.PathLike):
        return None if source is None else Path(source)
    raise SourceError("with sql the source is one database file, or None where the query names the files")


def _size(places: list[Path | None]) -> int | None:
    """How many bytes there are to read, if that can be told."""
    if any(place is None or not place.is_file() for place in places):
        return None
    return sum(place.stat().st_size for place in places if place)
