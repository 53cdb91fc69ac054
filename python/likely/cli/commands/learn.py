"""`likely learn`: a model learns more labelled texts, exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from likely.cli.changing import change_model
from likely.cli.flags import FILE, Command, data_argument, output_flags, reading_flags
from likely.cli.output import note
from likely.options.reading import OF_TRAINING

if TYPE_CHECKING:
    from likely.cli.flags import Values
    from likely.core.learning import CountedTexts
    from likely.model.naive_bayes import NaiveBayes


@click.command("learn", cls=Command)
@click.argument("model", type=FILE)
@data_argument
@click.option("-o", "--output", type=FILE, metavar="FILE", help="The model file to write.  [default: MODEL]")
@click.option(
    "--new-classes/--no-new-classes",
    default=True,
    help="Whether texts of classes that the model does not have are learned, or are an error.  [default: true]",
)
@reading_flags(without=OF_TRAINING)
@output_flags
def command(**values: Any) -> None:
    """Learn more labelled texts.

    The texts may contain new words and new classes, which are named. The columns are those that the model was trained
    on, if the data has them. The model file is replaced as a whole or not at all. If two commands learn at the same
    time, one waits for the other.

    \b
    Example:
      likely learn reviews.likely more.csv
    """
    change_model("learn", values, lambda model, lesson: _learn(model, lesson, values))


def _learn(model: NaiveBayes, lesson: CountedTexts, values: Values) -> None:
    """Name the new classes, then learn, unless they are refused."""
    from likely.terminal import printable

    new = model._new_classes_of(lesson)
    if new.documents and values["new_classes"]:
        note(printable(f"{new}. With --no-new-classes they are an error"))
    model._learn_counted(lesson, new_classes=values["new_classes"])
