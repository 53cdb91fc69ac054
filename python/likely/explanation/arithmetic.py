"""The arithmetic of an explanation as text: a table, products, probabilities and log-odds, for every variant."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from likely.core.variants import LEARNED
from likely.explanation.explanation import (
    LARGEST,
    LONGEST_TERM,
    LONGEST_WORD,
    shown_classes,
    threshold_lines,
    undecided,
)
from likely.terminal import columns, counted, cut, cut_apart, fits, named, number, percent, printable, table, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.explanation.explanation import Evidence, Explanation
    from likely.types import Label

LogBase = Literal["e", 2, 10]
"""The bases of printed logarithms."""
MOST_UNKNOWN = 10
"""At most this many unknown words are named."""
LONGEST_WORD_IN_TABLE = 28
"""Longer words are cut, in columns of a terminal."""
MOST_TERMS = 40
"""At most this many terms are printed, those that separate the classes most."""
MOST_FACTORS = 12
"""A product is written out if it has at most this many factors."""
INDENT = "    "
LONGEST_LABELS = (60, 40, 24, 16, 12, 10)
"""Labels in the head of the table are cut to the first of these widths with which the table fits."""

_FRACTION = "(n + alpha) / (N_c + alpha * |V|)"
_MEANINGS = {
    "bernoulli": (
        "P(w|c) = (n + alpha) / (N_c + 2 * alpha), n and N_c in documents",
        "(odds of left / odds of right)",
    ),
    "complement": (f"weight = -log {_FRACTION}, counted in all classes but c", ""),
    "complement_normalized": (f"weight = -log {_FRACTION}, counted in all classes but c, divided by their sum", ""),
    LEARNED: ("the weights were learned, they are not probabilities", ""),
}
_PLAIN_MEANING = (f"P(w|c) = {_FRACTION}", "(left / right)")
"""What the columns of the table are, by variant, and the ratio of probabilities."""


@dataclass(frozen=True)
class Arithmetic:
    """An explanation as text, with the ratios of the classes ``a`` and ``b``, which may be missing."""

    explanation: Explanation
    a: Label
    b: Label | None
    shown: list[Label]
    base: LogBase

    def text(self, top: int | None) -> str:
        """The table and the decision; without ``top`` also the calculation as a textbook writes it."""
        explanation = self.explanation
        abstains = "\nThe model abstains: it is too unsure of this class." if explanation.abstains else ""
        lines = [] if self.b is None else [self._table(self.b, top)]
        lines.append(self._wrapped([*([] if top else self._meanings()), *_notes(explanation)]))
        if not top:
            lines += [self._wrapped(map(self._product, self.shown)), self._wrapped(self._probabilities())]
        if self.b is not None and math.isfinite(sum(self._parts(self.b).values())):
            lines.append(self._wrapped([self._odds(self.b)]))
        lines.append(self._wrapped([*self._change(), *threshold_lines(explanation)]))
        lines += [] if top else [f"Decision: {cut(printable(explanation.label), 60)}{abstains}"]
        return "\n\n".join(filter(None, lines))

    def _wrapped(self, lines: Iterable[str]) -> str:
        return "\n".join(wrapped(line, INDENT, columns()) for line in lines)

    def _log(self, value: float) -> str:
        return f"{value / (1.0 if self.base == 'e' else math.log(int(self.base))):.4f}"

    def _number(self, log: float) -> str:
        """The number that has this logarithm; as a power if it is too large or too small for a float."""
        if LARGEST < abs(log) < math.inf:
            return f"{self.base}^{self._log(log)}"
        return "infinite" if log == math.inf else f"{math.exp(log):.4g}"

    def _parts(self, b: Label) -> dict[str, float]:
        """The log-ratios of all that decides between the two classes: the prior, what is absent, and the words."""
        return {
            **self.explanation.beside(self.a, b),
            "words": sum(each.log_ratio for each in self.explanation.contrast(self.a, b)),
        }

    def _table(self, b: Label, top: int | None) -> str:
        """One row per term: its count, its fractions or weights, their ratio and its logarithm; then the sums."""
        explanation, pair = self.explanation, [self.a, b]
        found = explanation.contrast(self.a, b)
        listed = {each.term: each.log_ratio for each in found[: top or MOST_TERMS]}
        terms = [each for each in explanation.terms if each.term in listed]
        if top:
            terms.sort(key=lambda each: -abs(listed[each.term]))
        further = [each.log_ratio for each in found[len(terms) :]]
        parts = self._parts(b)
        sums = {counted(len(further), "further word"): sum(further)} if further else {}
        sums |= {**parts, "all": sum(parts.values())}
        is_weighted = any(each.weight != each.count for each in terms)
        head = "weight in {}" if explanation.has_weights else "P(w|{})"

        def rows(is_long: bool, longest: int) -> list[list[str]]:
            names = [head.format(name) for name in cut_apart([printable(label) for label in pair], longest)]
            made = [["", "weight" if is_weighted else "count", *names, "ratio", self._unit]]
            for each in terms:
                cells = [self._cell(each, label, is_long=is_long) for label in pair]
                name = _name(each, min(longest + 4, LONGEST_TERM))
                is_possible = max(each.contribution[label] for label in pair) > -math.inf
                log = listed[each.term] if is_possible else math.nan
                made.append([name, _figure(each.weight), *cells, *self._ratio(log)])
            for part, ratio in sums.items():
                cells = [self._beside(part, label) for label in pair]
                made.append([f"({part})", "", *cells, *self._ratio(ratio)])
            return made

        tried = (rows(is_long, longest) for is_long in (not top, False) for longest in LONGEST_LABELS)
        return table(next((each for each in tried if fits(each, columns())), rows(False, LONGEST_LABELS[-1])))

    @property
    def _unit(self) -> str:
        return "log" if self.base == "e" else f"log{self.base}"

    def _ratio(self, log: float) -> list[str]:
        return ["", ""] if math.isnan(log) else [self._number(log), self._log(log)]

    def _beside(self, name: str, label: Label) -> str:
        """What a class has beside the terms, as the table shows it."""
        explanation = self.explanation
        values = {"prior": explanation.log_prior, "absent words": explanation.lacking}.get(name)
        if values is None or explanation.shift is not None:
            return ""
        return f"{values[label]:.6g}" if explanation.has_weights else self._number(values[label])

    def _cell(self, each: Evidence, label: Label, *, is_long: bool) -> str:
        """What a term has in a class: its weight, or its fraction, with or without its sums."""
        explanation, at = self.explanation, each.classes.index(label)
        if explanation.has_weights:
            return f"{each.log_likelihoods[at]:.6g}"
        alpha, total = explanation.alpha, explanation.totals[label]
        added = alpha * (2 if explanation.variant == "bernoulli" else explanation.vocabulary)
        if not (is_long and alpha and math.isfinite(added)):
            return _fraction(each, label)
        return f"({_figure(float(each.counts[at]))}+{_figure(alpha)})/({_figure(total)}+{_figure(added)})"

    def _meanings(self) -> list[str]:
        """What the columns of the table are."""
        explanation, pair = self.explanation, [label for label in (self.a, self.b) if label is not None]
        if not explanation.terms:
            return []
        meaning, ratio = _MEANINGS.get(explanation.variant.removesuffix("_binary"), _PLAIN_MEANING)
        totals = [_figure(explanation.totals[label]) for label in pair]
        sizes = f"alpha = {_figure(explanation.alpha)}, |V| = {_figure(explanation.vocabulary)}"
        sizes += f", N_c = {' and '.join(totals)}"
        factor = "" if explanation.calibrated is None else f" * {explanation.factor:.6g}"
        exponent = f"(count{factor})" if factor else "count"
        how = f"{ratio}^{exponent}" if ratio else f"e^(count{factor} * (left - right))"
        lines = [meaning if explanation.variant == LEARNED else f"{meaning}: {sizes}", f"ratio = {how}"]
        if explanation.variant == "bernoulli":
            lines.append("(absent words) is the product of 1 - P(v|c) over all |V| words v")
        if factor:
            lines.append(f"{explanation.factor:.6g} is the exponent of the calibration for this text")
        return lines

    def _product(self, label: Label) -> str:
        """The product of a class, or the sum of its weights, written out if it is short."""
        explanation, score = self.explanation, self.explanation.scores[label]
        name, parts = cut(printable(label), LONGEST_TERM), []
        for each in explanation.terms:
            if explanation.has_weights:
                weight = self._cell(each, label, is_long=False)
                parts.append(weight if each.weight == 1 else f"{_figure(each.weight)} * {weight}")
            else:
                fraction = _fraction(each, label)
                parts.append(fraction if each.weight == 1 else f"({fraction})^{_figure(each.weight)}")
        if explanation.has_weights:
            prior = explanation.log_prior[label] + explanation.lacking[label]
            what = "learned bias" if explanation.variant == LEARNED else f"log P({name})"
            summed = " + ".join([f"{prior:.6g}", *parts]).replace("+ -", "- ")
            written = [summed] if len(parts) <= MOST_FACTORS else []
            return " = ".join([f"{what} + sum of the weights in {name}", *written, f"{round(score, 12) + 0.0:.6g}"])
        what, factors = f"P({name}) * product of P(w|{name})", [self._number(explanation.log_prior[label]), *parts]
        if explanation.variant == "bernoulli":
            what += f" * product of 1 - P(v|{name}) over all other words v"
            present = math.fsum(math.log1p(-each.likelihood[label]) for each in explanation.terms)
            factors.append(self._number(explanation.lacking[label] - present))
        written = [" * ".join(factors)] if len(parts) <= MOST_FACTORS else []
        power = [f"{self.base}^{self._log(score)}"] if score > -math.inf else []
        return " = ".join(dict.fromkeys([what, *written, self._number(score), *power]))

    def _probabilities(self) -> list[str]:
        """The probability of each class: its product divided by the sum of all."""
        explanation, shift = self.explanation, self.explanation.shift
        if explanation.is_impossible:
            return [f"Every class is impossible (alpha = 0): 0 / 0 is not defined, {undecided(explanation)}."]
        logs, powers = {}, {}
        for label, score in explanation.scores.items():
            after = 0.0 if shift is None else shift[label]
            logs[label] = score if score == -math.inf else explanation.factor * (score - after) + after
            product = f"e^{round(score, 12) + 0.0:.6g}" if explanation.has_weights else self._number(score)
            is_power = explanation.calibrated is not None and shift is None and score > -math.inf
            powers[label] = f"({product})^{explanation.factor:.6g}" if is_power else self._number(logs[label])
        total = self._number(_log_sum(logs.values()))
        rest = [log for label, log in logs.items() if label not in self.shown]
        summands = [*(powers[label] for label in self.shown), *([self._number(_log_sum(rest))] if rest else [])]
        names = {label: cut(printable(label), LONGEST_TERM) for label in self.shown}
        shares = explanation.probabilities
        return [f"sum = {' + '.join(summands)} = {total}"] + [
            f"P({name}|text) = {powers[label]} / {total} = {number(shares[label])}" for label, name in names.items()
        ]

    def _odds(self, b: Label) -> str:
        """The log-odds of the two classes, which decide: the sum of the logarithms of all ratios."""
        names = [
            cut(name, LONGEST_TERM) for name in cut_apart([printable(each) for each in (self.a, b)], LONGEST_TERM)
        ]
        logs, total = self._parts(b).values(), sum(self._parts(b).values())
        sign = ">" if total > 0 else "<" if total < 0 else "="
        summed = " + ".join(map(self._log, logs)).replace("+ -", "- ")
        return f"{self._unit}-odds of {names[0]} against {names[1]} = {summed} = {self._log(total)} {sign} 0"

    def _change(self) -> list[str]:
        """What would change the answer."""
        found = self.explanation.change
        if found is None:
            return []
        words = named(found.words, MOST_UNKNOWN, lambda word: f'"{cut(printable(word), LONGEST_WORD)}"')
        label = cut(printable(found.label), LONGEST_TERM)
        return [f"Without {words}, the answer would be {label}, {percent(found.probability)}."]


def _log_sum(logs: Iterable[float]) -> float:
    """The logarithm of the sum of numbers with these logarithms."""
    return float(np.logaddexp.reduce(list(logs)))


def _name(evidence: Evidence, longest: int) -> str:
    """The word in the text; if it was misspelled, also the term."""
    written = ", ".join(map(printable, evidence.written))
    return cut(f"{written} -> {printable(evidence.term)}" if written else printable(evidence.word), longest)


def _fraction(evidence: Evidence, label: Label) -> str:
    above, below = evidence.fractions[label]
    return f"{_figure(above)}/{_figure(below)}" if below else "0"


def _figure(value: float) -> str:
    """A number with all its digits, if it has at most four decimals."""
    return f"{value:.12g}" if value == round(value, 4) else f"{value:.6g}"


def _notes(explanation: Explanation) -> list[str]:
    """The weights of the classes, and the words that do not count."""
    weights, shown = explanation.class_weight, shown_classes(explanation)
    notes = []
    if weights is not None:
        what = "The costs of the documents" if explanation.variant == LEARNED else "The counts and the documents"
        of_classes = ", ".join(f"{printable(label)} {number(weights[label])}" for label in weights if label in shown)
        notes.append(f"Class weights: {of_classes}. {what} of each class are multiplied by its weight.")
    both = {"Not known, so ignored": explanation.unknown_words, "Known, but without weight": explanation.ignored}
    for what, words in both.items():
        names = named(words, MOST_UNKNOWN, lambda word: cut(printable(word), LONGEST_WORD_IN_TABLE))
        notes += [f"{what}: {names}"] if words else []
    return notes
