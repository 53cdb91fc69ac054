"""Sources: the files and folders that a path, a glob or a list of them stands for."""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from likely.errors import SourceError
from likely.reading.documents import check_not_empty, listed
from likely.reading.formats import format_by_name
from likely.reading.mail.message import is_maildir
from likely.reading.stream import unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Places: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

STANDARD_INPUT = "-"
_TABLES = ("csv", "tsv", "jsonl", "parquet", "arrow")


def places_of(source: Places) -> list[Path | None]:
    """The files and folders that a source names; None stands for standard input.

    Examples
    --------
    >>> places_of("-"), places_of(["a.csv", "b.csv"])
    ([None], [PosixPath('a.csv'), PosixPath('b.csv')])
    """
    places: list[Path | None] = []
    for each in [source] if isinstance(source, str | os.PathLike) else source:
        if os.fspath(each) == STANDARD_INPUT:
            places.append(None)
        else:
            places.extend(_expanded(Path(each)))
    return places


def are_places(source: object) -> TypeGuard[Places]:
    """Whether a source is a path or a list of paths, and not a frame."""
    if isinstance(source, str | os.PathLike):
        return True
    return (
        isinstance(source, list | tuple)
        and bool(source)
        and all(isinstance(each, str | os.PathLike) for each in source)
    )


def _expanded(path: Path) -> Iterable[Path]:
    """The files that match a glob, in order; or the path itself, if it is not a glob."""
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
    """The kind of a folder, and the files and folders in it that are read.

    The kind is "maildir", "files" (tables), "mail" (messages) or "folder" (one folder or mailbox per class).
    """
    if is_maildir(folder):
        return "maildir", []
    inside = listed(folder)
    check_not_empty(folder, inside)
    classes = [each for each in inside if each.is_dir() or format_by_name(each) == "mbox"]
    tables = [each for each in inside if each.is_file() and format_by_name(each) in _TABLES]
    if classes and tables:
        raise SourceError(
            f"{folder} contains both folders and tables such as {tables[0].name}: name the files to read"
        )
    if tables:
        return "files", tables
    if classes:
        return "folder", classes
    if not labelled or any(format_by_name(each) == "eml" for each in inside):
        return "mail", []
    raise SourceError(
        f"{folder} contains no sub-folders for classes, no tables and no messages (.eml): name the files to read"
    )
