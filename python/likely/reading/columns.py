"""Which column contains the texts and which the labels: by name, then by content. An unclear case is an error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.errors import SourceError
from likely.reading.batch import Chosen, Reader
from likely.terminal import named, printable

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from likely.options.reading import ReadingOptions
    from likely.types import Array


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
    chosen, things = Chosen(text, label if labelled else None, weight, group), dict[str, str]()
    for thing, name in vars(chosen).items():
        if name is not None and things.setdefault(name, thing) != thing:
            raise SourceError(f"{where}: {printable(name)!r} cannot be both the {things[name]} and the {thing}")
    return chosen


def check_labelled(reader: Reader) -> None:
    """Raise ``SourceError`` for a source that cannot have labels."""
    if reader.columns == ["text"] and reader.format == "lines":
        raise SourceError(
            f"{reader.where} is plain text without labels: give CSV, JSON Lines, fastText lines "
            "(__label__) or a folder with one sub-folder per class"
        )
    if len(reader.columns) == 1:
        raise SourceError(
            f"{reader.where} has one column, {printable(reader.columns[0])!r}, and no labels: give a file with a "
            "column of labels; `likely predict` needs none"
        )


def check_header(sample: dict[str, list[str]], where: str) -> None:
    """Raise ``SourceError`` if a name in the header occurs again as a value, because the header may be a row.

    Examples
    --------
    >>> check_header({"so good": ["so bad", "so dull"], "+": ["-", "+"]}, "r.csv")
    Traceback (most recent call last):
    likely.errors.SourceError: r.csv: its first row looks like data, because '+' occurs again below: give header=False
    (--no-header) if it has no header, header=True (--header) if it has one
    """
    for name, values in sample.items():
        if name and name.lower() not in (*TEXT_NAMES, *LABEL_NAMES) and name in values:
            raise SourceError(
                f"{where}: its first row looks like data, because {name!r} occurs again below: give "
                "header=False (--no-header) if it has no header, header=True (--header) if it has one"
            )


def _unclear(where: str, what: str, sample: dict[str, list[str]]) -> SourceError:
    return SourceError(
        f"{where}: it is not clear which column is the {what}. The columns are {_listed(sample)}: "
        f"name one with {what}=... (--{what}-column on the command line)"
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


_NAMELESS = ("lines", "fasttext", "mbox", "maildir", "eml", "folder", "documents")


def has_names(reader: Reader) -> bool:
    """Whether the columns of a source have names of their own: the files of a folder have no columns."""
    return reader.format not in _NAMELESS


def remembered_columns(reader: Reader, columns: Chosen | None) -> list[str | None]:
    """The columns of the text, label and weight that a model remembers, None for each that the source lacks."""
    if columns is None or not has_names(reader):
        return [None, None, None]
    return [name if name in reader.columns else None for name in (columns.text, columns.label, columns.weight)]


def other_columns_note(reader: Reader, columns: Chosen | None, chosen: Chosen, reading: ReadingOptions) -> str | None:
    """One line that says which remembered columns a source lacks, and what is read instead; None if it has them.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely.options.reading import ReadingOptions
    >>> from likely.reading.batch import Skipped
    >>> from likely.reading.batch import Chosen
    >>> from likely.reading.tables import frame_reader
    >>> reader = frame_reader(pa.table({"body": ["good"], "sentiment": ["+"]}), Skipped())
    >>> other_columns_note(reader, Chosen("review", "sentiment"), Chosen("body", "sentiment"), ReadingOptions())
    'the model was trained on text=review; the Table has no such column: read text=body'
    """
    if columns is None or not has_names(reader):
        return None
    lacking = [
        (name, remembered, read)
        for name, remembered, read, given in (
            ("text", columns.text, chosen.text, reading.text),
            ("label", columns.label, chosen.label, reading.label),
        )
        if given is None and read is not None and remembered is not None and remembered not in reader.columns
    ]
    if not lacking:
        return None
    trained = ", ".join(f"{name}={remembered}" for name, remembered, _ in lacking)
    instead = ", ".join(f"{name}={read}" for name, _, read in lacking)
    such = "no such column" if len(lacking) == 1 else "no such columns"
    return f"the model was trained on {trained}; {reader.where} has {such}: read {instead}"


_LARGEST = 2.0**64
_SHOWN = 40
"""At most this many characters of a value are repeated in a message."""


def read_weights(values: Sequence[object] | Array) -> tuple[Array, dict[int, str]]:
    """The weight of each row, and, by its place, the problem of each row whose weight cannot be read.

    Examples
    --------
    >>> read_weights(["1", "0.5", "", "-1"])
    (array([1. , 0.5, 0. , 0. ]), {2: 'no weight', 3: "the weight '-1' is not a number >= 0"})
    """
    numbers = values if isinstance(values, np.ndarray) else np.array([_number(value) for value in values], np.float64)
    good = (numbers == 0) | ((numbers >= _native.LEAST_WEIGHT) & (numbers < _LARGEST))
    if good.all():
        return numbers, {}
    bad = np.flatnonzero(~good).tolist()
    return np.where(good, numbers, 0.0), {at: _problem(values[at], float(numbers[at])) for at in bad}


def _number(value: object) -> float:
    """A value as a number; NaN if it is not one."""
    if value is None or isinstance(value, bool) or (isinstance(value, str) and "_" in value):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type] # anything else is a TypeError
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return math.nan


def _problem(value: object, number: float) -> str:
    shown = str(value).strip()
    if value is None or shown.lower() in ("", "nan"):
        return "no weight"
    written = repr(printable(shown[:_SHOWN] + ("..." if len(shown) > _SHOWN else "")))
    if number > 0:
        return f"the weight {written} is neither 0 nor from 2^-64 to below 2^64"
    return f"the weight {written} is not a number >= 0"


def read_groups(values: Sequence[object], texts: _native.Strings) -> list[str]:
    """The group of each row, as text. A row without one is in a group of its own, with the copies of its text.

    Examples
    --------
    >>> read_groups(["ann", 1.0, True], _native.Strings(["a", "b", "c"]))
    ['ann', '1', 'true']
    """
    groups = [value if isinstance(value, str) else _as_text(value) for value in values]
    if "" in groups:
        numbers = _native.copy_numbers(texts).tolist()
        groups = [group or f"\0{number}" for group, number in zip(groups, numbers, strict=True)]
    return groups


def _as_text(value: object) -> str:
    """A value as the kernel writes it for JSON: whole numbers without a point, nothing for lists and objects."""
    if value is None or isinstance(value, list | dict) or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST:
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)
