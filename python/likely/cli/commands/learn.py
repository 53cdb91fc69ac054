"""`likely learn`: a model learns more labelled texts, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import click

from likely.cli.changing import change_model
from likely.cli.flags import FILE, data_argument, output_flags, reading_flags

if TYPE_CHECKING:
    from likely.cli.values import ChangeValues


@click.command("learn")
@click.argument("model", type=FILE)
@data_argument
@click.option("-o", "--output", type=FILE, metavar="FILE", help="The model file to write.  [default: MODEL]")
@reading_flags()
@output_flags
def command(**values: Unpack[ChangeValues]) -> None:
    """Learn more labelled texts.

    The texts may contain new words and new classes. The model file is replaced as a whole or not at all. If two
    commands learn at the same time, one waits for the other.

    \b
    Example:
      likely learn reviews.likely more.csv
    """
    change_model("learn", values)
