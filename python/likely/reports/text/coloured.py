"""The text of an explanation, coloured for a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from likely.reports.evidence import shown_classes, spread
from likely.terminal import printable

if TYPE_CHECKING:
    from likely.explanation.explanation import Explanation

_WEAK = 0.1
"""A word is not coloured if its evidence is at most this share of the strongest."""

COLOURS = tuple(f"38;5;{code}" for code in (33, 208, 170, 37, 178, 245))
"""The codes of colours of a terminal that colour-blind readers tell apart, on light and on dark ground.

They are blue for the predicted class and orange for its rival; purple, teal, yellow and grey for further classes.
"""


def coloured(explanation: Explanation) -> str:
    """The text with each word in the colour of the class that it speaks for, and a legend."""
    shown = shown_classes(explanation)
    first = [label for label in (explanation.label, explanation.rival) if label in shown]
    classes = list(dict.fromkeys([*first, *shown]))
    colours = dict(zip(classes, COLOURS, strict=False))
    by_character: list[str | None] = [None] * len(explanation.text)
    strongest = max((spread(evidence, classes) for evidence in explanation.terms), default=0.0)
    for evidence in explanation.terms:
        label = max(classes, key=evidence.contribution.__getitem__)
        if spread(evidence, classes) <= _WEAK * strongest:
            continue
        for start, end in evidence.spans:
            by_character[start:end] = [colours[label]] * (end - start)
    pieces = []
    for colour, group in groupby(range(len(by_character)), key=by_character.__getitem__):
        places = list(group)
        piece = explanation.text[places[0] : places[-1] + 1]
        pieces.append("\n".join(_painted(printable(line), colour) for line in piece.split("\n")))
    legend = "  ".join(_painted(printable(label), colour) for label, colour in colours.items())
    return f"{''.join(pieces)}\n{legend}"


def _painted(text: str, colour: str | None) -> str:
    return text if colour is None else f"\x1b[{colour}m{text}\x1b[0m"
