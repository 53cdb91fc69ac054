"""`likely store`: back up, check and restore a server's store of corrections, and forget old ones."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.flags import FILE, Command, switch, value
from likely.cli.output import answer_no, emit
from likely.terminal import counted, printable, size_text


@click.group("store")
def command() -> None:
    """Back up, verify or restore a store of corrections, or forget old ones.

    All of them work while servers use the store.
    """


@command.command("backup", cls=Command)
@click.argument("store", type=FILE)
@click.argument("to", type=FILE, metavar="FILE")
def backup(**values: Any) -> None:
    """Back up a store while servers use it.

    The backup is one file with all corrections as they are at one moment, and with the model that the store was begun
    with, if its file is still there. An older backup of the same name is replaced.

    \b
    Example:
      likely store backup mail.store mail-monday.backup
    """
    from likely.server.store.backup import write_backup

    done = write_backup(values["store"], values["to"])
    without = "" if done.has_model else "; the model is not in it, because its file was not found"
    what = f"{counted(done.entries, 'entry', 'entries')}, {size_text(done.size)}{without}"
    emit(done._asdict(), f"Wrote {printable(done.path)}: {what}")


@command.command("verify", cls=Command)
@click.argument("store")
@value("--model", "FILE", "Read the store's base model here.  [default: where it was]", FILE)
def verify(**values: Any) -> None:
    """Check a store while servers use it.

    The command checks the file, the checksum and the counts of every entry, and the list of what is learned now. Then
    it makes the model from its base and all entries, and compares it with the folded model, to the last bit.

    The exit status is 1 if anything is wrong.

    \b
    Examples:
      likely store verify mail.store
      likely store verify postgresql://user@host/mail --model mail.likely
    """
    from dataclasses import asdict
    from pathlib import Path

    from likely.server.replay import verify_at

    model = values["model"]
    found = verify_at(values["store"], None if model is None else Path(model))
    emit(asdict(found), "\n".join(map(printable, str(found).splitlines())))
    if found.problems:
        answer_no()


@command.command("restore", cls=Command)
@click.argument("backup", type=FILE)
@click.argument("store", type=FILE)
@value("--model", "FILE", "Also write the backup's model to this file.", FILE)
@switch("--replace", "Replace the corrections of a store that is not empty.")
def restore(**values: Any) -> None:
    """Make a store from a backup.

    If the store exists, its corrections are replaced all at once, and servers that use it continue with the backup's.

    \b
    Examples:
      likely store restore mail-monday.backup mail.store --replace
      likely store restore mail-monday.backup new.store --model mail.likely
    """
    from likely.cli.files import check_other_file
    from likely.server.store.backup import restore_backup

    check_other_file(values["store"], [values["backup"]])
    done = restore_backup(values["backup"], values["store"], values["model"], replace=values["replace"])
    instead = f", in place of {done.replaced:,}" if done.replaced else ""
    model = f"; the model is in {printable(done.model)}" if done.model else ""
    what = f"{counted(done.entries, 'entry', 'entries')}{instead}{model}"
    emit(done._asdict(), f"Restored {printable(done.store)}: {what}")


@command.command("forget", cls=Command)
@click.argument("store")
@value("--before", None, "Forget what was learned before this time (UTC).", click.DateTime(), required=True)
@value("--model", "FILE", "Read the store's base model here.  [default: where it was]", FILE)
def forget(**values: Any) -> None:
    """Forget corrections before a given time.

    The model is then as if they had never been learned. Their counts and texts are deleted, and the file becomes
    smaller.

    \b
    Example:
      likely store forget mail.store --before 2026-01-31
    """
    from contextlib import closing
    from pathlib import Path

    from likely.server.keeper import Keeper
    from likely.server.replay import base_path
    from likely.server.store import open_store
    from likely.server.store.backup import check_exists

    if "://" not in values["store"]:
        check_exists(values["store"])
    with closing(open_store(values["store"])) as store, store.reading() as ledger:
        base = base_path(ledger, values["model"] and Path(values["model"]))
    with Keeper.open(base, values["store"]) as keeper:
        forgotten = len(keeper.forget(before=values["before"]))
        keeper.fold()
    emit({"store": values["store"], "forgotten": forgotten}, f"Forgot {counted(forgotten, 'correction')}.")
