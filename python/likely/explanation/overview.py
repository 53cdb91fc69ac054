"""The document that `likely inspect` prints, as types."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from likely.options.model import MODEL
from likely.terminal import cut, number, printable, size_text, table, wrapped
from likely.types import Label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class WordScore(TypedDict):
    """A word that speaks for a class, and its score."""

    term: str
    score: float


ClassOverview = TypedDict(
    "ClassOverview",
    {"class": Label, "documents": float, "tokens": float, "weight": float, "top_words": list[WordScore]},
)
"""One class: how many documents and tokens it has, its weight, and the words that speak most for it."""

TermRow = TypedDict("TermRow", {"class": Label, "count": float, "documents": float, "probability": float})
"""One term in one class."""


class Buckets(TypedDict):
    """The buckets of a model that hashes its terms."""

    number: int
    used: int
    collisions: float | None


ClassThreshold = TypedDict("ClassThreshold", {"class": Label, "threshold": float})
"""A class and the probability from which it is predicted."""


class TrainedColumns(TypedDict):
    """The columns that a model was trained on."""

    text: str
    label: str | None


class Overview(TypedDict):
    """One model."""

    options: dict[str, object]
    columns: TrainedColumns | None
    terms: int
    dropped_terms: int
    buckets: Buckets | None
    classes: list[ClassOverview]
    tuning: dict[str, object] | None
    calibration: dict[str, object] | None
    thresholds: list[ClassThreshold]
    path: str
    bytes: int


LONGEST_LABEL = 40
"""Longer labels are cut in tables, in columns of a terminal."""
MOST_WORDS = 8
"""A list of more words than this is described by its length."""


def overview_text(about: Overview, hidden: int) -> str:
    """The overview of a model, as `likely inspect` prints it; ``hidden`` is the number of classes left out."""
    words = [wrapped(_words(each), "  ") for each in about["classes"]]
    more = [f"and {hidden:,} smaller classes: see one with --class, all with --json"] if hidden else []
    options = changed_options(about["options"])
    head = f"{printable(about['path'])}: {about['terms']:,} terms, {size_text(about['bytes'])}"
    columns = about["columns"]
    trained = [printable(f"trained on text={columns['text']}, label={columns['label']}")] if columns else []
    dropped = [f"{about['dropped_terms']:,} terms were dropped from it"] if about["dropped_terms"] else []
    dropped += [_buckets_text(about["buckets"])] if about["buckets"] else []
    named = [f"{printable(each['class'])} {each['threshold']:.4g}" for each in about["thresholds"]]
    decided = [f"predicted from a probability of: {', '.join(named)}"] if named else []
    lines = [wrapped(line, "  ") for line in (head, options, *trained, *dropped, *decided)]
    listed = ["", "Words that speak most for each class:", *words]
    return "\n".join([*lines, "", _class_table(about["classes"]), *more, *listed])


def changed_options(options: Mapping[str, object]) -> str:
    """The options that do not have their default values.

    Examples
    --------
    >>> changed_options({"alpha": 0.5, "variant": "multinomial"}), changed_options({})
    ('alpha=0.5', 'default options')
    """
    changed = {name: value for name, value in options.items() if value != MODEL[name].default}
    return ", ".join(f"{name}={_shown(value)}" for name, value in changed.items()) or "default options"


def _words(each: ClassOverview) -> str:
    return f"{printable(each['class'])}: {', '.join(printable(word['term']) for word in each['top_words'])}"


def _class_table(classes: Sequence[ClassOverview]) -> str:
    """The sizes of the classes; also their weights, if these are not all 1."""
    rows = [["", "documents", "tokens", "weight"]]
    for each in classes:
        sizes = f"{each['documents']:,.6g}", f"{each['tokens']:,.0f}", number(each["weight"])
        rows.append([cut(printable(each["class"]), LONGEST_LABEL), *sizes])
    weighted = any(each["weight"] != 1 for each in classes)
    return table(rows if weighted else [row[:-1] for row in rows])


def _shown(value: object) -> str:
    if isinstance(value, list) and len(value) > MOST_WORDS:
        return f"{len(value)} words"
    return printable(value)


def _buckets_text(buckets: Buckets) -> str:
    share = f"{buckets['used']:,} of {buckets['number']:,} buckets are in use"
    if buckets["collisions"] is None:
        return f"{share}: all are full, so use more hash_bits"
    return f"{share}; about {buckets['collisions']:,.0f} terms share a bucket with another term"


def term_text(term: str, rows: Sequence[TermRow]) -> str:
    """A table of one term, with one row per class."""
    lines = [["", "count", "documents", "P(w|class)"]]
    for row in rows:
        figures = (f"{row['count']:,.6g}", f"{row['documents']:,.6g}", f"{row['probability']:.4g}")
        lines.append([cut(printable(row["class"]), LONGEST_LABEL), *figures])
    never = "" if any(row["count"] for row in rows) else f"{printable(term)} was never learned.\n"
    return never + table(lines)
