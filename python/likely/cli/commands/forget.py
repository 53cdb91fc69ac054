"""`likely forget`: a model forgets labelled texts that it has learned, exactly."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.commands.learn import change_counts
from likely.cli.flags import FILE, Command, data_argument, option_flags, value
from likely.options.reading import READING


@click.command("forget", cls=Command)
@click.argument("model", type=FILE)
@data_argument
@value("-o --output", "FILE", "Write the model to this file.  [default: MODEL]", FILE)
@option_flags(READING, without=("group",))
def command(**values: Any) -> None:
    """Forget labelled texts that the model has learned.

    The model is then as if it had never learned these texts. If the counts show that a text was not learned, the
    command fails, and the file stays unchanged.

    \b
    Example:
      likely forget reviews.likely withdrawn.csv
    """
    change_counts("Forgot", values, lambda model, counted: model._forget_counted(counted))
