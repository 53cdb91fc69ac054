"""`likely restore`: a store from a backup."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.flags import FILE, Command, output_flags
from likely.cli.output import emit


@click.command("restore", cls=Command)
@click.argument("backup", type=FILE)
@click.argument("store", type=FILE)
@click.option("--model", type=FILE, metavar="FILE", help="Also write the model that is in the backup.")
@click.option("--replace", is_flag=True, help="Replace the corrections of a store that has any.")
@output_flags
def command(**values: Any) -> None:
    """Make a store from a backup.

    If the store exists, its corrections are replaced all at once, and servers that use it go on with those of the
    backup.

    \b
    Examples:
      likely restore mail-monday.backup mail.store --replace
      likely restore mail-monday.backup new.store --model mail.likely
    """
    from likely.cli.model_files import check_other_file
    from likely.server.store.backup import restore_backup
    from likely.terminal import counted, printable

    check_other_file(values["store"], [values["backup"]])
    done = restore_backup(values["backup"], values["store"], values["model"], replace=values["replace"])
    instead = f", in place of {done.replaced:,}" if done.replaced else ""
    model = f"; the model is in {printable(done.model)}" if done.model else ""
    emit(
        done._asdict(),
        lambda: f"Restored {printable(done.store)}: {counted(done.entries, 'entry', 'entries')}{instead}{model}",
    )
