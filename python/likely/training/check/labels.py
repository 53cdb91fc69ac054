"""Labels that look like mistakes: white space, case, missing values, several labels, and misspelled names."""

from __future__ import annotations

import difflib
import re
import shlex
from typing import TYPE_CHECKING

from likely.evaluation.data_check import Example, Finding
from likely.terminal import counted, printable
from likely.training.check.finding import examples_of
from likely.training.check.sizes import class_sizes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from likely.reading.rows import Whole
    from likely.training.check.finding import Place
    from likely.types import Label

RARER = 0.1
"""A label may misspell another one that at least this many times fewer rows have."""
ALIKE = 0.85
"""How alike two names are, by `difflib`, if one may misspell the other."""
SHORTEST = 4
"""Shorter names are not compared."""
MOST_CLASSES = 500
"""With more classes, names are not compared with each other."""


def label_findings(whole: Whole, doubts: list[str], place: Place, most: int) -> Iterator[Finding]:
    """The doubts that came up while the labels were read, and names that look like misspellings of others."""
    for doubt in doubts:
        yield _doubt(whole, doubt, place, most)
    pairs = list(misspellings(class_sizes(whole)))
    if pairs:
        yield _misspelled(whole, pairs, place, most)


def _doubt(whole: Whole, doubt: str, place: Place, most: int) -> Finding:
    """A doubt of `likely.reading.labels`: a sentence, a label that shows it, and the flags that settle it."""
    says, _, ways = doubt.partition(": ")
    number, label = re.match(r"[\d,]+", doubt), re.search(r"'[^']*'", says)
    settled = re.search(r"\((--[\w-]+(?: '[^']*'| [^\s')]+)?)\)", ways)
    shown = [row for row, each in enumerate(whole.labels) if label and repr(each) == label[0]]
    command = place.train(*shlex.split(settled[1])) if settled else place.train()
    rows = int(number[0].replace(",", "")) if number else len(whole)
    return Finding("labels", True, rows, f"{says}.", f"{ways}: {command}", examples_of(whole, shown, most))


def _misspelled(whole: Whole, pairs: list[tuple[str, str, int]], place: Place, most: int) -> Finding:
    meant: dict[Label, str] = {one: other for one, other, _ in pairs}
    first: dict[Label, int] = {}
    for row, label in enumerate(whole.labels):
        if label in meant:
            first.setdefault(label, row)
    shown = ", ".join(f"{printable(one)!r} ({rows:,}) for {printable(other)!r}" for one, other, rows in pairs[:3])
    says = f"{counted(len(pairs), 'label looks', 'labels look')} like a misspelling of another one: {shown}."
    cases = " ".join(f"WHEN {_quoted(one)} THEN {_quoted(other)}" for one, other, _ in pairs)
    query = "SELECT {text}, CASE {label} " + cases + " ELSE {label} END AS {label} FROM {data}"
    examples = [Example.of(whole, row, f"for {meant[label]!r}") for label, row in list(first.items())[:most]]
    rows = sum(number for *_, number in pairs)
    return Finding("labels", True, rows, says, "correct them: " + place.query(query), examples)


def misspellings(sizes: Mapping[Label, int]) -> Iterator[tuple[str, str, int]]:
    """Labels that a few rows have and that look like one that many have: both, and the number of rows.

    Examples
    --------
    >>> list(misspellings({"positive": 100, "negative": 90, "positve": 2, "negativ": 1, "neutral": 4}))
    [('positve', 'positive', 2), ('negativ', 'negative', 1)]
    >>> list(misspellings({"class 1": 100, "class 2": 3}))
    []
    """
    names = {label: rows for label, rows in sizes.items() if isinstance(label, str) and len(label) >= SHORTEST}
    if len(names) > MOST_CLASSES:
        return
    for one, rows in names.items():
        for other, more in names.items():
            if rows <= RARER * more and _looks_like(one, other):
                yield one, other, rows
                break


def _looks_like(one: str, other: str) -> bool:
    """Whether two names are alike, and differ in more than case, spaces and digits."""
    bare, other_bare = (re.sub(r"\d", "", name).strip().casefold() for name in (one, other))
    return bare != other_bare and difflib.SequenceMatcher(None, bare, other_bare).ratio() >= ALIKE


def _quoted(label: str) -> str:
    """A label as SQL has it, with braces as a format has them."""
    return "'" + label.replace("'", "''").replace("{", "{{").replace("}", "}}") + "'"
