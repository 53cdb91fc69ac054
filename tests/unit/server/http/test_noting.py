"""Requests have ids, and what became of them is counted; only what matters is in the log."""

from __future__ import annotations

import io
import json

import pytest
from likely.server.http.log import Log
from likely.server.http.noting import Noting
from likely.server.http.service import Service
from likely.server.keeper import Keeper


def noting(lines: io.StringIO, *, logs_requests: bool = False) -> Noting:
    service = Service(Keeper.open(None, None), "reviews", "1.0", log=Log(lines))
    return Noting(service, logs_requests=logs_requests)


def test_new_ids_differ() -> None:
    found = noting(io.StringIO())
    assert len({found.id_of(None) for _ in range(100)}) == 100


@pytest.mark.parametrize(
    ("given", "is_taken"), [(b"a.B-c_9", True), (b"x" * 64, True), (b"x" * 65, False), (b"a b", False), (b"", False)]
)
def test_only_a_plain_id_is_taken_over(given: bytes, is_taken: bool) -> None:
    assert (noting(io.StringIO()).id_of(given) == given.decode()) == is_taken


@pytest.mark.parametrize(
    ("path", "status", "logs_requests", "level"),
    [
        ("/predict", 200, False, None),
        ("/predict", 200, True, "info"),
        ("/predict", 503, False, "error"),
        ("/learn", 200, False, "info"),
    ],
)
def test_the_log_has_what_matters(path: str, status: int, logs_requests: bool, level: str | None) -> None:
    lines = io.StringIO()
    noting(lines, logs_requests=logs_requests).note("POST", path, status, 0.001, "a-1")
    found = [json.loads(line)["level"] for line in lines.getvalue().splitlines()]
    assert found == ([] if level is None else [level])
