"""`likely check`: what is wrong with labelled texts, before a model is trained on them."""

from __future__ import annotations

from typing import Any

import click

from likely.cli.data import Progress, open_corpus, reading_document
from likely.cli.flags import Command, data_argument, option_flags, value
from likely.cli.output import answer_no, emit, note
from likely.options.reading import READING


@click.command("check", cls=Command)
@data_argument
@value("--top", "N", "Show at most this many rows per finding.", click.IntRange(min=0), default=3)
@option_flags(READING, without=("allow_partial", "weight"))
def command(**values: Any) -> None:
    """Check labelled texts before training.

    The command looks at the sizes of the classes, copies, equal texts with different labels,
    documents without words, labels that look like mistakes, words that leak the label, traces of a wrong encoding,
    and documents that are probably mislabelled. Each finding has examples, and what to do about it.

    The exit status is 1 if something serious was found: something that would make a model or
    its evaluation misleading. All rows are held in memory.

    \b
    Example:
      likely check reviews.csv
    """
    from likely.evaluation.check import check_corpus
    from likely.model.measuring import fit_plain

    with Progress() as progress:
        corpus = open_corpus(values, progress)
        found = check_corpus(corpus, fit_plain, values["top"])
    for line in (corpus.summary(), *corpus.notes()):  # doubts and skipped rows are findings
        note(line)
    emit({**found.to_dict(), "read": reading_document(corpus)}, lambda: str(found))
    if found.serious:
        answer_no()
