"""Open files, folders and zip archives: find the reader for each. A folder may have one file per document."""

from __future__ import annotations

import os
import re
import zipfile
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from likely import _native
from likely.errors import SourceError
from likely.extras import extra
from likely.labels import coded
from likely.reading.batch import Batch, Chosen, Reader, Skipped, Table, in_parts
from likely.reading.formats import (
    LINES_OF_JSON,
    NAMES,
    ZIP,
    bare_suffix,
    format_by_content,
    format_by_name,
    is_table,
    is_text,
    table_delimiter,
)
from likely.reading.mail import (
    HEAD,
    is_maildir,
    looks_like_mail,
    maildir_files,
    maildir_folders,
    message_text,
    split_mbox,
)
from likely.reading.records import CsvReader, ExcelReader, JsonArrayReader, JsonReader, LineReader, has_array, held
from likely.reading.stream import (
    CHUNK,
    ERRORS,
    LONGEST_ROW,
    UTF_8,
    FilePath,
    Stream,
    decoded,
    entry,
    name_of,
    spooled,
    unopened,
)
from likely.terminal import counted, named

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from likely.options.reading import ReadingOptions


_LOOK = 8192
"""The number of characters from which it is told whether a file is text."""


@dataclass(frozen=True)
class Document:
    """A document of a folder or a mailbox.

    Attributes
    ----------
    place : str
        The file, or the message in a mailbox.
    text : str
        Its text; empty if it cannot be read.
    problem : str or None
        Why it cannot be read.
    recognised : str or None
        Its encoding, if that was recognised and is not UTF-8.
    label : str
        The name of the folder or mailbox.
    is_mail : bool
        Whether it was decoded from a message.
    """

    place: str
    text: str
    problem: str | None = None
    recognised: str | None = None
    label: str = ""
    is_mail: bool = False


class DocumentReader(Reader):
    """Reads documents that come one by one."""

    def __init__(self, name: str, where: str, documents: Generator[Document], skipped: Skipped) -> None:
        self.format = name
        self.where = where
        self.columns = ["text", "label"]
        self.row_columns = ["file"]
        self._documents = documents
        self._skipped = skipped
        self._bytes = 0
        self._encodings: Counter[str] = Counter()

    @property
    def recognised(self) -> str | None:
        """The encodings that were recognised so far, each with the number of files."""
        found = sorted(self._encodings.items())
        return " and ".join(f"{name} ({counted(files, 'file')})" for name, files in found) or None

    def position(self) -> int:
        """The number of bytes that have been read."""
        return self._bytes

    def close(self) -> None:
        """Close the file that is being read."""
        self._documents.close()

    def batches(self, chosen: Chosen, *, whole: bool = True) -> Iterator[Batch]:
        """All documents, in batches."""
        del whole  # a document has no other columns than its place
        for some in in_parts(self._kept(chosen), lambda each: len(each.text), CHUNK):
            yield self._batch(some, chosen)

    def _kept(self, chosen: Chosen) -> Iterator[Document]:
        """The documents without those that cannot be read, which are recorded, if labels are read."""
        for document in self._documents:
            if document.problem is not None:
                self._skipped.add(document.place, None, document.problem, label=document.label)
                if chosen.label is not None:
                    continue
            self.has_mail |= document.is_mail
            if document.recognised is not None:
                self._encodings[document.recognised] += 1
            yield document

    def _batch(self, documents: list[Document], chosen: Chosen) -> Batch:
        texts = [each.text for each in documents]
        self._bytes += sum(map(len, texts))
        labels = coded([each.label for each in documents]) if chosen.label is not None else None
        table: Table = {"file": [each.place for each in documents]}
        problems = {at: each.problem for at, each in enumerate(documents) if each.problem is not None}
        return Batch(_native.Strings(texts), labels, lambda: table, problems=problems)


def _documents_in(
    path: FilePath, encoding: str | None, *, is_mail: bool = False, above: frozenset[str] = frozenset()
) -> Iterator[Document]:
    """The documents in a file, a Maildir, or a folder and all its sub-folders."""
    if path.is_dir():
        real = os.path.realpath(str(path))
        if real not in above:  # otherwise a link leads back to a folder above
            is_mail = is_maildir(path)
            for each in maildir_files(path) if is_mail else listed(path):
                yield from _documents_in(each, encoding, is_mail=is_mail, above=above | {real})
        return
    if not path.is_file():
        yield Document(name_of(path), "", "neither a file nor a folder")
        return
    stream = Stream(path)
    if bare_suffix(path) == ".mbox":
        yield from _messages(stream)
        return
    try:
        raw = stream.read(LONGEST_ROW + 1)
    finally:
        stream.close()
    yield _document(path, raw, encoding, is_mail=is_mail)


def _document(path: FilePath, raw: bytes, encoding: str | None, *, is_mail: bool) -> Document:
    """The document that is the whole content of a file; its encoding is recognised if None is given."""
    if len(raw) > LONGEST_ROW:
        return Document(name_of(path), "", "too long for a document")
    if is_mail or bare_suffix(path) == ".eml" or looks_like_mail(raw[:HEAD]):
        return Document(name_of(path), message_text(raw), is_mail=True)
    text, decoder = decoded(raw, encoding)
    if text is None:
        return Document(name_of(path), "", f"not valid {decoder.encoding or UTF_8}")
    start = text[:_LOOK]
    # Binary data has a NUL, and more than 1 character in 50 is a control character.
    if "\0" in start and 50 * sum(char < " " and not char.isspace() for char in start) > len(start):
        return Document(name_of(path), "", "not text")
    return Document(name_of(path), text, recognised=decoder.recognised)


def _messages(stream: Stream) -> Iterator[Document]:
    """The messages of an mbox."""
    try:
        for at, raw in enumerate(split_mbox(iter(stream.read, b"")), start=1):
            yield Document(f"{stream.where}#{at}", message_text(raw), is_mail=True)
    finally:
        stream.close()


def listed(folder: FilePath) -> list[FilePath]:
    """The files and folders in a folder, in order of their names, without hidden ones."""
    try:
        inside: Iterable[FilePath] = folder.iterdir()
        return sorted((each for each in inside if not each.name.startswith(".")), key=lambda each: each.name)
    except OSError as error:
        raise unopened(folder, error) from error


# Archives -------------------------------------------------------------------------------------------------------

_BEGINNINGS = (ZIP, b"PK\x05\x06")
_DEEPEST = 100
_OF_MAC_OS = "__MACOSX"
_DOCUMENTS = {
    "xl/workbook.xml": "excel",
    "xl/workbook.bin": "a binary workbook",
    "word/document.xml": "a Word document",
    "ppt/presentation.xml": "a presentation",
    "META-INF/manifest.xml": "an OpenDocument file",
}
"""Files in archives that are documents of Office programs."""


def kind_of_zip(path: FilePath) -> str | None:
    """The kind of a file, by its content: "zip" for an archive, "excel" for a workbook, None if it is not a zip.

    Other documents of Office programs, which are zip archives too, are refused.
    """
    if not _is_zip(path):
        return None
    with _opened(path) as archive:
        kind = next((_DOCUMENTS[name] for name in archive.namelist() if name in _DOCUMENTS), "zip")
    if kind not in ("zip", "excel"):
        raise SourceError(f"{name_of(path)} is {kind}: save its rows as .xlsx or .csv")
    return kind


def contents(path: FilePath) -> FilePath:
    """The archive as a folder. If it contains only one file, or only one folder with folders or tables, that one."""
    if isinstance(path, zipfile.Path):
        raise SourceError(f"{name_of(path)} is an archive inside an archive: unpack the outer one first")
    found = zipfile.Path(_cleaned(path))
    while found.is_dir():
        inside = list(found.iterdir())
        if len(inside) != 1 or not (
            inside[0].is_file() or any(each.is_dir() or is_table(each) for each in inside[0].iterdir())
        ):
            break
        found = inside[0]
    return found


def _cleaned(path: Path) -> zipfile.ZipFile:
    """The archive with names of plain files only: neither hidden ones nor those that macOS adds."""
    archive = _opened(path)
    files: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        parts = [part for part in info.filename.replace("\\", "/").split("/") if part not in ("", ".")]
        if info.is_dir() or not parts or any(part.startswith(".") or part == _OF_MAC_OS for part in parts):
            continue
        if len(parts) > _DEEPEST:
            raise SourceError(f"{name_of(path)}: its folders are nested more than {_DEEPEST} levels deep")
        info.filename = "/".join(parts)
        files[info.filename] = info
    if not files:
        raise SourceError(f"{name_of(path)} is an archive without files: there is nothing to read")
    archive.filelist, archive.NameToInfo = list(files.values()), files
    return archive


def _is_zip(path: FilePath) -> bool:
    try:
        if not path.is_file():
            return False
        with entry(path) if isinstance(path, zipfile.Path) else path.open("rb") as file:
            return file.read(4) in _BEGINNINGS
    except ERRORS:
        return False  # the error is raised, with its reason, when the file is read


def _opened(path: FilePath) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(held(path, "unpack the archive") if isinstance(path, zipfile.Path) else path)
    except (zipfile.BadZipFile, NotImplementedError, OSError) as error:
        raise SourceError(f"{name_of(path)}: cannot be read as a zip archive: {error}") from error


# Folders --------------------------------------------------------------------------------------------------------

Part: TypeAlias = Literal["train", "test"]
"""The part of a corpus that is read, if a folder has both."""

_TRAIN = ("train", "training")
_TEST = ("test", "testing", "valid", "validation", "val", "dev")
_NAMED = 5
"""At most this many files that are not read are named."""


def parts_of(folder: FilePath) -> list[FilePath]:
    """The parts of a folder that contains, for example, ``train`` and ``test``; none if it is not such a folder.

    The first one is to train on, the second one to test on, and the others are beside them.
    Both must be tables, contain tables, or contain folders of the same name: otherwise they are classes that happen
    to have these names.
    """
    if is_maildir(folder):
        return []
    places = [each for each in listed(folder) if each.is_dir() or is_table(each)]
    inside = {(each.name if each.is_dir() else each.name.partition(".")[0]).lower(): each for each in places}
    train, test = (next((inside[name] for name in names if name in inside), None) for names in (_TRAIN, _TEST))
    if train is None or test is None:
        return []
    has_tables = [any(map(is_table, listed(each))) if each.is_dir() else is_table(each) for each in (train, test)]
    names = [{each.name for each in _classes(listed(part))} if part.is_dir() else set() for part in (train, test)]
    if not (all(has_tables) or set.intersection(*names)):
        return []
    return list(dict.fromkeys([train, test, *inside.values()]))


def kind_of_folder(folder: FilePath, *, labelled: bool) -> tuple[str, list[FilePath]]:
    """The kind of a folder, and the files and folders in it that are read.

    The kind is "maildir" (with the folders of a Maildir++), "files" (tables), "mail" (messages), "folder" (one folder
    or mailbox per class) or, if no labels are read, "documents" (every file in it and in its sub-folders).
    """
    if is_maildir(folder):
        return "maildir", maildir_folders(folder) if labelled else []
    inside = listed(folder)
    if not inside:
        raise SourceError(f"{name_of(folder)} is an empty folder: there is nothing to read")
    classes = _classes(inside)
    tables = [each for each in inside if each.is_file() and is_table(each)]
    if classes and tables:
        raise SourceError(
            f"{name_of(folder)} contains both folders and tables such as {name_of(tables[0].name)}: "
            "name the files to read"
        )
    if tables:
        if labelled:
            _check_shards(folder, tables)
        return "files", tables
    if not labelled:
        return "documents", []
    if classes:
        return "folder", classes
    if any(format_by_name(each) == "eml" for each in inside):
        return "mail", []
    raise SourceError(
        f"{name_of(folder)} contains no sub-folders for classes, no tables and no messages (.eml): "
        "name the files to read"
    )


def _check_shards(folder: FilePath, tables: list[FilePath]) -> None:
    """Raise ``SourceError`` if some tables are pieces to train on and others pieces to test on."""
    starts = {re.split("[^a-z]", each.name.lower(), maxsplit=1)[0]: each for each in tables}
    train, test = (next((starts[name] for name in names if name in starts), None) for names in (_TRAIN, _TEST))
    if train is not None and test is not None:
        raise SourceError(
            f"{name_of(folder)} contains tables to train on and tables to test on, such as {name_of(train.name)} and "
            f"{name_of(test.name)}: name the files to read, as in {name_of(folder)}/train*"
        )


def left_out(folder: FilePath, read: list[FilePath], what: str) -> list[str]:
    """Name the files of a folder that are not read; ``what`` says which these are."""
    known = {each.name for each in read}
    names = [name_of(each.name) for each in listed(folder) if each.name not in known]
    files = f"ignored {counted(len(names), 'file')} {what}"
    return [f"{name_of(folder)}: {files}: {named(names, _NAMED)}"] if names else []


def _classes(inside: list[FilePath]) -> list[FilePath]:
    """The folders and mailboxes that stand for classes."""
    return [each for each in inside if each.is_dir() or format_by_name(each) == "mbox"]


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
    reading : ReadingOptions
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

    reading: ReadingOptions
    skipped: Skipped
    labelled: bool
    prompt: bool
    part: Part = "train"
    remarks: Remarks = field(default_factory=Remarks)

    def readers(self, place: FilePath | None) -> Iterator[Reader]:
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

    def _workbook(self, path: FilePath) -> Reader:
        if self.reading.format not in (None, "excel"):
            raise SourceError(
                f"{name_of(path)} is an Excel workbook, not {NAMES[self.reading.format]}: leave out format=... "
                "(--input-format)"
            )
        return ExcelReader(path, self.reading.sheet, self.reading.header, self.skipped, self.remarks.notes)

    def _part(self, folder: FilePath) -> FilePath:
        """The part of a folder that is read, if it has a part to train on and one to test on; else the folder."""
        parts = parts_of(folder) if self.labelled else []
        if not parts:
            return folder
        read = parts[0 if self.part == "train" else 1]
        unread = [each for each in parts if each != read]
        self.remarks.has_test |= self.part == "train"
        self.remarks.notes.append(
            f"{name_of(folder)} contains {name_of(parts[0].name)} and {name_of(parts[1].name)}: "
            f"{name_of(read.name)} is read, {', '.join(name_of(each.name) for each in unread)} "
            f"{'is' if len(unread) == 1 else 'are'} not"
        )
        return read

    def _folder(self, folder: FilePath) -> Iterator[Reader]:
        kind, inside = kind_of_folder(folder, labelled=self.labelled)
        if kind == "files":
            self.remarks.notes += left_out(folder, inside, "other than the tables")
            for each in inside:
                yield from self.readers(each)
        elif kind == "folder":
            self.remarks.notes += left_out(folder, inside, "outside the class folders")
            yield self._documents(folder, "folder", inside)
        else:
            yield self._documents(folder, "eml" if kind == "mail" else kind, [folder, *inside])

    def _documents(self, place: FilePath, kind: str, parts: list[FilePath]) -> Reader:
        """The reader of the documents in some files, folders or mailboxes, which are classes by their names."""
        above = frozenset([] if place in parts else [os.path.realpath(str(place))])
        documents = (
            replace(document, label=name_of(each.stem if each.is_file() else each.name.removeprefix(".")))
            for each in parts
            for document in _documents_in(each, self.reading.encoding, above=above)
        )
        return DocumentReader(kind, name_of(place), documents, self.skipped)

    def _file(self, path: FilePath | None) -> Reader:
        stream = Stream(path, patient=not self.prompt)
        try:
            reader = self._reader(path, stream)
            if self.reading.sheet is not None and reader.format != "excel":
                raise SourceError(f"{stream.where} is not an Excel workbook: leave out sheet=... (--sheet)")
            return reader
        except BaseException:
            stream.close()
            raise

    def _reader(self, path: FilePath | None, stream: Stream) -> Reader:
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
            if self.labelled and not (path and path.is_file()):
                raise SourceError(f"{stream.where} has no name that could be a label: give as_label=... (--as-label)")
            documents = (replace(each, label=Path(stream.where).stem) for each in _messages(stream))
            return DocumentReader("mbox", stream.where, documents, self.skipped)
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

    def _binary(self, path: FilePath | None, name: str, stream: Stream) -> Reader:
        """The reader of a file that is not read from start to end. It is unpacked if compressed or from a pipe."""
        if name == "eml" and path:
            stream.close()
            return self._documents(path, name, [path])
        if name == "excel" and path:
            stream.close()
            return self._workbook(path)
        if name == "database":
            raise SourceError(f"{stream.where} is a database: give a query with sql=... (--sql)")
        extra("pyarrow", "Reading Parquet" if name == "parquet" else "Reading Arrow files")
        from likely.reading.tables import arrow_reader, parquet_reader

        is_unpacked = path is None or stream.compressed is not None or isinstance(path, zipfile.Path)
        file = spooled(stream) if is_unpacked else None
        stream.close()
        place = path if isinstance(path, Path) else Path(stream.where)
        return (parquet_reader if name == "parquet" else arrow_reader)(place, file, self.skipped)
