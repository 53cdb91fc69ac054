"""`likely select`: raw documents that resemble a target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from likely.cli.data import Progress
from likely.cli.flags import Command, given, option_flags
from likely.cli.output import answer_no, emit, note
from likely.options.model import MODEL
from likely.options.reading import OF_LABELS, READING, SELECTING
from likely.terminal import counted, printable

if TYPE_CHECKING:
    from likely.batch.select import Selection, TargetSource
    from likely.cli.flags import Values


_DATA = click.Path(path_type=str)
_WEIGHING = ("ngrams", "alpha", "lowercase", "accents", "normalize", "stop_words", "stem", "threads")
"""The options of a model that say how documents are weighed."""


@click.command("select", cls=Command)
@click.option(
    "--target",
    multiple=True,
    required=True,
    metavar="DATA[=SHARE]",
    help="Documents that the selected ones should resemble. Several are one target, unless each has a share.",
)
@click.option("--raw", multiple=True, required=True, type=_DATA, metavar="DATA", help="The documents to select from.")
@click.option("--number", type=click.IntRange(1), required=True, metavar="N", help="How many documents to select.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=str),
    required=True,
    metavar="FOLDER|FILE",
    help="Where to write the selected rows: a folder, which gets one file per raw file, or one file.",
)
@click.option(
    "--target-text-column",
    "target_text",
    metavar="COLUMN",
    help="The column with the texts of the target, if it has another name.",
)
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
      likely select --target wiki.jsonl=0.7 --target books.jsonl=0.3 --raw web.jsonl --number 1000 -o out.jsonl
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
    with Progress() as progress:
        return select(
            _target(values["target"]),
            list(values["raw"]),
            values["number"],
            output=values["output"],
            target_text=values["target_text"],
            observe=progress.observe,
            **given({**SELECTING, **MODEL, **READING}, values),
        )


def _target(given: tuple[str, ...]) -> TargetSource:
    """The target: files that are one target, or the share of each file."""
    pairs = [_with_share(each) for each in given]
    if all(share is None for _, share in pairs):
        return [path for path, _ in pairs]
    shares = {path: share for path, share in pairs if share is not None}
    if len(shares) < len(pairs):
        raise click.UsageError("Give each --target a share, as in --target wiki.jsonl=0.7, or none of them.")
    return shares


def _with_share(text: str) -> tuple[str, float | None]:
    """The path of a target, and its share if it has one.

    Examples
    --------
    >>> _with_share("wiki.jsonl=0.7"), _with_share("wiki.jsonl")
    (('wiki.jsonl', 0.7), ('wiki.jsonl', None))
    """
    path, equals, share = text.rpartition("=")
    if not equals:
        return text, None
    try:
        return path, float(share)
    except ValueError:
        return text, None  # the name of the file has an equals sign
