"""Explanations and evaluations to text and HTML, for people. Every text is escaped on its way out."""

from __future__ import annotations

import html
import math
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.difference import Difference
    from likely.evaluate import Evaluation
    from likely.explain import Evidence, Explanation
    from likely.labels import Label
    from likely.trace import Trace

MOST_CLASSES = 6
"""How many classes, the most probable, are printed."""
MOST_TERMS = 40
"""How many terms, the weightiest, are printed."""
MOST_ROWS = 50
"""How many classes, the largest, an evaluation lists."""
MOST_FACTORS = 12
"""Up to how many factors a product is written out."""


def printable(text: object) -> str:
    r"""A text without anything that would steer a terminal: controls and direction marks become escapes.

    Examples
    --------
    >>> printable("red \x1b[31m")
    'red \\x1b[31m'
    """
    return "".join(_escaped(c) if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") else c for c in str(text))


def _escaped(c: str) -> str:
    if c in "\u200c\u200d":  # joiners are part of words and emoji
        return c
    code = ord(c)
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"


def number(value: float | None) -> str:
    """A number to four digits; an undefined one by that word.

    Examples
    --------
    >>> number(0.123456), number(None), number(6.106248727864848e-05)
    ('0.1235', 'undefined', '6.106e-05')
    """
    return "undefined" if value is None else f"{value:.4g}"


def table(rows: list[list[str]]) -> str:
    """Rows as aligned columns: the first to the left, the others to the right.

    Examples
    --------
    >>> print(table([["", "n"], ["a", "10"]]))
        n
    a  10
    """
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [row[0] + " " * (widths[0] - display_width(row[0]))]
        cells += [" " * (w - display_width(cell)) + cell for cell, w in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def display_width(text: str) -> int:
    """How many columns of a terminal a text takes.

    Examples
    --------
    >>> display_width("漢字"), display_width("e\u0301")
    (4, 1)
    """
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) > 0 or c == "\u200d" for c in text)


# Explanation -----------------------------------------------------------------------------------------------------


def explanation_text(explanation: Explanation) -> str:
    """The derivation as a textbook writes it: fractions, product, logarithms."""
    classes = _shown_classes(explanation)
    evidence = _shown_terms(explanation, classes)
    parts = [
        f"Text: {printable(explanation.text)}" if len(explanation.text) <= 300 else _shortened(explanation),
        _likelihood_table(explanation, evidence, classes),
        *_notes(explanation, evidence, classes),
        "\n".join(_derivation(explanation, label) for label in classes),
        "\n".join(f"P({printable(label)}|text) = {number(explanation.posterior[label])}" for label in classes),
        _decision(explanation),
    ]
    return "\n\n".join(part for part in parts if part)


def _shortened(explanation: Explanation) -> str:
    return f"Text: {printable(explanation.text[:300])}... ({len(explanation.text):,} characters)"


def _shown_classes(explanation: Explanation) -> list[Label]:
    if len(explanation.classes) <= MOST_CLASSES:
        return explanation.classes
    ranked = sorted(explanation.classes, key=lambda label: -explanation.posterior[label])
    return ranked[:MOST_CLASSES]


def _shown_terms(explanation: Explanation, classes: list[Label]) -> list[Evidence]:
    """The terms that tell the classes apart most, in order of appearance."""
    if len(explanation.terms) <= MOST_TERMS:
        return explanation.terms
    ranked = sorted(explanation.terms, key=lambda e: -_spread(e, classes))
    chosen = {e.term for e in ranked[:MOST_TERMS]}
    return [e for e in explanation.terms if e.term in chosen]


def _spread(evidence: Evidence, classes: list[Label]) -> float:
    values = [evidence.contribution[label] for label in classes]
    return 0.0 if all(value == -math.inf for value in values) else max(values) - min(values)


def _likelihood_table(explanation: Explanation, evidence: list[Evidence], classes: list[Label]) -> str:
    head = (
        ["", "count"]
        + [f"P(w|{printable(label)})" for label in classes]
        + [f"log P(w|{printable(label)})" for label in classes]
    )
    prior = (
        ["prior", ""]
        + [number(explanation.prior[label]) for label in classes]
        + [f"{explanation.log_prior[label]:.4f}" for label in classes]
    )
    rows = [
        [printable(e.term), str(e.count)]
        + [_fraction(e, label) for label in classes]
        + [f"{e.contribution[label] / e.count:.4f}" for label in classes]
        for e in evidence
    ]
    total = ["score", ""] + ["" for _ in classes] + [f"{explanation.scores[label]:.4f}" for label in classes]
    return table([head, prior, *rows, total])


def _fraction(evidence: Evidence, label: Label) -> str:
    above, below = evidence.fractions[label]
    return f"{above:.12g}/{below:.12g}" if below else "0"


def _notes(explanation: Explanation, evidence: list[Evidence], classes: list[Label]) -> list[str]:
    notes = []
    hidden = len(explanation.terms) - len(evidence)
    if hidden:
        notes.append(f"{hidden} further known terms tell the classes apart less; they are in the score.")
    if len(classes) < len(explanation.classes):
        notes.append(f"{len(explanation.classes) - len(classes)} further classes are less probable.")
    if explanation.unknown:
        shown = ", ".join(printable(term) for term in explanation.unknown[:MOST_TERMS])
        more = len(explanation.unknown) - MOST_TERMS
        notes.append(f"Never learned, so left out: {shown}" + (f" and {more} more" if more > 0 else ""))
    if not explanation.terms:
        notes.append("No word of the text is known, so the prior decides.")
    return ["\n".join(notes)] if notes else []


def _derivation(explanation: Explanation, label: Label) -> str:
    name = printable(label)
    factors = [number(explanation.prior[label])]
    factors += [_power(_fraction(e, label), e.count) for e in explanation.terms[: MOST_FACTORS + 1]]
    score = explanation.scores[label]
    logs = f"log P({name}, text) = {score:.4f}"
    if len(explanation.terms) > MOST_FACTORS:
        return f"P({name}) * product of P(w|{name}):  {logs}"
    return f"P({name}) * product of P(w|{name}) = {' * '.join(factors)} = {math.exp(score):.4g}  ({logs})"


def _power(fraction: str, count: int) -> str:
    return fraction if count == 1 else f"({fraction})^{count}"


def _decision(explanation: Explanation) -> str:
    label = printable(explanation.label)
    if explanation.log_odds is None:
        return f"Decision: {label}"
    first, second = (printable(label) for label in explanation.classes)
    odds = explanation.log_odds
    sign = ">" if odds > 0 else "<" if odds < 0 else "="
    return f"log-odds of {second} against {first} = {odds:.4f} {sign} 0\n\nDecision: {label}"


def explanation_html(explanation: Explanation) -> str:
    """The text with its words coloured: green speaks for the decision, red for its rival."""
    heights = _evidence_by_character(explanation)
    strongest = max((abs(height) for height in heights if math.isfinite(height)), default=0.0) or 1.0
    pieces, start = [], 0
    for at in range(1, len(heights) + 1):
        if at == len(heights) or heights[at] != heights[start]:
            pieces.append(_highlight(explanation.text[start:at], heights[start], strongest))
            start = at
    rows = "".join(
        f"<tr><td>{html.escape(str(label))}</td><td>{number(explanation.posterior[label])}</td>"
        f"<td>{explanation.scores[label]:.4f}</td></tr>"
        for label in _shown_classes(explanation)
    )
    return (
        f'<div class="likely-explanation"><p><b>{html.escape(str(explanation.label))}</b></p>'
        f'<p style="white-space:pre-wrap">{"".join(pieces)}</p>'
        f"<table><tr><th>class</th><th>P(class|text)</th><th>score</th></tr>{rows}</table></div>"
    )


def explanation_page(explanation: Explanation) -> str:
    """The same and the derivation as a page of its own: no scripts, nothing from elsewhere."""
    title = html.escape(f"Why {printable(explanation.label)}?")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}"><title>{title}</title>'
        "<style>body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}"
        "td,th{padding:.1em .8em;text-align:left}pre{overflow-x:auto;background:#f6f6f6;padding:1em}</style></head>"
        f"<body><h1>{title}</h1>{explanation_html(explanation)}"
        f"<h2>The derivation</h2><pre>{html.escape(explanation_text(explanation))}</pre></body></html>\n"
    )


COLOURS = (31, 32, 34, 35, 36, 33)
"""The colours of a terminal: red, green, blue, magenta, cyan, yellow."""


def coloured(explanation: Explanation) -> str:
    """The text for a terminal, its words coloured by the class they speak for, and which colour is which class."""
    classes = _shown_classes(explanation)
    colours = dict(zip(classes, COLOURS, strict=False))
    by_character: list[int | None] = [None] * len(explanation.text)
    for evidence in explanation.terms:
        label = max(classes, key=evidence.contribution.__getitem__)
        if _spread(evidence, classes) == 0:
            continue
        for start, end in evidence.spans:
            by_character[start:end] = [colours[label]] * (end - start)
    pieces = []
    for colour, group in groupby(range(len(by_character)), key=by_character.__getitem__):
        places = list(group)
        pieces.append(_painted(printable(explanation.text[places[0] : places[-1] + 1]), colour))
    legend = "  ".join(_painted(printable(label), colour) for label, colour in colours.items())
    return f"{''.join(pieces)}\n{legend}"


def _painted(text: str, colour: int | None) -> str:
    return text if colour is None else f"\x1b[{colour}m{text}\x1b[0m"


def _evidence_by_character(explanation: Explanation) -> list[float]:
    """For each character by how much the terms over it favour the decision over its nearest rival."""
    heights = [0.0] * len(explanation.text)
    rivals = [label for label in explanation.classes if label != explanation.label]
    if not rivals:
        return heights
    rival = max(rivals, key=lambda label: explanation.scores[label])
    for evidence in explanation.terms:
        mine, theirs = evidence.contribution[explanation.label], evidence.contribution[rival]
        height = 0.0 if mine == theirs else (mine - theirs) / evidence.count
        for start, end in evidence.spans:
            for at in range(start, end):
                heights[at] += height
    return heights


def _highlight(piece: str, height: float, strongest: float) -> str:
    escaped = html.escape("\n".join(map(printable, piece.split("\n"))))
    if height == 0 or math.isnan(height):
        return escaped
    opacity = 0.15 + 0.6 * min(1.0, abs(height) / strongest)
    colour = f"rgba(46,160,67,{opacity:.2f})" if height > 0 else f"rgba(218,54,51,{opacity:.2f})"
    return f'<mark style="background:{colour}" title="{height:+.3f}">{escaped}</mark>'


# Evaluation ------------------------------------------------------------------------------------------------------


def evaluation_text(evaluation: Evaluation) -> str:
    """Accuracy, the table of classes with averages, and the confusion matrix."""
    f = f"F{evaluation.beta:g}"
    rows = [["", "precision", "recall", f, "documents"]]
    classes = evaluation.per_class
    shown = sorted(classes, key=lambda label: -(classes[label].tp + classes[label].fn))[:MOST_ROWS]
    for label in sorted(shown):
        of = classes[label]
        figures = [number(of.precision), number(of.recall), number(of.f(evaluation.beta))]
        rows.append([printable(label), *figures, str(of.tp + of.fn)])
    for name, average in (("macro", evaluation.macro), ("micro", evaluation.micro)):
        figures = [number(average.precision), number(average.recall), number(average.f)]
        rows.append([name, *figures, str(evaluation.documents)])
    parts = [f"accuracy {number(evaluation.accuracy)} on {evaluation.documents:,} documents", table(rows)]
    if len(shown) < len(classes):
        parts.append(f"{len(classes) - len(shown):,} smaller classes are not shown; they are in the averages.")
    if len(evaluation.labels) <= 20:
        parts.append("gold (rows) against predicted (columns)\n" + table(_confusion_rows(evaluation)))
    return "\n\n".join(parts)


def _confusion_rows(evaluation: Evaluation) -> list[list[str]]:
    labels = [printable(label) for label in evaluation.labels]
    rows = [[label, *map(str, row)] for label, row in zip(labels, evaluation.confusion, strict=True)]
    return [["", *labels], *rows]


def evaluation_html(evaluation: Evaluation) -> str:
    """The same as HTML."""
    return f"<pre>{html.escape(evaluation_text(evaluation))}</pre>"


# Others ----------------------------------------------------------------------------------------------------------


def trace_text(trace: Trace) -> str:
    """What becomes of a text, a line a piece."""
    rows = [
        [printable(piece.text), printable(piece.term) if piece.term is not None else "-", piece.why]
        for piece in trace.pieces
    ]
    parts = [table([["text", "term", ""], *rows]) if rows else "There is no term in it."]
    pieces = {piece.term for piece in trace.pieces}
    longer = [printable(term) for term in trace.terms if term not in pieces]
    if longer:
        parts.append(f"n-grams: {', '.join(longer[:MOST_TERMS])}" + (" ..." if len(longer) > MOST_TERMS else ""))
    if trace.unknown is not None:
        unknown = ", ".join(map(printable, trace.unknown[:MOST_TERMS])) or "none"
        parts.append(f"not known to the model, so left out: {unknown}")
    return "\n\n".join(parts)


def difference_text(found: Difference) -> str:
    """How two models differ, a line a difference."""
    if found.is_none:
        return "The models are the same."
    lines = [f"{name}: {printable(old)} -> {printable(new)}" for name, (old, new) in found.options.items()]
    lines += [
        f"class {printable(label)}: {old:,.6g} -> {new:,.6g} documents"
        for label, (old, new) in list(found.documents.items())[:MOST_ROWS]
    ]
    lines.append(
        f"terms: {found.terms[0]:,} -> {found.terms[1]:,} ({found.new_terms:,} new, {found.lost_terms:,} gone); "
        f"{found.changed_counts:,} counts changed"
    )
    if found.changes:
        rows = [["term", "class", "before", "after"]]
        rows += [
            [printable(c.term), printable(c.label), f"{c.before:,.6g}", f"{c.after:,.6g}"] for c in found.changes
        ]
        lines += ["", "Changed most:", table(rows)]
    return "\n".join(lines)
