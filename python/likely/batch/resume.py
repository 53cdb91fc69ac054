"""Which file becomes which file in a folder, and the record by which interrupted work is resumed."""

from __future__ import annotations

import glob
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from likely.errors import ResumeError, SourceError
from likely.reading.corpus import STANDARD_INPUT, places_of
from likely.reading.formats import compression_of, format_by_name, is_table
from likely.reading.stream import name_of
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from likely.reading.corpus import Places


_FILTERED = ("csv", "tsv", "jsonl", "parquet", None)
"""The formats that can be filtered. A file whose name does not tell its format is judged when it is read."""
_MAGIC = 8
"""The number of bytes at the start of a file that tell how it is compressed."""


@dataclass(frozen=True)
class InputFile:
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

    def compression(self) -> str | None:
        """How the file is compressed: ``.gz``, ``.bz2``, ``.zst`` or None, by its first bytes."""
        with self.source.open("rb") as file:
            return compression_of(file.read(_MAGIC))


def jobs_of(source: Places, folder: Path) -> list[InputFile]:
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


def _jobs_of_one(source: str, folder: Path) -> list[InputFile]:
    if source == STANDARD_INPUT:
        raise SourceError("standard input is not a file: name files, or write to standard output")
    path = Path(source)
    if path.is_dir():
        inside = [each for each in sorted(path.rglob("*")) if each.is_file() and _is_data(each, path, folder)]
        if not inside:
            raise SourceError(f"{name_of(path)} has no file of JSON Lines, CSV or Parquet")
        return [InputFile(each, each.relative_to(path).as_posix()) for each in inside]
    if path.exists() or not glob.has_magic(source):
        return [InputFile(path, path.name)]
    base = _fixed_part(path)
    found = [each for each in places_of(source) if each is not None and each.is_file()]
    return [
        InputFile(each, each.relative_to(base).as_posix()) for each in found if not _is_output(each, base, folder)
    ]


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


def _check(job: InputFile, folder: Path) -> None:
    """Raise ``SourceError`` if a file cannot be filtered, or would be replaced by itself."""
    if not job.source.is_file():
        raise SourceError(f"{name_of(job.source)} is not a file")
    if format_by_name(job.source) not in _FILTERED or job.source.suffix.lower() == ".zip":
        raise SourceError(
            f"{name_of(job.source)} cannot be filtered into a file of its format: use JSON Lines, CSV or Parquet"
        )
    target = job.target(folder)
    if target.exists() and target.samefile(job.source):
        raise SourceError(f"{name_of(target)} cannot be read and written at the same time: choose another folder")


NAME = ".likely_filter.jsonl"
"""The name of the file. Globs and programs that read whole folders skip names that begin with a dot."""
_VERSION = 1
_AGAIN = "write to another folder, or start over with overwrite=True (--overwrite)"


@dataclass
class RowCounts:
    """What became of one file: the numbers of its rows, and of its bytes before compression."""

    rows: int = 0
    kept: int = 0
    skipped: int = 0
    read: int = 0


class Record:
    """The record of a folder, which is locked as long as it is open.

    Parameters
    ----------
    folder : Path
        The folder of the output. It is created if necessary.
    task : mapping
        What is done with every file, by the name that a message has for it. A folder has one task only.
    overwrite : bool
        Whether to forget what was done before.
    jobs : list of InputFile
        The files that are filtered. What was done before must not stay beside other results.
    """

    def __init__(
        self, folder: Path, task: Mapping[str, object], *, overwrite: bool, jobs: Sequence[InputFile] = ()
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._file: BinaryIO = (folder / NAME).open("a+b")
        try:
            _lock(self._file, folder)
            self._done: dict[str, dict[str, object]] = {}
            self._begun: set[str] = set()
            self._is_fresh = overwrite
            if overwrite:
                self._check_replaced({job.name for job in jobs})
            if overwrite or not self._read(task):
                self._file.truncate(0)
                self._append({"version": _VERSION, **task})
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the file, which unlocks the folder."""
        self._file.close()

    def done(self, job: InputFile) -> RowCounts | None:
        """What became of a file, if it is finished. Raise ``ResumeError`` if the file has changed since."""
        known = self._done.get(job.name)
        if known is None or not job.target(self._folder).exists():
            return None
        if {name: known[name] for name in ("bytes", "modified")} != _state(job):
            raise ResumeError(
                f"{name_of(job.source)} has changed since it was filtered into {name_of(self._folder)}: {_AGAIN}"
            )
        return RowCounts(**{name: int(str(known[name])) for name in RowCounts.__dataclass_fields__})

    def check_free(self, job: InputFile) -> None:
        """Raise ``ResumeError`` if a file that is not from this work would be replaced."""
        is_ours = self._is_fresh or job.name in self._begun
        if not is_ours and job.target(self._folder).exists():
            raise ResumeError(f"{name_of(job.target(self._folder))} exists and is not from this work: {_AGAIN}")

    def begin(self, job: InputFile) -> None:
        """Record that a file is about to be written, so that it may be replaced after a kill."""
        self._begun.add(job.name)
        self._append({"begun": job.name})

    def add(self, job: InputFile, done: RowCounts) -> None:
        """Record that a file is finished."""
        entry = {"file": job.name, **_state(job), **asdict(done)}
        self._done[job.name] = entry
        self._append(entry)

    def _append(self, entry: Mapping[str, object]) -> None:
        self._file.write(json.dumps(entry).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, task: Mapping[str, object]) -> bool:
        """Read what was recorded; return False if it is nothing. A last line that is not complete is dropped."""
        self._file.seek(0)
        lines = self._file.read()
        whole = lines[: lines.rfind(b"\n") + 1]
        self._file.truncate(len(whole))
        try:
            entries = [json.loads(line) for line in whole.splitlines()]
        except ValueError as error:
            raise ResumeError(f"{name_of(self._folder / NAME)} is damaged: {_AGAIN}") from error
        for name, value in {"version": _VERSION, **task}.items() if entries else ():
            if entries[0].get(name) != value:
                raise ResumeError(self._other(name, entries[0].get(name), value))
        self._begun = {entry["begun"] for entry in entries if "begun" in entry}
        self._done = {entry["file"]: entry for entry in entries if "file" in entry}
        return bool(entries)

    def _check_replaced(self, names: set[str]) -> None:
        """Raise ``ResumeError`` if a file of earlier work would stay."""
        self._file.seek(0)
        for name in sorted(set(_finished(self._file.read())) - names):
            if (self._folder / name).exists():
                raise ResumeError(
                    f"{name_of(self._folder / name)} is from earlier work and would stay, because its input is not "
                    "filtered now: remove it, or write to another folder"
                )

    def _other(self, name: str, before: object, now: object) -> str:
        is_short = isinstance(before, str) and name != "model"
        told = f" ({printable(before)}, and now {printable(now)})" if is_short else ""
        return f"{name_of(self._folder)} has results of other work, because the {name} is another one{told}: {_AGAIN}"


def _finished(lines: bytes) -> Iterator[str]:
    """The names of finished files in a record, which may be damaged."""
    for line in lines.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and isinstance(entry.get("file"), str):
            yield entry["file"]


def _state(job: InputFile) -> dict[str, object]:
    """By what a changed file is recognised."""
    found = job.source.stat()
    return {"bytes": found.st_size, "modified": found.st_mtime_ns}


def _lock(file: BinaryIO, folder: Path) -> None:
    """Lock a file as long as it is open, where the system can do so. The lock ends with the process."""
    try:
        import fcntl
    except ModuleNotFoundError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise ResumeError(f"another process is writing to {name_of(folder)}: wait for it, or end it") from error
