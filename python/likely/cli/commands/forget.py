"""`likely forget`: a model forgets labelled texts it has learned, exactly."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.changing import change_model
from likely.cli.flags import FILE, data_argument, output_flags, reading_flags


@click.command("forget")
@click.argument("model", type=FILE)
@data_argument
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Where to write.  [default: MODEL itself]")
@reading_flags()
@output_flags
def command(**values: Any) -> None:
    """Take back what was learned from labelled texts.

    The model is then as if they had never been there. What the counts show was not learned is an error, and the
    file stays as it was.

    \b
    Example:
      likely forget reviews.likely withdrawn.csv
    """
    change_model("forget", values)
