"""`GroupCommit`: everything that waits is done in one transaction, whichever thread brought it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Generic, TypeVar

from likely.errors import LikelyError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")
W = TypeVar("W")


class Job(Generic[W, T]):
    """A part of a transaction, and its result or error."""

    def __init__(self, do: Callable[[W], T]) -> None:
        self._do = do
        self._results: list[T] = []
        self.error: BaseException | None = None

    def run(self, work: W) -> None:
        """Do the part; the error is kept for the thread that brought it, and raised too."""
        try:
            self._results = [self._do(work)]
        except BaseException as error:
            self.error = error
            raise

    @property
    def is_done(self) -> bool:
        """Whether there is a result or an error."""
        return bool(self._results) or self.error is not None

    def fail(self, error: BaseException) -> None:
        """Give the part an error, unless it has one of its own: its result was not written."""
        if self.error is None:
            self.error, self._results = error, []

    def result(self) -> T:
        """The result; raises the error."""
        if isinstance(self.error, LikelyError):
            raise self.error
        if self.error is not None:
            raise StoreError(f"the correction was not written: {self.error!r}") from self.error
        return self._results[0]


class GroupCommit(Generic[W]):
    """Threads bring parts; the one whose turn it is does all that wait, in one transaction, and the others wait.

    Parameters
    ----------
    commit : callable
        Does parts in one transaction. An error that it raises is that of every part which has none of its own.
    """

    def __init__(self, commit: Callable[[Sequence[Job[W, object]]], None]) -> None:
        self._commit = commit
        self._waiting: list[Job[W, object]] = []
        self._queue = threading.Lock()
        self.turn = threading.RLock()
        """Held while parts are done."""

    def do(self, part: Callable[[W], T]) -> T:
        """Do a part of a transaction; it is committed when this returns."""
        job: Job[W, T] = Job(part)
        with self._queue:
            self._waiting.append(job)  # type: ignore[arg-type]
        with self.turn:
            if not job.is_done:
                self._do_all_that_wait()
        return job.result()

    def _do_all_that_wait(self) -> None:
        with self._queue:
            jobs, self._waiting = self._waiting, []
        try:
            self._commit(jobs)
        except BaseException as error:
            for job in jobs:
                job.fail(error)
            if not isinstance(error, Exception):
                raise
