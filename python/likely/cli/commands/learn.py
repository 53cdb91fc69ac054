"""`likely learn`: a model learns more labelled texts, exactly; and what it shares with `likely forget`."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from likely.cli.data import reading_data, reading_document, source_of
from likely.cli.files import check_model_place, load_model, saved_document, saved_text
from likely.cli.flags import FILE, Command, Values, data_argument, option_flags, switch, value
from likely.cli.output import emit, figure, note
from likely.options.reading import READING
from likely.terminal import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from likely.core.state import CountedTexts
    from likely.model.naive_bayes import NaiveBayes


@click.command("learn", cls=Command)
@click.argument("model", type=FILE)
@data_argument
@value("-o --output", "FILE", "Write the model to this file.  [default: MODEL]", FILE)
@click.option(
    "--new-classes/--no-new-classes", default=True, help="Learn new classes, or refuse them.  [default: new-classes]"
)
@switch("--calibrate", "Recalibrate on texts the model has learned; learn nothing.")
@option_flags(READING)
def command(**values: Any) -> None:
    """Learn more labelled texts, or renew the calibration.

    The texts may contain new words and new classes; the command names the new classes. By default it reads the
    columns that the model was trained on. The model file is replaced as a whole or not at all. If two commands learn
    at the same time, one waits for the other.

    Use --calibrate after the model has learned or forgotten many documents, or after you changed an option. DATA are
    then texts that the model has learned: all of them, or a few thousand of all classes. Each is judged by a model
    without it.

    \b
    Examples:
      likely learn reviews.likely more.csv
      likely learn reviews.likely reviews.csv --calibrate
    """
    if values["calibrate"]:
        _calibrate(values)
        return
    if values["group"] is not None:
        raise click.UsageError("--group is only used with --calibrate: leave it out.")
    change_counts("Learned", values, lambda model, lesson: _learn(model, lesson, values))


def change_counts(done: str, values: Values, change: Callable[[NaiveBayes, CountedTexts], None]) -> None:
    """Let a model learn or forget a corpus, and print what changed."""
    from likely.errors import NotLearnedError

    with _locked_model(values) as model:
        with reading_data(values) as corpus:
            lesson = model._count_corpus(corpus)
        before = _figures(model)
        change(model, lesson)
        if not model.__sklearn_is_fitted__():
            raise NotLearnedError("the model would have no documents left: delete the file instead (it is unchanged)")
        after = _figures(model)
        saved = model.save(values["output"] or values["model"])
    note_age(model)
    changes = ", ".join(f"{before[name]:,} -> {after[name]:,} {name}" for name in before)
    emit(
        {"model": saved_document(saved), "read": reading_document(corpus), "before": before, "after": after},
        f"{done} {counted(corpus.rows, 'document')}: {changes}.\n{saved_text(saved)}",
    )


@contextmanager
def _locked_model(values: Values) -> Iterator[NaiveBayes]:
    """The model to change, while no other command changes its file."""
    from likely.reading.atomic import locked

    source = source_of(values)
    if values["output"]:
        check_model_place(values["output"], source if isinstance(source, list) else [])
    with locked(values["model"]):
        yield load_model(values["model"], values["data"])


def note_age(model: NaiveBayes) -> None:
    """Say that a calibration should be renewed, if the model has changed much since."""
    from likely.core.calibration import OUTDATED

    record = model.calibration_
    if record is not None and record.age > OUTDATED:
        note(
            f"{record.changed:,.6g} documents were learned or forgotten since the model was calibrated on "
            f"{record.of:,.6g}. Renew the calibration: `likely learn MODEL DATA --calibrate`"
        )


def _learn(model: NaiveBayes, lesson: CountedTexts, values: Values) -> None:
    """Name the new classes, then learn, unless they are refused."""
    new = model._new_classes_of(lesson)
    if new.documents and values["new_classes"]:
        note(f"{new}. With --no-new-classes they are an error")
    model._learn_counted(lesson, new_classes=values["new_classes"])
    if model._dropped_terms:
        note(f"{model._dropped_terms:,} terms were dropped from this model earlier, along with their counts")


def _figures(model: NaiveBayes) -> dict[str, float]:
    return {
        "documents": figure(float(model.class_documents_.sum())),
        "classes": len(model.classes_),
        "terms": model.terms_,
    }


def _calibrate(values: Values) -> None:
    """Fit the calibration to learned texts."""
    from likely.core.calibration import measures_text, record_sentence

    with _locked_model(values) as model:
        with reading_data(values) as corpus:
            sample = model._sample_corpus(corpus)
        before = model._calibrate_on(sample)
        saved = model.save(values["output"] or values["model"])
    record = model.calibration_
    lines = [f"Calibrated on {counted(len(sample), 'document')}.", saved_text(saved)]
    if record is not None:
        lines += [record_sentence(record), measures_text("before", before, "after", record.after)]
    document = {
        "model": saved_document(saved),
        "read": reading_document(corpus),
        "documents": len(sample),
        "before": before,
        "after": record.after if record else before,
    }
    emit(document, "\n".join(filter(None, lines)))
