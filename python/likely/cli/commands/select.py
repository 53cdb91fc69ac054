"""`likely select`: raw documents that resemble a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from likely.cli.data import Progress
from likely.cli.flags import Command, Values, given, option_flags, value
from likely.cli.output import answer_no, emit, note
from likely.options.model import MODEL
from likely.options.reading import OF_LABELS, READING, SELECTING
from likely.terminal import counted, printable

if TYPE_CHECKING:
    from likely.batch.select import Selection


_DATA = click.Path(path_type=str)
_WEIGHING = ("ngrams", "alpha", "lowercase", "accents", "normalize", "stop_words", "stem", "threads")
"""The options of a model that say how documents are weighed."""


@click.command("select", cls=Command)
@value("--target", "DATA", "Select documents that resemble these.", _DATA, multiple=True, required=True)
@value("--raw", "DATA", "Select from these documents.", _DATA, multiple=True, required=True)
@value("--number", "N", "Select this many documents.", click.IntRange(1), required=True)
@value(
    "-o --output",
    "FOLDER|FILE",
    "Write to this folder (one file per raw file) or to this file.",
    click.Path(path_type=str),
    required=True,
)
@value("--target-text-column target_text", "COLUMN", "Read the target's texts from this column, if it differs.")
@option_flags(SELECTING)
@option_flags(MODEL, only=_WEIGHING, defaults={"ngrams": "1,2", "alpha": "0.01"})
@option_flags(READING, without=(*OF_LABELS, "sql"))
def command(**values: Any) -> None:
    """Select raw documents that resemble a target.

    It is importance resampling: the weight of a document is the ratio of its probabilities under two naive Bayes
    models of hashed n-grams, one of the target and one of the raw documents. A sample of the raw documents by these
    weights, without replacement, has about the n-grams of the target (Xie et al. 2023). The same seed gives the same
    sample on any number of threads.

    The selected rows are written as they are, in the order and the format of the raw files (JSON Lines, CSV, plain
    lines, Parquet; also .gz, .bz2 and .zst). The raw files are read three times.

    \b
    Examples:
      likely select --target wiki.jsonl --raw 'web/*.jsonl.zst' --number 1000000 -o out/
      likely select --target wiki.jsonl --raw web.jsonl --number 1000 -o out.jsonl --best
    """
    selection = _selected(values)
    if selection.skipped.count:
        note(selection.skipped)
    if len(selection) < values["number"] and selection.short:
        note("documents with few words are left out: --min-words sets how many a document needs")
    written = f"Wrote {counted(len(selection.written), 'file')} to {printable(values['output'])}."
    emit(selection.to_dict(), lambda: f"{selection}\n{written}")
    if not len(selection):
        answer_no()


def _selected(values: Values) -> Selection:
    from likely.batch.select import select
    from likely.extras import spare_pandas

    spare_pandas()
    asked = {name: values[name] for name in ("target", "raw", "number", "output", "target_text")}
    with Progress() as progress:
        return select(observe=progress.observe, **asked, **given({**SELECTING, **MODEL, **READING}, values))
