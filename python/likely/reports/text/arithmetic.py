"""The arithmetic of a decision, as a textbook writes it: fractions, products, logarithms."""

from __future__ import annotations

import math
from itertools import zip_longest
from typing import TYPE_CHECKING

from likely.reports.evidence import shown_classes, spread
from likely.terminal import (
    WIDTH,
    cut,
    cut_apart,
    display_width,
    fits,
    named,
    number,
    printable,
    table,
    tables,
    wrapped,
)

if TYPE_CHECKING:
    from likely.explanation.explanation import Evidence, Explanation
    from likely.types import Label

MOST_TERMS = 40
"""At most this many terms are printed, those that separate the classes most."""
LARGEST_SCORE = 700
"""A float has no number whose logarithm is further from 0, except for 0 and infinity."""
MOST_FACTORS = 12
"""A product is written out if it has at most this many factors."""
LONGEST_TERM = 24
"""Longer terms are cut, in columns of a terminal."""
INDENT = "    "
LONGEST_LABELS = (24, 16, 12, 8, 5, 4)
"""Labels in the head of the table are cut to the first of these widths with which the table fits."""
LONGEST_APART = 12
"""The same if it does not fit, so that it becomes several tables."""


def arithmetic_text(explanation: Explanation, only: tuple[Label, Label] | None = None) -> str:
    """The derivation of the decision; with ``only``, for these two classes."""
    classes = list(dict.fromkeys(only)) if only else shown_classes(explanation)
    evidence = _shown_terms(explanation, classes)
    parts = [
        _likelihood_table(explanation, evidence, classes),
        *_notes(explanation, evidence, classes),
        "\n".join(_derivation(explanation, label) for label in classes),
        "\n".join(wrapped(_probability(explanation, label), INDENT) for label in classes),
        _decision(explanation),
    ]
    return "\n\n".join(part for part in parts if part)


def _probability(explanation: Explanation, label: Label) -> str:
    text = f"P({cut(printable(label), LONGEST_TERM)}|text) = {number(explanation.posterior[label])}"
    calibrated = explanation.calibrated
    return text if calibrated is None else f"{text}, calibrated {number(calibrated[label])}"


def _shown_terms(explanation: Explanation, classes: list[Label]) -> list[Evidence]:
    """The terms that separate the classes most, in the order of the text."""
    if len(explanation.terms) <= MOST_TERMS:
        return explanation.terms
    ranked = sorted(explanation.terms, key=lambda e: -spread(e, classes))
    chosen = {e.term for e in ranked[:MOST_TERMS]}
    return [e for e in explanation.terms if e.term in chosen]


def _likelihood_table(explanation: Explanation, evidence: list[Evidence], classes: list[Label]) -> str:
    """One row per term: its count, its fractions and their logarithms; several tables if one would be too wide."""
    names = ["", "prior", *map(_name, evidence)]
    weighted = any(e.weight != e.count for e in evidence)
    counts = ["weight" if weighted else "count", "", *(f"{e.weight:.4g}" for e in evidence)]
    others = [explanation.lacking[label] for label in classes]
    if any(others):
        names.append("learned" if explanation.learned else "all others")
    names.append("score")
    fractions = [[number(explanation.prior[label]), *(_fraction(e, label) for e in evidence)] for label in classes]
    logs = [
        [f"{value:.4f}" for value in (explanation.log_prior[label], *(_log(e, label) for e in evidence))]
        + ([f"{explanation.lacking[label]:.4f}"] if any(others) else [])
        + [f"{explanation.scores[label]:.4f}"]
        for label in classes
    ]
    weight = "weight in {}" if explanation.learned else "log P(w|{})"

    def columns(longest: int) -> tuple[list[list[str]], list[list[str]]]:
        heads = cut_apart([printable(label) for label in classes], longest)
        left = [[f"P(w|{head})", *column] for head, column in zip(heads, fractions, strict=True)]
        return left, [[weight.format(head), *column] for head, column in zip(heads, logs, strict=True)]

    for longest in LONGEST_LABELS:
        left, right = columns(longest)
        rows = _rows([names, counts, *left, *right])
        if fits(rows):
            return table(rows)
    left, right = columns(LONGEST_APART)
    return "\n\n".join(tables(_rows(each)) for each in ([names, counts, *left], [names, *right]))


def _rows(columns: list[list[str]]) -> list[list[str]]:
    """The columns as rows; a column that is too short ends with empty cells."""
    return [list(row) for row in zip_longest(*columns, fillvalue="")]


def _name(evidence: Evidence) -> str:
    """The term; if it was misspelled, also the word in the text."""
    written = f"{', '.join(map(printable, evidence.written))} -> " if evidence.written else ""
    return cut(f"{written}{printable(evidence.term)}", LONGEST_TERM)


def _log(evidence: Evidence, label: Label) -> float:
    return float(evidence.log_likelihoods[evidence.classes.index(label)])


def _fraction(evidence: Evidence, label: Label) -> str:
    above, below = evidence.fractions[label]
    return f"{_figure(above)}/{_figure(below)}" if below else "0"


def _figure(value: float) -> str:
    """A number with all its digits, if it has at most four decimals."""
    return f"{value:.12g}" if value == round(value, 4) else f"{value:.6g}"


def _notes(explanation: Explanation, evidence: list[Evidence], classes: list[Label]) -> list[str]:
    notes = [_weighted(explanation, classes)] if explanation.class_weight is not None else []
    hidden = len(explanation.terms) - len(evidence)
    if hidden:
        notes.append(f"{hidden} further known terms separate the classes less; they are part of the score.")
    if len(classes) < len(explanation.classes):
        notes.append(f"{len(explanation.classes) - len(classes)} further classes are less probable.")
    if explanation.unknown:
        unknown = named(explanation.unknown, MOST_TERMS, lambda term: cut(printable(term), LONGEST_TERM))
        notes.append(f"Not known, so ignored: {unknown}")
    if not explanation.terms:
        notes.append("No word of the text is known, so the prior decides.")
    return ["\n".join(wrapped(note, "  ") for note in notes)] if notes else []


def _weighted(explanation: Explanation, classes: list[Label]) -> str:
    """The weights of the classes, and what they multiply."""
    weights = explanation.class_weight or {}
    named_weights = ", ".join(f"{printable(label)} {number(weights[label])}" for label in classes)
    what = "The costs of the documents" if explanation.learned else "The counts and the documents"
    return f"Class weights: {named_weights}. {what} of each class are multiplied by its weight."


def _derivation(explanation: Explanation, label: Label) -> str:
    name = cut(printable(label), LONGEST_TERM)
    factors = [number(explanation.prior[label])]
    factors += [_power(_fraction(e, label), e.weight) for e in explanation.terms[: MOST_FACTORS + 1]]
    score = explanation.scores[label]
    if explanation.learned:
        return wrapped(f"prior + learned + sum of counts * weights in {name} = {score:.4f}", INDENT)
    logs = f"log P({name}, text) = {score:.4f}"
    if len(explanation.terms) > MOST_FACTORS:
        return _beside(f"P({name}) * product of P(w|{name}):", logs)
    return _beside(f"P({name}) * product of P(w|{name}) = {' * '.join(factors)} = {_exponential(score)}", f"({logs})")


def _beside(one: str, other: str) -> str:
    """Two texts in one line if they fit, else in lines of their own."""
    line = f"{one}  {other}"
    return line if display_width(line) <= WIDTH else f"{wrapped(one, INDENT)}\n{INDENT}{other}"


def _exponential(score: float) -> str:
    """The number whose logarithm the score is; as a power of e if it is too large or too small for a float."""
    return f"e^{score:.6g}" if LARGEST_SCORE < abs(score) < math.inf else f"{math.exp(score):.4g}"


def _power(fraction: str, weight: float) -> str:
    return fraction if weight == 1 else f"({fraction})^{weight:.4g}"


def _decision(explanation: Explanation) -> str:
    lines = [_log_odds(explanation), "\n".join(threshold_lines(explanation))]
    decided = f"Decision: {cut(printable(explanation.label), 60)}"
    abstains = ["The model abstains: it is too unsure of this class."] if explanation.abstains else []
    return "\n\n".join([*filter(None, lines), "\n".join([decided, *abstains])])


def _log_odds(explanation: Explanation) -> str:
    odds = explanation.log_odds
    if odds is None:
        return ""
    first, second = (cut(printable(label), LONGEST_TERM) for label in explanation.classes)
    sign = ">" if odds > 0 else "<" if odds < 0 else "="
    return f"log-odds of {second} against {first} = {odds:.4f} {sign} 0"


def threshold_lines(explanation: Explanation) -> list[str]:
    """Whether the predicted class and the most probable one reach their thresholds: a line for each that has one."""
    lines = []
    for label in dict.fromkeys((explanation.label, explanation.most_probable)):
        threshold, probability = explanation.thresholds.get(label), explanation.probabilities[label]
        if threshold is None:
            continue
        reaches = "reaches" if probability >= threshold else "does not reach"
        lines.append(
            f"{cut(printable(label), LONGEST_TERM)}: {probability:.4g} {reaches} its threshold {threshold:.4g}"
        )
    return lines
