"""`likely merge`: several models to one, as if it had learned from all their documents."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.flags import FILE, output_flags
from likely.cli.model_files import check_model_place, save_flags, saved_document, saved_text
from likely.cli.output import emit, figure, note
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
    from likely.storage.atomic import locked
    from likely.terminal import printable

    check_model_place(values["output"])
    first, *others = values["models"]
    with locked(values["output"]):
        total = load_model(first)
        for path in others:
            other = load_model(path)
            total = total + other
            for name, value in total.get_params().items():
                theirs = other.get_params()[name]
                if theirs != value:
                    note(printable(f"{path} has {name}={theirs!r}; the sum has {name}={value!r}, as {first}"))
        if total.dropped_terms_:
            note(f"{total.dropped_terms_:,} terms were dropped from these models: the sum knows of them what is left")
        saved = total.save(values["output"], min_documents=values["prune"], max_size=values["max_size"])
    number, documents = len(values["models"]), figure(float(total.class_documents_.sum()))
    emit(
        {"model": saved_document(saved), "merged": number, "documents": documents},
        lambda: (
            f"Merged {number} {'model' if number == 1 else 'models'}: {documents:,} documents. {saved_text(saved)}"
        ),
    )
