"""What a path, a glob or a folder stands for: files to read one after another."""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likely.errors import SourceError
from likely.reading.documents import check_not_empty, listed
from likely.reading.formats import format_by_name
from likely.reading.mail.message import is_maildir
from likely.reading.stream import unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable

STANDARD_INPUT = "-"
_TABLES = ("csv", "tsv", "jsonl", "parquet", "arrow")


def places_of(source: Any) -> list[Path | None]:
    """The files and folders a source names; None for standard input.

    Examples
    --------
    >>> places_of("-"), places_of(["a.csv", "b.csv"])
    ([None], [PosixPath('a.csv'), PosixPath('b.csv')])
    """
    if isinstance(source, str | os.PathLike):
        source = [source]
    places: list[Path | None] = []
    for each in source:
        if os.fspath(each) == STANDARD_INPUT:
            places.append(None)
        else:
            places.extend(_expanded(Path(each)))
    return places


def are_places(source: Any) -> bool:
    """Whether a source is a path or several, not a frame or a list of texts."""
    if isinstance(source, str | os.PathLike):
        return True
    return (
        isinstance(source, list | tuple)
        and bool(source)
        and all(isinstance(each, str | os.PathLike) for each in source)
    )


def _expanded(path: Path) -> Iterable[Path]:
    """The files that a pattern matches, sorted; anything else as it is."""
    try:
        is_there = path.exists()
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    if not is_there and glob.has_magic(str(path)):
        found = sorted(Path(each) for each in glob.glob(str(path), recursive=True))
        if not found:
            raise SourceError(f"no file matches {path}")
        return found
    return [path]


def kind_of_folder(folder: Path, *, labelled: bool) -> tuple[str, list[Path]]:
    """What a folder is, and what is in it that matters.

    It is a Maildir; or holds tables ("files"), messages ("mail"), or a folder or mailbox for each class ("folder").
    """
    if is_maildir(folder):
        return "maildir", []
    inside = listed(folder)
    check_not_empty(folder, inside)
    classes = [each for each in inside if each.is_dir() or format_by_name(each) == "mbox"]
    tables = [each for each in inside if each.is_file() and format_by_name(each) in _TABLES]
    if classes and tables:
        raise SourceError(f"{folder} holds both folders and tables such as {tables[0].name}: name what to read")
    if tables:
        return "files", tables
    if classes:
        return "folder", classes
    if not labelled or any(format_by_name(each) == "eml" for each in inside):
        return "mail", []
    raise SourceError(
        f"{folder} holds neither a sub-folder for each class nor tables nor messages (.eml): name what to read"
    )
