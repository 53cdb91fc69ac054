"""Which file becomes which file."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.corpus import STANDARD_INPUT, places_of
from likely.reading.formats import format_by_name, is_table
from likely.reading.stream import name_of

if TYPE_CHECKING:
    from likely.reading.corpus import Places

_FORMATS = ("csv", "tsv", "jsonl", "parquet", None)
"""The formats that can be filtered. A file whose name does not tell its format is judged when it is read."""


@dataclass(frozen=True)
class Job:
    """A file to filter.

    Attributes
    ----------
    source : Path
        The file that is read.
    name : str
        Its name below the folder of the output, with slashes.
    """

    source: Path
    name: str

    def target(self, folder: Path) -> Path:
        """The file that is written."""
        return folder / self.name


def jobs_of(source: Places, folder: Path) -> list[Job]:
    """One job per file that a source names, in the order of their names.

    A file from a folder or a glob keeps its place below it: below ``web`` for ``web``, ``web/*.jsonl`` and
    ``web/**/*.jsonl``.
    """
    jobs = [
        job
        for each in ([source] if isinstance(source, str | os.PathLike) else source)
        for job in _jobs_of_one(os.fspath(each), folder)
    ]
    seen: dict[str, Path] = {}
    for job in jobs:
        if job.name in seen:
            raise SourceError(
                f"{name_of(seen[job.name])} and {name_of(job.source)} would both become {name_of(job.name)}: "
                "give their common folder, or filter them into two folders"
            )
        seen[job.name] = job.source
        _check(job, folder)
    return sorted(jobs, key=lambda job: job.name)


def _jobs_of_one(source: str, folder: Path) -> list[Job]:
    if source == STANDARD_INPUT:
        raise SourceError("standard input is not a file: name files, or write to standard output")
    path = Path(source)
    if path.is_dir():
        inside = [each for each in sorted(path.rglob("*")) if each.is_file() and _is_data(each, path, folder)]
        if not inside:
            raise SourceError(f"{name_of(path)} has no file of JSON Lines, CSV or Parquet")
        return [Job(each, each.relative_to(path).as_posix()) for each in inside]
    if path.exists() or not glob.has_magic(source):
        return [Job(path, path.name)]
    base = _fixed_part(path)
    found = [each for each in places_of(source) if each is not None and each.is_file()]
    return [Job(each, each.relative_to(base).as_posix()) for each in found if not _is_output(each, base, folder)]


def _is_data(path: Path, base: Path, folder: Path) -> bool:
    """Whether a file in a folder is read: its name stands for a table, and neither it nor its folder is hidden."""
    parts = path.relative_to(base).parts
    hidden = any(part.startswith((".", "_")) for part in parts)
    return is_table(path) and not hidden and not _is_output(path, base, folder)


def _is_output(path: Path, base: Path, folder: Path) -> bool:
    """Whether a file below ``base`` is from earlier work: it is in the folder of the output, which is there, too."""
    output = folder.resolve()
    return output in path.resolve().parents and base.resolve() in output.parents


def _fixed_part(pattern: Path) -> Path:
    """The folder in which a glob begins to search.

    Examples
    --------
    >>> _fixed_part(Path("web/2026/*/a?.jsonl")), _fixed_part(Path("*.jsonl"))
    (PosixPath('web/2026'), PosixPath('.'))
    """
    fixed = []
    for part in pattern.parts[:-1]:
        if glob.has_magic(part):
            break
        fixed.append(part)
    return Path(*fixed)


def _check(job: Job, folder: Path) -> None:
    """Raise ``SourceError`` if a file cannot be filtered, or would be replaced by itself."""
    if not job.source.is_file():
        raise SourceError(f"{name_of(job.source)} is not a file")
    if format_by_name(job.source) not in _FORMATS or job.source.suffix.lower() == ".zip":
        raise SourceError(
            f"{name_of(job.source)} cannot be filtered into a file of its format: use JSON Lines, CSV or Parquet"
        )
    target = job.target(folder)
    if target.exists() and target.samefile(job.source):
        raise SourceError(f"{name_of(target)} cannot be read and written at the same time: choose another folder")
