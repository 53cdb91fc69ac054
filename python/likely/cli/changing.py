"""What commands that change a model have in common: load, change, save and report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.cli.flags import reading_of_flags, source_of
from likely.cli.model_files import check_model_place, load_model, saved_document, saved_text
from likely.cli.output import emit, figure, note
from likely.cli.progress import Progress, open_corpus, reading_document, tell

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.cli.flags import Values
    from likely.core.learning import CountedTexts
    from likely.model.naive_bayes import NaiveBayes


def change_model(verb: str, values: Values, change: Callable[[NaiveBayes, CountedTexts], None]) -> None:
    """Let a model learn or forget a corpus. The file is replaced as a whole or not at all."""
    from likely.errors import NotLearnedError
    from likely.reading.atomic import locked

    source = source_of(values)
    if values["output"]:
        check_model_place(values["output"], source if isinstance(source, list) else [])
    with locked(values["model"]):
        model = load_model(values["model"], values["data"])
        before = _figures(model)
        with Progress() as progress:
            corpus = open_corpus(source, reading_of_flags(values), progress)
            lesson = model._count_corpus(corpus)
        tell(corpus)
        change(model, lesson)
        if not model.__sklearn_is_fitted__():
            raise NotLearnedError("the model has no other documents: delete the file instead, which is unchanged")
        saved = model.save(values["output"] or values["model"])
    after = _figures(model)
    note_age(model)
    if verb == "learn" and model._dropped_terms:
        note(
            f"{model._dropped_terms:,} terms were dropped from this model before, with what it had learned about them"
        )
    document = {"model": saved_document(saved), "read": reading_document(corpus), "before": before, "after": after}
    emit(document, lambda: _text(verb, corpus.rows, before, after, saved_text(saved)))


def note_age(model: NaiveBayes) -> None:
    """Say that a calibration should be renewed, if the model has changed much since."""
    record = model.calibration_
    if record is not None and record.is_outdated:
        note(
            f"the model was calibrated when it had {record.of:,.6g} documents, and {record.changed:,.6g} were "
            "learned or forgotten since. Renew the calibration: `likely calibrate MODEL DATA`"
        )


def _figures(model: NaiveBayes) -> dict[str, float]:
    return {
        "documents": figure(float(model.class_documents_.sum())),
        "classes": len(model.classes_),
        "terms": model.terms_,
    }


def _text(verb: str, rows: int, before: dict[str, float], after: dict[str, float], saved: str) -> str:
    from likely.terminal import counted

    changes = ", ".join(f"{before[name]:,} -> {after[name]:,} {name}" for name in before)
    done = "Learned" if verb == "learn" else "Forgot"
    return f"{done} {counted(rows, 'document')}: {changes}.\n{saved}"
