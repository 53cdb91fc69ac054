"""Plain requests are answered directly, as the ordinary way does; all others are left to it."""

from __future__ import annotations

import asyncio
import json

import msgspec
import pytest
from likely import NaiveBayes
from likely.server.http.access import Gate, Tokens
from likely.server.http.batching import SHORT, Wish, predictions
from likely.server.http.direct import Direct
from likely.server.http.limits import Limits
from likely.server.http.noting import Noting
from likely.server.http.service import Service
from likely.server.keeper import Keeper

MODEL = NaiveBayes().fit(["good fun", "dull"], ["pos", "neg"])
HEADERS = [(b"host", b"localhost:8000"), (b"content-type", b"application/json"), (b"x-request-id", b"a-1")]
BODY = b'{"text": "a dull film", "top": 2}'
TOKEN = "correct-horse-battery"  # noqa: S105 - of no server


class Asker:
    """Keeps what is answered."""

    def __init__(self) -> None:
        self.answers: list[bytes | None] = []

    def reply(self, answer: bytes | None) -> None:
        self.answers.append(answer)


def direct(model: NaiveBayes = MODEL, tokens: Tokens = Tokens(), limits: Limits = Limits()) -> tuple[Direct, Service]:  # noqa: B008 - they do not change
    keeper = Keeper.open(None, None)
    keeper.model = model
    service = Service(keeper, "reviews", "1.0")
    return Direct(service, Gate(tokens), limits, Noting(service)), service


def taken(found: Direct, headers: list[tuple[bytes, bytes]], body: bytes) -> tuple[bool, list[bytes | None]]:
    asker = Asker()

    async def ask() -> bool:
        is_taken = found.take(headers, body, asker)
        await asyncio.sleep(0)
        return is_taken

    return asyncio.run(ask()), asker.answers


def test_the_answer_is_that_of_the_library() -> None:
    found, service = direct()
    is_taken, answers = taken(found, HEADERS, BODY)
    assert is_taken
    assert len(answers) == 1
    head, _, body = (answers[0] or b"").partition(b"\r\n\r\n")
    expected = predictions(MODEL, ["a dull film"], Wish(2, None))[0]
    assert json.loads(body) == {"predictions": [msgspec.to_builtins(expected)]}
    assert head.split(b"\r\n") == [
        b"content-type: application/json",
        b"content-length: %d" % len(body),
        b"x-request-id: a-1",
        b"x-content-type-options: nosniff",
        b"cache-control: no-store",
    ]
    assert service.metrics.requests == {("/predict", 200): 1}
    assert service.metrics.in_flight == 0


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (HEADERS[1:], BODY),
        ([(b"host", b"example.org"), *HEADERS[1:]], BODY),
        ([*HEADERS, (b"origin", b"https://example.org")], BODY),
        ([HEADERS[0], (b"content-type", b"text/plain")], BODY),
        ([*HEADERS, (b"content-encoding", b"gzip")], BODY),
        ([*HEADERS, (b"idempotency-key", b"a b")], BODY),
        (HEADERS, b"{}"),
        (HEADERS, b'{"text": 1}'),
        (HEADERS, b'{"text": "dull", "more": 1}'),
        (HEADERS, b'{"text": "dull", "texts": ["dull"]}'),
        (HEADERS, b'{"texts": ["dull"]}'),
        (HEADERS, b'{"text": "'),
        (HEADERS, b"[" * 100_000),
        (HEADERS, b'{"text": "\xff"}'),
        (HEADERS, b'{"text": "%b"}' % (b"x" * (SHORT + 1))),
    ],
    ids=str,
)
def test_everything_else_goes_the_ordinary_way(headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    found, service = direct()
    assert taken(found, headers, body) == (False, [])
    assert service.metrics.in_flight == 0


@pytest.mark.parametrize(
    ("authorization", "is_allowed"), [(b"Bearer " + TOKEN.encode(), True), (b"Bearer no", False)]
)
def test_a_token_is_asked_for(authorization: bytes, is_allowed: bool) -> None:
    found, _ = direct(tokens=Tokens.of({TOKEN: "predict"}))
    assert taken(found, HEADERS, BODY)[0] is False
    assert taken(found, [*HEADERS, (b"authorization", authorization)], BODY)[0] is is_allowed


def test_one_request_too_many_goes_the_ordinary_way() -> None:
    found, service = direct(limits=Limits(requests=1))
    service.metrics.in_flight = 1
    assert taken(found, HEADERS, BODY) == (False, [])


def test_a_model_without_an_answer_leaves_the_reason_to_the_ordinary_way() -> None:
    found, service = direct(NaiveBayes())
    assert taken(found, HEADERS, BODY) == (True, [None])
    assert service.metrics.in_flight == 0
    assert service.metrics.requests == {}


def test_an_answer_can_be_had_before_the_end_of_the_turn() -> None:
    found, _ = direct()
    asker = Asker()

    async def ask() -> None:
        found.take(HEADERS, BODY, asker)
        assert asker.answers == []
        found.finish()
        assert len(asker.answers) == 1

    asyncio.run(ask())
