"""`Service`: what the handlers of all routes work with: the keeper, threads, figures, the log, and `Batching`."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
import threading
import traceback
from collections import Counter as Numbers
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TextIO, TypeVar

from likely.errors import LikelyError, StoreError
from likely.server.messages import LabelProbability, Prediction
from likely.server.metrics import DriftWatch, Metrics
from likely.server.pool import Pool

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.core.shift import Sees
    from likely.model.naive_bayes import NaiveBayes
    from likely.server.access import Right
    from likely.server.keeper import Keeper

P = ParamSpec("P")
T = TypeVar("T")

PREDICTING, LEARNING, READING = 4, 32, 4
"""Threads for large predictions, for corrections, which wait for the disk together, and for reading the store."""
PATIENCE = 15.0
"""For this many seconds a request waits for the store."""
SILENCE = 3.0
"""A store that has not answered for this many seconds is in trouble."""
SHORT = 20_000
"""Texts with at most this many characters together are scored at once: it takes less than a millisecond."""


class Call(NamedTuple):
    """What a handler gets to know of a request, beside its body.

    Attributes
    ----------
    right : {"open", "predict", "learn"}
        What the sender may do.
    term : str
        The term in the path; empty if there is none.
    key : str or None
        The value of the header Idempotency-Key.
    sender : str
        Who asks, for the limits: a digest of the token, or an address.
    """

    right: Right
    term: str
    key: str | None
    sender: str


class Log:
    """One JSON object per line on standard error, in ASCII, and never with a text, a term or a token.

    Paths are those of the table of routes, because the path of a request may have a text in it.

    Examples
    --------
    >>> import io, json
    >>> lines = io.StringIO()
    >>> Log(lines).event("listening", address="http://127.0.0.1:8000")
    >>> json.loads(lines.getvalue())["event"]
    'listening'
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self.said: set[str] = set()
        """What is wrong with the store at this time, as far as the log has said it."""

    def event(self, event: str, *, level: str = "info", **fields: object) -> None:
        """Write an event with its time."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "level": level, "event": event, **fields}, default=str)
        with contextlib.suppress(OSError):  # a full disk, or a pipe that nobody reads, stops no request
            self._stream.write(line + "\n")
            self._stream.flush()

    def error(self, error: BaseException, request_id: str) -> None:
        """Write where an unforeseen error happened: files, lines and the type, but not its message.

        The message may have a part of a text in it. That of a store has none, and is written once.
        """
        if isinstance(error, StoreError):
            if str(error) not in self.said:
                self.said.add(str(error))
                self.event("store", level="error", id=request_id, why=str(error))
            return
        frames = traceback.extract_tb(error.__traceback__)
        where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
        self.event("bug", level="error", id=request_id, error=type(error).__name__, where=where)


class UvicornLog(logging.Handler):
    """Passes uvicorn's warnings to the log, without arguments, which may have parts of a request."""

    def __init__(self, log: Log) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write the message of a record as it is in the source."""
        self._log.event("uvicorn", level=record.levelname.lower(), message=str(record.msg).strip())


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
        Whether the server is shutting down.
    """

    keeper: Keeper
    name: str
    version: str
    pool: Pool = field(default_factory=Pool)
    log: Log = field(default_factory=Log)
    is_draining: bool = False

    def __post_init__(self) -> None:
        self.metrics = Metrics()
        self.drift = DriftWatch(self.metrics)
        self.batching = Batching(self)
        if self.keeper.model._state.has_rest:  # now it takes no time, because the file says it
            self.drift.usual(self.keeper.model)
        self._predicting = ThreadPoolExecutor(PREDICTING, "likely-predict")
        self._learning = ThreadPoolExecutor(LEARNING, "likely-learn")
        self._reading = ThreadPoolExecutor(READING, "likely-read")
        self.heard = monotonic()
        self.incomplete: Numbers[str] = Numbers()

    async def aside(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of work that takes long, done in another thread, so that short requests do not wait."""
        return await asyncio.get_running_loop().run_in_executor(self._predicting, lambda: work(*args, **kwargs))

    async def durably(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of a correction, which waits for the disk in a thread of its own."""
        return await self._soon(self._learning, lambda: work(*args, **kwargs))

    async def read(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What is read from the store, in a thread of its own: a store that hangs keeps nobody else waiting."""
        return await self._soon(self._reading, lambda: work(*args, **kwargs))

    async def _soon(self, threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        """The result of a thread, if it comes in time."""
        try:
            return await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(threads, work), PATIENCE)
        except TimeoutError:
            raise StoreError(
                f"the store has not answered for {PATIENCE:g} seconds. What was asked for may still be done: ask "
                "again, with the same idempotency key"
            ) from None

    @property
    def trouble(self) -> str | None:
        """Why the store does not keep corrections at this time; None if it does."""
        status, silence = self.keeper.status, monotonic() - self.heard
        if status.durability == "none":
            return None
        hangs = f"the store has not answered for {silence:.0f} seconds" if silence > SILENCE else None
        return self.keeper.trouble or status.why_not or hangs

    def close(self, *, fold: bool, seconds: float) -> bool:
        """End the threads and close the keeper; with ``fold``, the model is written beside its store before.

        Returns whether that was done within some seconds. What was acknowledged is durable in any case.
        """
        worker = threading.Thread(target=self._close, args=(fold,), daemon=True)
        worker.start()
        worker.join(seconds)
        return not worker.is_alive()

    def _close(self, fold: bool) -> None:
        for threads in (self._predicting, self._learning, self._reading):
            threads.shutdown(cancel_futures=True)
        try:
            self.keeper.close(fold=fold)
        except LikelyError as error:  # nothing acknowledged is lost: the next start takes longer
            self.log.error(error, "end")


class PredictOptions(NamedTuple):
    """The number of labels per text, when to abstain, and whether the texts count in the figures of drift."""

    top: int
    abstain: float | None
    counts: bool = True


class Batching:
    """Collects the texts that come in one turn of the event loop, and scores them together at its end.

    A single text is not delayed: if no other request is there, it is a batch of its own.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._waiting: dict[PredictOptions, list[tuple[str, asyncio.Future[Prediction]]]] = {}

    async def predict(self, texts: list[str], options: PredictOptions) -> list[Prediction]:
        """One prediction per text."""
        if len(texts) == 1 and len(texts[0]) <= SHORT:
            return [await self._with_others(texts[0], options)]
        if sum(map(len, texts)) + 100 * len(texts) <= SHORT:
            found = self._score(texts, options)
        else:
            found = await self._service.aside(self._score, texts, options)
        self._count(found, options)
        return found

    def _with_others(self, text: str, options: PredictOptions) -> asyncio.Future[Prediction]:
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._flush)
        future: asyncio.Future[Prediction] = loop.create_future()
        self._waiting.setdefault(options, []).append((text, future))
        return future

    def _flush(self) -> None:
        """Score all texts that wait."""
        waiting, self._waiting = self._waiting, {}
        for options, batch in waiting.items():
            try:
                found = self._score([text for text, _ in batch], options)
            except Exception as error:
                for _, future in batch:
                    if not future.done():  # else the client is gone
                        future.set_exception(error)
                continue
            self._count(found, options)
            for (_, future), prediction in zip(batch, found, strict=True):
                if not future.done():
                    future.set_result(prediction)

    def _score(self, texts: list[str], options: PredictOptions) -> list[Prediction]:
        watch = self._service.drift if options.counts else None
        return predictions(self._service.keeper.model, texts, options, watch)

    def _count(self, found: list[Prediction], options: PredictOptions) -> None:
        """Count predictions, unless they are trials."""
        if options.counts:
            self._service.metrics.predicted([each.label for each in found])


def predictions(
    model: NaiveBayes, texts: list[str], options: PredictOptions, watch: Sees | None = None
) -> list[Prediction]:
    """One prediction per text; the watch sees the texts too.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
    >>> predictions(model, ["dull day"], PredictOptions(1, None))[0].label
    '-'
    """
    found = model._predict_all(texts, options.top, abstain=options.abstain, watch=watch)
    columns = (found.answers, found.labels, found.probabilities, found.known, found.impossible)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        Prediction(answer, shares[0], known, list(map(LabelProbability, labels, shares)), impossible)
        for answer, labels, shares, known, impossible in rows
    ]
