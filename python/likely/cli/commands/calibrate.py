"""`likely calibrate`: the calibration of a model, renewed on documents that it has learned."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from likely.cli.flags import FILE, Command, data_argument, output_flags, reading_flags, reading_of_flags, source_of
from likely.cli.model_files import check_model_place, load_model, saved_document, saved_text
from likely.cli.output import emit
from likely.cli.progress import Progress, open_corpus, reading_document, tell

if TYPE_CHECKING:
    from likely.core.calibration import CalibrationRecord, Measures


@click.command("calibrate", cls=Command)
@click.argument("model", type=FILE)
@data_argument
@click.option("-o", "--output", type=FILE, metavar="FILE", help="The model file to write.  [default: MODEL]")
@reading_flags()
@output_flags
def command(**values: Any) -> None:
    """Renew the calibration of a model.

    Do so after the model has learned or forgotten many documents, or after an option was changed. DATA are labelled
    texts that the model has learned: all of them, or a few thousand of all classes. Each is judged by a model without
    it, so the probabilities are measured on texts that the model has not seen. The model file is replaced as a whole
    or not at all.

    \b
    Example:
      likely calibrate reviews.likely reviews.csv
    """
    from likely.reading.atomic import locked

    source = source_of(values)
    if values["output"]:
        check_model_place(values["output"], source if isinstance(source, list) else [])
    with locked(values["model"]):
        model = load_model(values["model"], values["data"])
        with Progress() as progress:
            corpus = open_corpus(source, reading_of_flags(values), progress)
            sample = model._sample_corpus(corpus)
        tell(corpus)
        before = model._calibrate_on(sample)
        saved = model.save(values["output"] or values["model"])
    record = model.calibration_
    after = before if record is None else record.after
    document = {
        "model": saved_document(saved),
        "read": reading_document(corpus),
        "documents": len(sample),
        "before": before,
        "after": after,
    }
    emit(document, lambda: _text(len(sample), before, record, saved_text(saved)))


def _text(documents: int, before: Measures, record: CalibrationRecord | None, saved: str) -> str:
    from likely.core.calibration import calibration_change_text, record_sentence
    from likely.terminal import counted

    lines = [f"Calibrated on {counted(documents, 'document')}.", saved]
    if record is not None:
        lines += [record_sentence(record), calibration_change_text(before, record.after)]
    return "\n".join(filter(None, lines))
