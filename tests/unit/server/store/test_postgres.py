"""The store in PostgreSQL: connections and errors; what every store does is in test_store.py."""

from __future__ import annotations

import psycopg
import pytest
from likely.errors import StoreBusyError, StoreError, StoreFullError
from likely.server.store.postgres import PostgresStore, explained, without_password

from .conftest import learn


def test_a_lost_connection_is_made_anew(postgresql: str) -> None:
    store = PostgresStore(postgresql)
    with store.writing() as ledger:
        ledger.append(learn(1, "a"))
    store.position()
    with psycopg.connect(postgresql, autocommit=True) as admin:
        others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = 'postgres'"
        admin.execute(f"SELECT pg_terminate_backend(pid) {others}")
    assert store.position().seq == 1
    with store.writing() as ledger:
        ledger.append(learn(2, "b"))
    assert store.position().seq == 2
    store.close()


def test_a_writer_that_waits_too_long_says_so(postgresql: str) -> None:
    one, other = PostgresStore(postgresql), PostgresStore(postgresql)
    other._database.run("SET lock_timeout = '50ms'")
    with one.writing():
        with pytest.raises(StoreBusyError, match="another process holds it"), other.writing():
            pass
        assert other.position().seq == 0, "readers do not wait"
    with other.writing() as ledger:
        ledger.append(learn(1, "a"))
    one.close()
    other.close()


def test_a_server_that_cannot_be_written_to_says_so(postgresql: str) -> None:
    store = PostgresStore(postgresql)
    store._database.run("SET default_transaction_read_only = on")
    with pytest.raises(StoreError, match="primary server"), store.writing() as ledger:
        ledger.append(learn(1, "a"))
    store.close()


def test_a_missing_server_is_an_error_with_a_sentence_and_without_the_password() -> None:
    with pytest.raises(StoreError, match=r"the store postgresql://ann@localhost:1/mail: .*") as error:
        PostgresStore("postgresql://ann:secret@localhost:1/mail")
    assert "secret" not in str(error.value)


def test_the_address_is_shown_without_secrets() -> None:
    assert without_password("postgresql:///mail?password=secret") == "postgresql:///mail"
    assert without_password("postgres://ann:a%40b@[::1]:5432/mail") == "postgresql://ann@[::1]:5432/mail"


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
