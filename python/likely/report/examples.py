"""`ShownDocument`: a document as the page shows it, shortened around the words that speak most for or against it."""

from __future__ import annotations

import itertools
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.explanation.explanation import Explanation, contrast_by_character
from likely.report.render import visible

if TYPE_CHECKING:
    from likely.types import Array, Label

    _Levels = np.ndarray[tuple[int], np.dtype[np.int64]]

LEVELS = 4
"""The number of shades of a highlighted word."""
LEAST = 0.15
"""A word whose evidence is weaker than this share of the strongest is not highlighted."""
MOST_CHARACTERS = 360
"""At most about this many characters of a text are shown."""
AROUND = 45
"""The number of characters that are shown on both sides of a strong word."""
GAP = " … "
"""What stands for the parts of a text that are left out."""

VIRAMA = 9
"""The combining class of the signs that join two letters of Indic scripts."""
JOINERS = "\u200c\u200d"
"""Characters without a shape of their own, which join others or keep them apart."""

Piece = tuple[str, int]
"""A part of a text and its shade: above 0 if it speaks for the first class, below 0 if for the second."""


@dataclass(frozen=True)
class ShownDocument:
    """A document with its highlighted words.

    Attributes
    ----------
    row : int
        Its index in the data, from 0.
    gold, predicted : str, int or bool
        Its gold label and its predicted class.
    probability : float
        The probability of the predicted class.
    of_gold : float
        The probability of the gold label; 0 if it is not a class of the model.
    rival : str, int, bool or None
        The class that the highlighted words are weighed against.
    pieces : list of (str, int)
        The parts of the shortened text, in order, each with its shade from -4 to 4.
    """

    row: int
    gold: Label
    predicted: Label
    probability: float
    of_gold: float
    rival: Label | None
    pieces: list[Piece]


def pieces_of(explanation: Explanation, a: Label, b: Label | None) -> list[Piece]:
    """The parts of the text that are shown, with the shades of their evidence for class ``a`` against ``b``.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"])
    >>> pieces_of(model.explain("a good day, but dull"), "+", "-")
    [('a ', 0), ('good', 4), (' day, but ', 0), ('dull', -4)]
    """
    text = explanation.text
    heights = np.zeros(len(text)) if b is None else contrast_by_character(explanation, a, b)
    levels = shades(heights)
    pieces: list[Piece] = []
    for start, end in windows(text, heights):
        if start > 0:
            pieces.append((GAP.lstrip() if not pieces else GAP, 0))
        pieces += [(visible(piece), shade) for piece, shade in _shaded(text, levels, start, end)]
        last = end
    if pieces and last < len(text):
        pieces.append((GAP.rstrip(), 0))
    return joined(pieces)


def highlighted_start(explanation: Explanation, most: int) -> list[Piece]:
    """The beginning of the text with all its lines, shaded by its evidence for the decision against its rival."""
    if explanation.rival is None:
        return [(explanation.text[:most], 0)]
    levels = shades(contrast_by_character(explanation, explanation.label, explanation.rival)[:most])
    return joined(_shaded(explanation.text, levels, 0, min(most, len(explanation.text))))


def _shaded(text: str, levels: _Levels, start: int, end: int) -> list[Piece]:
    """A part of the text in pieces of equal shade; characters that are drawn together have one shade."""
    if start >= end:
        return []
    for at in range(start + 1, end):
        if is_attached(text, at):
            levels[at] = levels[at - 1]
    changes = start + 1 + np.flatnonzero(levels[start + 1 : end] != levels[start : end - 1])
    return [(text[a:b], int(levels[a])) for a, b in itertools.pairwise([start, *changes.tolist(), end])]


def shades(heights: Array) -> _Levels:
    """The shade of each character, from the strength of its evidence relative to the strongest.

    Examples
    --------
    >>> shades(np.array([0.0, 2.0, 1.0, -0.6, 0.1])).tolist()
    [0, 4, 2, -2, 0]
    """
    finite = np.clip(np.nan_to_num(heights, nan=0.0, posinf=700.0, neginf=-700.0), -700.0, 700.0)
    strongest = float(np.abs(finite).max(initial=0.0))
    if strongest == 0:
        return np.zeros(len(heights), np.int64)
    share = np.abs(finite) / strongest
    steps = np.where(share < LEAST, 0, np.ceil(share * LEVELS - 1e-9))
    return (np.sign(finite) * steps).astype(np.int64)


def windows(text: str, heights: Array) -> list[tuple[int, int]]:
    """The parts of a text that are shown, in order: all of a short text, else those around its strongest words.

    Examples
    --------
    >>> text = "word " * 200
    >>> heights = np.zeros(1000)
    >>> heights[500:504] = 1.0
    >>> windows(text, heights)
    [(455, 549)]
    """
    if len(text) <= MOST_CHARACTERS:
        return [(0, len(text))] if text else []
    shown = np.zeros(len(text), np.bool_)
    strength = np.abs(np.nan_to_num(heights, nan=0.0))
    for at in np.argsort(-strength, kind="stable")[:MOST_CHARACTERS].tolist():
        if strength[at] == 0 or np.count_nonzero(shown) >= MOST_CHARACTERS - 2 * AROUND:
            break
        if not shown[at]:
            start, end = _to_spaces(text, at - AROUND, at + AROUND + 1)
            shown[start:end] = True
    if not shown.any():
        start, end = _to_spaces(text, 0, MOST_CHARACTERS)
        return [(start, end)]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], shown, [False]]).astype(np.int8))).tolist()
    return list(zip(edges[::2], edges[1::2], strict=True))


def _to_spaces(text: str, start: int, end: int) -> tuple[int, int]:
    """The part of a text, made a little longer so that it starts and ends between words where there are spaces."""
    start, end = max(start, 0), min(end, len(text))
    before = text.rfind(" ", max(start - 20, 0), start)
    after = text.find(" ", end, end + 20)
    if start > 0 and before >= 0:
        start = before + 1
    if end < len(text) and after >= 0:
        end = after
    while end < len(text) and is_attached(text, end):
        end += 1
    while start > 0 and is_attached(text, start):
        start -= 1
    return start, end


def is_attached(text: str, at: int) -> bool:
    """Whether a character is drawn together with the one before it, so that a mark must not begin between them.

    Examples
    --------
    >>> [is_attached("कि\u094dष e\u0301", at) for at in range(1, 7)]
    [True, True, True, False, False, True]
    """
    after_virama = unicodedata.combining(text[at - 1]) == VIRAMA
    return after_virama or text[at] in JOINERS or unicodedata.category(text[at]).startswith("M")


def joined(pieces: list[Piece]) -> list[Piece]:
    """The pieces, neighbours of the same shade as one.

    Examples
    --------
    >>> joined([("a", 0), ("", 2), ("b", 0), ("c", 1)])
    [('ab', 0), ('c', 1)]
    """
    runs = itertools.groupby((piece for piece in pieces if piece[0]), lambda piece: piece[1])
    return [("".join(text for text, _ in run), shade) for shade, run in runs]
