"""Opening files and folders: which reader reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.documents import DocumentFiles
from likely.reading.files.archive import Entry, contents, kind_of_zip
from likely.reading.files.delimiters import table_delimiter
from likely.reading.files.formats import LINES_OF_JSON, NAMES, bare_suffix, format_by_content, format_by_name, is_text
from likely.reading.files.names import name_of
from likely.reading.files.spool import spooled
from likely.reading.files.stream import Stream
from likely.reading.folders import Part, kind_of_folder, left_out, parts_of, tables_as_documents
from likely.reading.records.csv import CsvReader
from likely.reading.records.excel import ExcelReader
from likely.reading.records.json_array import JsonArrayReader, has_array
from likely.reading.records.jsonl import JsonReader
from likely.reading.records.lines import LineReader
from likely.reading.tables.reader import arrow_reader, parquet_reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.reading.batch import Reader
    from likely.reading.options import Reading
    from likely.reading.skipped import Skipped


@dataclass
class Remarks:
    """What the user should know about a source besides the rows that were skipped.

    Attributes
    ----------
    notes : list of str
        What was left out or decided: one sentence each.
    has_test : bool
        Whether a part of the source was not read because it is there to test on.
    """

    notes: list[str] = field(default_factory=list)
    has_test: bool = False


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
    part : {"train", "test"}
        Which part is read of a folder that contains both.
    remarks : Remarks
        Records what is left out or decided.
    """

    reading: Reading
    skipped: Skipped
    labelled: bool
    prompt: bool
    part: Part = "train"
    remarks: Remarks = field(default_factory=Remarks)

    def readers(self, place: Path | None) -> Iterator[Reader]:
        """The readers of a file, a folder, or standard input (None)."""
        kind = kind_of_zip(place) if place else None
        while place and kind == "zip":  # an archive inside an archive is refused
            place = contents(place)
            kind = kind_of_zip(place)
        if place and kind == "excel":
            yield self._workbook(place)
        elif place and place.is_dir():
            part = self._part(place)
            yield from self._folder(part) if part.is_dir() else self.readers(part)
        else:
            yield self._file(place)

    def _workbook(self, path: Path) -> Reader:
        if self.reading.format not in (None, "excel"):
            raise SourceError(
                f"{name_of(path)} is an Excel workbook, not {NAMES[self.reading.format]}: leave out format=... "
                "(--input-format)"
            )
        return ExcelReader(path, self.reading.sheet, self.reading.header, self.skipped, self.remarks.notes)

    def _part(self, folder: Path) -> Path:
        """The part of a folder that is read, if it has a part to train on and one to test on; else the folder."""
        parts = parts_of(folder) if self.labelled else None
        if parts is None:
            return folder
        read, other = (parts.train, parts.test) if self.part == "train" else (parts.test, parts.train)
        unread = (other, *parts.others)
        self.remarks.has_test |= self.part == "train"
        self.remarks.notes.append(
            f"{name_of(folder)} contains {name_of(parts.train.name)} and {name_of(parts.test.name)}: "
            f"{name_of(read.name)} is read, {', '.join(name_of(each.name) for each in unread)} "
            f"{'is' if len(unread) == 1 else 'are'} not"
        )
        return read

    def _folder(self, folder: Path) -> Iterator[Reader]:
        kind, inside = kind_of_folder(folder, labelled=self.labelled)
        if kind == "files":
            self._say(left_out(folder, inside, "the tables"))
            for each in inside:
                yield from self.readers(each)
        elif kind == "folder":
            self._say(left_out(folder, inside, "the folders of the classes"))
            self._say(tables_as_documents(folder))
            yield self._documents.folder(folder, inside)
        else:
            self._say(tables_as_documents(folder) if kind == "documents" else None)
            yield self._documents.mail(folder, "eml" if kind == "mail" else kind)

    def _say(self, note: str | None) -> None:
        if note is not None:
            self.remarks.notes.append(note)

    @property
    def _documents(self) -> DocumentFiles:
        return DocumentFiles(self.skipped, self.reading.encoding)

    def _file(self, path: Path | None) -> Reader:
        stream = Stream(path, patient=not self.prompt)
        try:
            reader = self._reader(path, stream)
            if self.reading.sheet is not None and reader.format != "excel":
                raise SourceError(f"{stream.where} is not an Excel workbook: leave out sheet=... (--sheet)")
            return reader
        except BaseException:
            stream.close()
            raise

    def _reader(self, path: Path | None, stream: Stream) -> Reader:
        """The reader of a file, by its format."""
        name = self.reading.format or (format_by_name(path) if path else None)
        if is_text(name, stream.head):
            stream.decode(self.reading.encoding)
        elif self.reading.encoding is not None:
            self.remarks.notes.append(f"{stream.where} is not plain text: encoding (--encoding) has no effect on it")
        name = name or self._by_content(stream)
        if name in ("csv", "tsv"):
            return CsvReader(stream, self.skipped, header=self.reading.header, tabs=name == "tsv")
        if name in ("json", "jsonl"):
            is_lines = path is not None and bare_suffix(path) in LINES_OF_JSON
            is_array = name == "json" or has_array(stream.head, is_lines=is_lines)
            return (JsonArrayReader if is_array else JsonReader)(stream, self.skipped)
        if name in ("fasttext", "lines"):
            return LineReader(stream, self.skipped, marked=name == "fasttext")
        if name == "mbox" or (name == "eml" and path is None):
            return self._documents.mbox(stream)
        return self._binary(path, name, stream)

    def _by_content(self, stream: Stream) -> str:
        """The format of a file whose name does not tell it."""
        name = format_by_content(stream.head)
        if name != "lines":
            return name
        if b"\0" in stream.head:
            raise SourceError(f"{stream.where} is not text, and its format is not known: export it as CSV")
        delimiter = table_delimiter(stream.head)
        return "lines" if delimiter is None else "tsv" if delimiter == "\t" else "csv"

    def _binary(self, path: Path | None, name: str, stream: Stream) -> Reader:
        """The reader of a file that is not read from start to end. It is unpacked if compressed or from a pipe."""
        if name == "eml" and path:
            stream.close()
            return self._documents.mail(path, name)
        if name == "excel" and path:
            stream.close()
            return self._workbook(path)
        if name == "database":
            raise SourceError(f"{stream.where} is a database: give a query with sql=... (--sql)")
        is_unpacked = path is None or stream.is_compressed or isinstance(path, Entry)
        file = spooled(stream) if is_unpacked else None
        stream.close()
        place = path or Path(stream.where)
        return (parquet_reader if name == "parquet" else arrow_reader)(place, file, self.skipped)
