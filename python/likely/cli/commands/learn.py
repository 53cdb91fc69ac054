"""`likely learn`: a model learns further labelled texts, exactly."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.changing import change_model
from likely.cli.flags import FILE, data_argument, output_flags, reading_flags


@click.command("learn")
@click.argument("model", type=FILE)
@data_argument
@click.option("-o", "--output", type=FILE, metavar="FILE", help="Where to write.  [default: MODEL itself]")
@reading_flags()
@output_flags
def command(**values: Any) -> None:
    """Learn further labelled texts.

    New words and new classes are learned as they come. The model file changes as a whole or not at all, and two
    that learn at once wait for each other.

    \b
    Example:
      likely learn reviews.likely more.csv
    """
    change_model("learn", values)
