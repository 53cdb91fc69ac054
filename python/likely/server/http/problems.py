"""Problems (RFC 9457): every error that a client sees, with its status, and never with a trace."""

from __future__ import annotations

from http import HTTPStatus

from msgspec.json import Encoder

from likely import errors
from likely.server.http.messages import Problem

STATUS_OF: dict[type[Exception], int] = {
    errors.StoreFullError: 507,
    errors.StoreBusyError: 409,
    errors.StoreError: 503,
    errors.KeyReuseError: 409,
    errors.GuardError: 422,
    errors.NotLearnedError: 404,
    errors.NotAdditiveError: 409,
    errors.NotFittedError: 409,
    errors.LabelError: 422,
    errors.LikelyError: 422,
}
"""The status of each error of `likely`; an error that is not named has that of its base class."""

TITLES = {413: "Content Too Large", 422: "Unprocessable Content"}
"""Names of a status that RFC 9110 has changed since Python learned them."""

_ENCODER = Encoder()


class ProblemError(Exception):
    """A request that gets an error as its answer.

    Examples
    --------
    >>> str(ProblemError(415, "send application/json"))
    'send application/json'
    """

    def __init__(self, status: int, detail: str, headers: tuple[tuple[bytes, bytes], ...] = ()) -> None:
        super().__init__(detail)
        self.status = status
        self.headers = headers


def title_of(status: int) -> str:
    """The name of a status.

    Examples
    --------
    >>> title_of(413), title_of(404)
    ('Content Too Large', 'Not Found')
    """
    return TITLES.get(status) or HTTPStatus(status).phrase


def problem_of(error: Exception) -> ProblemError:
    """The problem that an error is. An error that nobody foresaw is told without any detail."""
    if isinstance(error, ProblemError):
        return error
    status = next((STATUS_OF[kind] for kind in type(error).__mro__ if kind in STATUS_OF), 500)
    if isinstance(error, errors.GuardError) and error.wait is not None:
        status = 429
    if status == 500:
        return ProblemError(
            500, "this is a bug in `likely`: the log of the server has the trace under this request id"
        )
    return ProblemError(status, " ".join(str(error).split()), _retry_after(status, error))


def _retry_after(status: int, error: Exception) -> tuple[tuple[bytes, bytes], ...]:
    """When to try again, in whole seconds."""
    if status not in (429, 503, 507):
        return ()
    wait = max(1, round(getattr(error, "wait", 5.0) + 0.5))
    return ((b"retry-after", str(wait).encode()),)


def problem_bytes(status: int, detail: str, request_id: str) -> bytes:
    """A problem as JSON.

    Examples
    --------
    >>> problem_bytes(404, "there is no such page", "a-1")[:40]
    b'{"type":"about:blank","title":"Not Found'
    """
    return _ENCODER.encode(Problem("about:blank", title_of(status), status, detail, request_id))
