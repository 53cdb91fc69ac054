"""A text and the weights to an explanation: prior plus contributions, and nothing else, make the score."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.counts import UNKNOWN
from likely.formulas import finite_or_none, log_delta, log_posterior, possible, smoothed_fraction

if TYPE_CHECKING:
    from likely.counts import Counts
    from likely.formulas import Array
    from likely.labels import Label
    from likely.weigh import Classes, Rules

Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Evidence:
    """What one known term says.

    Attributes
    ----------
    term : str
        The term.
    count : int
        How often it counts: its occurrences in the text, or 1 for the binary variant.
    spans : list of (int, int)
        Where it stands, in characters of the text.
    classes : list
        The classes, in the order of the arrays below.
    log_likelihoods : array
        log P(term given class), for each class.
    numerators, denominators : array
        The fraction that P(term given class) is, for each class.
    """

    term: str
    count: int
    spans: list[Span]
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
        """What it adds to the score, by class: count times log P(term given class)."""
        return by_class(self.classes, self.count * self.log_likelihoods)


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
    terms : list of Evidence
        Every known term, in order of appearance.
    unknown : list of str
        Terms of the text that were never learned, in order of appearance: they are left out.
    unknown_spans : list of (int, int)
        Where those stand.
    scores : dict
        The log-prior plus all contributions, for each class: what the model predicts by.
    posterior : dict
        P(class given text).
    log_odds : float or None
        With two classes, the score of the second minus that of the first; None where that is undefined.
    """

    text: str
    label: Label
    prior: dict[Label, float]
    log_prior: dict[Label, float]
    terms: list[Evidence]
    unknown: list[str]
    unknown_spans: list[Span]
    scores: dict[Label, float]
    posterior: dict[Label, float]
    log_odds: float | None

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
            "terms": [
                {
                    "term": e.term,
                    "count": e.count,
                    "spans": [list(span) for span in e.spans],
                    "likelihood": np.exp(e.log_likelihoods).tolist(),
                    "fractions": [list(pair) for pair in e.fractions.values()],
                    "contribution": [finite_or_none(value) for value in (e.count * e.log_likelihoods).tolist()],
                }
                for e in self.terms
            ],
            "unknown": self.unknown,
            "unknown_spans": [list(span) for span in self.unknown_spans],
            "scores": [finite_or_none(self.scores[c]) for c in classes],
            "posterior": [self.posterior[c] for c in classes],
            "log_odds": finite_or_none(self.log_odds),
        }

    def __str__(self) -> str:
        from likely.report import explanation_text

        return explanation_text(self)

    def _repr_html_(self) -> str:
        from likely.report import explanation_html

        return explanation_html(self)


def explain(counts: Counts, classes: Classes, rules: Rules, text: str, joint: Array) -> Explanation:
    """Explain the scores of a text, a row of one: same counts, same formulas, and the same sum word by word."""
    spans: dict[str, list[Span]] = {}
    for found_term in counts.analyzer.terms(text):
        spans.setdefault(found_term.term, []).append((found_term.start, found_term.end))
    ids = counts.find(list(spans))
    known = [term for term, id_ in zip(spans, ids, strict=True) if id_ != UNKNOWN]
    unknown = [term for term, id_ in zip(spans, ids, strict=True) if id_ == UNKNOWN]
    found = counts.rows(ids[ids != UNKNOWN], classes.columns, documents=rules.presence)
    logs = classes.base + log_delta(found, rules.alpha)
    above, below = smoothed_fraction(found, classes.tokens, counts.native.terms, rules.alpha)
    times = [1 if rules.presence else len(spans[term]) for term in known]
    evidence = [
        Evidence(term, count, spans[term], classes.labels, log, numerators, below)
        for term, count, log, numerators in zip(known, times, logs, above, strict=True)
    ]
    posterior = np.exp(log_posterior(joint, classes.log_prior))[0]
    return Explanation(
        text=text,
        label=classes.labels[int(possible(joint, classes.log_prior)[0].argmax())],
        prior=by_class(classes.labels, np.exp(classes.log_prior)),
        log_prior=by_class(classes.labels, classes.log_prior),
        terms=evidence,
        unknown=unknown,
        unknown_spans=sorted(span for term in unknown for span in spans[term]),
        scores=by_class(classes.labels, joint[0]),
        posterior=by_class(classes.labels, posterior),
        log_odds=_log_odds(joint[0].tolist()),
    )


def by_class(labels: list[Label], values: Any) -> dict[Label, float]:
    """Values, one a class, by class."""
    return {label: float(value) for label, value in zip(labels, values, strict=True)}


def _log_odds(scores: list[float]) -> float | None:
    if len(scores) != 2 or scores[0] == scores[1] == -math.inf:
        return None
    return scores[1] - scores[0]
