"""Tokens, addresses, bodies and problems. The routes are in tests/server/test_http_access.py."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from likely.errors import DataWarning, OptionError
from likely.server.access import (
    Gate,
    Limits,
    ProblemError,
    Tokens,
    check_address,
    check_kind,
    check_length,
    read_body,
    read_tokens,
    warn_of_readers,
)

if TYPE_CHECKING:
    from starlette.types import Message, Receive
from likely import errors
from likely.server.access import problem_of

PREDICT, LEARN = "a-token-that-predicts", "a-token-that-learns"


@pytest.mark.parametrize(
    "token", ["", "short", "fifteen-letters", "a token with spaces in it", "ü" * 20, "a" * 20 + "\n"]
)
def test_tokens_that_can_be_guessed_or_not_sent_are_refused(token: str) -> None:
    with pytest.raises(OptionError, match="at least 16 characters"):
        Tokens.of({token: "learn"})


def test_tokens_are_not_shown() -> None:
    assert LEARN not in repr(Tokens.of({LEARN: "learn"}))
    assert LEARN.encode() not in b"".join(digest for digest, _ in Tokens.of({LEARN: "learn"}).digests)


@pytest.mark.parametrize(
    ("header", "right"),
    [
        (f"Bearer {LEARN}", "learn"),
        (f"bearer {PREDICT}", "predict"),
        (f"Bearer  {PREDICT} ", "predict"),
        (f"Basic {LEARN}", "open"),
        (LEARN, "open"),
        (f"Bearer {LEARN}x", "open"),
        (f"Bearer {LEARN[:-1]}", "open"),
        ("Bearer ", "open"),
    ],
)
def test_the_right_of_a_header(header: str, right: str) -> None:
    assert Tokens.of({PREDICT: "predict", LEARN: "learn"}).right_of(header.encode()) == right


def test_a_file_of_tokens(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.write_text(f"# ours\n\n  learn   {LEARN}\npredict {PREDICT}\n")
    assert read_tokens(path, {}) == {LEARN: "learn", PREDICT: "predict"}
    assert read_tokens(None, {"LIKELY_LEARN_TOKEN": LEARN, "LIKELY_PREDICT_TOKEN": ""}) == {LEARN: "learn"}


def test_a_file_of_tokens_that_everybody_reads_is_warned_of(tmp_path: Path) -> None:
    path = tmp_path / "tokens"
    path.touch(0o640)
    warn_of_readers(path)
    path.chmod(0o604)
    with pytest.warns(DataWarning, match="tokens: everybody on this machine can read"):
        warn_of_readers(path)


@pytest.mark.parametrize(
    ("text", "told"), [(LEARN, "line 1"), (f"\nadmin {LEARN}", "line 2"), ("# none", "has no token")]
)
def test_a_file_that_is_not_one_is_told_without_its_tokens(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "tokens"
    path.write_text(text)
    with pytest.raises(OptionError, match=told) as refused:
        read_tokens(path, {})
    assert LEARN not in str(refused.value)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.org", ""])  # noqa: S104
def test_an_address_that_others_reach_needs_a_token(host: str) -> None:
    with pytest.raises(OptionError, match="needs a token"):
        check_address(host, Tokens())
    check_address(host, Tokens.of({LEARN: "learn"}))


@pytest.mark.parametrize(
    ("origin", "host", "is_allowed"),
    [
        (None, b"localhost", True),
        (b"http://localhost:8000", b"localhost:8000", True),
        (b"https://example.org", b"EXAMPLE.org", True),
        (b"http://localhost:8001", b"localhost:8000", False),
        (b"null", b"localhost", False),
        (b"localhost", b"localhost", False),
    ],
)
def test_origins(origin: bytes | None, host: bytes, is_allowed: bool) -> None:
    headers = {b"host": host} | ({} if origin is None else {b"origin": origin})
    if is_allowed:
        Gate(Tokens(), frozenset()).admit(headers)
    else:
        with pytest.raises(ProblemError, match="another origin"):
            Gate(Tokens(), frozenset()).admit(headers)


def test_any_host_is_allowed_if_no_names_are_given() -> None:
    Gate(Tokens(), frozenset()).admit({b"host": b"anything.example"})
    with pytest.raises(ProblemError, match="Host is not allowed"):
        Gate(Tokens(), frozenset({"example.org"})).admit({b"host": b"localhost"})


SMALL = Limits(body=1_000, body_time=0.05)


def status_of(refused: pytest.ExceptionInfo[ProblemError]) -> int:
    return refused.value.status


def sending(parts: Iterable[bytes], *, is_complete: bool = True) -> Receive:
    messages: list[Message] = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if is_complete:
        messages[-1]["more_body"] = False
    rest = iter(messages)

    async def receive() -> Message:
        message = next(rest, None)
        if message is None:
            await asyncio.sleep(10)
        return message or {"type": "http.disconnect"}

    return receive


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"']
)
def test_json_is_allowed(kind: str) -> None:
    check_kind(kind.encode(), None)
    check_kind(kind.encode(), b"identity")


@pytest.mark.parametrize(
    ("kind", "encoding"),
    [
        (None, None),
        (b"", None),
        (b"text/plain", None),
        (b"application/json; charset=latin-1", None),
        (b"text/plain; application/json", None),
        (b"application/json", b"br"),
        (b"application/json", b"gzip"),
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
    assert asyncio.run(read_body(sending(parts), SMALL)) == b"".join(parts)
    for more in ([*parts, b"d"], [b"a" * 1_001]):
        with pytest.raises(ProblemError) as refused:
            asyncio.run(read_body(sending(more), SMALL))
        assert status_of(refused) == 413


def test_a_body_that_does_not_end_is_given_up() -> None:
    with pytest.raises(ProblemError) as refused:
        asyncio.run(read_body(sending([b"a"], is_complete=False), SMALL))
    assert status_of(refused) == 408


def test_a_client_that_is_gone_is_told_apart() -> None:
    async def receive() -> Message:
        return {"type": "http.disconnect"}

    with pytest.raises(ProblemError) as refused:
        asyncio.run(read_body(receive, SMALL))
    assert status_of(refused) == 400


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.StoreFullError("x"), 507),
        (errors.StoreError("x"), 503),
        (errors.StoreBusyError("x"), 503),
        (errors.KeyReuseError("x"), 409),
        (errors.NotLearnedError("x"), 404),
        (errors.NotAdditiveError("x"), 409),
        (errors.GuardError("x"), 422),
        (errors.GuardError("x", 3.0), 429),
        (errors.LabelError("x"), 422),
    ],
)
def test_errors_of_ours_have_their_status_and_message(error: Exception, status: int) -> None:
    problem = problem_of(error)
    assert (problem.status, str(problem)) == (status, "x")
    assert bool(problem.headers) == (status in (429, 503, 507))


def test_the_wait_of_a_rate_is_told() -> None:
    assert problem_of(errors.GuardError("x", 7.2)).headers == {"retry-after": "8"}


def test_a_bug_tells_nothing() -> None:
    problem = problem_of(KeyError("a secret"))
    assert problem.status == 500
    assert "secret" not in str(problem)


def test_a_problem_stays_what_it_is() -> None:
    problem = ProblemError(415, "send application/json")
    assert problem_of(problem) is problem
