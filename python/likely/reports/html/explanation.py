"""An explanation as HTML: the text with its words coloured, and a page with the arithmetic."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.explanation.explanation import (
    NOTICEABLE,
    arithmetic_text,
    evidence_by_character,
    shown_classes,
    threshold_lines,
    times_text,
)
from likely.reports.html.markup import (
    BLUE,
    ORANGE,
    block,
    cell,
    escaped,
    heading,
    hidden_html,
    named_html,
    paragraph,
    table_html,
)
from likely.terminal import percent, printable

if TYPE_CHECKING:
    from likely.explanation.explanation import Contrast, Explanation
    from likely.types import Label

MOST_CHARACTERS = 5_000
"""At most this many characters of the text are shown."""
MOST_TERMS = 10
"""At most this many terms are listed."""


def explanation_html(explanation: Explanation) -> str:
    """The decision, the text with its words coloured (blue for the decision, orange for its rival), and tables."""
    rival = explanation.rival
    against = "" if rival is None else f', <mark style="{_mark(-1.0)}">orange</mark> for {named_html(rival)}'
    legend = f'<mark style="{_mark(1.0)}">Blue</mark> words speak for {named_html(explanation.label)}{against}.'
    thresholds = "".join(paragraph(line) for line in threshold_lines(explanation))
    return block(
        "explanation",
        heading(escaped(explanation.summary)),
        f'<p style="margin:.4em 0">{legend}</p>',
        thresholds,
        f'<p dir="auto" style="white-space:pre-wrap;max-width:50em">{highlighted(explanation)}</p>',
        hidden_html(len(explanation.text) - MOST_CHARACTERS, "character"),
        _classes(explanation),
        "" if rival is None else _terms(explanation, explanation.label, rival),
    )


def highlighted(explanation: Explanation) -> str:
    """The beginning of the text, with the words that speak for the decision or for its rival in colours."""
    heights = evidence_by_character(explanation)[:MOST_CHARACTERS]
    strongest = max((abs(height) for height in heights if math.isfinite(height)), default=0.0) or 1.0
    pieces, start = [], 0
    for at in range(1, len(heights) + 1):
        if at == len(heights) or heights[at] != heights[start]:
            pieces.append(_highlight(explanation.text[start:at], heights[start], strongest))
            start = at
    return "".join(pieces)


def _highlight(piece: str, height: float, strongest: float) -> str:
    if height == 0 or math.isnan(height):
        return escaped(piece)
    share = math.copysign(min(1.0, abs(height) / strongest), height)
    return f'<mark style="{_mark(share)}" title="{height:+.3f}">{escaped(piece)}</mark>'


def _mark(share: float) -> str:
    """The style of a word: blue if it speaks for the decision, else orange, the stronger the more it does."""
    opacity = 0.15 + 0.6 * abs(share)
    return f"color:inherit;background:rgba({BLUE if share > 0 else ORANGE},{opacity:.2f})"


def _classes(explanation: Explanation) -> str:
    shown = shown_classes(explanation)
    rows = [
        [named_html(label), escaped(percent(explanation.probabilities[label])), f"{explanation.scores[label]:.4f}"]
        for label in shown
    ]
    hidden = hidden_html(len(explanation.classes) - len(shown), "class", "classes")
    return table_html(["class", "probability", "score"], rows) + hidden


def _terms(explanation: Explanation, a: Label, b: Label) -> str:
    """The terms that speak most for the decision, or for its rival."""
    found = [each for each in explanation.contrast(a, b) if abs(each.log_ratio) >= NOTICEABLE]
    rows = [[_word(each), named_html(a if each.log_ratio > 0 else b), *_numbers(each)] for each in found[:MOST_TERMS]]
    return table_html(["term", "speaks for", "in the text", "times"], rows, words=2) if rows else ""


def _word(found: Contrast) -> str:
    return cell(named_html(found.word), style=f"{_mark(0.3 if found.log_ratio > 0 else -0.3)};")


def _numbers(found: Contrast) -> list[str]:
    return [f"{found.count:,}", times_text(found.log_ratio) or "infinite"]


def explanation_page(explanation: Explanation) -> str:
    """A whole page: the coloured text and the arithmetic. It has no scripts and loads nothing."""
    title = escaped(f"Why {printable(explanation.label)}?")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><title>{title}</title>'
        "<style>:root{color-scheme:light dark}"
        "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
        "pre{overflow-x:auto;background:rgba(128,128,128,.12);padding:1em}</style></head>"
        f"<body><h1>{title}</h1>{explanation_html(explanation)}"
        f"<h2>The arithmetic</h2><pre>{escaped(arithmetic_text(explanation))}</pre></body></html>\n"
    )
