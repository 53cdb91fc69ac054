"""What is sent to a server, and what its answers mean: the part that `Client` and `AsyncClient` share."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar, cast
from urllib.parse import quote

from likely.client.answers import Document, Entry, Label, ModelInfo, Outcome, Prediction, from_document
from likely.errors import OptionError, RequestError, UnavailableError

T = TypeVar("T")
_PASSING_PROBLEMS = (408, 429, 502, 503, 504, 507)


@dataclass(frozen=True)
class Call(Generic[T]):
    """One request, and what to make of its answer."""

    method: str
    path: str
    read: Callable[[Document], T]
    body: Document | None = None


def new_key() -> str:
    """An idempotency key: 128 random bits. Every correction has one, so that it may be sent again."""
    return os.urandom(16).hex()


def predict(texts: Iterable[str], top: int, abstain: float | None) -> Call[list[Prediction]]:
    """Predict the labels of texts."""
    body = {"texts": _texts(texts), "top": top, "abstain": abstain}
    return Call("POST", "/predict", lambda found: [Prediction.of(each) for each in _list(found, "predictions")], body)


def explain(text: str) -> Call[Document]:
    """Explain the label of a text."""
    return Call("POST", "/explain", lambda found: found, {"text": text})


def learn(texts: Iterable[str], labels: Iterable[Label], source: str | None, key: str | None) -> Call[list[Outcome]]:
    """Learn texts with their labels."""
    some, many = _texts(texts), list(labels)
    if len(some) != len(many):
        raise OptionError(f"there are {len(some)} texts, but {len(many)} labels: give one label per text")
    key = key or new_key()
    corrections = [
        {"text": text, "label": label, "source": source, "key": key if len(some) == 1 else f"{key}/{at}"}
        for at, (text, label) in enumerate(zip(some, many, strict=True))
    ]
    return Call("POST", "/learn", _outcomes, {"corrections": corrections})


def forget(text: str | None, digest: str | None, source: str | None, key: str | None) -> Call[list[Outcome]]:
    """Forget a text, the text with a digest, or all of a source."""
    body = {"text": text, "digest": digest, "source": source, "key": key or new_key()}
    return Call("POST", "/forget", _outcomes, body)


def undo(seq: int | None, key: str | None) -> Call[Outcome]:
    """Undo an entry."""
    return Call("POST", "/undo", lambda found: _outcomes(found)[0], {"seq": seq, "key": key or new_key()})


def history(before: int | None, limit: int) -> Call[list[Entry]]:
    """The history of corrections."""
    path = f"/history?limit={limit}" + ("" if before is None else f"&before={before}")
    return Call("GET", path, lambda found: [from_document(Entry, each) for each in _list(found, "entries")])


def model() -> Call[ModelInfo]:
    """What the model is."""
    return Call("GET", "/model", lambda found: from_document(ModelInfo, found))


def classes(words: int) -> Call[list[Document]]:
    """The classes of the model."""
    return Call("GET", f"/classes?words={words}", lambda found: _list(found, "classes"))


def term(term: str) -> Call[Document]:
    """One term in all classes.

    Examples
    --------
    >>> term("c/c++").path
    '/terms/c%2Fc%2B%2B'
    """
    return Call("GET", f"/terms/{quote(term, safe='')}", lambda found: found)


def document_of(content: bytes) -> object:
    """The JSON of an answer; None if something else than the server has answered, such as a proxy."""
    try:
        found: object = json.loads(content)
    except ValueError:
        return None
    return found


def refusal(status: int, problem: object) -> RequestError:
    """The error that an answer is.

    Examples
    --------
    >>> refusal(401, {"detail": "send a token"})
    RequestError('send a token')
    """
    found = problem if isinstance(problem, Mapping) else {}
    detail = str(found.get("detail") or f"the server answered with status {status}")
    kind = UnavailableError if status in _PASSING_PROBLEMS else RequestError
    request_id = found.get("request_id")
    return kind(detail, status, None if request_id is None else str(request_id))


def not_reached(address: str, attempts: int, error: Exception) -> UnavailableError:
    """The error of a server that does not answer."""
    return UnavailableError(
        f"{address} does not answer ({type(error).__name__}, {attempts} attempts): is the server running, and is "
        "this its address?"
    )


def _texts(texts: Iterable[str]) -> Sequence[str]:
    if isinstance(texts, str):
        raise OptionError("texts is a single string: give a list of texts")
    return list(texts)


def _outcomes(found: Document) -> list[Outcome]:
    return [from_document(Outcome, each) for each in _list(found, "outcomes")]


def _list(found: Document, name: str) -> list[Document]:
    return cast("list[Document]", found[name])
