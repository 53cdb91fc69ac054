"""`likely tokens`: what happens to a text before its terms are used."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import click

from likely.cli.data import text_of
from likely.cli.files import load_model
from likely.cli.flags import Command, given, option_flags, switch
from likely.cli.output import emit
from likely.options.model import ANALYZE_OPTIONS, MODEL


@click.command("tokens", cls=Command)
@click.argument("words", nargs=-1, required=True, metavar="[MODEL] TEXT")
@switch("--counts", "Show how often each term occurs instead.")
@switch("--spelling is_corrected", "Correct misspelled words to words that the model knows.")
@option_flags(MODEL, only=("task", *ANALYZE_OPTIONS))
def command(**values: Any) -> None:
    """Show which parts of a text are kept, changed and dropped.

    The command prints the reason for each part and, with a model, which terms the model knows. TEXT is the text
    itself, or - to read it from standard input.

    \b
    Examples:
      likely tokens "Don't PANIC!"
      likely tokens reviews.likely "Don't PANIC!"
    """
    from likely.core.analyzer import trace, trace_text
    from likely.terminal import printable, table

    if len(values["words"]) > 2:
        raise click.UsageError("Give one text in quotes, optionally after a model.")
    *path, text = values["words"]
    if not path and text.endswith(".likely") and os.path.isfile(text):
        raise click.UsageError(f"{text} is a model: give the text after it.")
    text = text_of(text)
    options = given(MODEL, values)
    if path and options:
        raise click.UsageError("The model has its own options for splitting texts: leave yours out.")
    model = load_model(path[0]) if path else None
    if values["is_corrected"]:
        if model is None:
            raise click.UsageError("--spelling needs a model: give one before the text.")
        model.set_params(spelling="on")
    found = trace(text, model, **options)
    if values["counts"]:
        counts = Counter(found.terms)
        rows = [[printable(term), str(count)] for term, count in counts.most_common()]
        emit({"counts": counts}, lambda: table([["term", "count"], *rows]))
        return
    emit(found.to_dict(), lambda: trace_text(found))
