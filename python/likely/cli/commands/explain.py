"""`likely explain`: why the model predicts a label for a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from likely.cli.data import text_of
from likely.cli.files import check_other_file, load_model
from likely.cli.flags import FILE, Command, Values, value
from likely.cli.output import emit, note

if TYPE_CHECKING:
    from likely.explanation.explanation import Explanation
    from likely.types import Label


@click.command("explain", cls=Command)
@click.argument("model", type=FILE)
@click.argument("text")
@value("--top", "N", "Show this many terms if there is no arithmetic.  [default: 10]", click.IntRange(1))
@click.option(
    "--arithmetic/--no-arithmetic",
    default=None,
    help="Show the calculation.  [default: for short texts, up to 3 classes]",
)
@value(
    "--contrast",
    "CLASS CLASS",
    "Compare two classes.  [default: the two most probable]",
    nargs=2,
)
@value("--log-base", None, "Use logarithms with this base.", click.Choice(["e", "2", "10"]), default="e")
@value("--html html_file", "FILE", "Write an HTML page with coloured words instead.", FILE)
def command(**values: Any) -> None:
    """Show why the model predicts a label for a text.

    The first line has the label, its probability and the strongest words for it and against it. "boring" x8 means:
    the word multiplies the odds of this label against the next one by 8, because it is that much more frequent in the
    training texts of this label (less in a calibrated model, which does not count the same evidence twice).

    Then come a table of the words, the arithmetic of short texts, and the words without which the label would be
    another one. TEXT is the text itself, or - to read it from standard input.

    \b
    Examples:
      likely explain reviews.likely "predictable with no fun"
      likely explain news.likely - --contrast sport politics < article.txt
    """
    explanation = load_model(values["model"]).explain(text_of(values["text"]))
    contrast = _contrast(values, explanation.classes)
    if values["html_file"]:
        _write_page(explanation, values["html_file"], values["model"])
        if not values["json"]:
            return
    shown = {name: values[name] for name in ("top", "arithmetic", "log_base")} | {"contrast": contrast}
    emit(_document(explanation, contrast), lambda: explanation.describe(**shown))


def _contrast(values: Values, classes: list[Label]) -> tuple[Label, Label] | None:
    """The two classes that were asked for."""
    from likely.labels import label_like

    if not values["contrast"]:
        return None
    one, other = (label_like(each, classes) for each in values["contrast"])
    if one == other:
        raise click.UsageError("--contrast needs two different classes.")
    return one, other


def _write_page(explanation: Explanation, path: str, model: str) -> None:
    from likely.reading.atomic import replacing
    from likely.report.pages import explanation_page

    check_other_file(path, [model])
    with replacing(path) as file:
        file.write(explanation_page(explanation).encode())
    note(f"wrote {path}")


def _document(explanation: Explanation, contrast: tuple[Label, Label] | None) -> dict[str, object]:
    from likely.formulas import finite_or_none

    found = None
    if contrast:
        terms = [
            {"term": each.term, "word": each.word, "count": each.count, "log_ratio": finite_or_none(each.log_ratio)}
            for each in explanation.contrast(*contrast)
        ]
        found = {"classes": list(contrast), "terms": terms}
    return {**explanation.to_dict(), "contrast": found}
