"""`Service`: what the handlers of all routes work with."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

from likely.server.http.batching import Batching
from likely.server.http.board import Board
from likely.server.http.log import Log
from likely.server.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.server.http.access import Right
    from likely.server.keeper import Keeper

P = ParamSpec("P")
T = TypeVar("T")

PREDICTING, LEARNING = 4, 32
"""Threads for large predictions, and for corrections, which wait for the disk together."""


class Call(NamedTuple):
    """What a handler gets to know of a request, beside its body.

    Attributes
    ----------
    right : {"open", "predict", "learn"}
        What the sender may do.
    place : str
        The part of the path that stands for a name, such as a term; empty if there is none.
    key : str or None
        The value of the header Idempotency-Key.
    sender : str
        Who asks, for the guard of the rate: a digest of the token.
    """

    right: Right
    place: str
    key: str | None
    sender: str


@dataclass
class Service:
    """A keeper and all that is counted and shared while it is served.

    Attributes
    ----------
    keeper : Keeper
        The model and its store.
    name : str
        The name of the model.
    version : str
        The version of `likely`.
    pool : Pool
        Texts that wait for labels.
    is_draining : bool
        Whether the server is about to end.
    board : Board
        What is counted and seen, by this process and by others.
    """

    keeper: Keeper
    name: str
    version: str
    board: Board = field(default_factory=Board)
    pool: Pool = field(default_factory=Pool)
    log: Log = field(default_factory=Log)
    is_draining: bool = False

    def __post_init__(self) -> None:
        self.metrics = self.board.metrics
        self.batching = Batching(self)
        if self.keeper.model._state.has_rest:  # now it takes no time, because the file says it
            self.board.drift.usual(self.keeper.model)
        self._predicting = ThreadPoolExecutor(PREDICTING, "likely-predict")
        self._learning = ThreadPoolExecutor(LEARNING, "likely-learn")

    async def aside(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of work that takes long, done in another thread, so that short requests do not wait."""
        return await asyncio.get_running_loop().run_in_executor(self._predicting, lambda: work(*args, **kwargs))

    async def durably(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a correction, which waits for the disk in a thread of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._learning, lambda: work(*args, **kwargs))

    def close(self, *, fold: bool) -> None:
        """End the threads and close the keeper; with ``fold``, the model is written beside its store before."""
        self._predicting.shutdown(cancel_futures=True)
        self._learning.shutdown()
        self.keeper.close(fold=fold)
