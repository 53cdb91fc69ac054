"""`likely store backup|verify|restore`: a copy of a store while a keeper learns, its checks, and the way back."""

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
        done = run("store", "backup", "mail.store", "mail.backup", "--json").json
    finally:
        stop.set()
        thread.join()
    assert done["has_model"]
    assert 0 < done["entries"] <= keeper.status.seq
    model.unlink()
    run("store", "restore", "mail.backup", "again.store", "--model", "again.likely")
    with Keeper.open(model.with_name("again.likely"), model.with_name("again.store")) as again:
        assert again.status.seq == done["entries"]
        assert again.history() == keeper.history(before=done["entries"] + 1)
    keeper.close()


def test_it_says_what_it_wrote(run: Run, model: Path, keeper: Keeper) -> None:
    keeper.learn([Correction("so good", "pos")])
    assert run("store", "backup", "mail.store", "a.backup").out.startswith("Wrote a.backup: 1 entry, ")
    model.unlink()
    assert "the model is not in it" in run("store", "backup", "mail.store", "a.backup").out
    assert "exists and is not a backup" in run("store", "backup", "mail.store", "mail.store", status=2).err
    assert "there is no file 'x.store'" in run("store", "backup", "x.store", "a.backup", status=2).err
    keeper.close()


def test_restoring_gives_the_same_model(run: Run, model: Path, keeper: Keeper) -> None:
    keeper.learn([Correction("so good", "pos"), Correction("no good", "neg")])
    keeper.forget(text="so good")
    run("store", "backup", "mail.store", "a.backup")
    before = to_bytes(keeper.model._snapshot())
    keeper.close()
    run("store", "restore", "a.backup", "b.store")
    with Keeper.open(model, model.with_name("b.store")) as again:
        assert to_bytes(again.model._snapshot()) == before


def test_a_live_store_is_verified(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")) as keeper:
        keeper.learn([Correction("so good", "pos")])
        keeper.fold()
        shown = run("store", "verify", "mail.store").out.splitlines()
    assert shown == [
        "mail.store: 1 entry, 1 document learned now, 0 erased",
        "folded up to entry 1",
        "the model was made from the base and all entries",
        "sound",
    ]


def test_a_damaged_store_is_told(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")) as keeper:
        keeper.learn([Correction(f"text {at}", "pos") for at in range(50)])
    store = model.with_name("mail.store")
    data = bytearray(store.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 3000] = bytes(3000)
    store.write_bytes(data)
    assert run("store", "verify", "mail.store", "--json", status=1).json["problems"]
    store.write_bytes(b"not a store at all" * 1000)
    assert "it is damaged, or is not a store" in run("store", "verify", "mail.store", status=1).out
    assert "there is no file 'x.store'" in run("store", "verify", "x.store", status=2).err


def test_a_moved_model_is_given(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")) as keeper:
        keeper.learn([Correction("so good", "pos")])
    model.rename(model.with_name("moved.likely"))
    assert "give it with --model" in run("store", "verify", "mail.store", status=1).out
    run("store", "verify", "mail.store", "--model", "moved.likely")


def test_a_store_in_postgresql_is_verified(run: Run, model: Path, postgresql: str) -> None:
    with Keeper.open(model, postgresql) as keeper:
        keeper.learn([Correction("so good", "pos")])
        keeper.fold()
        found = run("store", "verify", postgresql, "--json").json
    assert (found["entries"], found["folded"], found["replayed"], found["problems"]) == (1, 1, True, [])
    assert "use pg_dump" in run("store", "backup", postgresql, "a.backup", status=2).err


def test_a_password_is_not_shown(run: Run) -> None:
    for verb, *rest in (["verify"], ["backup", "x"]):
        shown = run("store", verb, "postgresql://ann:secret@localhost:1/mail", *rest, status=2).err
        assert "secret" not in shown


def test_a_keeper_goes_on_with_the_entries_of_the_backup(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")) as keeper:
        keeper.learn([Correction("so good", "pos")])
        keeper.fold()
        run("store", "backup", "mail.store", "a.backup")
        before = to_bytes(keeper.model._snapshot())
        keeper.learn([Correction("a mistake", "neg"), Correction("another", "neg")])
        refused = run("store", "restore", "a.backup", "mail.store", status=2).err
        assert "has 3 entries, which would be lost" in refused
        done = run("store", "restore", "a.backup", "mail.store", "--replace", "--json").json
        assert (done["entries"], done["replaced"]) == (1, 3)
        assert keeper.refresh() == -2
        assert to_bytes(keeper.model._snapshot()) == before
        assert keeper.learn([Correction("more", "pos")])[0].seq == 2
        keeper.fold()
    assert run("store", "verify", "mail.store").out.endswith("sound\n")


def test_without_a_refresh_the_next_correction_notices(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")) as keeper:
        run("store", "backup", "mail.store", "a.backup")
        keeper.learn([Correction("a mistake", "neg")])
        run("store", "restore", "a.backup", "mail.store", "--replace")
        assert keeper.learn([Correction("a mistake", "pos")])[0].what == "learned"
    assert run("store", "verify", "mail.store").out.endswith("sound\n")


def test_what_would_be_lost_is_not_written_over(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")):
        run("store", "backup", "mail.store", "a.backup")
    (model.parent / "notes.txt").write_text("mine")
    assert "is not a model" in run("store", "restore", "a.backup", "b.store", "--model", "notes.txt", status=2).err
    assert "is not a store" in run("store", "restore", "a.backup", "notes.txt", status=2).err
    assert "is also an input" in run("store", "restore", "a.backup", "a.backup", status=2).err
    assert (model.parent / "notes.txt").read_text() == "mine"
    shown = run("store", "restore", "a.backup", "b.store", "--model", "b.likely").out
    assert shown == "Restored b.store: 0 entries; the model is in b.likely\n"
    assert (model.parent / "b.likely").read_bytes() == model.read_bytes()


def test_old_corrections_are_forgotten_while_a_keeper_works(run: Run, keeper: Keeper) -> None:
    before = to_bytes(keeper.model._snapshot())
    keeper.learn([Correction("a new text", "pos"), Correction("another", "neg")])
    assert run("store", "forget", "mail.store", "--before", "2026-01-31").out == "Forgot 0 corrections.\n"
    assert run("store", "forget", "mail.store", "--before", "2999-12-31", "--json").json["forgotten"] == 2
    keeper.refresh()
    assert to_bytes(keeper.model._snapshot()) == before
    assert run("store", "verify", "mail.store").out.endswith("sound\n")
    assert "no.store" in run("store", "forget", "no.store", "--before", "2026-01-31", status=2).err
    assert not Path("no.store").exists()
