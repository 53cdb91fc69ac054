"""Whether a store is sound: every kind of damage is found and named."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from likely.server.keeper import Correction
from likely.server.replay import Verification, pack, verify
from likely.server.store.sqlite import SqliteStore

from .conftest import Open  # noqa: TC001


@pytest.fixture
def store(opened: Open, tmp_path: Path) -> Path:
    keeper = opened(keep_texts=True)
    keeper.learn([Correction(f"text {at}", "+-"[at % 2]) for at in range(5)])
    keeper.forget(text="text 3")
    keeper.fold()
    keeper.learn([Correction("text 1", "+"), Correction("more", "-")])
    keeper.close()
    return tmp_path / "a.store"


def verified(path: Path, model: Path | None = None) -> Verification:
    store = SqliteStore(path)
    found = verify(store, model)
    store.close()
    return found


def test_a_sound_store_is_sound(store: Path) -> None:
    found = verified(store)
    assert found.problems == []
    assert (found.entries, found.learned, found.erased, found.folded, found.replayed) == (9, 5, 1, 6, True)
    assert str(found).splitlines()[-1] == "sound"


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("UPDATE entries SET label = '\"x\"' WHERE seq = 2", "entry 2 of the store is damaged"),
        ("DELETE FROM entries WHERE seq = 2", "entry 2 of the store is missing"),
        ("DELETE FROM learned WHERE seq = 1", "missing in the store, or were exchanged"),
        ("INSERT INTO learned VALUES ('x', 6, NULL)", "missing in the store, or were exchanged"),
        ("UPDATE about SET value = 'other' WHERE name = 'base'", "not the one that the store was started with"),
    ],
)
def test_changed_rows_are_found(store: Path, damage: str, says: str) -> None:
    with sqlite3.connect(store) as database:
        database.execute(damage)
    database.close()
    found = verified(store)
    assert any(says in each for each in found.problems), found.problems
    assert f"problem: {found.problems[0]}" in str(found)


def test_wrong_counts_with_a_right_checksum_are_found(store: Path, opened: Open) -> None:
    other = opened().model._count_one("another text", "+")
    opened_store = SqliteStore(store)
    with opened_store.writing() as ledger:
        entry = ledger.entry(1)
        assert entry is not None
        row = type(entry)(**{**vars(entry), "counts": pack(other)}).row()
        ledger.run("UPDATE entries SET counts = ?, checksum = ? WHERE seq = 1", [row[9], row[11]])
    opened_store.close()
    assert any("not the model of the base and the entries" in each for each in verified(store).problems)


def test_a_missing_fold_or_base_is_told(store: Path, base: Path, tmp_path: Path) -> None:
    (tmp_path / "a.store-6.likely").unlink()
    assert "is missing or damaged" in verified(store).problems[0]
    base.rename(tmp_path / "moved.likely")
    found = verified(store)
    assert "give it with --model" in found.problems[0]
    assert not found.replayed
    assert verified(store, tmp_path / "moved.likely").replayed
