"""Reading ahead: a thread reads the next batch while the current one is in use."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from queue import Full, Queue
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")

_PATIENCE = 0.1
"""The seconds after which the thread checks whether it is still needed."""


@dataclass(frozen=True)
class _Item(Generic[T]):
    """An item that was read."""

    item: T


@dataclass(frozen=True)
class _End:
    """There are no more items, because of an error if there is one."""

    error: BaseException | None


def ahead(items: Iterable[T]) -> Iterator[T]:
    """The same items. Each is made while the one before it is in use.

    Examples
    --------
    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    ready: Queue[_Item[T] | _End] = Queue(1)
    abandoned = threading.Event()

    def offer(each: _Item[T] | _End) -> bool:
        while not abandoned.is_set():
            try:
                ready.put(each, timeout=_PATIENCE)
            except Full:
                continue
            return True
        return False

    def work() -> None:
        try:
            if all(offer(_Item(item)) for item in items):
                offer(_End(None))
        except BaseException as error:  # any error is raised where the items are used
            offer(_End(error))

    reader = threading.Thread(target=work, name="likely-reader", daemon=True)
    reader.start()
    try:
        while isinstance(each := ready.get(), _Item):
            yield each.item
        if each.error is not None:
            raise each.error
    finally:
        abandoned.set()
        # A thread that reads from a pipe may wait forever, so it is left behind and ends with the process.
        reader.join(2 * _PATIENCE)
