"""Reading ahead: the next batch is read on a thread of its own while the last is worked on."""

from __future__ import annotations

import threading
from queue import Full, Queue
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")

_PATIENCE = 0.1
"""Seconds after which the reader looks whether anybody still waits for it."""


def ahead(items: Iterable[T]) -> Iterator[T]:
    """The same items, each made while the one before is in use.

    Examples
    --------
    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    ready: Queue[tuple[str, Any]] = Queue(1)
    abandoned = threading.Event()

    def offer(what: str, item: Any) -> bool:
        while not abandoned.is_set():
            try:
                ready.put((what, item), timeout=_PATIENCE)
            except Full:
                continue
            return True
        return False

    def work() -> None:
        try:
            if all(offer("item", item) for item in items):
                offer("end", None)
        except BaseException as error:  # whatever it is, it belongs to who asked
            offer("error", error)

    reader = threading.Thread(target=work, name="likely-reader", daemon=True)
    reader.start()
    try:
        while (next_ := ready.get())[0] == "item":
            yield next_[1]
        if next_[0] == "error":
            raise next_[1]
    finally:
        abandoned.set()
        # One that waits for a pipe may wait for ever: it is left behind, and ends with the process.
        reader.join(2 * _PATIENCE)
