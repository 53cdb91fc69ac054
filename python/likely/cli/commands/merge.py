"""`likely merge`: one model from several, as if it had learned all their documents."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.commands.learn import note_age
from likely.cli.files import check_model_place, load_model, prune_flag, saved_document, saved_text
from likely.cli.flags import FILE, Command, value
from likely.cli.output import emit, figure, note
from likely.terminal import counted


@click.command("merge", cls=Command)
@click.argument("models", type=FILE, nargs=-1, required=True, metavar="MODEL...")
@value("-o --output", "FILE", "Write the model to this file.", FILE, required=True)
@prune_flag
def command(**values: Any) -> None:
    """Merge several models into one.

    The result is the same as learning all their documents at once. The merged model has the first
    model's options and the largest model's calibration.

    \b
    Example:
      likely merge monday.likely tuesday.likely -o both.likely
    """
    from likely.reading.atomic import locked

    check_model_place(values["output"])
    first, *others = values["models"]
    with locked(values["output"]):
        total = load_model(first)
        for path in others:
            other = load_model(path)
            if total.columns_ and other.columns_ and total.columns_ != other.columns_:
                note(
                    f"{path} was trained on {other.columns_} and {first} on {total.columns_}: "
                    "the merged model remembers no columns"
                )
            was_calibrated = total.calibration_ or other.calibration_
            total = total + other
            if was_calibrated and not total.calibration_:
                note(
                    "the merged model is not calibrated, because the models' options differ. Calibrate it: "
                    "`likely learn MODEL DATA --calibrate`"
                )
            for name, value in total._options().items():
                theirs = other._options()[name]
                if theirs != value:
                    note(f"{path} has {name}={theirs!r}; the merged model has {name}={value!r}, like {first}")
        note_age(total)
        if total._dropped_terms:
            note(f"{total._dropped_terms:,} terms were dropped from these models earlier, along with their counts")
        saved = total.save(values["output"], min_documents=values["prune"] or 1)
    number, documents = len(values["models"]), figure(float(total.class_documents_.sum()))
    emit(
        {"model": saved_document(saved), "merged": number, "documents": documents},
        lambda: f"Merged {counted(number, 'model')}: {counted(documents, 'document')}. {saved_text(saved)}",
    )
