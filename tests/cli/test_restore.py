"""`likely restore`: a store from a backup, also in the place of one that a keeper uses."""

from __future__ import annotations

from pathlib import Path

from likely.core.file import to_bytes
from likely.server.keeper import Correction, Keeper

from .conftest import Run  # noqa: TC001


def test_a_keeper_goes_on_with_the_entries_of_the_backup(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")) as keeper:
        keeper.learn([Correction("so good", "pos")])
        keeper.fold()
        run("backup", "mail.store", "a.backup")
        before = to_bytes(keeper.model._snapshot())
        keeper.learn([Correction("a mistake", "neg"), Correction("another", "neg")])
        refused = run("restore", "a.backup", "mail.store", status=2).err
        assert "has 3 entries, which would be lost" in refused
        done = run("restore", "a.backup", "mail.store", "--replace", "--json").json
        assert (done["entries"], done["replaced"]) == (1, 3)
        assert keeper.refresh() == -2
        assert to_bytes(keeper.model._snapshot()) == before
        assert keeper.learn([Correction("more", "pos")])[0].seq == 2
        keeper.fold()
    assert run("verify", "mail.store").out.endswith("sound\n")


def test_without_a_refresh_the_next_correction_notices(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")) as keeper:
        run("backup", "mail.store", "a.backup")
        keeper.learn([Correction("a mistake", "neg")])
        run("restore", "a.backup", "mail.store", "--replace")
        assert keeper.learn([Correction("a mistake", "pos")])[0].what == "learned"
    assert run("verify", "mail.store").out.endswith("sound\n")


def test_what_would_be_lost_is_not_written_over(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")):
        run("backup", "mail.store", "a.backup")
    (model.parent / "notes.txt").write_text("mine")
    assert "is not a model" in run("restore", "a.backup", "b.store", "--model", "notes.txt", status=2).err
    assert "is not a store" in run("restore", "a.backup", "notes.txt", status=2).err
    assert "cannot be read and written" in run("restore", "a.backup", "a.backup", status=2).err
    assert (model.parent / "notes.txt").read_text() == "mine"
    shown = run("restore", "a.backup", "b.store", "--model", "b.likely").out
    assert shown == "Restored b.store: 0 entries; the model is in b.likely\n"
    assert (model.parent / "b.likely").read_bytes() == model.read_bytes()
