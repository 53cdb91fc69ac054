"""`Explanation`: why a text gets its class. The prior and the contribution of each term add up to the score."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.core.counts import UNKNOWN
from likely.core.scorer import Answers, Scored, Scorer, score_shift
from likely.core.terms import term_values
from likely.core.variants import LEARNED
from likely.drawing import draw
from likely.errors import OptionError
from likely.explanation.words import read_terms, spelled
from likely.formulas import finite_or_none, log_posterior, smoothed_fraction
from likely.labels import ClassPlaces
from likely.terminal import WIDTH, cut, cut_apart, display_width, percent, printable
from likely.types import Array, Change, ExplanationDocument, Ids, Label, TermDocument

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.core.analyzer import Term
    from likely.core.decisions import Threshold
    from likely.core.weights import ModelView, WeighedClasses
    from likely.explanation.arithmetic import LogBase


LARGEST = 700.0
"""About the logarithm of the largest float, and that of the smallest one with the opposite sign."""


@dataclass(frozen=True)
class Contrast:
    """A term of a text, and by how much it multiplies the odds of one class against another.

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
        """By how much the term multiplies the odds of the first class against the second; it may be infinite."""
        return math.inf if self.log_ratio > LARGEST else math.exp(self.log_ratio)


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
    counts : array
        How often it was learned in each class; for complement variants in all other classes.
    numerators, denominators : array
        P(term|class) as fractions of counts; for complement variants P(term|all other classes).
    """

    term: str
    word: str
    count: int
    weight: float
    spans: list[Span]
    written: list[str]
    classes: list[Label]
    log_likelihoods: Array
    counts: Array
    numerators: Array
    denominators: Array

    @cached_property
    def likelihood(self) -> dict[Label, float]:
        """P(term|class) of each class; for complement variants P(term|all other classes)."""
        return {label: above / below if below else 0.0 for label, (above, below) in self.fractions.items()}

    @cached_property
    def fractions(self) -> dict[Label, tuple[float, float]]:
        """The same as numerator and denominator."""
        pairs = zip(self.numerators.tolist(), self.denominators.tolist(), strict=True)
        return dict(zip(self.classes, pairs, strict=True))

    @cached_property
    def contribution(self) -> dict[Label, float]:
        """What the term adds to the score of each class: its value times log P(term|class)."""
        return by_class(self.classes, self.weight * self.log_likelihoods)


@dataclass(frozen=True)
class Explanation:
    """The reasons why a text gets its class.

    Attributes
    ----------
    text : str
        The text.
    label : str, int or bool
        The predicted class: the most probable one, unless a threshold decides.
    prior : dict
        P(class).
    log_prior : dict
        Its logarithm.
    lacking : dict
        A further summand of the score of each class: for bernoulli the sum of log(1 - p) over all terms, for nbsvm
        the learned bias minus the log-prior, else 0.
    terms : list of Evidence
        The known terms, in order of appearance.
    unknown : list of str
        The terms of the text that were never learned, in order of appearance: they do not change the score.
    unknown_words : list of str
        The same terms as the text has them.
    ignored : list of str
        The words that were learned, but have no weight: the options leave them out, or tf-idf weighs them with 0.
    unknown_spans : list of (int, int)
        The start and the end of each occurrence of all these terms.
    scores : dict
        The score of each class: the log-prior plus ``lacking`` plus all contributions.
    posterior : dict
        P(class|text) from the scores, not calibrated.
    calibrated : dict or None
        The calibrated P(class|text), if the model is calibrated.
    variant : str
        The variant of naive Bayes.
    alpha : float
        The smoothing.
    vocabulary : float
        The number of kept terms ``|V|``.
    totals : dict
        N_c: the number of tokens of each class; for bernoulli its documents, for complement variants the tokens of
        all other classes.
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
    shift : dict or None
        What was added to the scores because the prior was changed after the calibration, which is for the old one.
    predict : callable
        What the model answers about other texts; not part of the data.
    """

    text: str
    label: Label
    prior: dict[Label, float]
    log_prior: dict[Label, float]
    lacking: dict[Label, float]
    terms: list[Evidence]
    unknown: list[str]
    unknown_words: list[str]
    ignored: list[str]
    unknown_spans: list[Span]
    scores: dict[Label, float]
    posterior: dict[Label, float]
    calibrated: dict[Label, float] | None
    variant: str
    alpha: float
    vocabulary: float
    totals: dict[Label, float]
    known: float
    class_weight: dict[Label, float] | None
    thresholds: dict[Label, float]
    abstains: bool
    factor: float
    shift: dict[Label, float] | None
    predict: Callable[[list[str]], Answers] | None = field(repr=False, compare=False)

    def __getstate__(self) -> dict[str, object]:
        """Without the model: what its answers would be is asked before."""
        return {**vars(self), "change": self.change, "predict": None}

    @property
    def probabilities(self) -> dict[Label, float]:
        """P(class|text), which decides the class. It is calibrated if the model is."""
        return self.posterior if self.calibrated is None else self.calibrated

    @property
    def most_probable(self) -> Label:
        """The most probable class; of equally probable classes the predicted one, if it is among them."""
        best = max(self.probabilities, key=self.probabilities.__getitem__)
        return self.label if self.probabilities[self.label] == self.probabilities[best] else best

    @property
    def is_by_threshold(self) -> bool:
        """Whether a threshold decided, so that the predicted class is not the most probable one."""
        return self.label != self.most_probable

    @property
    def classes(self) -> list[Label]:
        """The classes, sorted."""
        return list(self.scores)

    @property
    def log_odds(self) -> float | None:
        """The score of the predicted class minus that of its rival; None if that is not defined."""
        rival = self.rival
        if rival is None or self.scores[self.label] == self.scores[rival] == -math.inf:
            return None
        return self.scores[self.label] - self.scores[rival]

    @property
    def has_weights(self) -> bool:
        """Whether terms have weights that are not logarithms of probabilities in their class (nbsvm, complement)."""
        return self.variant == LEARNED or self.variant.startswith("complement")

    @property
    def is_impossible(self) -> bool:
        """Whether the text is impossible in every class (``alpha=0``), so that its scores say nothing."""
        return max(self.scores.values()) == -math.inf

    @cached_property
    def change(self) -> Change | None:
        """The fewest words without which the text would get another class; None if a few do not suffice."""
        return None if self.predict is None else change_of(self, self.predict)

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
        '+, 54.0%: "good" x1.9 and the prior x2 outweigh "dull" x3.2'
        """
        reasons = _reasons(self, self.label, self.rival)
        return _fitting(lambda longest, *most: f"{_decision_summary(self, longest)}{reasons(longest, *most)}")

    def contrast(self, a: Label, b: Label) -> list[Contrast]:
        """How strongly each known term speaks for class ``a`` against class ``b``, strongest first.

        Equally strong terms are in the order of the text. The numbers are calibrated if the model is: multiplied with
        each other and with those of `beside`, they give the odds of the two classes.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> found = NaiveBayes().fit(["so good", "good fun", "dull"], ["+", "+", "-"]).explain("good, not dull")
        >>> [(each.term, round(each.ratio, 2)) for each in found.contrast("+", "-")]
        [('dull', 0.31), ('good', 1.88)]
        """
        places = ClassPlaces(self.classes)
        first, second = places.of(a), places.of(b)
        found = []
        for each in self.terms:
            one, other = (each.weight * float(each.log_likelihoods[at]) for at in (first, second))
            ratio = self.factor * _difference(one, other)
            found.append(Contrast(each.term, each.word, each.count, ratio, each.spans))
        return sorted(found, key=lambda each: -abs(each.log_ratio))

    def beside(self, a: Label, b: Label) -> dict[str, float]:
        """What decides between two classes beside the known terms: the log-ratios of the prior and of what is absent.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> found = NaiveBayes().fit(["so good", "good fun", "dull"], ["+", "+", "-"]).explain("good, not dull")
        >>> {name: round(math.exp(ratio), 2) for name, ratio in found.beside("+", "-").items()}
        {'prior': 2.0}
        """
        priors, lacking = ({label: values[label] for label in (a, b)} for values in (self.log_prior, self.lacking))
        after = 0.0
        if self.shift is not None:
            after = _difference(self.shift[a], self.shift[b])
            priors = {label: value - self.shift[label] for label, value in priors.items()}
        if self.variant == LEARNED:
            bias = _difference(*(priors[label] + lacking[label] for label in (a, b)))
            found = {"bias": self.factor * bias}
        else:
            found = {"prior": self.factor * _difference(priors[a], priors[b])}
            if any(self.lacking.values()):
                found["absent words"] = self.factor * _difference(lacking[a], lacking[b])
        return found | ({"new prior": after} if self.shift is not None else {})

    def describe(
        self,
        *,
        top: int | None = None,
        arithmetic: bool | None = None,
        contrast: tuple[Label, Label] | None = None,
        log_base: LogBase = "e",
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
        log_base : "e", 2 or 10
            The base of the logarithms.

        Examples
        --------
        >>> from likely import NaiveBayes
        >>> found = NaiveBayes().fit(["so good", "good fun", "dull"], ["+", "+", "-"]).explain("good, not dull")
        >>> print(found.describe(arithmetic=False).splitlines()[0])
        +, 54.0%: "good" x1.9 and the prior x2 outweigh "dull" x3.2
        """
        from likely.explanation.arithmetic import MOST_FACTORS, Arithmetic

        if arithmetic is None:
            arithmetic = not top and len(self.classes) <= MOST_CLASSES and len(self.terms) <= MOST_FACTORS
        if str(log_base) not in ("e", "2", "10"):
            raise OptionError(f"log_base={log_base!r} is not allowed: log_base must be 'e', 2 or 10")
        a, b = contrast or (self.label, self.rival)
        form = Arithmetic(self, a, b, list(contrast or shown_classes(self)), log_base)
        return "\n\n".join([self.summary, form.text(None if arithmetic else top or MOST_LISTED)])

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
    if isinstance(value, Change):
        return {name: _plain(each, classes) for name, each in vars(value).items()}
    if isinstance(value, Evidence):
        return {name: _plain(getattr(value, name), classes) for name in _OF_TERM}
    return value


def _difference(one: float, other: float) -> float:
    """The difference of two logarithms; 0 if both are minus infinity."""
    return 0.0 if one == other else one - other


def explain(moment: ModelView, text: str, scorer: Scorer, threshold: Threshold | None = None) -> Explanation:
    """The explanation of the scores of a text; the model abstains if they do not reach the threshold."""
    scored, classes, rules = scorer.of_text(text), scorer.classes, moment.rules
    analyzer, labels = moment.counts.analyzer, classes.labels
    text = analyzer.prepared(text)
    evidence, without = evidence_of(moment, classes, text)
    # A term that its weighting ignores is known; one that an option leaves out is as good as unknown.
    learned = (moment.counts.find([place.term for place, *_ in without]) != UNKNOWN) & rules.tfidf
    unknown = [places[0] for places, is_learned in zip(without, learned, strict=True) if not is_learned]
    ignored = [places[0] for places, is_learned in zip(without, learned, strict=True) if is_learned]
    shift = None if scorer.prior is None else score_shift(classes, scorer.prior)
    log_prior = classes.log_prior if shift is None else classes.finite_log_prior + shift
    posterior = np.exp(log_posterior(scored.joint[None, :], log_prior))[0]
    return Explanation(
        text=text,
        label=labels[scored.place],
        prior=by_class(labels, np.exp(log_prior)),
        log_prior=by_class(labels, log_prior),
        lacking=by_class(labels, classes.lacking),
        terms=evidence,
        unknown=[place.term for place in unknown],
        unknown_words=[spelled(analyzer, place.term, place, text) for place in unknown],
        ignored=[spelled(analyzer, place.term, place, text) for place in ignored],
        unknown_spans=sorted((each.start, each.end) for places in without for each in places),
        scores=by_class(labels, scored.joint),
        posterior=by_class(labels, posterior),
        calibrated=None if scored.probabilities is None else by_class(labels, scored.probabilities),
        variant=rules.variant,
        alpha=rules.alpha,
        vocabulary=float(classes.totals.size),
        totals=by_class(labels, _totals(classes)),
        known=scored.known,
        class_weight=None if classes.factors is None else by_class(labels, classes.factors),
        thresholds=scored.thresholds,
        abstains=threshold is not None and _is_unsure(threshold, scored, posterior),
        factor=scored.factor,
        shift=None if shift is None else by_class(labels, shift),
        predict=lambda texts: replace(scorer, doubt=None, warns=False).answers(texts, threshold=threshold),
    )


def evidence_of(moment: ModelView, classes: WeighedClasses, text: str) -> tuple[list[Evidence], list[list[Term]]]:
    """The terms of a text that have weights, and the places of those that have none."""
    places, analyzer = _places(moment, text), moment.counts.analyzer
    found = classes.terms.find(list(places))
    known = [term for term, id_ in zip(places, found, strict=True) if id_ != UNKNOWN]
    without = [places[term] for term, id_ in zip(places, found, strict=True) if id_ == UNKNOWN]
    ids = found[found != UNKNOWN]
    times = np.array([len(places[term]) for term in known], np.float64)
    counts, fractions = _learned(classes, ids)
    weights = _weights(times, classes, ids).tolist()
    of_terms = zip(known, weights, classes.weigh_terms(ids), counts, *fractions, strict=True)
    evidence = [
        Evidence(
            term=term,
            word=spelled(analyzer, term, places[term][0], text),
            count=1 if moment.rules.presence else len(places[term]),
            weight=weight,
            spans=[(place.start, place.end) for place in places[term]],
            written=sorted({place.term for place in places[term]} - {term}),
            classes=classes.labels,
            log_likelihoods=logs,
            counts=counts,
            numerators=above,
            denominators=below,
        )
        for term, weight, logs, counts, above, below in of_terms
    ]
    return evidence, without


def _totals(classes: WeighedClasses) -> Array:
    """N_c: the tokens of each class, its documents (bernoulli), or the tokens of all other classes (complement)."""
    variant, totals = classes.variant, classes.totals
    tokens = totals.other_tokens if variant.is_complement else totals.tokens
    return totals.documents if variant.counts_absence else tokens


def _learned(classes: WeighedClasses, ids: Ids) -> tuple[Array, tuple[Array, Array]]:
    """The counts of terms per class (one row per term), and P(term|class) as fractions."""
    variant, terms = classes.variant, classes.terms
    counts = (terms.rows_of_others if variant.is_complement else terms.rows)(ids, classes.live.numbers)
    size = 2 if variant.counts_absence else classes.totals.size
    above, below = smoothed_fraction(counts, _totals(classes), size, variant.alpha)
    return counts, (above, np.broadcast_to(below, above.shape))


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


def contrast_by_character(explanation: Explanation, a: Label, b: Label) -> Array:
    """One number per character: by how much the terms at this place favour class ``a`` over class ``b``.

    A term that is infinitely stronger in one of the classes counts as `LARGEST`.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good", "dull"], ["+", "-"])
    >>> contrast_by_character(model.explain("so good"), "+", "-").round(2).tolist()
    [0.0, 0.0, 0.0, 0.69, 0.69, 0.69, 0.69]
    """
    steps = np.zeros(len(explanation.text) + 1)
    for each in explanation.contrast(a, b):
        height = min(max(each.log_ratio, -LARGEST), LARGEST) / len(each.spans)
        for start, end in each.spans:
            steps[start] += height
            steps[end] -= height
    found: Array = np.cumsum(steps)[:-1]
    return np.where(np.abs(found) < 1e-12 * np.abs(steps).max(initial=0.0), 0.0, found)


MOST_REMOVED, MOST_RIVALS, MOST_ASKED = 15, 3, 200_000
"""At most this many words are removed, in favour of this many classes, and the model reads this many characters."""


def change_of(explanation: Explanation, predict: Callable[[list[str]], Answers]) -> Change | None:
    """The fewest words without which the text gets another class; see `Explanation.change`.

    Scores are sums, so the words that speak most for the answer against another class are the fewest that can turn
    it. Without a word its phrases are gone too, and new ones may arise, so the model is asked about what is left.
    """
    text, shares = explanation.text, explanation.probabilities
    rivals = sorted(
        (each for each in explanation.classes if each != explanation.label), key=lambda each: -shares[each]
    )
    tries: list[list[Evidence]] = []
    for rival in rivals[:MOST_RIVALS]:
        speaking = _speaking(explanation, rival)
        tries += [speaking[:number] for number in range(1, len(speaking) + 1)]
    tries = sorted(tries, key=len)[: MOST_ASKED // max(len(text), 1)]
    if not tries:
        return None
    spans = [sorted(span for each in removed for span in each.spans) for removed in tries]
    found = predict([_without(text, each) for each in spans])
    for at, label in enumerate(found.labels[:, 0].tolist()):
        if label != explanation.label and found.places[at] >= 0:
            return Change([each.word for each in tries[at]], spans[at], label, float(found.probabilities[at, 0]))
    return None


def _speaking(explanation: Explanation, rival: Label) -> list[Evidence]:
    """The terms without a shorter term in them that speak for the answer against a rival, strongest first."""
    shortest, end = set[Span](), math.inf
    found = {span for each in explanation.terms for span in each.spans}
    for span in sorted(found, key=lambda span: (-span[0], span[1])):
        if span[0] < span[1] < end:  # the space around a word is an empty place at the ends of a text
            shortest.add(span)
            end = span[1]
    of_places = contrast_by_character(explanation, explanation.label, rival)
    parts = [each for each in explanation.terms if each.spans and shortest.issuperset(each.spans)]
    worth = {each.term: sum(float(of_places[start]) for start, _ in each.spans) for each in parts}
    speaking = sorted((each for each in parts if worth[each.term] > 0), key=lambda each: -worth[each.term])
    return speaking[:MOST_REMOVED]


def _without(text: str, spans: list[Span]) -> str:
    """The text without some places, which are sorted."""
    kept, at = "", 0
    for start, end in spans:
        kept += text[at:start]
        at = max(at, end)
    return kept + text[at:]


MOST_SHOWN = 6
"""At most this many classes are shown, the most probable ones."""


def shown_classes(explanation: Explanation) -> list[Label]:
    """The classes that are shown: the predicted one, its rival, then the most probable others."""
    first = [label for label in (explanation.label, explanation.rival) if label is not None]
    ranked = sorted(explanation.classes, key=lambda label: -explanation.posterior[label])
    return list(dict.fromkeys([*first, *ranked]))[:MOST_SHOWN]


def spread(evidence: Evidence, classes: list[Label]) -> float:
    """How far a term separates the classes: its largest contribution minus its smallest one."""
    values = [evidence.contribution[label] for label in classes]
    return _difference(max(values), min(values))


def undecided(explanation: Explanation) -> str:
    """What decides if no word does."""
    if explanation.is_impossible and explanation.calibrated is not None:
        return "so all classes are equally probable"
    if explanation.variant == LEARNED:
        return "so the learned bias decides"
    absent = not explanation.is_impossible and any(explanation.lacking.values())
    return "so the prior and the absent words decide" if absent else "so the prior decides"


def threshold_lines(explanation: Explanation) -> list[str]:
    """Whether the predicted class and the most probable one reach their thresholds: a line for each that has one."""
    lines, labels = [], dict.fromkeys((explanation.label, explanation.most_probable))
    for label in filter(explanation.thresholds.__contains__, labels):
        threshold, probability = explanation.thresholds[label], explanation.probabilities[label]
        reaches = "reaches" if probability >= threshold else "does not reach"
        name = cut(printable(label), LONGEST_TERM)
        lines.append(f"{name}: {probability:.4g} {reaches} its threshold {threshold:.4g}")
    return lines


LONGEST_TERM = 24
"""Longer terms are cut, in columns of a terminal."""
LONGEST_WORD = 20
"""Longer words are cut, in columns of a terminal."""
FORMS = (
    *((24, 3, 2), (24, 3, 1), (16, 3, 1), (24, 2, 1), (16, 2, 1), (12, 2, 1)),
    *((12, 2, 0), (12, 1, 1), (12, 1, 0), (8, 1, 0), (8, 0, 0)),
)
"""The longest label, and the numbers of terms for and against the decision: the first that fit one line."""
NOTICEABLE = math.log(1.005)
"""A term that multiplies the odds by less than 1.005 says nothing."""
CLOSE = 0.01
"""Of more than two classes, the next one is named if its probability is at least this."""
MOST_TIMES = 1e6
"""Larger ratios are not told apart."""


def _fitting(line: Callable[[int, int, int], str]) -> str:
    """The first of the lines that fits."""
    lines = (line(*shown) for shown in FORMS)
    return next((each for each in lines if display_width(each) <= WIDTH), cut(line(*FORMS[-1]), WIDTH))


def _reasons(explanation: Explanation, a: Label, b: Label | None) -> Callable[[int, int, int], str]:
    """What speaks most for class ``a`` against class ``b``, and most against it, as the end of a line of a form.

    It is the strongest terms, and the prior (or the absent words, or the learned bias) where it matters: if it turns
    the decision, or is stronger than every term on its side.
    """
    if b is None:
        return lambda *_: ": it is the only class"
    if explanation.is_impossible:
        return lambda *_: f": every class is impossible (alpha=0), {undecided(explanation)}"
    if not explanation.terms:
        what = "known" if explanation.unknown or not explanation.ignored else "counted"
        return lambda *_: f": no word of the text is {what}, {undecided(explanation)}"
    found, sides = explanation.contrast(a, b), explanation.beside(a, b)
    speaking = apart([each for each in found if each.log_ratio >= NOTICEABLE], FORMS[0][1])
    contrary = apart([each for each in found if each.log_ratio <= -NOTICEABLE], FORMS[0][2])
    after = 0.0 if explanation.shift is None else _difference(explanation.shift[a], explanation.shift[b])
    total = explanation.factor * (_difference(explanation.scores[a], explanation.scores[b]) - after) + after
    turns = {name for name, ratio in sides.items() if ratio >= NOTICEABLE and total > 0 and not total - ratio > 0}
    told: tuple[list[str], list[str]] = [], []
    for name, ratio in sides.items():
        strongest = max((abs(each.log_ratio) for each in (speaking if ratio > 0 else contrary)), default=0.0)
        if name in turns or abs(ratio) >= max(NOTICEABLE, strongest):
            told[ratio < 0].append(f"the {name} {times_text(ratio)}".rstrip())

    def line(longest: int, most: int, against: int) -> str:
        words = ", ".join(_reason(each, cut(printable(b), longest)) for each in speaking[:most])
        opposed = " and ".join(
            filter(None, [", ".join(_reason(each, "it") for each in contrary[:against]), *told[1]])
        )
        reasons = " and ".join(filter(None, [words, *told[0]]))
        if not reasons:
            return f", against {opposed}" if opposed else ""
        are_many = " and " in reasons or "the absent words" in reasons
        verb = "against" if not turns else "outweigh" if are_many else "outweighs"
        return f": {reasons} {verb} {opposed}" if opposed else f": {reasons}"

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
    """A term in quotes and by how much it multiplies the odds of its class against the other one."""
    word = cut(printable(found.word), LONGEST_WORD)
    times = times_text(found.log_ratio)
    return f'"{word}" {times}' if times else f'"{word}" (impossible in {other})'


def times_text(log_ratio: float) -> str:
    """By how much a term multiplies the odds of the class that it speaks for; '' if another class is impossible.

    Examples
    --------
    >>> times_text(2.485), times_text(-0.75), times_text(0.03), times_text(50.0), times_text(float("inf"))
    ('x12', 'x2.1', 'x1.03', 'x1,000,000 or more', '')
    """
    if math.isinf(log_ratio):
        return ""
    times = round(math.exp(min(abs(log_ratio), math.log(MOST_TIMES))), 9)  # a tie is one on every page
    if times >= MOST_TIMES * 0.9995:
        return f"x{MOST_TIMES:,.0f} or more"
    if times < 1.05:
        return f"x{times:.{4 if times < 1.005 else 2}f}"
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
MOST_LISTED = 10
"""At most this many terms are in the table."""
