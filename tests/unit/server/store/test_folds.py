"""A backup is restored at every moment of a fold: no model has anything of what is not in the store any more."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import likely
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.server.keeper import Correction, Keeper
from likely.server.store.postgres import PostgresStore
from likely.server.store.sqlite import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Callable

STORES = (SqliteStore, PostgresStore)


def restore(keeper: Keeper) -> None:
    """What `pg_restore`, or copying a file back, makes of the rows: those after the first are gone."""
    with keeper._opened().writing() as ledger:
        ledger.run("DELETE FROM entries WHERE seq > 1")
        ledger.run("DELETE FROM learned WHERE seq > 1")


class Moments:
    """Restores the store once: before or after the nth call of a method that a fold needs."""

    def __init__(self, patch: pytest.MonkeyPatch, does: Callable[[], None], name: str, *, after: bool) -> None:
        self._does, self._after, self._is_armed = does, after, True
        for store in STORES:
            patch.setattr(store, name, self._around(getattr(store, name)))

    def _once(self) -> None:
        if self._is_armed:
            self._is_armed = False
            self._does()

    def _around(self, real: Any) -> Any:
        def around(*args: Any, **more: Any) -> Any:
            if not self._after:
                self._once()
            found = real(*args, **more)
            if self._after:
                self._once()
            return found

        return around


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("moment", ["save_fold", "tidy"])
def test_a_restore_at_any_moment_of_a_fold(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, *, after: bool
) -> None:
    base = tmp_path / "base.likely"
    NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"]).save(base)
    with Keeper.open(base, address) as keeper, Keeper.open(base, address) as other:
        keeper.learn([Correction("zap", "-")])
        keeper.learn([Correction(f"gone {at}", "+") for at in range(3)])
        Moments(monkeypatch, lambda: restore(other), moment, after=after)
        keeper.fold()
        monkeypatch.undo()
        with keeper._opened().reading() as ledger:
            assert ledger.fold is None or ledger.last() == 4
        for at in range(4):  # as many as the fold says that it contains
            keeper.learn([Correction(f"new {at}", "-")])
    texts = ["zap", *(f"new {at}" for at in range(4))]
    expected = to_bytes(likely.load(base).learn(texts, ["-"] * 5)._snapshot())
    assert to_bytes(keeper.model._snapshot()) == expected
    with Keeper.open(base, address) as again:
        assert to_bytes(again.model._snapshot()) == expected
        again.fold()
    with Keeper.open(base, address) as again:
        assert to_bytes(again.model._snapshot()) == expected


def test_a_server_notices_a_restore_that_others_have_gone_on_from(address: str, tmp_path: Path) -> None:
    base = tmp_path / "base.likely"
    NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"]).save(base)
    with Keeper.open(base, address) as keeper, Keeper.open(base, address) as other:
        keeper.learn([Correction(text, "-") for text in ("zap", "gone")])
        restore(other)
        other.refresh()
        other.learn([Correction(text, "+") for text in ("new", "newer")])
        keeper.refresh()
        assert to_bytes(keeper.model._snapshot()) == to_bytes(other.model._snapshot())
