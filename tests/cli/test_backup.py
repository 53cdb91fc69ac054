"""`likely backup`: a copy of a store and its model in one file, while a keeper learns."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from likely.core.file import to_bytes
from likely.server.keeper import Correction, Keeper

from .conftest import Run  # noqa: TC001


@pytest.fixture
def keeper(model: Path) -> Keeper:
    return Keeper.open(model, model.with_name("mail.store"))


def test_a_backup_of_a_live_store_is_a_moment_of_it(run: Run, model: Path, keeper: Keeper) -> None:
    stop = threading.Event()

    def teach() -> None:
        at = 0
        while not stop.is_set():
            keeper.learn([Correction(f"text {at}", "pos")])
            at += 1

    keeper.learn([Correction("the first text", "pos")])
    thread = threading.Thread(target=teach)
    thread.start()
    try:
        done = run("backup", "mail.store", "mail.backup", "--json").json
    finally:
        stop.set()
        thread.join()
    assert done["has_model"]
    assert 0 < done["entries"] <= keeper.status.seq
    model.unlink()
    run("restore", "mail.backup", "again.store", "--model", "again.likely")
    with Keeper.open(model.with_name("again.likely"), model.with_name("again.store")) as again:
        assert again.status.seq == done["entries"]
        assert again.history() == keeper.history(before=done["entries"] + 1)
    keeper.close()


def test_it_says_what_it_wrote(run: Run, model: Path, keeper: Keeper) -> None:
    keeper.learn([Correction("so good", "pos")])
    assert run("backup", "mail.store", "a.backup").out.startswith("Wrote a.backup: 1 entry, ")
    model.unlink()
    assert "the model is not in it" in run("backup", "mail.store", "a.backup").out
    assert "exists and is not a backup" in run("backup", "mail.store", "mail.store", status=2).err
    assert "there is no file 'x.store'" in run("backup", "x.store", "a.backup", status=2).err
    keeper.close()


def test_restoring_gives_the_same_model(run: Run, model: Path, keeper: Keeper) -> None:
    keeper.learn([Correction("so good", "pos"), Correction("no good", "neg")])
    keeper.forget(text="so good")
    run("backup", "mail.store", "a.backup")
    before = to_bytes(keeper.model._snapshot())
    keeper.close()
    run("restore", "a.backup", "b.store")
    with Keeper.open(model, model.with_name("b.store")) as again:
        assert to_bytes(again.model._snapshot()) == before
