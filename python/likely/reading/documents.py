"""Folders with one file per document, and mailboxes. The label is the name of the folder or mailbox."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from likely import _native
from likely.errors import SourceError
from likely.labels import coded
from likely.reading.batch import Batch, Chosen, Table
from likely.reading.formats import bare_suffix
from likely.reading.mail import is_maildir, looks_like_mail, maildir_files, message_text, split_mbox
from likely.reading.stream import CHUNK, LONGEST_ROW, UTF_8, FilePath, Stream, decoded, name_of, unopened
from likely.terminal import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from likely.reading.batch import Skipped

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
    """

    place: str
    text: str
    problem: str | None = None
    recognised: str | None = None
    label: str = ""


class DocumentReader:
    """Reads documents that come one by one."""

    encoding: str | None = None

    def __init__(self, name: str, where: str, documents: Iterable[Document], skipped: Skipped) -> None:
        self.format = name
        self.where = where
        self.columns = ["text", "label"]
        self.row_columns: list[str] | None = ["file"]
        self._documents = documents
        self._skipped = skipped
        self._bytes = 0
        self._encodings: Counter[str] = Counter()

    @property
    def recognised(self) -> str | None:
        """The encodings that were recognised so far, each with the number of files."""
        found = sorted(self._encodings.items())
        return " and ".join(f"{name} ({counted(files, 'file')})" for name, files in found) or None

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
            if document.problem is not None:
                self._skipped.add(document.place, None, document.problem, label=document.label)
                if chosen.label is not None:
                    continue
            if document.recognised is not None:
                self._encodings[document.recognised] += 1
            gathered.append(document)
            size += len(document.text)
            if size >= CHUNK:
                yield self._batch(gathered, chosen)
                gathered, size = [], 0
        if gathered:
            yield self._batch(gathered, chosen)

    def _batch(self, documents: list[Document], chosen: Chosen) -> Batch:
        texts = [each.text for each in documents]
        self._bytes += sum(map(len, texts))
        labels = coded([each.label for each in documents]) if chosen.label is not None else None
        table: Table = {"file": [each.place for each in documents]}
        problems = {at: each.problem for at, each in enumerate(documents) if each.problem is not None}
        return Batch(_native.Strings(texts), labels, lambda: table, problems=problems)


def folder_reader(
    folder: FilePath, classes: list[FilePath], skipped: Skipped, encoding: str | None
) -> DocumentReader:
    """The reader of a folder with one sub-folder (or mailbox) per class."""
    root = frozenset([os.path.realpath(str(folder))])
    documents = (
        replace(document, label=name_of(each.stem if each.is_file() else each.name))
        for each in classes
        for document in _documents_in(each, encoding, above=root)
    )
    return DocumentReader("folder", name_of(folder), documents, skipped)


def documents_reader(path: FilePath, kind: str, skipped: Skipped, encoding: str | None) -> DocumentReader:
    """The reader of an mbox file, a Maildir, a folder of messages or other documents, or a single message."""
    label = name_of(path.stem if path.is_file() else path.name)
    documents = (replace(each, label=label) for each in _documents_in(path, encoding))
    return DocumentReader(kind, name_of(path), documents, skipped)


def mbox_reader(stream: Stream, skipped: Skipped) -> DocumentReader:
    """The reader of an mbox that is open already."""
    label = Path(stream.where).stem
    documents = (replace(each, label=label) for each in _messages(stream))
    return DocumentReader("mbox", stream.where, documents, skipped)


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
    if is_mail or bare_suffix(path) == ".eml" or looks_like_mail(raw[:8192]):
        return Document(name_of(path), message_text(raw))
    text, decoder = decoded(raw, encoding)
    if text is None:
        return Document(name_of(path), "", f"not valid {decoder.encoding or UTF_8}")
    if _is_binary(text[:_LOOK]):
        return Document(name_of(path), "", "not text")
    return Document(name_of(path), text, recognised=decoder.recognised)


def _is_binary(text: str) -> bool:
    r"""Whether what was decoded is not text: it has a NUL, and more than 1 character in 50 is a control character.

    Examples
    --------
    >>> _is_binary("\x89PNG\r\n\x1a\n\0\0"), _is_binary("a line\nwith one \0, " + 50 * "and text ")
    (True, False)
    """
    return "\0" in text and 50 * sum(char < " " and not char.isspace() for char in text) > len(text)


def _messages(stream: Stream) -> Iterator[Document]:
    """The messages of an mbox."""
    try:
        for at, raw in enumerate(split_mbox(iter(stream.read, b"")), start=1):
            yield Document(f"{stream.where}#{at}", message_text(raw))
    finally:
        stream.close()


def listed(folder: FilePath) -> list[FilePath]:
    """The files and folders in a folder, in order of their names, without hidden ones."""
    try:
        inside: Iterable[FilePath] = folder.iterdir()
        return sorted((each for each in inside if not each.name.startswith(".")), key=lambda each: each.name)
    except OSError as error:
        raise unopened(folder, error) from error


def check_not_empty(folder: FilePath, inside: list[FilePath]) -> None:
    """Raise ``SourceError`` for an empty folder."""
    if not inside:
        raise SourceError(f"{name_of(folder)} is an empty folder: there is nothing to read")
