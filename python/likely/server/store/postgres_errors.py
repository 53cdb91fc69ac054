"""What PostgreSQL says, as errors of `likely`."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from likely.errors import StoreBusyError, StoreError, StoreFullError

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS: dict[str, tuple[type[StoreError], str]] = {
    "53100": (StoreFullError, "there is no room: make room, and try again"),
    "25006": (StoreError, "it cannot be written to: connect to the primary server"),
    "42501": (StoreError, "it may not be written to: give the user the right to create a schema"),
    "55P03": (StoreBusyError, "another process holds it: wait for it, or end it"),
}
"""The codes of PostgreSQL (SQLSTATE, appendix A of its manual) with an error of their own."""


@contextlib.contextmanager
def explained(name: str) -> Iterator[None]:
    """Every error of psycopg becomes a ``StoreError`` that says what to do."""
    from likely.extras import extra

    psycopg = extra("psycopg", "A store in PostgreSQL")
    try:
        yield
    except psycopg.Error as error:
        raise of_likely(error, getattr(error, "sqlstate", None), name) from error


def of_likely(error: Exception, code: str | None, name: str) -> StoreError:
    """An error of PostgreSQL as an error of `likely`. Of its message only the first line is told.

    Examples
    --------
    >>> of_likely(ValueError("could not extend file"), "53100", "postgresql://db/mail")
    StoreFullError('the store postgresql://db/mail: there is no room: make room, and try again')
    """
    kind, says = _KINDS.get(code or "", (StoreError, ""))
    if not says:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        says = f"{first}. Nothing acknowledged is lost: try again"
    return kind(f"the store {name}: {says}")
