"""`likely backup`: a copy of a store, and of its model, in one file."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.flags import FILE, Command, output_flags
from likely.cli.output import emit


@click.command("backup", cls=Command)
@click.argument("store", type=FILE)
@click.argument("to", type=FILE, metavar="FILE")
@output_flags
def command(**values: Any) -> None:
    """Back up a store while servers use it.

    The backup is one file with all corrections as they are at one moment, and with the model that the store was begun
    with, if its file is still there. An older backup of the same name is replaced.

    \b
    Example:
      likely backup mail.store mail-monday.backup
    """
    from likely.server.store.backup import write_backup
    from likely.terminal import counted, printable, size_text

    done = write_backup(values["store"], values["to"])
    without = "" if done.has_model else "; the model is not in it, because its file was not found"
    what = f"{counted(done.entries, 'entry', 'entries')}, {size_text(done.size)}{without}"
    emit(done._asdict(), lambda: f"Wrote {printable(done.path)}: {what}")
