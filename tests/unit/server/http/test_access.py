"""Tokens and addresses. The routes are in tests/server/test_http_access.py."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.errors import OptionError
from likely.server.http.access import Gate, Tokens, check_address, read_tokens
from likely.server.http.problems import ProblemError

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
        (b"", b"", True),
        (b"localhost", b"localhost", False),
    ],
)
def test_origins(origin: bytes | None, host: bytes, is_allowed: bool) -> None:
    gate = Gate(Tokens())
    if is_allowed:
        gate.check_origin(origin, host)
    else:
        with pytest.raises(ProblemError, match="another origin"):
            gate.check_origin(origin, host)


def test_any_host_is_allowed_if_no_names_are_given() -> None:
    Gate(Tokens(), frozenset()).check_host(b"anything.example")
    with pytest.raises(ProblemError, match="not served here"):
        Gate(Tokens(), frozenset({"example.org"})).check_host(b"localhost")
