"""Doubts about labels: what may be wrong with them, in how many rows, and which option settles it."""

from __future__ import annotations

import shlex
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from likely.options.reading_table import READING
from likely.reading.labels.rules import WHOLE, looks_missing
from likely.terminal import counted, named

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from likely.reading.options import Reading
    from likely.types import Label

L = TypeVar("L", bound="Label")

FEWEST = 10
"""With fewer rows than this, nothing is said about nearly every row."""

_NEARLY = 0.8
"""At least this share of the rows is nearly every row."""
_SEPARATORS = ";|,"
_MOST_NAMED = 3
_LONGEST = 40


@dataclass(frozen=True)
class Seen:
    """The labels of a source.

    Attributes
    ----------
    rows : mapping
        The number of rows of each distinct label, as it is in the source.
    classes : collection of labels
        The classes of the model that the labels are read for. A label that is one of them is not doubtful.
    column : str or None
        The name of the column with the labels.
    """

    rows: Mapping[Label, int]
    classes: Collection[Label] = ()
    column: str | None = None

    @property
    def texts(self) -> dict[str, int]:
        """The number of rows of each label that is a text."""
        return {label: rows for label, rows in self.rows.items() if isinstance(label, str)}


def doubts_about(seen: Seen, reading: Reading) -> list[str]:
    """One line per doubt that no option of reading has settled.

    Examples
    --------
    >>> from likely.reading.options import Reading
    >>> print(*doubts_about(Seen({"spam": 7, "Spam": 2}), Reading()))
    2 rows have a label that differs only in case from another one, such as 'Spam' from 'spam':
    fold_labels=True (--fold-labels) makes them one, fold_labels=False (--no-fold-labels) keeps them apart
    >>> doubts_about(Seen({"spam": 7, "Spam": 2}), Reading(fold_labels=True))
    []
    """
    lines = list(_surrounded(seen)) if reading.strip_labels is None else []
    lines += _differing_in_case(seen) if reading.fold_labels is None else []
    lines += _missing(seen) if reading.missing_labels is None else []
    several = list(_several(seen)) if reading.label_separator is None else []
    return lines + (several or (list(_of_their_own(seen)) if reading.label is None else []))


def _surrounded(seen: Seen) -> Iterator[str]:
    """Labels with white space around them."""
    found = {
        label: rows for label, rows in seen.texts.items() if label != label.strip() and label not in seen.classes
    }
    if found:
        yield (
            f"{_rows_have(found)} a label with white space around it, such as {_most_frequent(found)}: "
            f"{settled_by('strip_labels', True)} removes it, {settled_by('strip_labels', False)} keeps it"
        )


def _differing_in_case(seen: Seen) -> Iterator[str]:
    """Labels that differ only in case from a more frequent label, or from a class of the model."""
    spellings: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for label, rows in [*seen.texts.items(), *((label, 0) for label in seen.classes if isinstance(label, str))]:
        spellings[label.strip().casefold()][label.strip()] += rows
    rarer: dict[str, int] = {}
    usual: dict[str, str] = {}
    for group in spellings.values():
        if len(group) > 1:
            best = max(group, key=lambda label: (label in seen.classes, group[label], label))
            others = {label: rows for label, rows in group.items() if label != best and label not in seen.classes}
            rarer |= others
            usual |= dict.fromkeys(others, best)
    if rarer:
        example = max(rarer, key=lambda label: rarer[label])
        yield (
            f"{_rows_have(rarer)} a label that differs only in case from another one, such as {_quoted(example)} "
            f"from {_quoted(usual[example])}: {settled_by('fold_labels', True)} makes them one, "
            f"{settled_by('fold_labels', False)} keeps them apart"
        )


def _missing(seen: Seen) -> Iterator[str]:
    """Labels that look like missing values."""
    found = {label: rows for label, rows in seen.texts.items() if looks_missing(label) and label not in seen.classes}
    if "+" in seen.rows or "+" in seen.classes:
        found.pop("-", None)  # it means negative
    if found:
        skip, keep = (settled_by("missing_labels", value) for value in ("skip", "keep"))
        yield (
            f"{_rows_have(found)} a label that looks like a missing value, {quoted(found)}: {skip} leaves them out, "
            f"{keep} keeps them"
        )


def _several(seen: Seen) -> Iterator[str]:
    """Nearly every row has a label with a separator."""
    total = sum(seen.rows.values())
    new = {label: rows for label, rows in seen.texts.items() if label not in seen.classes}
    found = {each: {label: rows for label, rows in new.items() if each in label.strip(each)} for each in _SEPARATORS}
    separator = max(found, key=lambda each: sum(found[each].values()))
    rows = found[separator]
    if total >= FEWEST and sum(rows.values()) >= _NEARLY * total:
        yield (
            f"{_of_all(rows, total)} seem to have several labels, such as {_most_frequent(rows)}. `likely` learns "
            f"one label per text: {settled_by('label_separator', separator)} reads only the first label of each row, "
            f"{settled_by('label_separator', WHOLE)} reads each as one label; or write one row per label"
        )


def _of_their_own(seen: Seen) -> Iterator[str]:
    """Nearly every row has a label that no other row has."""
    total = sum(seen.rows.values())
    found = {label: rows for label, rows in seen.rows.items() if rows == 1 and label not in seen.classes}
    if total >= FEWEST and len(found) >= _NEARLY * total and seen.column is not None:
        yield (
            f"{_of_all(found, total)} have a label that no other row has, such as {_most_frequent(found)}: "
            f"{settled_by('label', seen.column)} says that this is right, another name reads another column"
        )


def settled_by(name: str, value: object) -> str:
    """An option of reading with a value, as it is written in Python and on the command line.

    Examples
    --------
    >>> settled_by("strip_labels", False), settled_by("label_separator", ";")
    ('strip_labels=False (--no-strip-labels)', "label_separator=';' (--label-separator ';')")
    """
    flag = READING[name].declaration
    if "/" in flag:
        on, off = flag.split("/")
        return f"{name}={value!r} ({on if value else off})"
    return f"{name}={value!r} ({flag} {shlex.quote(str(value))})"


def quoted(rows: Mapping[L, int]) -> str:
    """The most frequent labels, with their numbers of rows.

    Examples
    --------
    >>> quoted({"NA": 1, "null": 3})
    "'null' (3), 'NA' (1)"
    """
    labels = sorted(rows, key=lambda label: -rows[label])
    return named(labels, _MOST_NAMED, lambda label: f"{_quoted(label)} ({rows[label]:,})")


def _rows_have(rows: Mapping[L, int]) -> str:
    number = sum(rows.values())
    return f"{counted(number, 'row')} {'has' if number == 1 else 'have'}"


def _of_all(rows: Mapping[L, int], total: int) -> str:
    return f"{sum(rows.values()):,} of {counted(total, 'row')}"


def _most_frequent(rows: Mapping[L, int]) -> str:
    return _quoted(max(rows, key=lambda label: rows[label]))


def _quoted(label: Label) -> str:
    return repr(label if not isinstance(label, str) or len(label) <= _LONGEST else label[:_LONGEST] + "...")
