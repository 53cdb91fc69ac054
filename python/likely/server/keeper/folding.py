"""`Folding`: folds in the background, often enough for a fast restart, and seldom enough to cost little."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from likely.errors import LikelyError

if TYPE_CHECKING:
    from collections.abc import Callable

DUE = 500
"""With this many entries that are not folded, a fold is due. To replay them takes about half a second."""
SHARE = 0.1
"""At most this share of the time is spent on folding."""


class Folding:
    """Folds in a thread of its own when that is due.

    Parameters
    ----------
    fold : callable
        Folds. If it fails, for example because the disk is full, that is tried again later: no correction depends
        on it.
    clock : callable
        The time in seconds.
    """

    def __init__(self, fold: Callable[[], object], clock: Callable[[], float] = time.monotonic) -> None:
        self._fold, self._clock = fold, clock
        self._thread: threading.Thread | None = None
        self._not_before = -float("inf")

    def consider(self, unfolded: int) -> bool:
        """Begin to fold if that is due; returns whether it was."""
        is_running = self._thread is not None and self._thread.is_alive()
        if unfolded < DUE or is_running or self._clock() < self._not_before:
            return False
        self._thread = threading.Thread(target=self._run, name="likely: fold", daemon=True)
        self._thread.start()
        return True

    def _run(self) -> None:
        begun = self._clock()
        try:
            self._fold()
        except LikelyError:
            pass
        finally:
            ended = self._clock()
            self._not_before = ended + (ended - begun) / SHARE

    def finish(self) -> None:
        """Wait until a fold that has begun is done."""
        thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join()
