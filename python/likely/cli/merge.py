"""`likely merge`: several models to one, as if it had learned from all their documents."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.flags import FILE, output_flags
from likely.cli.outcome import emit, note
from likely.cli.saving import save_as_told, save_flags, saved_document, saved_text
from likely.cli.start import load_model


@click.command("merge")
@click.argument("models", type=FILE, nargs=-1, required=True, metavar="MODEL...")
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE", help="Where to write the sum.")
@save_flags
@output_flags
def command(**values: Any) -> None:
    """Add models into one.

    The result is that of learning all their documents at once; the options are those of the first.

    \b
    Example:
      likely merge monday.likely tuesday.likely -o both.likely
    """
    first, *others = values["models"]
    total = load_model(first)
    for path in others:
        other = load_model(path)
        for name, value in total.get_params().items():
            if other.get_params()[name] != value:
                note(f"{path} has {name}={other.get_params()[name]!r}; the sum has {name}={value!r}, as {first}")
        total = total + other
    saved = save_as_told(total, values)
    number, documents = len(values["models"]), float(total.class_documents_.sum())
    emit(
        {"model": saved_document(saved), "merged": number, "documents": documents},
        lambda: f"Merged {number} models: {documents:,.0f} documents. {saved_text(saved)}",
    )
