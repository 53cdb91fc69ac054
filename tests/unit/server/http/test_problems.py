"""Errors as problems: every error has a status, and none shows more than it should."""

from __future__ import annotations

import pytest
from likely import errors
from likely.server.http.problems import ProblemError, problem_bytes, problem_of, title_of


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.StoreFullError("x"), 507),
        (errors.StoreError("x"), 503),
        (errors.StoreBusyError("x"), 409),
        (errors.KeyReuseError("x"), 409),
        (errors.NotLearnedError("x"), 404),
        (errors.NotAdditiveError("x"), 409),
        (errors.GuardError("x"), 422),
        (errors.LabelError("x"), 422),
    ],
)
def test_errors_of_ours_have_their_status_and_message(error: Exception, status: int) -> None:
    problem = problem_of(error)
    assert (problem.status, str(problem)) == (status, "x")
    assert bool(problem.headers) == (status in (503, 507))


def test_the_wait_of_a_rate_is_told() -> None:
    problem = problem_of(errors.GuardError("x", 7.2))
    assert (problem.status, problem.headers) == (429, ((b"retry-after", b"8"),))


def test_a_bug_tells_nothing() -> None:
    problem = problem_of(KeyError("a secret"))
    assert problem.status == 500
    assert "secret" not in str(problem)


def test_a_problem_stays_what_it_is() -> None:
    problem = ProblemError(415, "send application/json")
    assert problem_of(problem) is problem
    assert problem_bytes(415, str(problem), "a-1") == (
        b'{"type":"about:blank","title":"Unsupported Media Type","status":415,"detail":"send application/json",'
        b'"request_id":"a-1"}'
    )


def test_every_status_has_a_title() -> None:
    assert [title_of(status) for status in (413, 421, 422, 507)] == [
        "Content Too Large",
        "Misdirected Request",
        "Unprocessable Content",
        "Insufficient Storage",
    ]
