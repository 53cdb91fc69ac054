"""Folders with one file per document, and mailboxes. The label is the name of the folder or mailbox."""

from __future__ import annotations

import os
from collections.abc import Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.labels import coded
from likely.reading.batch import Batch, Chosen
from likely.reading.formats import bare_suffix
from likely.reading.mail.message import is_maildir, looks_like_mail, maildir_files, message_text, split_mbox
from likely.reading.names import name_of
from likely.reading.stream import CHUNK, LONGEST_ROW, Stream, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from likely.reading.skipped import Skipped


Document = tuple[str, str, str]
"""A text, its label, and its place: the file, or the message in a mailbox."""


class DocumentReader:
    """Reads documents that come one by one."""

    def __init__(self, name: str, where: str, documents: Iterable[Document]) -> None:
        self.format = name
        self.where = where
        self.columns = ["text", "label"]
        self.row_columns: list[str] | None = ["file"]
        self._documents = documents
        self._bytes = 0

    def sample(self) -> dict[str, list[str]]:
        """No values: the columns are known."""
        return {name: [] for name in self.columns}

    def position(self) -> int:
        """The number of bytes that have been read."""
        return self._bytes

    def size(self) -> int:
        """0, because the number of bytes in all is not known."""
        return 0

    def close(self) -> None:
        """Close the file that is being read."""
        if isinstance(self._documents, Generator):
            self._documents.close()

    def batches(self, chosen: Chosen, *, whole: bool = True) -> Iterator[Batch]:
        """All documents, in batches."""
        del whole  # a document has no other columns than its place
        gathered: list[Document] = []
        size = 0
        for document in self._documents:
            gathered.append(document)
            size += len(document[0])
            if size >= CHUNK:
                yield self._batch(gathered, chosen)
                gathered, size = [], 0
        if gathered:
            yield self._batch(gathered, chosen)

    def _batch(self, documents: list[Document], chosen: Chosen) -> Batch:
        import pyarrow as pa

        texts, labels, places = (list(column) for column in zip(*documents, strict=True))
        self._bytes += sum(map(len, texts))
        table = partial(pa.table, {"file": places})
        return Batch(pa.array(texts, pa.large_string()), coded(labels) if chosen.label is not None else None, table)


def folder_reader(folder: Path, classes: list[Path], skipped: Skipped) -> DocumentReader:
    """The reader of a folder with one sub-folder (or mailbox) per class."""
    root = frozenset([os.path.realpath(folder)])
    documents = (
        (text, name_of(each.stem if each.is_file() else each.name), place)
        for each in classes
        for text, place in _texts_in(each, skipped, above=root)
    )
    return DocumentReader("folder", name_of(folder), documents)


def mail_reader(path: Path, kind: str, skipped: Skipped) -> DocumentReader:
    """The reader of an mbox file, a Maildir, a folder of messages or other documents, or a single message."""
    label = name_of(path.stem if path.is_file() else path.name)
    return DocumentReader(kind, name_of(path), ((text, label, place) for text, place in _texts_in(path, skipped)))


def mbox_reader(stream: Stream) -> DocumentReader:
    """The reader of an mbox that is open already."""
    label = Path(stream.where).stem
    documents = ((text, label, place) for text, place in _messages(stream))
    return DocumentReader("mbox", stream.where, documents)


def _messages(stream: Stream) -> Iterator[tuple[str, str]]:
    """The text and the place of each message of an mbox."""
    try:
        for at, raw in enumerate(split_mbox(iter(stream.read, b"")), start=1):
            yield message_text(raw), f"{stream.where}#{at}"
    finally:
        stream.close()


def _texts_in(
    path: Path, skipped: Skipped, *, is_mail: bool = False, above: frozenset[str] = frozenset()
) -> Iterator[tuple[str, str]]:
    """The text and the place of each document in a file, a Maildir, or a folder and all its sub-folders."""
    if path.is_dir():
        real = os.path.realpath(path)
        if real not in above:  # otherwise a link leads back to a folder above
            is_mail = is_maildir(path)
            for each in maildir_files(path) if is_mail else listed(path):
                yield from _texts_in(each, skipped, is_mail=is_mail, above=above | {real})
        return
    if not path.is_file():
        skipped.add(name_of(path), 1, "neither a file nor a folder")
        return
    stream = Stream(path)
    if bare_suffix(path) == ".mbox":
        yield from _messages(stream)
        return
    try:
        raw = stream.read(LONGEST_ROW + 1)
    finally:
        stream.close()
    if len(raw) > LONGEST_ROW:
        skipped.add(name_of(path), 1, "too long for a document")
    elif is_mail or bare_suffix(path) == ".eml" or looks_like_mail(raw[:8192]):
        yield message_text(raw), name_of(path)
    else:
        yield from _decoded(raw, path, skipped)


def _decoded(raw: bytes, path: Path, skipped: Skipped) -> Iterator[tuple[str, str]]:
    try:
        yield raw.decode("utf-8-sig"), name_of(path)
    except UnicodeDecodeError as error:
        skipped.add(name_of(path), raw.count(b"\n", 0, error.start) + 1, "not valid UTF-8")


def listed(folder: Path) -> list[Path]:
    """The files and folders in a folder, in order of their names, without hidden ones."""
    try:
        return sorted(each for each in folder.iterdir() if not each.name.startswith("."))
    except OSError as error:
        raise unreadable(folder, error) from error


def check_not_empty(folder: Path, inside: list[Path]) -> None:
    """Raise ``SourceError`` for an empty folder."""
    if not inside:
        raise SourceError(f"{name_of(folder)} is an empty folder: there is nothing to read")
