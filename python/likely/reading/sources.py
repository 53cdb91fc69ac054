"""Sources: the files and folders that a path, a glob or a list of them stands for."""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from likely.errors import SourceError
from likely.reading.files.stream import unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Places: TypeAlias = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

STANDARD_INPUT = "-"


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


def are_files(places: list[Path | None]) -> bool:
    """Whether all places are files and folders, which can be read more than once, and none is a pipe.

    Examples
    --------
    >>> are_files([Path("/")]), are_files([None]), are_files([Path("/dev/null")])
    (True, False, False)
    """
    return not any(place is None or (place.exists() and not (place.is_file() or place.is_dir())) for place in places)


def size_of(places: list[Path | None]) -> int | None:
    """The number of bytes of all files, or None if it is not known.

    Examples
    --------
    >>> size_of([]), size_of([None]), size_of([Path("/")])
    (0, None, None)
    """
    if any(place is None or not place.is_file() for place in places):
        return None
    return sum(place.stat().st_size for place in places if place)


def read_once(why: str) -> SourceError:
    """The error for a source that can be read only once, if ``why`` reads the texts twice."""
    return SourceError(f"{why} reads the texts twice, which is not possible with a stream: give a file or a table")


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
