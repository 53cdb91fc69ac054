"""Why a text gets its class, as a derivation, in colours, and as HTML."""

from __future__ import annotations

import html
import math
from itertools import groupby
from typing import TYPE_CHECKING

from likely.terminal import number, printable, table

if TYPE_CHECKING:
    from likely.explanation.explanation import Evidence, Explanation
    from likely.types import Label

MOST_CLASSES = 6
"""How many classes, the most probable, are printed."""
MOST_TERMS = 40
"""How many terms, the weightiest, are printed."""
MOST_FACTORS = 12
"""Up to how many factors a product is written out."""


def explanation_text(explanation: Explanation) -> str:
    """The derivation as a textbook writes it: fractions, product, logarithms."""
    classes = _shown_classes(explanation)
    evidence = _shown_terms(explanation, classes)
    parts = [
        f"Text: {printable(explanation.text)}" if len(explanation.text) <= 300 else _shortened(explanation),
        _likelihood_table(explanation, evidence, classes),
        *_notes(explanation, evidence, classes),
        "\n".join(_derivation(explanation, label) for label in classes),
        "\n".join(_probability(explanation, label) for label in classes),
        _decision(explanation),
    ]
    return "\n\n".join(part for part in parts if part)


def _probability(explanation: Explanation, label: Label) -> str:
    text = f"P({printable(label)}|text) = {number(explanation.posterior[label])}"
    calibrated = explanation.calibrated
    return text if calibrated is None else f"{text}, calibrated {number(calibrated[label])}"


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
    weighted = any(e.weight != e.count for e in evidence)
    weight = "weight in {}" if explanation.learned else "log P(w|{})"
    head = (
        ["", "weight" if weighted else "count"]
        + [f"P(w|{printable(label)})" for label in classes]
        + [weight.format(printable(label)) for label in classes]
    )
    prior = (
        ["prior", ""]
        + [number(explanation.prior[label]) for label in classes]
        + [f"{explanation.log_prior[label]:.4f}" for label in classes]
    )
    rows = [
        [_name(e), f"{e.weight:.4g}"]
        + [_fraction(e, label) for label in classes]
        + [f"{log:.4f}" for log in _logs(e, classes)]
        for e in evidence
    ]
    if any(explanation.lacking.values()):
        rows.append(
            ["learned" if explanation.learned else "all others", ""]
            + ["" for _ in classes]
            + [f"{explanation.lacking[label]:.4f}" for label in classes]
        )
    total = ["score", ""] + ["" for _ in classes] + [f"{explanation.scores[label]:.4f}" for label in classes]
    return table([head, prior, *rows, total])


def _name(evidence: Evidence) -> str:
    """The term, after what was written in its place if that was misspelled."""
    if not evidence.written:
        return printable(evidence.term)
    return f"{', '.join(map(printable, evidence.written))} -> {printable(evidence.term)}"


def _logs(evidence: Evidence, classes: list[Label]) -> list[float]:
    by_class = dict(zip(evidence.classes, evidence.log_likelihoods.tolist(), strict=True))
    return [by_class[label] for label in classes]


def _fraction(evidence: Evidence, label: Label) -> str:
    above, below = evidence.fractions[label]
    return f"{_figure(above)}/{_figure(below)}" if below else "0"


def _figure(value: float) -> str:
    """A count with all its digits, if they are few."""
    return f"{value:.12g}" if value == round(value, 4) else f"{value:.6g}"


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
        notes.append(f"Not known, so left out: {shown}" + (f" and {more} more" if more > 0 else ""))
    if not explanation.terms:
        notes.append("No word of the text is known, so the prior decides.")
    return ["\n".join(notes)] if notes else []


def _derivation(explanation: Explanation, label: Label) -> str:
    name = printable(label)
    factors = [number(explanation.prior[label])]
    factors += [_power(_fraction(e, label), e.weight) for e in explanation.terms[: MOST_FACTORS + 1]]
    score = explanation.scores[label]
    if explanation.learned:
        return f"prior + learned + sum of counts * weights in {name} = {score:.4f}"
    logs = f"log P({name}, text) = {score:.4f}"
    if len(explanation.terms) > MOST_FACTORS:
        return f"P({name}) * product of P(w|{name}):  {logs}"
    return f"P({name}) * product of P(w|{name}) = {' * '.join(factors)} = {math.exp(score):.4g}  ({logs})"


def _power(fraction: str, weight: float) -> str:
    return fraction if weight == 1 else f"({fraction})^{weight:.4g}"


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
        f"<tr><td>{html.escape(str(label))}</td>"
        f"<td>{number((explanation.calibrated or explanation.posterior)[label])}</td>"
        f"<td>{explanation.scores[label]:.4f}</td></tr>"
        for label in _shown_classes(explanation)
    )
    rival = _rival(explanation)
    legend = f"green speaks for {explanation.label}" + ("" if rival is None else f", red for {rival}")
    return (
        f'<div class="likely-explanation"><p><b>{html.escape(str(explanation.label))}</b> '
        f"({html.escape(legend)})</p>"
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


_WEAK = 0.1
"""A word that says less than this share of what the strongest one says is not coloured."""

COLOURS = (31, 32, 34, 35, 36, 33)
"""The colours of a terminal: red, green, blue, magenta, cyan, yellow."""


def coloured(explanation: Explanation) -> str:
    """The text for a terminal, its words coloured by the class they speak for, and which colour is which class."""
    classes = _shown_classes(explanation)
    colours = dict(zip(classes, COLOURS, strict=False))
    by_character: list[int | None] = [None] * len(explanation.text)
    strongest = max((_spread(evidence, classes) for evidence in explanation.terms), default=0.0)
    for evidence in explanation.terms:
        label = max(classes, key=evidence.contribution.__getitem__)
        if _spread(evidence, classes) <= _WEAK * strongest:
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
    rival = _rival(explanation)
    if rival is None:
        return heights
    for evidence in explanation.terms:
        mine, theirs = evidence.contribution[explanation.label], evidence.contribution[rival]
        height = 0.0 if mine == theirs else (mine - theirs) / len(evidence.spans)
        for start, end in evidence.spans:
            for at in range(start, end):
                heights[at] += height
    return heights


def _rival(explanation: Explanation) -> Label | None:
    """The second most probable class."""
    rivals = [label for label in explanation.classes if label != explanation.label]
    return max(rivals, key=lambda label: explanation.scores[label]) if rivals else None


def _highlight(piece: str, height: float, strongest: float) -> str:
    escaped = html.escape("\n".join(map(printable, piece.split("\n"))))
    if height == 0 or math.isnan(height):
        return escaped
    opacity = 0.15 + 0.6 * min(1.0, abs(height) / strongest)
    colour = f"rgba(46,160,67,{opacity:.2f})" if height > 0 else f"rgba(218,54,51,{opacity:.2f})"
    return f'<mark style="background:{colour}" title="{height:+.3f}">{escaped}</mark>'
