"""`likely verify`: whether a store is sound."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.flags import FILE, Command, output_flags
from likely.cli.output import answer_no, emit


@click.command("verify", cls=Command)
@click.argument("store")
@click.option("--model", type=FILE, metavar="FILE", help="The model of the store.  [default: where it was]")
@output_flags
def command(**values: Any) -> None:
    """Check a store while servers use it.

    The command checks the file, the checksum and the counts of every entry, and the list of what is learned now. Then
    it makes the model from its base and all entries, and compares it with the folded model, to the last bit.

    The exit status is 1 if anything is wrong.

    \b
    Examples:
      likely verify mail.store
      likely verify postgresql://user@host/mail --model mail.likely
    """
    from pathlib import Path

    from likely.server.replay import verify_at
    from likely.terminal import printable

    model = values["model"]
    found = verify_at(values["store"], None if model is None else Path(model))
    emit(found.to_dict(), lambda: "\n".join(map(printable, str(found).splitlines())))
    if found.problems:
        answer_no()
