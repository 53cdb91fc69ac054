"""The derivation of a decision, as a textbook writes it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.reports.evidence import shown_classes, spread
from likely.terminal import named, number, printable, table

if TYPE_CHECKING:
    from likely.explanation.explanation import Evidence, Explanation
    from likely.types import Label

MOST_TERMS = 40
"""At most this many terms are printed, those that separate the classes most."""
LARGEST_SCORE = 700
"""A float has no number whose logarithm is further from 0, except for 0 and infinity."""
MOST_FACTORS = 12
"""A product is written out if it has at most this many factors."""


def explanation_text(explanation: Explanation) -> str:
    """The derivation of the decision, as a textbook writes it: fractions, products, logarithms."""
    classes = shown_classes(explanation)
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


def _shown_terms(explanation: Explanation, classes: list[Label]) -> list[Evidence]:
    """The terms that separate the classes most, in the order of the text."""
    if len(explanation.terms) <= MOST_TERMS:
        return explanation.terms
    ranked = sorted(explanation.terms, key=lambda e: -spread(e, classes))
    chosen = {e.term for e in ranked[:MOST_TERMS]}
    return [e for e in explanation.terms if e.term in chosen]


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
    """The term; if it was misspelled, also the word in the text."""
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
        notes.append(f"Not known, so ignored: {named(explanation.unknown, MOST_TERMS, printable)}")
    if not explanation.terms:
        notes.append("No word of the text is known, so the prior decides.")
    return ["\n".join(notes)] if notes else []


def _weighted(explanation: Explanation, classes: list[Label]) -> str:
    """The weights of the classes, and what they multiply."""
    weights = explanation.class_weight or {}
    named_weights = ", ".join(f"{printable(label)} {number(weights[label])}" for label in classes)
    what = "The costs of the documents" if explanation.learned else "The counts and the documents"
    return f"Class weights: {named_weights}. {what} of each class are multiplied by its weight."


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
    return f"P({name}) * product of P(w|{name}) = {' * '.join(factors)} = {_exponential(score)}  ({logs})"


def _exponential(score: float) -> str:
    """The number whose logarithm the score is; as a power of e if it is too large or too small for a float."""
    return f"e^{score:.6g}" if LARGEST_SCORE < abs(score) < math.inf else f"{math.exp(score):.4g}"


def _power(fraction: str, weight: float) -> str:
    return fraction if weight == 1 else f"({fraction})^{weight:.4g}"


def _decision(explanation: Explanation) -> str:
    lines = [_log_odds(explanation), "\n".join(threshold_lines(explanation))]
    return "\n\n".join([*filter(None, lines), f"Decision: {printable(explanation.label)}"])


def _log_odds(explanation: Explanation) -> str:
    odds = explanation.log_odds
    if odds is None:
        return ""
    first, second = (printable(label) for label in explanation.classes)
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
        lines.append(f"{printable(label)}: {probability:.4g} {reaches} its threshold {threshold:.4g}")
    return lines
