"""Which column contains the texts and which the labels: by name, then by content. An unclear case is an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.batch import Chosen
from likely.terminal import named, printable

if TYPE_CHECKING:
    from collections.abc import Collection

    from likely.reading.batch import Reader

TEXT_NAMES = ("text", "body", "message", "review", "content", "sentence")
"""Usual names of the column with the texts."""

LABEL_NAMES = ("label", "class", "category", "sentiment", "target")
"""Usual names of the column with the labels."""

_MUCH_LONGER = 3.0
_MOST_CLASSES = 50
_NAMED = 30
"""At most this many columns are named in a message."""


def choose(
    sample: dict[str, list[str]],
    text: str | None,
    label: str | None,
    where: str,
    *,
    labelled: bool,
    weight: str | None = None,
    group: str | None = None,
) -> Chosen:
    """The columns with the texts and the labels: those given, or else guessed.

    Parameters
    ----------
    sample : dict
        The first values of each column.
    text, label : str or None
        The given columns; None for a column to guess.
    where : str
        The name of the file in messages.
    labelled : bool
        Whether labels are read.
    weight, group : str or None
        The given columns of weights and groups. They are not guessed, and never taken for text or label.

    Examples
    --------
    >>> choose({"id": ["1", "2"], "review": ["so good", "so bad"], "stars": ["5", "1"]}, None, "stars", "r.csv",
    ...        labelled=True)
    Chosen(text='review', label='stars', weight=None, group=None)
    >>> choose({"a": ["x", "y"], "b": ["v", "w"]}, None, None, "r.csv", labelled=True)
    Traceback (most recent call last):
    likely.errors.SourceError: r.csv: it is not clear which column is the text. The columns are a, b: name one with
    text=... (--text-column on the command line)
    """
    for name in (text, label, weight, group):
        if name is not None and name not in sample:
            raise SourceError(f"{where}: there is no column {printable(name)!r}. The columns are {_listed(sample)}")
    if text is None:
        text = _text_column([name for name in sample if name not in (label, weight, group)], sample)
        if text is None:
            raise _unclear(where, "text", sample)
    if label is None and labelled:
        label = _label_column([name for name in sample if name not in (text, weight, group)], sample)
        if label is None:
            raise _unclear(where, "label", sample)
    chosen = Chosen(text, label if labelled else None, weight, group)
    _check_different(chosen, where)
    return chosen


def _check_different(chosen: Chosen, where: str) -> None:
    """Raise ``SourceError`` if a column is named twice, such as for the text and for the label."""
    things: dict[str, str] = {}
    for thing, name in vars(chosen).items():
        if name is not None and things.setdefault(name, thing) != thing:
            raise SourceError(f"{where}: {printable(name)!r} cannot be both the {things[name]} and the {thing}")


def check_labelled(reader: Reader) -> None:
    """Raise ``SourceError`` for a source that cannot have labels."""
    if reader.columns == ["text"] and reader.format == "lines":
        raise SourceError(
            f"{reader.where} is plain text without labels: give CSV, JSON Lines, fastText lines "
            "(__label__), a folder with one sub-folder per class, or a file of labels (--labels)"
        )
    if len(reader.columns) == 1:
        raise SourceError(
            f"{reader.where} has one column, {printable(reader.columns[0])!r}, and no labels: give a file with a "
            "column of labels; `likely predict` needs none"
        )


def check_header(sample: dict[str, list[str]], where: str) -> None:
    """Raise ``SourceError`` if a name in the header occurs again as a value, because the header may be a row.

    Rows that repeat all names are the header again, as in files that were joined.

    Examples
    --------
    >>> check_header({"so good": ["so bad", "so dull"], "+": ["-", "+"]}, "r.csv")
    Traceback (most recent call last):
    likely.errors.SourceError: r.csv: its first row looks like data, because '+' occurs again below: give header=False
    (--no-header) if it has no header, header=True (--header) if it has one
    """
    again = {name: values.count(name) for name, values in sample.items()}
    headers = min(again.values(), default=0) if len(again) > 1 else 0
    for name, values in again.items():
        if name and name.lower() not in (*TEXT_NAMES, *LABEL_NAMES) and values > headers:
            raise SourceError(
                f"{where}: its first row looks like data, because {name!r} occurs again below: give "
                "header=False (--no-header) if it has no header, header=True (--header) if it has one"
            )


def _unclear(where: str, what: str, sample: dict[str, list[str]]) -> SourceError:
    return SourceError(
        f"{where}: it is not clear which column is the {what}. The columns are {_listed(sample)}: "
        f"name one with {what}=... (--{what} on the command line)"
    )


def _listed(sample: dict[str, list[str]]) -> str:
    return named(list(sample), _NAMED, lambda name: printable(name if len(name) <= 40 else name[:40] + "..."))


def _named(names: list[str], known: tuple[str, ...]) -> list[str]:
    return [name for name in names if name.strip().lower() in known]


def _text_column(names: list[str], sample: dict[str, list[str]]) -> str | None:
    named = _named(names, TEXT_NAMES)
    candidates = named or names
    if len(candidates) == 1:
        return candidates[0]
    lengths = {name: sum(map(len, sample[name])) / max(len(sample[name]), 1) for name in candidates}
    ranked = sorted(candidates, key=lambda name: -lengths[name])
    if ranked and lengths[ranked[0]] >= _MUCH_LONGER * max(lengths[ranked[1]], 1.0):
        return ranked[0]
    exact = [name for name in named if name.strip().lower() == TEXT_NAMES[0]]
    return exact[0] if len(exact) == 1 else None


def _label_column(names: list[str], sample: dict[str, list[str]]) -> str | None:
    named = _named(names, LABEL_NAMES)
    if len(named) == 1:
        return named[0]
    if named:
        exact = [name for name in named if name.strip().lower() == LABEL_NAMES[0]]
        return exact[0] if len(exact) == 1 else None
    if len(names) == 1:
        return names[0]
    few = [name for name in names if has_few_values(sample[name])]
    return few[0] if len(few) == 1 else None


def has_few_values(values: Collection[str]) -> bool:
    """Whether values look like labels: there are at least two, and each occurs at least three times on average.

    Examples
    --------
    >>> has_few_values(["+", "-", "+", "+", "-", "+"]), has_few_values(["+", "-", "?"])
    (True, False)
    """
    distinct = len(set(values))
    return 2 <= distinct <= _MOST_CLASSES and distinct * 3 <= len(values)
