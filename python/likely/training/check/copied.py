"""Copies of documents, equal texts with different labels, and near-copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.data_check import Example, Finding
from likely.evaluation.near_pairs import copy_groups
from likely.labels import coded
from likely.terminal import counted, printable
from likely.training.check.finding import rows_are

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.evaluation.fingerprints import Fingerprints
    from likely.evaluation.near_pairs import Pairs
    from likely.reading.rows import Whole
    from likely.training.check.finding import Place
    from likely.types import Mask, Places

CONTRADICTING = 0.01
"""From this share of the rows on, equal texts with different labels are serious."""


def copy_findings(whole: Whole, prints: Fingerprints, place: Place, most: int) -> Iterator[Finding]:
    """The copies and near-copies among the documents that have words."""
    size = len(prints)
    codes = coded(whole.labels[:size]).codes.astype(np.int64)
    _, first, text = np.unique(prints.copy_numbers, return_index=True, return_inverse=True)
    has_words = prints.lengths > 0
    again = has_words & (first[text] != np.arange(size))
    contradicting = has_words & _differing(text, codes)
    if again.any():
        yield _copies(whole, again, first[text], place, most)
    if contradicting.any():
        yield _contradictions(whole, contradicting, text, place, most)
    groups, pairs = copy_groups(prints)
    near = has_words & (np.bincount(groups, minlength=size)[groups] > np.bincount(text)[text])
    if near.any():
        yield _near(whole, near, groups, pairs, codes, place, most)


def _differing(groups: Places, codes: Places) -> Mask:
    """True for each row whose group has different labels."""
    low, high = np.full(groups.max(initial=0) + 1, codes.max(initial=0) + 1), np.full(groups.max(initial=0) + 1, -1)
    np.minimum.at(low, groups, codes)
    np.maximum.at(high, groups, codes)
    found: Mask = (low < high)[groups]
    return found


def _copies(whole: Whole, again: Mask, first: Places, place: Place, most: int) -> Finding:
    rows = np.flatnonzero(again).tolist()
    texts = counted(len(np.unique(first[again])), "text")
    says = (
        rows_are(len(rows), len(again), "is a copy", "are copies")
        + f" of earlier rows ({texts}, equal but for case, spaces and punctuation). `likely` judges them together, "
        "but they count several times."
    )
    fix = "count each text once: " + place.query("SELECT DISTINCT {text}, {label} FROM {data}")
    examples = [Example.of(whole, row, f"a copy of row {first[row] + 1:,}") for row in rows[:most]]
    return Finding("copies", False, len(rows), says, fix, examples)


def _contradictions(whole: Whole, contradicting: Mask, text: Places, place: Place, most: int) -> Finding:
    rows = np.flatnonzero(contradicting)
    together = rows[np.argsort(text[rows], kind="stable")]
    order = together[np.argsort(_first_of(text[together]), kind="stable")].tolist()
    says = rows_are(len(rows), len(text), "has the text of another row", "have the text of another row") + (
        ", but another label."
    )
    fix = "correct the labels, or leave these texts out: " + place.query(
        "SELECT * FROM {data} WHERE {text} NOT IN "
        "(SELECT {text} FROM {data} GROUP BY {text} HAVING count(DISTINCT {label}) > 1)"
    )
    serious = len(rows) >= CONTRADICTING * len(text)
    return Finding(
        "contradictions", serious, len(rows), says, fix, [Example.of(whole, row) for row in order[: 2 * most]]
    )


def _first_of(text: Places) -> Places:
    """The place of the first row of each row's text."""
    _, first, inverse = np.unique(text, return_index=True, return_inverse=True)
    places: Places = first[inverse]
    return places


def _near(whole: Whole, near: Mask, groups: Places, pairs: Pairs, codes: Places, place: Place, most: int) -> Finding:
    number = int(near.sum())
    differing = int((near & _differing(groups, codes)).sum())
    many = counted(len(np.unique(groups[near])), "group")
    says = (
        rows_are(number, len(near), "is a near-copy", "are near-copies")
        + f" of other rows, in {many}"
        + (f", {differing:,} of them in groups with different labels" if differing else "")
        + ". If one is learned and another one tested, the accuracy flatters."
    )
    fix = f"see how much: likely evaluate --cv 10 {place.quoted}; or name what they have in common: --group COLUMN"
    order = np.argsort(pairs.similarity, kind="stable")[:most].tolist()
    examples = [
        Example.of(
            whole,
            int(pairs.first[at]),
            f"similarity {pairs.similarity[at]:.2f} to row {pairs.second[at] + 1:,} "
            f"({printable(whole.labels[pairs.second[at]])})",
        )
        for at in order
    ]
    return Finding("near-copies", False, number, says, fix, examples)
