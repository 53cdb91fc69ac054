"""Folders: what the files and folders in them are, and which of them are read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from likely.errors import SourceError
from likely.reading.documents import check_not_empty, listed
from likely.reading.files.formats import format_by_name, is_table
from likely.reading.files.names import name_of
from likely.reading.mail.message import is_maildir
from likely.terminal import counted, named

if TYPE_CHECKING:
    from pathlib import Path

Part: TypeAlias = Literal["train", "test"]
"""The part of a corpus that is read, if a folder has both."""

_TRAIN = ("train", "training")
_TEST = ("test", "testing", "valid", "validation", "val", "dev")
_NAMED = 5
"""At most this many files that are not read are named."""


@dataclass(frozen=True)
class Parts:
    """The folders or tables of a corpus that is divided: one to train on, one to test on, and others beside them."""

    train: Path
    test: Path
    others: tuple[Path, ...] = ()


def parts_of(folder: Path) -> Parts | None:
    """The parts of a folder that contains, for example, ``train`` and ``test``; None if it is not such a folder.

    Both must be tables, contain tables, or contain folders of the same name: otherwise they are classes that happen
    to have these names.
    """
    if is_maildir(folder):
        return None
    inside = {_stem(each): each for each in listed(folder) if each.is_dir() or is_table(each)}
    train, test = (next((inside[name] for name in names if name in inside), None) for names in (_TRAIN, _TEST))
    if train is None or test is None or not (_have_tables(train, test) or _share_classes(train, test)):
        return None
    return Parts(train, test, tuple(each for each in inside.values() if each not in (train, test)))


def _stem(path: Path) -> str:
    return path.name.lower() if path.is_dir() else path.name.lower().partition(".")[0]


def _have_tables(*places: Path) -> bool:
    """Whether each of these is a table or a folder with tables."""
    return all(any(map(is_table, listed(each))) if each.is_dir() else is_table(each) for each in places)


def _share_classes(train: Path, test: Path) -> bool:
    """Whether two folders contain folders of the same name."""
    if not (train.is_dir() and test.is_dir()):
        return False
    names = ({each.name for each in _classes(listed(part))} for part in (train, test))
    return bool(set.intersection(*names))


def kind_of_folder(folder: Path, *, labelled: bool) -> tuple[str, list[Path]]:
    """The kind of a folder, and the files and folders in it that are read.

    The kind is "maildir", "files" (tables), "mail" (messages), "folder" (one folder or mailbox per class) or, if no
    labels are read, "documents" (every file in it and in its sub-folders).
    """
    if is_maildir(folder):
        return "maildir", []
    inside = listed(folder)
    check_not_empty(folder, inside)
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


def _check_shards(folder: Path, tables: list[Path]) -> None:
    """Raise ``SourceError`` if some tables are pieces to train on and others pieces to test on."""
    starts = {re.split("[^a-z]", each.name.lower(), maxsplit=1)[0]: each for each in tables}
    train, test = (next((starts[name] for name in names if name in starts), None) for names in (_TRAIN, _TEST))
    if train is not None and test is not None:
        raise SourceError(
            f"{name_of(folder)} contains tables to train on and tables to test on, such as {name_of(train.name)} and "
            f"{name_of(test.name)}: name the files to read, as in {name_of(folder)}/train*"
        )


def left_out(folder: Path, read: list[Path], what: str) -> str | None:
    """A sentence about the files of a folder beside ``what`` that are not read; None if there are none."""
    names = [name_of(each.name) for each in listed(folder) if each not in set(read)]
    if not names:
        return None
    files = counted(len(names), f"file beside {what} is", f"files beside {what} are")
    return f"{name_of(folder)}: {files} not read: {named(names, _NAMED)}"


def tables_as_documents(folder: Path) -> str | None:
    """A sentence about tables in the folders of a folder, which are read as one document each; None without any."""
    tables = [
        inner
        for each in listed(folder)
        if each.is_dir()
        for inner in listed(each)
        if is_table(inner) and inner.is_file()
    ]
    if not tables:
        return None
    first = name_of(f"{tables[0].parent.name}/{tables[0].name}")
    return (
        f"{name_of(folder)}: {counted(len(tables), 'table')} in its folders, such as {first}, read as one document "
        "each: name the files to read their rows"
    )


def _classes(inside: list[Path]) -> list[Path]:
    """The folders and mailboxes that stand for classes."""
    return [each for each in inside if each.is_dir() or format_by_name(each) == "mbox"]
