"""`Client`: a connection to a server."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self, TypeVar, cast

from likely.client import calls
from likely.client.retries import Retries
from likely.extras import extra

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

    import httpx

    from likely.client.answers import Document, Entry, Label, ModelInfo, Outcome, Prediction
    from likely.client.calls import Call

T = TypeVar("T")


class Client:
    """A connection to a server. Requests that fail for a passing reason are sent again.

    Every correction has an idempotency key, so that it is made once, however often it is sent. Errors are
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

    def __init__(
        self,
        address: str = "http://127.0.0.1:8000",
        *,
        token: str | None = None,
        timeout: float = 30.0,
        retries: Retries | None = None,
    ) -> None:
        self._httpx = extra("httpx", "The client")
        self.address = address.rstrip("/")
        self.retries = Retries() if retries is None else retries
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._http: httpx.Client = self._httpx.Client(
            base_url=self.address, headers=headers, timeout=timeout, trust_env=False
        )

    def predict(self, texts: Iterable[str], *, top: int = 1, abstain: float | None = None) -> list[Prediction]:
        """One prediction per text."""
        return self._do(calls.predict(texts, top, abstain))

    def explain(self, text: str) -> Document:
        """Why a text gets its label, as plain data (``ExplanationDocument`` at ``/docs`` of the server)."""
        return self._do(calls.explain(text))

    def learn(
        self, texts: Iterable[str], labels: Iterable[Label], *, source: str | None = None, key: str | None = None
    ) -> list[Outcome]:
        """Learn texts with their labels, all or none. When this returns, it is durable."""
        return self._do(calls.learn(texts, labels, source, key))

    def forget(
        self, text: str | None = None, *, digest: str | None = None, source: str | None = None, key: str | None = None
    ) -> list[Outcome]:
        """Forget a text, the text with a digest, or everything from a source."""
        return self._do(calls.forget(text, digest, source, key))

    def undo(self, seq: int | None = None, *, key: str | None = None) -> Outcome:
        """Undo an entry, or the last one that is not undone."""
        return self._do(calls.undo(seq, key))

    def history(self, *, before: int | None = None, limit: int = 50) -> list[Entry]:
        """The last entries (before one of them), the newest first."""
        return self._do(calls.history(before, limit))

    def model(self) -> ModelInfo:
        """What the model is, and whether it learns."""
        return self._do(calls.model())

    def classes(self, *, words: int = 0) -> list[Document]:
        """The classes, their sizes and, if asked for, their most typical words."""
        return self._do(calls.classes(words))

    def term(self, term: str) -> Document:
        """One term in all classes: its counts and its probability."""
        return self._do(calls.term(term))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _do(self, call: Call[T]) -> T:
        attempt = 0
        while True:
            attempt += 1
            try:
                answer = self._http.request(call.method, call.path, json=call.body)
            except self._httpx.TransportError as error:
                if not self.retries.is_worth(attempt, None):
                    raise calls.not_reached(self.address, attempt, error) from error
                time.sleep(self.retries.wait(attempt))
                continue
            if answer.is_success:
                return call.read(cast("Document", answer.json()))
            if not self.retries.is_worth(attempt, answer.status_code):
                raise calls.refusal(answer.status_code, calls.document_of(answer.content))
            time.sleep(self.retries.wait(attempt, answer.headers.get("retry-after")))
