"""`Warming`: work that a server does in the background as soon as it answers."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from likely.errors import LikelyError

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager


class Warming:
    """Does something once, in a thread of its own, before anybody else gets the turn.

    If it fails, nothing is lost: what it makes faster is only slower.

    Examples
    --------
    >>> done, turn = [], threading.Lock()
    >>> Warming(turn, lambda: done.append("warm")).begin()
    >>> with turn:
    ...     done.append("writing")
    >>> done
    ['warm', 'writing']
    """

    def __init__(self, turn: AbstractContextManager[object], work: Callable[[], None]) -> None:
        self._turn, self._work = turn, work
        self._has_turn = threading.Event()

    def begin(self) -> None:
        """Begin; returns when the turn is taken."""
        threading.Thread(target=self._run, name="likely: warm", daemon=True).start()
        self._has_turn.wait()

    def _run(self) -> None:
        with self._turn:
            self._has_turn.set()
            with suppress(LikelyError):
                self._work()
