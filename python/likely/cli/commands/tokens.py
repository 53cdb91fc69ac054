"""`likely tokens`: what becomes of a text before it is counted."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from likely.cli.flags import given_options, model_flags, output_flags
from likely.cli.output import emit
from likely.cli.start import load_model
from likely.options.table import ANALYZE_OPTIONS


@click.command("tokens")
@click.argument("words", nargs=-1, required=True, metavar="[MODEL] TEXT")
@model_flags(("task", *ANALYZE_OPTIONS))
@output_flags
def command(**values: Any) -> None:
    """Show what of a text is kept, changed and dropped.

    Each with the reason, and with a model also which terms it knows. TEXT is the text itself, or - to read it
    from standard input.

    \b
    Examples:
      likely tokens "Don't PANIC!"
      likely tokens reviews.likely "Don't PANIC!"
    """
    from likely.analysis.steps import trace
    from likely.reports import trace_text

    if len(values["words"]) > 2:
        raise click.UsageError("Give one text, in quotes, after the model if there is one.")
    *path, text = values["words"]
    if not path and text.endswith(".likely") and os.path.isfile(text):
        raise click.UsageError(f"{text} is a model: give the text after it.")
    text = text if text != "-" else sys.stdin.buffer.read().decode("utf-8", "replace")
    options = given_options(values)
    if path and options:
        raise click.UsageError("A model cuts texts as it was trained to: leave the other options out.")
    found = trace(text, load_model(path[0]) if path else None, **options)
    emit(found.to_dict(), lambda: trace_text(found))
