"""What PostgreSQL says becomes a sentence that says what to do."""

from __future__ import annotations

import psycopg
import pytest
from likely.errors import StoreBusyError, StoreError, StoreFullError
from likely.server.store.postgres_errors import explained


@pytest.mark.parametrize(
    ("raised", "kind", "says"),
    [
        (psycopg.errors.DiskFull("could not extend file"), StoreFullError, "make room"),
        (psycopg.errors.ReadOnlySqlTransaction("no"), StoreError, "primary server"),
        (psycopg.errors.InsufficientPrivilege("no"), StoreError, "right to create a schema"),
        (psycopg.errors.LockNotAvailable("no"), StoreBusyError, "another process holds it"),
        (
            psycopg.OperationalError("server closed\nand more"),
            StoreError,
            "server closed. Nothing acknowledged is lost",
        ),
        (psycopg.OperationalError(), StoreError, "OperationalError"),
    ],
)
def test_every_error_has_its_class(raised: psycopg.Error, kind: type[StoreError], says: str) -> None:
    with pytest.raises(kind, match=says) as found, explained("postgresql://db"):
        raise raised
    assert type(found.value) is kind
    assert "\n" not in str(found.value)
