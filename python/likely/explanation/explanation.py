"""`Explanation`: why a text gets its class. The prior and the contribution of each term add up to the score."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.class_places import ClassPlaces
from likely.core.counts import UNKNOWN
from likely.core.terms import term_values
from likely.drawing import draw
from likely.explanation.contrast import contrasted
from likely.explanation.words import read_terms
from likely.formulas import finite_or_none, log_posterior

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.core.moment import Moment
    from likely.core.weights import Classes
    from likely.explanation.contrast import Contrast
    from likely.scoring.abstain import Threshold
    from likely.scoring.scorer import Scored
    from likely.types import Array, ExplanationDocument, Ids, Label

Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Evidence:
    """A known term of a text and its contribution to the score of each class.

    Attributes
    ----------
    term : str
        The term.
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
    unknown_spans : list of (int, int)
        The start and the end of each of their occurrences.
    scores : dict
        The score of each class: the log-prior plus ``lacking`` plus all contributions.
    posterior : dict
        P(class|text) from the scores, not calibrated.
    log_odds : float or None
        With two classes, the score of the second minus that of the first; None if that is not defined.
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
    unknown_spans: list[Span]
    scores: dict[Label, float]
    posterior: dict[Label, float]
    log_odds: float | None
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
        best = max(self.probabilities.values())
        return self.label if self.probabilities[self.label] == best else _first(self.probabilities, best)

    @property
    def is_by_threshold(self) -> bool:
        """Whether a threshold decided: the predicted class is not the most probable one."""
        return self.label != self.most_probable

    @property
    def classes(self) -> list[Label]:
        """The classes, sorted."""
        return list(self.scores)

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
        '+, 54.0 %: "good" x1.9 against "dull" x3.2'
        """
        from likely.reports import summary_text

        return summary_text(self)

    def contrast(self, a: Label, b: Label) -> list[Contrast]:
        """How strongly each known term speaks for class ``a`` against class ``b``, strongest first.

        The numbers are calibrated if the model is: multiplied with each other and with the part of the prior, they
        give the odds of the two classes.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> found = NaiveBayes().fit(["so good", "good fun", "dull"], ["+", "+", "-"]).explain("good, not dull")
        >>> [(each.term, round(each.ratio, 2)) for each in found.contrast("+", "-")]
        [('dull', 0.31), ('good', 1.88)]
        """
        places = ClassPlaces(self.classes)
        return contrasted(self, places.labels[places.of(a)], places.labels[places.of(b)])

    def describe(
        self, *, top: int = 10, arithmetic: bool | None = None, contrast: tuple[Label, Label] | None = None
    ) -> str:
        """The explanation as text for people: what ``print`` shows, with other choices.

        Parameters
        ----------
        top : int
            The number of terms in the table.
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
        +, 54.0 %: "good" x1.9 against "dull" x3.2
        """
        from likely.reports import explanation_text

        return explanation_text(self, top=top, arithmetic=arithmetic, contrast=contrast)

    def to_dict(self) -> ExplanationDocument:
        """All fields as plain data; lists with one element per class are in the order of ``classes``.

        The logarithm of 0 is None, because JSON has no infinity.
        """
        classes = self.classes
        return {
            "text": self.text,
            "label": self.label,
            "classes": classes,
            "prior": [self.prior[c] for c in classes],
            "log_prior": [finite_or_none(self.log_prior[c]) for c in classes],
            "lacking": [self.lacking[c] for c in classes],
            "terms": [
                {
                    "term": e.term,
                    "count": e.count,
                    "weight": e.weight,
                    "written": e.written,
                    "spans": [list(span) for span in e.spans],
                    "likelihood": [finite_or_none(value) for value in e.likelihood.values()],
                    "fractions": [list(pair) for pair in e.fractions.values()],
                    "contribution": [finite_or_none(value) for value in (e.weight * e.log_likelihoods).tolist()],
                }
                for e in self.terms
            ],
            "known": self.known,
            "unknown": self.unknown,
            "unknown_spans": [list(span) for span in self.unknown_spans],
            "scores": [finite_or_none(self.scores[c]) for c in classes],
            "posterior": [self.posterior[c] for c in classes],
            "calibrated": None if self.calibrated is None else [self.calibrated[c] for c in classes],
            "log_odds": finite_or_none(self.log_odds),
            "class_weight": None if self.class_weight is None else [self.class_weight[c] for c in classes],
            "thresholds": [self.thresholds.get(c) for c in classes],
            "by_threshold": self.is_by_threshold,
            "abstains": self.abstains,
            "factor": self.factor,
            "rival": self.rival,
            "summary": self.summary,
        }

    def __str__(self) -> str:
        return self.describe()

    def _repr_html_(self) -> str:
        return str(draw("explanation_html", self))


def explain(moment: Moment, text: str, scored: Scored, threshold: Threshold | None = None) -> Explanation:
    """The explanation of the scores of a text; the model abstains if they do not reach the threshold."""
    classes, rules, joint = moment.classes, moment.rules, scored.joint
    places = _places(moment, text)
    ids = classes.terms.find(list(places))
    known = [term for term, id_ in zip(places, ids, strict=True) if id_ != UNKNOWN]
    unknown = [place for term, id_ in zip(places, ids, strict=True) if id_ == UNKNOWN for place in places[term]]
    ids = ids[ids != UNKNOWN]
    times = np.array([len(places[term]) for term in known], np.float64)
    of_terms = zip(known, _weights(times, classes, ids).tolist(), *classes.weigh_terms(ids), strict=True)
    evidence = [
        Evidence(
            term=term,
            count=1 if rules.presence else len(places[term]),
            weight=weight,
            spans=[place.span for place in places[term]],
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
        unknown=list(dict.fromkeys(place.term for place in unknown)),
        unknown_spans=sorted(place.span for place in unknown),
        scores=by_class(classes.labels, joint),
        posterior=by_class(classes.labels, posterior),
        log_odds=_log_odds(joint.tolist()),
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


@dataclass(frozen=True)
class _Place:
    """A term as it is written in a text, and its span."""

    term: str
    span: Span


def _places(moment: Moment, text: str) -> dict[str, list[_Place]]:
    """The terms of a text, after spelling correction, each with its places, in order of appearance."""
    found = moment.counts.analyzer.terms(text)
    read = read_terms(moment, [each.term for each in found])
    places: dict[str, list[_Place]] = {}
    for each, term in zip(found, read, strict=True):
        places.setdefault(term, []).append(_Place(each.term, (each.start, each.end)))
    return places


def _weights(times: Array, classes: Classes, ids: Ids) -> Array:
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


def _first(values: dict[Label, float], wanted: float) -> Label:
    return next(label for label, value in values.items() if value == wanted)


def _log_odds(scores: list[float]) -> float | None:
    if len(scores) != 2 or scores[0] == scores[1] == -math.inf:
        return None
    return scores[1] - scores[0]
