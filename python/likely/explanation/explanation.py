"""A text and the weights to an explanation: prior plus contributions, and nothing else, make the score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.counting.counts import UNKNOWN
from likely.formulas import (
    finite_or_none,
    log_posterior,
    possible,
    term_frequency,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Label
    from likely.weighing.terms import Rules
    from likely.weighing.weights import Classes

Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What one known term says.

    Attributes
    ----------
    term : str
        The term.
    count : int
        How often it occurs in the text, or 1 for the binary variant.
    weight : float
        What it counts: the same, or its tf-idf.
    spans : list of (int, int)
        Where it stands, in characters of the text.
    written : list of str
        How it is written in the text, where it was misspelled.
    classes : list
        The classes, in the order of the arrays below.
    log_likelihoods : array
        What it weighs in each class: log P(term given class), or what the variant has in its place.
    numerators, denominators : array
        The fraction whose logarithm that is, for each class; where weights were learned, P(term given class).
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
        """P(term given class), by class."""
        return by_class(self.classes, np.exp(self.log_likelihoods))

    @cached_property
    def fractions(self) -> dict[Label, tuple[float, float]]:
        """The same as numerator and denominator."""
        pairs = zip(self.numerators.tolist(), self.denominators.tolist(), strict=True)
        return dict(zip(self.classes, pairs, strict=True))

    @cached_property
    def contribution(self) -> dict[Label, float]:
        """What it adds to the score, by class: weight times log P(term given class)."""
        return by_class(self.classes, self.weight * self.log_likelihoods)


@dataclass(frozen=True)
class Explanation:
    """Why a text gets its class.

    Attributes
    ----------
    text : str
        The text.
    label : str, int or bool
        The most probable class.
    prior, log_prior : dict
        P(class), and its logarithm.
    lacking : dict
        What is added to the score besides: for bernoulli what all terms add that the text lacks, for nbsvm what was
        learned of the class beyond its prior; else 0.
    terms : list of Evidence
        Every known term, in order of appearance.
    unknown : list of str
        Terms of the text that were never learned, in order of appearance: they are left out.
    unknown_spans : list of (int, int)
        Where those stand.
    scores : dict
        The log-prior plus ``lacking`` plus all contributions, for each class: what the model predicts by.
    posterior : dict
        P(class given text).
    log_odds : float or None
        With two classes, the score of the second minus that of the first; None where that is undefined.
    calibrated : dict or None
        P(class given text) as the model gives it, if it is calibrated: ``posterior`` is what the raw scores say.
    learned : bool
        Whether the weights were learned, so that they are no logarithms of probabilities (variant nbsvm).
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

    @property
    def classes(self) -> list[Label]:
        """The classes, sorted."""
        return list(self.scores)

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data; what belongs to a class is in the order of ``classes``.

        JSON knows no infinity: the logarithm of 0 is None.
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
                    "likelihood": np.exp(e.log_likelihoods).tolist(),
                    "fractions": [list(pair) for pair in e.fractions.values()],
                    "contribution": [finite_or_none(value) for value in (e.weight * e.log_likelihoods).tolist()],
                }
                for e in self.terms
            ],
            "unknown": self.unknown,
            "unknown_spans": [list(span) for span in self.unknown_spans],
            "scores": [finite_or_none(self.scores[c]) for c in classes],
            "posterior": [self.posterior[c] for c in classes],
            "calibrated": self.calibrated and [self.calibrated[c] for c in classes],
            "log_odds": finite_or_none(self.log_odds),
        }

    def __str__(self) -> str:
        from likely.reports import explanation_text

        return explanation_text(self)

    def _repr_html_(self) -> str:
        from likely.reports import explanation_html

        return explanation_html(self)


def explain(
    counts: Counts, classes: Classes, rules: Rules, text: str, joint: Array, read: Callable[[list[str]], list[str]]
) -> Explanation:
    """Explain the scores of a text, a row of one: same counts, same formulas, and the same sum word by word.

    ``read`` gives words as the model reads them, which corrects their spelling if it is told to.
    """
    places = _places(counts, text, read)
    ids = classes.terms.find(list(places))
    known = [term for term, id_ in zip(places, ids, strict=True) if id_ != UNKNOWN]
    unknown = [place for term, id_ in zip(places, ids, strict=True) if id_ == UNKNOWN for place in places[term]]
    ids = ids[ids != UNKNOWN]
    logs = classes.log_weights(ids)
    above, below = classes.fractions(ids)
    times = np.array([len(places[term]) for term in known], np.float64)
    weights = _weights(times, classes, ids)
    evidence = [
        Evidence(
            term=term,
            count=1 if rules.presence else len(places[term]),
            weight=weight,
            spans=[place.span for place in places[term]],
            written=sorted({place.term for place in places[term]} - {term}),
            classes=classes.labels,
            log_likelihoods=log,
            numerators=numerators,
            denominators=denominators,
        )
        for term, weight, log, numerators, denominators in zip(
            known, weights.tolist(), logs, above, below, strict=True
        )
    ]
    posterior = np.exp(log_posterior(joint, classes.log_prior))[0]
    return Explanation(
        text=text,
        label=classes.labels[int(possible(joint, classes.log_prior)[0].argmax())],
        prior=by_class(classes.labels, np.exp(classes.log_prior)),
        log_prior=by_class(classes.labels, classes.log_prior),
        lacking=by_class(classes.labels, classes.lacking),
        terms=evidence,
        unknown=list(dict.fromkeys(place.term for place in unknown)),
        unknown_spans=sorted(place.span for place in unknown),
        scores=by_class(classes.labels, joint[0]),
        posterior=by_class(classes.labels, posterior),
        log_odds=_log_odds(joint[0].tolist()),
        learned=rules.learned,
    )


@dataclass(frozen=True)
class _Place:
    """A term as it stands in a text, and where."""

    term: str
    span: Span


def _places(counts: Counts, text: str, read: Callable[[list[str]], list[str]]) -> dict[str, list[_Place]]:
    """The terms of a text as they are read, each with its places, in order of appearance."""
    found = counts.analyzer.terms(text)
    words = list(dict.fromkeys(word for term in found for word in term.term.split(" ")))
    as_read = dict(zip(words, read(words), strict=True))
    places: dict[str, list[_Place]] = {}
    for each in found:
        term = " ".join(as_read[word] for word in each.term.split(" "))
        places.setdefault(term, []).append(_Place(each.term, (each.start, each.end)))
    return places


def _weights(times: Array, classes: Classes, ids: Ids) -> Array:
    """What some terms count that occur so often in a document: v_t scale_t of the linear form.

    Terms that share a bucket are one to the model: they share what it counts by how often each occurs.
    """
    terms = classes.terms
    distinct, places = np.unique(ids, return_inverse=True)
    together = np.bincount(places, weights=times, minlength=len(distinct)).astype(np.float64)
    values = np.ones(len(distinct)) if terms.value == "presence" else together
    values = term_frequency(values, sublinear=terms.value == "damped")
    scales = terms.scales_of(distinct)
    values = values if scales is None else values * scales
    if terms.normalized and len(values):
        values = values / np.sqrt((values**2).sum())
    weights: Array = (values / together)[places] * times
    return weights


def by_class(labels: list[Label], values: Any) -> dict[Label, float]:
    """Values, one a class, by class."""
    return {label: float(value) for label, value in zip(labels, values, strict=True)}


def _log_odds(scores: list[float]) -> float | None:
    if len(scores) != 2 or scores[0] == scores[1] == -math.inf:
        return None
    return scores[1] - scores[0]
