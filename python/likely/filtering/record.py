"""What is done already: a small file in the folder of the output, one line per finished file."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, BinaryIO

from likely.errors import ResumeError
from likely.reading.stream import name_of
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from likely.filtering.places import Job

NAME = ".likely_filter.jsonl"
"""The name of the file. Globs and programs that read whole folders skip names that begin with a dot."""
_VERSION = 1
_AGAIN = "write to another folder, or start over with overwrite=True (--overwrite)"


@dataclass(frozen=True)
class Done:
    """What became of one file: the numbers of its rows, and of its bytes before compression."""

    rows: int
    kept: int
    skipped: int
    read: int


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
    jobs : list of Job
        The files that are filtered. What was done before must not stay beside other results.
    """

    def __init__(
        self, folder: Path, task: Mapping[str, object], *, overwrite: bool, jobs: Sequence[Job] = ()
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

    def done(self, job: Job) -> Done | None:
        """What became of a file, if it is finished. Raise ``ResumeError`` if the file has changed since."""
        known = self._done.get(job.name)
        if known is None or not job.target(self._folder).exists():
            return None
        if {name: known[name] for name in ("bytes", "modified")} != _state(job):
            raise ResumeError(
                f"{name_of(job.source)} has changed since it was filtered into {name_of(self._folder)}: {_AGAIN}"
            )
        return Done(**{name: int(str(known[name])) for name in Done.__dataclass_fields__})

    def check_free(self, job: Job) -> None:
        """Raise ``ResumeError`` if a file that is not from this work would be replaced."""
        is_ours = self._is_fresh or job.name in self._begun
        if not is_ours and job.target(self._folder).exists():
            raise ResumeError(f"{name_of(job.target(self._folder))} exists and is not from this work: {_AGAIN}")

    def begin(self, job: Job) -> None:
        """Record that a file is about to be written, so that it may be replaced after a kill."""
        self._begun.add(job.name)
        self._append({"begun": job.name})

    def add(self, job: Job, done: Done) -> None:
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


def _state(job: Job) -> dict[str, object]:
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
