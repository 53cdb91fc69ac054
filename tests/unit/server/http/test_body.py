"""The body of a request: types, sizes, and gzip."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterable
from typing import TYPE_CHECKING

import pytest
from likely.server.http.body import ClientGoneError, check_kind, check_length, gunzip, read_body
from likely.server.http.limits import Limits
from likely.server.http.problems import ProblemError

if TYPE_CHECKING:
    from likely.server.http.asgi import BodyMessage, Receive

SMALL = Limits(body=1_000, body_time=0.05)


def status_of(refused: pytest.ExceptionInfo[ProblemError]) -> int:
    return refused.value.status


def sending(parts: Iterable[bytes], *, is_complete: bool = True) -> Receive:
    messages: list[BodyMessage] = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if is_complete:
        messages[-1]["more_body"] = False
    rest = iter(messages)

    async def receive() -> BodyMessage:
        message = next(rest, None)
        if message is None:
            await asyncio.sleep(10)
        return message or {"type": "http.disconnect"}

    return receive


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"']
)
def test_json_is_allowed(kind: str) -> None:
    assert check_kind(kind.encode(), None) is False
    assert check_kind(kind.encode(), b"identity") is False
    assert check_kind(kind.encode(), b"GZIP") is True


@pytest.mark.parametrize(
    ("kind", "encoding"),
    [
        (None, None),
        (b"", None),
        (b"text/plain", None),
        (b"application/json; charset=latin-1", None),
        (b"text/plain; application/json", None),
        (b"application/json", b"br"),
        (b"application/json", b"gzip, gzip"),
    ],
)
def test_other_types_are_not(kind: bytes | None, encoding: bytes | None) -> None:
    with pytest.raises(ProblemError) as refused:
        check_kind(kind, encoding)
    assert status_of(refused) == 415


@pytest.mark.parametrize("length", [b"1001", b"9" * 40])
def test_a_length_that_is_too_large(length: bytes) -> None:
    with pytest.raises(ProblemError) as refused:
        check_length(length, SMALL)
    assert status_of(refused) == 413
    check_length(b"1000", SMALL)
    check_length(None, SMALL)


def test_parts_are_joined_up_to_the_limit() -> None:
    parts = [b"a" * 400, b"b" * 400, b"c" * 200]
    assert asyncio.run(read_body(sending(parts), SMALL, is_gzip=False)) == b"".join(parts)
    for more in ([*parts, b"d"], [b"a" * 1_001]):
        with pytest.raises(ProblemError) as refused:
            asyncio.run(read_body(sending(more), SMALL, is_gzip=False))
        assert status_of(refused) == 413


def test_a_body_that_does_not_end_is_given_up() -> None:
    with pytest.raises(ProblemError) as refused:
        asyncio.run(read_body(sending([b"a"], is_complete=False), SMALL, is_gzip=False))
    assert status_of(refused) == 408


def test_a_client_that_is_gone_gets_no_answer() -> None:
    async def receive() -> BodyMessage:
        return {"type": "http.disconnect"}

    with pytest.raises(ClientGoneError):
        asyncio.run(read_body(receive, SMALL, is_gzip=False))


def test_gzip_up_to_the_limit() -> None:
    assert gunzip(gzip.compress(b"a" * 1_000), SMALL) == b"a" * 1_000
    with pytest.raises(ProblemError) as refused:
        gunzip(gzip.compress(b"a" * 1_001), SMALL)
    assert status_of(refused) == 413


#: With a fixed time in its header, so that every test process collects the same names.
COMPRESSED = gzip.compress(b"a", mtime=0)


@pytest.mark.parametrize(
    "data",
    [b"", b"plain", COMPRESSED[:-1], COMPRESSED + b"b", COMPRESSED * 2],
    ids=["empty", "plain", "cut short", "bytes behind it", "two members"],
)
def test_damaged_gzip(data: bytes) -> None:
    with pytest.raises(ProblemError) as refused:
        gunzip(data, SMALL)
    assert status_of(refused) == 400
