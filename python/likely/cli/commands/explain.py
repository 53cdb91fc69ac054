"""`likely explain`: why a text gets its label."""

from __future__ import annotations

import sys
from typing import Any

import click

from likely.cli.flags import FILE, output_flags
from likely.cli.model_files import check_other_file
from likely.cli.output import emit, note
from likely.cli.start import load_model


@click.command("explain")
@click.argument("model", type=FILE)
@click.argument("text")
@click.option(
    "--html",
    "html_file",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write a page with the words coloured.",
)
@output_flags
def command(**values: Any) -> None:
    """Show why a text gets its label.

    This is the derivation: the sum, word by word, and the words coloured by the class they speak for. TEXT is
    the text itself, or - to read it from standard input.

    \b
    Example:
      likely explain reviews.likely "predictable with no fun"
    """
    from likely.reports import coloured, explanation_page
    from likely.terminal import printable

    text = (
        values["text"] if values["text"] != "-" else sys.stdin.buffer.read().decode("utf-8", "replace").rstrip("\n")
    )
    explanation = load_model(values["model"]).explain(text)
    if values["html_file"]:
        check_other_file(values["html_file"], [values["model"]])
        from likely.storage.atomic import replacing

        with replacing(values["html_file"]) as file:
            file.write(explanation_page(explanation).encode())
        note(printable(f"wrote {values['html_file']}"))
        if not values["json"]:
            return
    emit(
        explanation.to_dict(),
        lambda: f"{coloured(explanation)}\n\n{explanation}" if wants_colour() else str(explanation),
    )


def wants_colour() -> bool:
    """Whether standard output is a terminal that shows colours, and nobody asked for none."""
    import os

    return sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
