"""`Meter`: how much of all files has been read, in all lanes and passes."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    Observe: TypeAlias = Callable[[int, int, int | None], None]


@dataclass
class Meter:
    """Adds up what is read in all lanes and passes.

    ``observe`` is called with the number of documents, of bytes read, and of bytes in all, as that of `Corpus`.
    """

    observe: Observe | None
    total: int
    documents: int = 0
    done: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def one_file(self) -> Observe | None:
        """What the corpus of one file calls."""
        if self.observe is None:
            return None
        observe, before = self.observe, [0, 0]

        def add(documents: int, done: int, _: int | None) -> None:
            with self._lock:
                self.documents += documents - before[0]
                self.done += done - before[1]
                before[:] = documents, done
                observe(self.documents, self.done, self.total or None)

        return add
