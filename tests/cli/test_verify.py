"""`likely verify`: the exit status is 1 if a store is damaged."""

from __future__ import annotations

from pathlib import Path

from likely.server.keeper import Correction, Keeper

from .conftest import Run  # noqa: TC001


def test_a_live_store_is_verified(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")) as keeper:
        keeper.learn([Correction("so good", "pos")])
        keeper.fold()
        shown = run("verify", "mail.store").out.splitlines()
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
    assert run("verify", "mail.store", "--json", status=1).json["problems"]
    store.write_bytes(b"not a store at all" * 1000)
    assert "problem: 'mail.store' is damaged, or is not a store" in run("verify", "mail.store", status=1).out
    assert "there is no file 'x.store'" in run("verify", "x.store", status=2).err


def test_a_moved_model_is_given(run: Run, model: Path) -> None:
    with Keeper.open(model, model.with_name("mail.store")) as keeper:
        keeper.learn([Correction("so good", "pos")])
    model.rename(model.with_name("moved.likely"))
    assert "give it with --model" in run("verify", "mail.store", status=1).out
    run("verify", "mail.store", "--model", "moved.likely")


def test_a_store_in_postgresql_is_verified(run: Run, model: Path, postgresql: str) -> None:
    with Keeper.open(model, postgresql) as keeper:
        keeper.learn([Correction("so good", "pos")])
        keeper.fold()
        found = run("verify", postgresql, "--json").json
    assert (found["entries"], found["folded"], found["replayed"], found["problems"]) == (1, 1, True, [])
    assert "use pg_dump" in run("backup", postgresql, "a.backup", status=2).err


def test_a_password_is_not_shown(run: Run) -> None:
    for command in (["verify"], ["backup", "x"]):
        verb, *rest = command
        shown = run(verb, "postgresql://ann:secret@localhost:1/mail", *rest, status=2).err
        assert "secret" not in shown
