"""Opening files and folders: which reader reads them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.csv import CsvReader
from likely.reading.documents import folder_reader, mail_reader, mbox_reader
from likely.reading.formats import format_by_content, format_by_name
from likely.reading.jsonl import JsonReader
from likely.reading.lines import LineReader
from likely.reading.sources import kind_of_folder
from likely.reading.spool import spooled
from likely.reading.stream import Stream
from likely.reading.tables import arrow_reader, parquet_reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.reading.batch import Reader
    from likely.reading.options import Reading
    from likely.reading.skipped import Skipped


@dataclass(frozen=True)
class Opening:
    """How files and folders are opened.

    Attributes
    ----------
    reading : Reading
        How they are read.
    skipped : Skipped
        Records the rows that cannot be read.
    labelled : bool
        Whether labels are read.
    prompt : bool
        Whether rows are returned as soon as they arrive, and not only in large batches.
    """

    reading: Reading
    skipped: Skipped
    labelled: bool
    prompt: bool

    def readers(self, place: Path | None) -> Iterator[Reader]:
        """The readers of a file, a folder, or standard input (None)."""
        if place is None or not place.is_dir():
            yield self._file(place)
            return
        kind, inside = kind_of_folder(place, labelled=self.labelled)
        if kind == "files":
            for each in inside:
                yield self._file(each)
        elif kind == "folder":
            yield folder_reader(place, inside, self.skipped)
        else:
            yield mail_reader(place, "maildir" if kind == "maildir" else "eml", self.skipped)

    def _file(self, path: Path | None) -> Reader:
        stream = Stream(path, patient=not self.prompt, encoding=self.reading.encoding)
        try:
            return self._reader(path, stream)
        except BaseException:
            stream.close()
            raise

    def _reader(self, path: Path | None, stream: Stream) -> Reader:
        """The reader of a file, by its format."""
        name = self.reading.format or (format_by_name(path) if path else None)
        name = name or format_by_content(stream.head, stream.where)
        if name in ("csv", "tsv"):
            return CsvReader(stream, self.skipped, header=self.reading.header, tabs=name == "tsv")
        if name == "jsonl":
            format_by_content(stream.head, stream.where)  # raises if the file is a JSON array
            return JsonReader(stream, self.skipped)
        if name in ("fasttext", "lines"):
            return LineReader(stream, self.skipped, marked=name == "fasttext")
        if name == "mbox" or (name == "eml" and path is None):
            return mbox_reader(stream)
        return self._binary(path, name, stream)

    def _binary(self, path: Path | None, name: str, stream: Stream) -> Reader:
        """The reader of a file that is not read from start to end. It is unpacked if compressed or from a pipe."""
        if name == "eml" and path:
            stream.close()
            return mail_reader(path, name, self.skipped)
        if name == "database":
            raise SourceError(f"{stream.where} is a database: give a query with sql=... (--sql)")
        file = spooled(stream) if path is None or stream.is_compressed else None
        stream.close()
        place = path or Path(stream.where)
        return (parquet_reader if name == "parquet" else arrow_reader)(place, file, self.skipped)
