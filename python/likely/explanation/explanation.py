"""`Explanation`: why a text gets its class. The prior and the contribution of each term add up to the score."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.core.counts import UNKNOWN
from likely.core.terms import term_values
from likely.drawing import draw
from likely.explanation.words import read_terms, spelled
from likely.formulas import finite_or_none, log_posterior
from likely.labels import ClassPlaces
from likely.terminal import (
    WIDTH,
    counted,
    cut,
    cut_apart,
    display_width,
    fits,
    named,
    number,
    percent,
    printable,
    table,
    tables,
    wrapped,
)
from likely.types import ExplanationDocument, TermDocument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.core.analyzer import Term
    from likely.core.decisions import Threshold
    from likely.core.scorer import Scored
    from likely.core.weights import ModelView, WeighedClasses
    from likely.types import Array, Ids, Label


LARGEST = 700.0
"""About the logarithm of the largest float, and that of the smallest one with the opposite sign."""


@dataclass(frozen=True)
class Contrast:
    """A term of a text, and how many times more probable it makes one class than another.

    Attributes
    ----------
    term : str
        The term.
    word : str
        The term as the text has it: a stem is the word that it was made of.
    count : int
        How often it occurs in the text; 1 for the variants that use only whether a term occurs.
    log_ratio : float
        Its contribution to the score of the first class minus that to the second, times the factor of the
        calibration; positive if it speaks for the first. It is infinite if the term is impossible in one of them.
    spans : list of (int, int)
        The start and the end of each occurrence, in characters of the text.
    """

    term: str
    word: str
    count: int
    log_ratio: float
    spans: list[tuple[int, int]]

    @property
    def ratio(self) -> float:
        """How many times more probable the term makes the first class than the second; infinite if it is too much."""
        return math.inf if self.log_ratio > LARGEST else math.exp(self.log_ratio)


def _log_ratio(evidence: Evidence, first: int, second: int) -> float:
    """The difference of the contributions to the classes at two places; 0 if the term is impossible in both."""
    one, other = (evidence.weight * float(evidence.log_likelihoods[at]) for at in (first, second))
    return 0.0 if one == other else one - other


Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Evidence:
    """A known term of a text and its contribution to the score of each class.

    Attributes
    ----------
    term : str
        The term.
    word : str
        The term as the text has it where it first occurs: a stem is the word that it was made of.
    count : int
        How often it occurs in the text; 1 for the variants that use only whether a term occurs.
    weight : float
        Its value in the text: the same number, or its tf-idf.
    spans : list of (int, int)
        The start and the end of each occurrence, in characters of the text.
    written : list of str
        The spellings in the text that were corrected to this term.
    classes : list
        The classes, in the order of the arrays below.
    log_likelihoods : array
        Its weight in each class: log P(term|class), or the weight of the variant.
    numerators, denominators : array
        The fraction whose logarithm the weight is, for each class; if weights were learned (nbsvm), P(term|class).
    """

    term: str
    word: str
    count: int
    weight: float
    spans: list[Span]
    written: list[str]
    classes: list[Label]
    log_likelihoods: Array
    numerators: Array
    denominators: Array

    @cached_property
    def likelihood(self) -> dict[Label, float]:
        """P(term|class) of each class."""
        with np.errstate(over="ignore"):  # the weight of a complement variant may be large
            return by_class(self.classes, np.exp(self.log_likelihoods))

    @cached_property
    def fractions(self) -> dict[Label, tuple[float, float]]:
        """P(term|class) of each class as numerator and denominator."""
        pairs = zip(self.numerators.tolist(), self.denominators.tolist(), strict=True)
        return dict(zip(self.classes, pairs, strict=True))

    @cached_property
    def contribution(self) -> dict[Label, float]:
        """What the term adds to the score of each class: its value times log P(term|class)."""
        return by_class(self.classes, self.weight * self.log_likelihoods)


@dataclass(frozen=True)
class Explanation:
    """Why a text gets its class.

    Attributes
    ----------
    text : str
        The text.
    label : str, int or bool
        The predicted class: the most probable one, unless a threshold decides.
    prior, log_prior : dict
        P(class), and its logarithm.
    lacking : dict
        A further summand of the score of each class: for bernoulli the sum of log(1 - p) over all terms, for nbsvm
        the learned bias minus the log-prior, else 0.
    terms : list of Evidence
        The known terms, in order of appearance.
    unknown : list of str
        The terms of the text that are not known, in order of appearance: they do not change the score.
    unknown_words : list of str
        The same terms as the text has them.
    unknown_spans : list of (int, int)
        The start and the end of each of their occurrences.
    scores : dict
        The score of each class: the log-prior plus ``lacking`` plus all contributions.
    posterior : dict
        P(class|text) from the scores, not calibrated.
    calibrated : dict or None
        The calibrated P(class|text), if the model is calibrated.
    learned : bool
        Whether the weights were learned (variant nbsvm): they are then not logarithms of probabilities.
    known : float
        The share of the terms of the text that are known, each as often as it occurs. If it is 0, the prior decides.
    class_weight : dict or None
        The weight of each class, which multiplies its counts in the fractions and its documents in the fitted prior
        (the cost of its documents if weights were learned); None if all classes have the weight 1.
    thresholds : dict
        The thresholds of those classes that have one.
    abstains : bool
        Whether the model gives no answer, because its option ``abstain`` asks for more certainty.
    factor : float
        By how much calibration multiplies the scores of this text, tau / (length ** gamma * spread ** delta): the
        more often the same evidence is counted, the smaller it is. 1 if the model is not calibrated.
    """

    text: str
    label: Label
    prior: dict[Label, float]
    log_prior: dict[Label, float]
    lacking: dict[Label, float]
    terms: list[Evidence]
    unknown: list[str]
    unknown_words: list[str]
    unknown_spans: list[Span]
    scores: dict[Label, float]
    posterior: dict[Label, float]
    calibrated: dict[Label, float] | None = None
    learned: bool = False
    known: float = 0.0
    class_weight: dict[Label, float] | None = None
    thresholds: dict[Label, float] = field(default_factory=dict)
    abstains: bool = False
    factor: float = 1.0

    @property
    def probabilities(self) -> dict[Label, float]:
        """P(class|text), by which the class is decided: calibrated if the model is."""
        return self.posterior if self.calibrated is None else self.calibrated

    @property
    def most_probable(self) -> Label:
        """The most probable class; of equally probable classes the predicted one, if it is among them."""
        best = max(self.probabilities, key=self.probabilities.__getitem__)
        return self.label if self.probabilities[self.label] == self.probabilities[best] else best

    @property
    def is_by_threshold(self) -> bool:
        """Whether a threshold decided: the predicted class is not the most probable one."""
        return self.label != self.most_probable

    @property
    def classes(self) -> list[Label]:
        """The classes, sorted."""
        return list(self.scores)

    @property
    def log_odds(self) -> float | None:
        """With two classes, the score of the second minus that of the first; None if that is not defined."""
        first, *others = self.scores.values()
        return None if len(others) != 1 or first == others[0] == -math.inf else others[0] - first

    @property
    def rival(self) -> Label | None:
        """The class with the best score beside the predicted one; None if there is only one class."""
        rivals = [label for label in self.classes if label != self.label]
        return max(rivals, key=self.scores.__getitem__) if rivals else None

    @property
    def summary(self) -> str:
        """The decision and its strongest reasons in one line of at most 80 columns.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> NaiveBayes().fit(["so good", "good fun", "dull"], ["+", "+", "-"]).explain("good, not dull").summary
        '+, 54.0%: "good" x1.9 against "dull" x3.2'
        """
        if self.rival is not None and not self.terms:
            why = "no word of the text is known, so the prior decides"
            return _fitting(lambda longest, *_: f"{_decision_summary(self, longest)}: {why}")
        reasons = _reasons(self, self.label, self.rival)
        return _fitting(lambda longest, *most: f"{_decision_summary(self, longest)}{reasons(longest, *most)}")

    def contrast(self, a: Label, b: Label) -> list[Contrast]:
        """How strongly each known term speaks for class ``a`` against class ``b``, strongest first.

        Equally strong terms are in the order of the text. The numbers are calibrated if the model is: multiplied with
        each other and with the part of the prior, they give the odds of the two classes.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> found = NaiveBayes().fit(["so good", "good fun", "dull"], ["+", "+", "-"]).explain("good, not dull")
        >>> [(each.term, round(each.ratio, 2)) for each in found.contrast("+", "-")]
        [('dull', 0.31), ('good', 1.88)]
        """
        places = ClassPlaces(self.classes)
        first, second = places.of(a), places.of(b)
        ratios = ((each, self.factor * _log_ratio(each, first, second)) for each in self.terms)
        found = [Contrast(each.term, each.word, each.count, ratio, each.spans) for each, ratio in ratios]
        return sorted(found, key=lambda each: -abs(each.log_ratio))

    def describe(
        self,
        *,
        top: int | None = None,
        arithmetic: bool | None = None,
        contrast: tuple[Label, Label] | None = None,
    ) -> str:
        """The explanation as text for people: what ``print`` shows, with other choices.

        Parameters
        ----------
        top : int, optional
            The number of terms in the table, which is then shown instead of the calculation. Default: 10.
        arithmetic : bool, optional
            Whether the calculation is shown as a textbook writes it. Default: if the text is short and there are at
            most three classes.
        contrast : (label, label), optional
            The two classes to compare. Default: the predicted class and its rival.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> found = NaiveBayes().fit(["so good", "good fun", "dull"], ["+", "+", "-"]).explain("good, not dull")
        >>> print(found.describe(arithmetic=False).splitlines()[0])
        +, 54.0%: "good" x1.9 against "dull" x3.2
        """
        if arithmetic is None:
            arithmetic = not top and len(self.classes) <= MOST_CLASSES and len(self.terms) <= MOST_FACTORS
        parts = [
            self.summary,
            contrast_line(self, *contrast) if contrast else "",
            shown_text(self),
            arithmetic_text(self, contrast) if arithmetic else _strongest(self, top or MOST_LISTED, contrast),
        ]
        return "\n\n".join(filter(None, parts))

    def to_dict(self) -> ExplanationDocument:
        """All fields as plain data; lists with one element per class are in the order of ``classes``.

        The logarithm of 0 is None, because JSON has no infinity.
        """
        classes = self.classes
        named = {name: name for name in ExplanationDocument.__annotations__} | {"by_threshold": "is_by_threshold"}
        return cast("ExplanationDocument", {name: _plain(getattr(self, of), classes) for name, of in named.items()})

    def __str__(self) -> str:
        return self.describe()

    def _repr_html_(self) -> str:
        return str(draw("explanation_html", self))


_OF_TERM = tuple(TermDocument.__annotations__)


def _plain(value: object, classes: list[Label]) -> object:
    """A value as plain data: one value per class as a list, a term as a dict."""
    if isinstance(value, float):
        return finite_or_none(value)
    if isinstance(value, dict):
        return [_plain(value.get(label), classes) for label in classes]
    if isinstance(value, list | tuple):
        return [_plain(each, classes) for each in value]
    if isinstance(value, Evidence):
        return {name: _plain(getattr(value, name), classes) for name in _OF_TERM}
    return value


def explain(moment: ModelView, text: str, scored: Scored, threshold: Threshold | None = None) -> Explanation:
    """The explanation of the scores of a text; the model abstains if they do not reach the threshold."""
    classes, rules, joint, analyzer = moment.classes, moment.rules, scored.joint, moment.counts.analyzer
    text = analyzer.prepared(text)
    places = _places(moment, text)
    ids = classes.terms.find(list(places))
    known = [term for term, id_ in zip(places, ids, strict=True) if id_ != UNKNOWN]
    unknown = [place for term, id_ in zip(places, ids, strict=True) if id_ == UNKNOWN for place in places[term]]
    missing = {place.term: place for place in reversed(unknown)}
    ids = ids[ids != UNKNOWN]
    times = np.array([len(places[term]) for term in known], np.float64)
    of_terms = zip(known, _weights(times, classes, ids).tolist(), *classes.weigh_terms(ids), strict=True)
    evidence = [
        Evidence(
            term=term,
            word=spelled(analyzer, term, places[term][0], text),
            count=1 if rules.presence else len(places[term]),
            weight=weight,
            spans=[(place.start, place.end) for place in places[term]],
            written=sorted({place.term for place in places[term]} - {term}),
            classes=classes.labels,
            log_likelihoods=logs,
            numerators=numerators,
            denominators=denominators,
        )
        for term, weight, logs, numerators, denominators in of_terms
    ]
    posterior = np.exp(log_posterior(joint[None, :], classes.log_prior))[0]
    return Explanation(
        text=text,
        label=classes.labels[scored.place],
        prior=by_class(classes.labels, np.exp(classes.log_prior)),
        log_prior=by_class(classes.labels, classes.log_prior),
        lacking=by_class(classes.labels, classes.lacking),
        terms=evidence,
        unknown=[*reversed(missing)],
        unknown_words=[spelled(analyzer, term, place, text) for term, place in reversed(missing.items())],
        unknown_spans=sorted((place.start, place.end) for place in unknown),
        scores=by_class(classes.labels, joint),
        posterior=by_class(classes.labels, posterior),
        calibrated=None if scored.probabilities is None else by_class(classes.labels, scored.probabilities),
        learned=rules.learned,
        known=scored.known,
        class_weight=None if classes.factors is None else by_class(classes.labels, classes.factors),
        thresholds=scored.thresholds,
        abstains=threshold is not None and _is_unsure(threshold, scored, posterior),
        factor=scored.factor,
    )


def _is_unsure(threshold: Threshold, scored: Scored, posterior: Array) -> bool:
    with np.errstate(divide="ignore"):
        logs = np.log(posterior if scored.probabilities is None else scored.probabilities)
    return bool(threshold.unsure(logs[None, :], np.array([scored.known]), np.array([scored.place]))[0])


def _places(moment: ModelView, text: str) -> dict[str, list[Term]]:
    """The terms of a text, after spelling correction, each with its places, in order of appearance."""
    found = moment.counts.analyzer.terms(text)
    places: dict[str, list[Term]] = {}
    for each, term in zip(found, read_terms(moment, [each.term for each in found]), strict=True):
        places.setdefault(term, []).append(each)
    return places


def _weights(times: Array, classes: WeighedClasses, ids: Ids) -> Array:
    """The values of terms in a text, v_t times scale_t of the linear form, from how often each occurs.

    Hashed terms that share a bucket are one term for the model. Its value is divided between them in proportion
    to how often each occurs.
    """
    terms = classes.terms
    distinct, places = np.unique(ids, return_inverse=True)
    together = np.bincount(places, weights=times, minlength=len(distinct)).astype(np.float64)
    values = term_values(together, terms.value)
    scales = terms.scales_of(distinct)
    values = values if scales is None else values * scales
    if terms.normalized and len(values):
        values = values / math.sqrt(math.fsum((values**2).tolist()))  # the same in any order
    weights: Array = (values / together)[places] * times
    return weights


def by_class(labels: list[Label], values: Iterable[float]) -> dict[Label, float]:
    """One value per class, as a dict by label."""
    return {label: float(value) for label, value in zip(labels, values, strict=True)}


MOST_SHOWN = 6
"""At most this many classes are shown, the most probable ones."""


def shown_classes(explanation: Explanation) -> list[Label]:
    """The classes that are shown."""
    ranked = sorted(explanation.classes, key=lambda label: -explanation.posterior[label])
    return explanation.classes if len(ranked) <= MOST_SHOWN else ranked[:MOST_SHOWN]


def spread(evidence: Evidence, classes: list[Label]) -> float:
    """How far a term separates the classes: its largest contribution minus its smallest one."""
    values = [evidence.contribution[label] for label in classes]
    return 0.0 if all(value == -math.inf for value in values) else max(values) - min(values)


MOST_TERMS = 40
"""At most this many terms are printed, those that separate the classes most."""
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
        *_notes_arithmetic(explanation, evidence, classes),
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
    logs = []
    for label in classes:
        weights = [e.log_likelihoods[e.classes.index(label)] for e in evidence]
        lacking = [explanation.lacking[label]] if any(others) else []
        values = [explanation.log_prior[label], *weights, *lacking, explanation.scores[label]]
        logs.append([f"{value:.4f}" for value in values])
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
    """The word in the text; if it was misspelled, also the term."""
    written = ", ".join(map(printable, evidence.written))
    return cut(f"{written} -> {printable(evidence.term)}" if written else printable(evidence.word), LONGEST_TERM)


def _fraction(evidence: Evidence, label: Label) -> str:
    above, below = evidence.fractions[label]
    return f"{_figure(above)}/{_figure(below)}" if below else "0"


def _figure(value: float) -> str:
    """A number with all its digits, if it has at most four decimals."""
    return f"{value:.12g}" if value == round(value, 4) else f"{value:.6g}"


def _notes_arithmetic(explanation: Explanation, evidence: list[Evidence], classes: list[Label]) -> list[str]:
    notes = [_weighted(explanation, classes)] if explanation.class_weight is not None else []
    hidden = len(explanation.terms) - len(evidence)
    if hidden:
        notes.append(f"{hidden} further known terms separate the classes less; they are part of the score.")
    if len(classes) < len(explanation.classes):
        notes.append(f"{len(explanation.classes) - len(classes)} further classes are less probable.")
    notes += _unknown_note(explanation)
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
    for each in explanation.terms[: MOST_FACTORS + 1]:
        fraction = _fraction(each, label)
        factors.append(fraction if each.weight == 1 else f"({fraction})^{each.weight:.4g}")
    score = explanation.scores[label]
    if explanation.learned:
        return wrapped(f"prior + learned + sum of counts * weights in {name} = {score:.4f}", INDENT)
    logs = f"log P({name}, text) = {score:.4f}"
    if len(explanation.terms) > MOST_FACTORS:
        return _beside_arithmetic(f"P({name}) * product of P(w|{name}):", logs)
    return _beside_arithmetic(
        f"P({name}) * product of P(w|{name}) = {' * '.join(factors)} = {_exponential(score)}", f"({logs})"
    )


def _beside_arithmetic(one: str, other: str) -> str:
    """Two texts in one line if they fit, else in lines of their own."""
    line = f"{one}  {other}"
    return line if display_width(line) <= WIDTH else f"{wrapped(one, INDENT)}\n{INDENT}{other}"


def _exponential(score: float) -> str:
    """The number whose logarithm the score is; as a power of e if it is too large or too small for a float."""
    return f"e^{score:.6g}" if LARGEST < abs(score) < math.inf else f"{math.exp(score):.4g}"


def _decision(explanation: Explanation) -> str:
    abstains = "\nThe model abstains: it is too unsure of this class." if explanation.abstains else ""
    decided = f"Decision: {cut(printable(explanation.label), 60)}{abstains}"
    lines = [_log_odds_arithmetic(explanation), "\n".join(threshold_lines(explanation)), decided]
    return "\n\n".join(filter(None, lines))


def _log_odds_arithmetic(explanation: Explanation) -> str:
    odds = explanation.log_odds
    if odds is None:
        return ""
    first, second = (cut(printable(label), LONGEST_TERM) for label in explanation.classes)
    sign = ">" if odds > 0 else "<" if odds < 0 else "="
    return f"log-odds of {second} against {first} = {odds:.4f} {sign} 0"


def threshold_lines(explanation: Explanation) -> list[str]:
    """Whether the predicted class and the most probable one reach their thresholds: a line for each that has one."""
    lines, labels = [], dict.fromkeys((explanation.label, explanation.most_probable))
    for label in filter(explanation.thresholds.__contains__, labels):
        threshold, probability = explanation.thresholds[label], explanation.probabilities[label]
        reaches = "reaches" if probability >= threshold else "does not reach"
        name = cut(printable(label), LONGEST_TERM)
        lines.append(f"{name}: {probability:.4g} {reaches} its threshold {threshold:.4g}")
    return lines


LONGEST_WORD = 20
"""Longer words are cut, in columns of a terminal."""
FORMS = (
    *((24, 3, 2), (24, 3, 1), (16, 3, 1), (24, 2, 1), (16, 2, 1), (12, 2, 1)),
    *((12, 2, 0), (12, 1, 1), (12, 1, 0), (8, 1, 0), (8, 0, 0)),
)
"""The longest label, and the numbers of terms for and against the decision: the first that fit one line."""
NOTICEABLE = math.log(1.005)
"""A term that makes a class less than 1.005 times more probable than another says nothing."""
CLOSE = 0.01
"""Of more than two classes, the next one is named if its probability is at least this."""
MOST_TIMES = 1e6
"""Larger ratios are not told apart."""


def contrast_line(explanation: Explanation, a: Label, b: Label) -> str:
    """Two classes and the terms that separate them most, in one line."""
    shares, reasons = explanation.probabilities, _reasons(explanation, a, b)

    def line(longest: int, most: int, against: int) -> str:
        one, other = cut_apart([printable(a), printable(b)], longest)
        head = f"{one}, {percent(shares[a])}, against {other}, {percent(shares[b])}"
        return f"{head}{reasons(longest, most, against)}"

    return _fitting(line)


def _fitting(line: Callable[[int, int, int], str]) -> str:
    """The first of the lines that fits."""
    lines = (line(*shown) for shown in FORMS)
    return next((each for each in lines if display_width(each) <= WIDTH), cut(line(*FORMS[-1]), WIDTH))


def _reasons(explanation: Explanation, a: Label, b: Label | None) -> Callable[[int, int, int], str]:
    """What speaks most for class ``a`` against class ``b``, and most against it, as the end of a line of a form.

    It is the strongest terms, or the prior if no term speaks for the class.
    """
    if b is None:
        return lambda *_: ": it is the only class"
    found = explanation.contrast(a, b)
    speaking = apart([each for each in found if each.log_ratio >= NOTICEABLE], FORMS[0][1])
    contrary = apart([each for each in found if each.log_ratio <= -NOTICEABLE], FORMS[0][2])
    is_prior = explanation.log_prior[a] - NOTICEABLE >= explanation.log_prior[b]

    def line(longest: int, most: int, against: int) -> str:
        told = [_reason(each, cut(printable(b), longest)) for each in speaking[:most]]
        reasons = ", ".join(told if speaking else ["the prior"] * is_prior)
        opposed = ", ".join(_reason(each, "it") for each in contrary[:against])
        against_it = f" against {opposed}" if opposed else ""
        return f": {reasons}{against_it}" if reasons else f",{against_it}" if against_it and not speaking else ""

    return line


def apart(found: list[Contrast], most: int) -> list[Contrast]:
    """The first terms that share no place in the text with one before them: not "hong kong" after "hong"."""
    kept: list[Contrast] = []
    taken: set[int] = set()
    for each in found:
        if len(kept) == most:
            break
        places = {at for start, end in each.spans for at in range(start, end)}
        if taken.isdisjoint(places):
            kept.append(each)
            taken |= places
    return kept


def _reason(found: Contrast, other: str) -> str:
    """A term in quotes and how many times more probable it makes its class than the other one."""
    word = cut(printable(found.word), LONGEST_WORD)
    times = times_text(found.log_ratio)
    return f'"{word}" {times}' if times else f'"{word}" (impossible in {other})'


def times_text(log_ratio: float) -> str:
    """How many times more probable a term makes the class that it speaks for; '' if another class is impossible.

    Examples
    --------
    >>> times_text(2.485), times_text(-0.75), times_text(0.03), times_text(50.0), times_text(float("inf"))
    ('x12', 'x2.1', 'x1.03', 'x1,000,000 or more', '')
    """
    if math.isinf(log_ratio):
        return ""
    times = math.exp(min(abs(log_ratio), math.log(MOST_TIMES)))
    if times >= MOST_TIMES * 0.9995:
        return f"x{MOST_TIMES:,.0f} or more"
    if times < 1.05:
        return f"x{times:.2f}"
    return f"x{times:,.0f}" if times >= 9.95 else f"x{times:.1f}".removesuffix(".0")


def _decision_summary(explanation: Explanation, longest: int) -> str:
    """The predicted class and its probability, the next one of many, and what decided, if probability did not."""
    shares, best, rival = explanation.probabilities, explanation.most_probable, explanation.rival
    labels = list(dict.fromkeys(each for each in (explanation.label, best, rival) if each is not None))
    names = dict(zip(labels, cut_apart([printable(label) for label in labels], longest), strict=True))
    shown = {label: f"{name}, {percent(shares[label])}" for label, name in names.items()}
    said = shown[explanation.label]
    if explanation.abstains:
        return f"no answer, because the model is too unsure ({said})"
    if explanation.is_by_threshold:
        threshold = explanation.thresholds.get(explanation.label)
        missed = f"{shown[best]}, is below its threshold"
        return f"{said} ({missed if threshold is None else f'predicted from {threshold:.4g} on'})"
    if len(explanation.classes) > 2 and rival is not None and shares[rival] >= CLOSE:
        return f"{said} (then {shown[rival]})"
    return said


MOST_CLASSES = 3
"""With at most this many classes, the arithmetic of a short text is shown."""
LONGEST_TEXT = 300
"""At most this many characters of a text are shown."""
LONGEST_LABEL, LONGEST_WORD_IN_TABLE = 16, 28
"""Longer labels and terms are cut, in columns of a terminal."""
MOST_LISTED, MOST_UNKNOWN = 10, 10
"""At most this many terms are in the table, and at most this many unknown ones are named."""


def shown_text(explanation: Explanation) -> str:
    """The beginning of the text, in lines that fit a terminal."""
    shown = printable(" ".join(explanation.text[: LONGEST_TEXT + 1].split()))
    more = f"... ({len(explanation.text):,} characters)" if len(explanation.text) > LONGEST_TEXT else ""
    return wrapped(f"Text: {shown}{more}")


def _strongest(explanation: Explanation, top: int, contrast: tuple[Label, Label] | None) -> str:
    """A table of the strongest terms, and what is not in it."""
    rival = explanation.rival
    a, b = contrast or (explanation.label, explanation.label if rival is None else rival)
    names = cut_apart([printable(a), printable(b)], LONGEST_LABEL)
    found = explanation.contrast(a, b)
    rows = [
        [cut(printable(each.word), LONGEST_WORD_IN_TABLE), str(each.count), *_spoken(each.log_ratio, names)]
        for each in found[:top]
    ]
    rows += [[name, "", *_spoken(ratio, names)] for name, ratio in _beside(explanation, a, b)]
    lines = [table([["", "in the text", "speaks for", "times"], *rows])] if rows and a != b else []
    lines.append("\n".join(wrapped(line, "  ") for line in _notes(explanation, len(found) - top)))
    return "\n\n".join(filter(None, lines))


def _spoken(log_ratio: float, names: list[str]) -> list[str]:
    """The class that a term speaks for, and how many times more probable it makes that class than the other."""
    if abs(log_ratio) < NOTICEABLE:
        return ["neither", ""]
    return [names[0] if log_ratio > 0 else names[1], times_text(log_ratio) or "infinite"]


def _beside(explanation: Explanation, a: Label, b: Label) -> list[tuple[str, float]]:
    """What decides beside the terms of the text, if it does: its name, and its log-ratio of two classes."""
    others = "(learned bias)" if explanation.learned else "(words not in the text)"
    both = (("(prior)", explanation.log_prior), (others, explanation.lacking))
    found = [(name, explanation.factor * (values[a] - values[b])) for name, values in both if values[a] != values[b]]
    return [(name, ratio) for name, ratio in found if abs(ratio) >= NOTICEABLE and not math.isnan(ratio)]


def _notes(explanation: Explanation, hidden: int) -> list[str]:
    notes = [f"{counted(hidden, 'further known term')} separate less."] if hidden > 1 else []
    notes += ["1 further known term separates less."] if hidden == 1 else []
    return [*notes, *_unknown_note(explanation), *threshold_lines(explanation)]


def _unknown_note(explanation: Explanation) -> list[str]:
    words = named(explanation.unknown_words, MOST_UNKNOWN, lambda word: cut(printable(word), LONGEST_WORD_IN_TABLE))
    return [f"Not known, so ignored: {words}"] if words else []
