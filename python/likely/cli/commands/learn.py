"""`likely learn`: a model learns more labelled texts, exactly; and what it shares with `likely forget`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from likely.cli.flags import FILE, Command, data_argument, output_flags, reading_flags, reading_of_flags, source_of
from likely.cli.model_files import check_model_place, load_model, saved_document, saved_text
from likely.cli.output import emit, figure, note
from likely.cli.progress import Progress, open_corpus, reading_document, tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.cli.flags import Values
    from likely.core.calibration import CalibrationRecord
    from likely.core.file import Saved
    from likely.core.state import CountedTexts
    from likely.model.naive_bayes import NaiveBayes
    from likely.reading.corpus import Corpus
    from likely.reading.rows import Sample
    from likely.types import Plain

T = TypeVar("T")


@click.command("learn", cls=Command)
@click.argument("model", type=FILE)
@data_argument
@click.option("-o", "--output", type=FILE, metavar="FILE", help="The model file to write.  [default: MODEL]")
@click.option(
    "--new-classes/--no-new-classes", default=True, help="Learn new classes, or refuse them.  [default: new-classes]"
)
@click.option("--calibrate", is_flag=True, help="Fit the calibration to texts the model knows; learn nothing.")
@reading_flags()
@output_flags
def command(**values: Any) -> None:
    """Learn more labelled texts, or renew the calibration.

    The texts may contain new words and new classes, which are named. The columns are those that the model was trained
    on, if the data has them. The model file is replaced as a whole or not at all. If two commands learn at the same
    time, one waits for the other.

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

    figures: Plain = {}

    def changed(model: NaiveBayes, lesson: CountedTexts) -> None:
        figures["before"] = _figures(model)
        change(model, lesson)
        if not model.__sklearn_is_fitted__():
            raise NotLearnedError("the model has no other documents: delete the file instead, which is unchanged")
        figures["after"] = _figures(model)

    model, corpus, saved = _change_file(values, lambda model, corpus: model._count_corpus(corpus), changed)
    note_age(model)
    document = {"model": saved_document(saved), "read": reading_document(corpus), **figures}
    emit(document, lambda: _changed_text(done, corpus.rows, figures, saved))


def _change_file(
    values: Values, read: Callable[[NaiveBayes, Corpus], T], change: Callable[[NaiveBayes, T], None]
) -> tuple[NaiveBayes, Corpus, Saved]:
    """Load a model, read a corpus, change the model, and replace its file as a whole or not at all."""
    from likely.reading.atomic import locked

    source = source_of(values)
    if values["output"]:
        check_model_place(values["output"], source if isinstance(source, list) else [])
    with locked(values["model"]):
        model = load_model(values["model"], values["data"])
        with Progress() as progress:
            corpus = open_corpus(source, reading_of_flags(values), progress)
            material = read(model, corpus)
        tell(corpus)
        change(model, material)
        saved = model.save(values["output"] or values["model"])
    return model, corpus, saved


def _changed_text(done: str, rows: int, figures: Plain, saved: Saved) -> str:
    from likely.terminal import counted

    before, after = figures["before"], figures["after"]
    changes = ", ".join(f"{before[name]:,} -> {after[name]:,} {name}" for name in before)
    return f"{done} {counted(rows, 'document')}: {changes}.\n{saved_text(saved)}"


def note_age(model: NaiveBayes) -> None:
    """Say that a calibration should be renewed, if the model has changed much since."""
    record = model.calibration_
    if record is not None and record.is_outdated:
        note(
            f"{record.changed:,.6g} documents were learned or forgotten since the model was calibrated on "
            f"{record.of:,.6g}. Renew the calibration: `likely learn MODEL DATA --calibrate`"
        )


def _learn(model: NaiveBayes, lesson: CountedTexts, values: Values) -> None:
    """Name the new classes, then learn, unless they are refused."""
    from likely.terminal import printable

    new = model._new_classes_of(lesson)
    if new.documents and values["new_classes"]:
        note(printable(f"{new}. With --no-new-classes they are an error"))
    model._learn_counted(lesson, new_classes=values["new_classes"])
    if model._dropped_terms:
        note(f"{model._dropped_terms:,} terms were dropped from this model before, with what it knew about them")


def _figures(model: NaiveBayes) -> dict[str, float]:
    return {
        "documents": figure(float(model.class_documents_.sum())),
        "classes": len(model.classes_),
        "terms": model.terms_,
    }


def _calibrate(values: Values) -> None:
    """Fit the calibration to learned texts."""
    figures: Plain = {}

    def calibrate(model: NaiveBayes, sample: Sample) -> None:
        figures.update(documents=len(sample), before=model._calibrate_on(sample))
        figures["after"] = model.calibration_.after if model.calibration_ else figures["before"]

    model, corpus, saved = _change_file(values, lambda model, corpus: model._sample_corpus(corpus), calibrate)
    document = {"model": saved_document(saved), "read": reading_document(corpus), **figures}
    emit(document, lambda: _calibrated_text(figures, model.calibration_, saved))


def _calibrated_text(figures: Plain, record: CalibrationRecord | None, saved: Saved) -> str:
    from likely.core.calibration import calibration_change_text, record_sentence
    from likely.terminal import counted

    lines = [f"Calibrated on {counted(figures['documents'], 'document')}.", saved_text(saved)]
    if record is not None:
        lines += [record_sentence(record), calibration_change_text(figures["before"], record.after)]
    return "\n".join(filter(None, lines))
