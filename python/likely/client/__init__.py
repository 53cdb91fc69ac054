"""The client of a server: `Client`, and `AsyncClient` for asyncio. It knows nothing of models."""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Generic, NamedTuple, ParamSpec, TypeVar, cast
from urllib.parse import quote

from likely.extras import extra

extra("msgspec", "The client")  # or else the next import would say nothing of `likely[client]`

import msgspec

from likely.errors import OptionError, RequestError, UnavailableError
from likely.server import messages as m
from likely.server.messages import ClassAnswer, HistoryEntry, ModelAnswer, Outcome, Prediction, TermAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Mapping
    from datetime import date

    import httpx

    from likely.types import Label

__all__ = [
    "AsyncClient",
    "ClassAnswer",
    "Client",
    "HistoryEntry",
    "ModelAnswer",
    "Outcome",
    "Prediction",
    "Retries",
    "TermAnswer",
]

P = ParamSpec("P")
T = TypeVar("T")
AGAIN = frozenset({408, 429, 502, 503, 504, 507})
"""Statuses after which the same request may succeed."""
_MOST_DOUBLINGS = 60
"""After this many, any bound is reached; much later the power would be too large for a number."""


@dataclass(frozen=True)
class Retries:
    """The retry policy: how often, and after how many seconds, a request is sent again.

    The bound of the wait doubles with every attempt, and its length is drawn at random, so many clients do not
    come back at the same moment ("full jitter", Brooker 2015). If a server says when to come back, that counts.

    Attributes
    ----------
    attempts : int
        The number of attempts in all.
    first : float
        The bound of the first wait, in seconds.
    longest : float
        The bound of any wait, in seconds.
    random : random.Random
        Where chance comes from.

    Examples
    --------
    >>> retries = Retries(random=random.Random(1))
    >>> [round(retries.wait(attempt), 3) for attempt in (1, 2, 3)]
    [0.013, 0.169, 0.306]
    >>> retries.wait(1, retry_after="7")
    7.0
    """

    attempts: int = 6
    first: float = 0.1
    longest: float = 10.0
    random: random.Random = field(default_factory=random.SystemRandom)

    def is_worth(self, attempt: int, status: int | None) -> bool:
        """Whether to try again after this attempt (from 1), which ended with a status, or without an answer."""
        return attempt < self.attempts and (status is None or status in AGAIN)

    def wait(self, attempt: int, retry_after: str | None = None) -> float:
        """How long to wait after this attempt (from 1), in seconds."""
        if retry_after is not None and retry_after.isdecimal() and len(retry_after) < 6:
            return min(float(retry_after), self.longest)
        doublings = min(attempt - 1, _MOST_DOUBLINGS)
        return self.random.uniform(0, min(self.longest, self.first * 2.0**doublings))


@dataclass(frozen=True)
class Exchange(Generic[T]):
    """One request, and how its answer is read. Every correction has an idempotency key, so it may be sent again."""

    path: str
    read: Callable[[bytes], T]
    body: m.RequestBody | None = None

    @property
    def sent(self) -> dict[str, Any]:
        """The arguments of the request."""
        if self.body is None:
            return {"method": "GET", "url": self.path}
        try:
            content = msgspec.json.encode(self.body)
        except (TypeError, ValueError) as error:  # half a surrogate pair, for example
            raise OptionError(f"this cannot be sent as JSON: {error}") from error
        return {
            "method": "POST",
            "url": self.path,
            "content": content,
            "headers": {"content-type": "application/json"},
        }


class Answer(NamedTuple):
    """What a server has answered; or the error, if it has not."""

    status: int = 0
    retry_after: str | None = None
    content: bytes = b""
    error: Exception | None = None


def _decoded(data: bytes, kind: type[T]) -> T:
    """An answer. Fields that a newer server adds are ignored."""
    return msgspec.json.decode(data, type=kind)


def _outcomes(data: bytes) -> list[Outcome]:
    return _decoded(data, m.OutcomesAnswer).outcomes


def _new_key() -> str:
    """An idempotency key: 128 random bits."""
    return os.urandom(16).hex()


def _listed(texts: Iterable[str]) -> list[str]:
    if isinstance(texts, str):
        raise OptionError("texts is a single string: give a list of texts")
    return list(texts)


def refusal(status: int, content: bytes) -> RequestError:
    """The error in an answer, even if a proxy and not the server has answered.

    Examples
    --------
    >>> refusal(401, b'{"detail": "send a token"}')
    RequestError('send a token')
    """
    try:
        problem = json.loads(content)
    except ValueError:
        problem = None
    found: Mapping[str, str] = problem if isinstance(problem, dict) else {}
    detail = str(found.get("detail") or f"the server answered with status {status}")
    kind = UnavailableError if status in AGAIN else RequestError
    return kind(detail, status, found.get("request_id"))


class _Connection:
    """What both clients share: the address, and what follows from a failed attempt."""

    _kind: ClassVar[str]

    def __init__(
        self,
        address: str = "http://127.0.0.1:8000",
        *,
        token: str | None = None,
        timeout: float = 30.0,
        retries: Retries | None = None,
    ) -> None:
        library = extra("httpx", "The client")
        if token is not None and not (token.isascii() and token.isprintable()):
            raise OptionError(
                "the token has characters that an HTTP header cannot contain: give it exactly as the server has it"
            )
        self.address, self.timeout = address.rstrip("/"), timeout
        self.retries = Retries() if retries is None else retries
        self._failures = (library.RequestError, TimeoutError)
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        try:
            self._http = getattr(library, self._kind)(
                base_url=self.address, headers=headers, timeout=timeout, trust_env=False
            )
        except library.InvalidURL as error:
            raise OptionError(f"address={address!r} is not the address of a server: {error}") from error

    def _read(self, exchange: Exchange[T], answer: Answer) -> T:
        """The content of an answer that is not a refusal."""
        try:
            return exchange.read(answer.content)
        except (ValueError, LookupError) as error:
            raise RequestError(
                f"{self.address} does not answer like a `likely` server: is the address right? ({error})",
                answer.status,
            ) from error

    def _wait_after(self, attempt: int, answer: Answer) -> float:
        """The seconds until the next attempt; raises the error if there is none."""
        if self.retries.is_worth(attempt, answer.status or None):
            return self.retries.wait(attempt, answer.retry_after)
        if answer.error is None:
            raise refusal(answer.status, answer.content)
        raise UnavailableError(
            f"{self.address} does not answer ({type(answer.error).__name__}, {attempt} attempts): is the server "
            "running, and is the address right?"
        ) from answer.error


class Client(_Connection, AbstractContextManager["Client"]):
    """A connection to a server. Requests that fail for a passing reason are sent again.

    Every correction has an idempotency key: it is made once, however often it is sent. Errors are
    ``RequestError`` (the server refuses) and ``UnavailableError`` (nobody answers, even after retrying).

    Parameters
    ----------
    address : str
        The address of the server.
    token : str, optional
        A token of the server.
    timeout : float
        How many seconds an attempt may take.
    retries : Retries, optional
        How often, and when, a request is sent again.

    Examples
    --------
    >>> from likely.client import Client
    >>> client = Client("http://127.0.0.1:8000")
    >>> client.address
    'http://127.0.0.1:8000'
    """

    _kind = "Client"
    _http: httpx.Client

    def predict(self, texts: Iterable[str], *, top: int = 1, abstain: float | None = None) -> list[Prediction]:
        """One prediction per text."""
        body = m.PredictRequest(texts=_listed(texts), top=top, abstain=abstain)
        return self._do(Exchange("/predict", lambda data: _decoded(data, m.PredictionsAnswer).predictions, body))

    def explain(self, text: str) -> dict[str, object]:
        """Explain why a text gets its label, as plain data (``ExplanationDocument`` at ``/docs`` of the server)."""
        return self._do(Exchange("/explain", lambda data: _decoded(data, dict[str, object]), m.ExplainRequest(text)))

    def learn(
        self, texts: Iterable[str], labels: Iterable[Label], *, source: str | None = None, key: str | None = None
    ) -> list[Outcome]:
        """Learn texts with their labels, all or none. When this returns, it is durable."""
        some, key = _listed(texts), key or _new_key()
        many = [each.item() if hasattr(each, "item") else each for each in labels]  # those of numpy
        if len(some) != len(many):
            raise OptionError(f"there are {len(some)} texts, but {len(many)} labels: give one label per text")
        keys = [key] if len(some) == 1 else [f"{key}/{at}" for at in range(len(some))]
        corrections = [
            m.Correction(text, label, source, each) for text, label, each in zip(some, many, keys, strict=True)
        ]
        return self._do(Exchange("/learn", _outcomes, m.LearnRequest(corrections=corrections)))

    def forget(
        self,
        text: str | None = None,
        *,
        digest: str | None = None,
        source: str | None = None,
        before: date | None = None,
        key: str | None = None,
    ) -> list[Outcome]:
        """Forget a text, the text with a digest, everything from a source, or what was learned before a day."""
        body = m.ForgetRequest(text, digest, source, key or _new_key(), before)
        return self._do(Exchange("/forget", _outcomes, body))

    def undo(self, seq: int | None = None, *, key: str | None = None) -> Outcome:
        """Undo an entry, or the last one that is not undone."""
        return self._do(Exchange("/undo", lambda data: _outcomes(data)[0], m.UndoRequest(seq, key or _new_key())))

    def history(self, *, before: int | None = None, limit: int = 50) -> list[HistoryEntry]:
        """The last entries (before one of them), the newest first."""
        path = f"/history?limit={limit}" + ("" if before is None else f"&before={before}")
        return self._do(Exchange(path, lambda data: _decoded(data, m.HistoryAnswer).entries))

    def model(self) -> ModelAnswer:
        """What the model is, and whether it learns."""
        return self._do(Exchange("/model", lambda data: _decoded(data, ModelAnswer)))

    def classes(self, *, words: int = 0) -> list[ClassAnswer]:
        """The classes, their sizes and, if asked for, their most typical words."""
        return self._do(Exchange(f"/classes?words={words}", lambda data: _decoded(data, m.ClassesAnswer).classes))

    def term(self, term: str) -> TermAnswer:
        """One term in all classes: its counts and its probability."""
        return self._do(
            Exchange(f"/terms/{quote(term, safe='').replace('.', '%2E')}", lambda data: _decoded(data, TermAnswer))
        )

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __exit__(self, *error: object) -> None:
        self.close()

    def _do(self, exchange: Exchange[T]) -> T:
        sent, attempt = exchange.sent, 1
        while not 200 <= (answer := self._answer(sent)).status < 300:
            time.sleep(self._wait_after(attempt, answer))
            attempt += 1
        return self._read(exchange, answer)

    def _answer(self, sent: dict[str, Any]) -> Answer:
        until = time.monotonic() + self.timeout
        try:
            with self._http.stream(**sent) as found:
                content = b""
                for part in found.iter_bytes():
                    content += part
                    if time.monotonic() > until:
                        raise TimeoutError
                return Answer(found.status_code, found.headers.get("retry-after"), content)
        except self._failures as error:
            return Answer(error=error)


def _awaited(
    method: Callable[Concatenate[Client, P], T],
) -> Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]:
    """A method of `Client` for `AsyncClient`, in which all that is done is done by its `_do`, which is awaited."""
    return cast("Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]]", method)


class AsyncClient(_Connection, AbstractAsyncContextManager["AsyncClient"]):
    """A connection to a server, for asyncio, with the methods and parameters of `Client`.

    Examples
    --------
    >>> from likely.client import AsyncClient
    >>> client = AsyncClient("http://127.0.0.1:8000")
    >>> client.address
    'http://127.0.0.1:8000'
    """

    _kind = "AsyncClient"
    _http: httpx.AsyncClient

    predict = _awaited(Client.predict)
    explain = _awaited(Client.explain)
    learn = _awaited(Client.learn)
    forget = _awaited(Client.forget)
    undo = _awaited(Client.undo)
    history = _awaited(Client.history)
    model = _awaited(Client.model)
    classes = _awaited(Client.classes)
    term = _awaited(Client.term)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    async def _do(self, exchange: Exchange[T]) -> T:
        sent, attempt = exchange.sent, 1
        while not 200 <= (answer := await self._answer(sent)).status < 300:
            await asyncio.sleep(self._wait_after(attempt, answer))
            attempt += 1
        return self._read(exchange, answer)

    async def _answer(self, sent: dict[str, Any]) -> Answer:
        try:
            async with asyncio.timeout(self.timeout):
                found = await self._http.request(**sent)
        except self._failures as error:
            return Answer(error=error)
        return Answer(found.status_code, found.headers.get("retry-after"), found.content)
