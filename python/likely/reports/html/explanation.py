"""An explanation as HTML: the text with its words coloured, and a page with the derivation."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING

from likely.reports.evidence import evidence_by_character, shown_classes
from likely.reports.text.arithmetic import arithmetic_text, threshold_lines
from likely.terminal import number, printable

if TYPE_CHECKING:
    from likely.explanation.explanation import Explanation


def explanation_html(explanation: Explanation) -> str:
    """The text with its words coloured (green for the decision, red for its rival), and a table of classes."""
    heights = evidence_by_character(explanation)
    strongest = max((abs(height) for height in heights if math.isfinite(height)), default=0.0) or 1.0
    pieces, start = [], 0
    for at in range(1, len(heights) + 1):
        if at == len(heights) or heights[at] != heights[start]:
            pieces.append(_highlight(explanation.text[start:at], heights[start], strongest))
            start = at
    rows = "".join(
        f"<tr><td>{html.escape(str(label))}</td>"
        f"<td>{number((explanation.calibrated or explanation.posterior)[label])}</td>"
        f"<td>{explanation.scores[label]:.4f}</td></tr>"
        for label in shown_classes(explanation)
    )
    other = explanation.rival
    thresholds = "".join(f"<p>{html.escape(line)}</p>" for line in threshold_lines(explanation))
    legend = f"green speaks for {explanation.label}" + ("" if other is None else f", red for {other}")
    return (
        f'<div class="likely-explanation"><p><b>{html.escape(str(explanation.label))}</b> '
        f"({html.escape(legend)})</p>{thresholds}"
        f'<p style="white-space:pre-wrap">{"".join(pieces)}</p>'
        f"<table><tr><th>class</th><th>P(class|text)</th><th>score</th></tr>{rows}</table></div>"
    )


def explanation_page(explanation: Explanation) -> str:
    """A whole page: the coloured text and the derivation. It has no scripts and loads nothing."""
    title = html.escape(f"Why {printable(explanation.label)}?")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><title>{title}</title>'
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
        "td,th{padding:.1em .8em;text-align:left}pre{overflow-x:auto;background:#f6f6f6;padding:1em}</style></head>"
        f"<body><h1>{title}</h1>{explanation_html(explanation)}"
        f"<h2>The derivation</h2><pre>{html.escape(arithmetic_text(explanation))}</pre></body></html>\n"
    )


def _highlight(piece: str, height: float, strongest: float) -> str:
    escaped = html.escape("\n".join(map(printable, piece.split("\n"))))
    if height == 0 or math.isnan(height):
        return escaped
    opacity = 0.15 + 0.6 * min(1.0, abs(height) / strongest)
    colour = f"rgba(46,160,67,{opacity:.2f})" if height > 0 else f"rgba(218,54,51,{opacity:.2f})"
    return f'<mark style="background:{colour}" title="{height:+.3f}">{escaped}</mark>'
