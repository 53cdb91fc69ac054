"""Several files at a time: `Lanes`."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from likely.reading.corpus import ahead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from likely.selecting.parts import Part

T = TypeVar("T")
R = TypeVar("R")


class Lanes:
    """Reads several files at a time, with one processor each, or one file with all processors.

    Parameters
    ----------
    processors : int
        The number of threads to use.
    files : int
        The number of files.
    in_order : bool
        Whether the files must be read one after the other.

    Examples
    --------
    >>> lanes = Lanes(8, files=3)
    >>> lanes.number, lanes.threads
    (3, 2)
    """

    def __init__(self, processors: int, files: int, *, in_order: bool = False) -> None:
        self.number = 1 if in_order else max(1, min(processors, files))
        self.threads = max(1, processors // self.number)
        """The number of threads that a lane may use."""
        self._is_stopped = threading.Event()

    def run(self, work: Callable[[Part], R], parts: list[Part]) -> list[R]:
        """The results of ``work`` for all parts, in their order. The largest parts are begun first."""
        if self.number == 1:
            return [work(part) for part in parts]
        with ThreadPoolExecutor(self.number, thread_name_prefix="likely-lane") as pool:
            begun = sorted(range(len(parts)), key=lambda at: -parts[at].size)
            futures = {at: pool.submit(work, parts[at]) for at in begun}
            try:
                return [futures[at].result() for at in range(len(parts))]
            except BaseException:
                self._is_stopped.set()
                for future in futures.values():
                    future.cancel()
                raise

    def batches(self, batches: Iterable[T]) -> Iterator[T]:
        """The same batches; they end early if another lane has failed, or the user has stopped the work."""
        for batch in batches if self.threads == 1 and self.number > 1 else ahead(batches):
            if self._is_stopped.is_set():
                return
            yield batch
