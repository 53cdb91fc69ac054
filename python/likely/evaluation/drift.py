"""`Drift`: whether texts have moved away from the training data of a model, by checks with stated bounds."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from likely import _native
from likely.arrow_data import listed_texts
from likely.core.calibration import ENOUGH, CalibrationRecord
from likely.core.counts import UNKNOWN, Counts
from likely.core.shift import DEVIATIONS, MORE_UNKNOWN, SeenTexts, Shift, ShiftWatch, SpreadTexts
from likely.errors import ArgumentError, OptionError
from likely.evaluation.intervals import SEED, Interval, percentiles
from likely.evaluation.measures import Combinations
from likely.explanation.words import STEM_NOTE, marked
from likely.formulas import log_likelihood_ratio, total_variation
from likely.labels import ClassPlaces, python_labels, unequal
from likely.options.reading import OF_LEARNING, reading_of
from likely.reading.columns import LABEL_NAMES
from likely.reading.corpus import Corpus
from likely.terminal import counted, cut, percent, printable, table, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from likely.core.weights import ModelView
    from likely.types import Array, Ids, Labels, Model, Plain, Prior, Source, TextRows, Texts


MOVED_TERMS = 0.02
"""Drift if more than this share of the tested terms has moved. In random halves of twelve corpora, it is at most
0.004; in test data of a later time or about other things, 0.03 to 0.39; in other corpora, 0.5 to 0.9."""
FEWEST_MOVED = 5
"""Drift only if at least this many terms have moved: a few may be one phrase."""
OTHER_ESTIMATED_SHARES = 0.2
"""Drift if the estimated shares of the classes are further than this from the training data (total variation)."""
OTHER_GOLD_SHARES = 0.1
"""The same for the shares of the gold labels, which are known and not estimated."""
REPLICATES = 2_000
"""The number of simulated data sets that say what chance gives."""
RARELY = 0.999
"""Chance alone exceeds a bound less often than this leaves: once in a thousand times."""
_FEW = "there are too few texts, so chance alone could explain any value"
MOST_DRAWN, FEWEST_REPLICATES = 1 << 23, 1_000
"""With many classes, fewer data sets are simulated: at most this many numbers, but at least this many data sets."""
LESS_ACCURATE = 0.05
"""Drift if the accuracy is lower than expected by more than this."""


class Check(NamedTuple):
    """One question to the data."""

    name: str
    found: float | None
    """What was found; None if the question cannot be answered."""
    expected: float | None
    """What is expected of texts like the training data; None if it is not known."""
    bound: float | None
    """There is drift if what was found is beyond this; None if it was not judged."""
    is_drifted: bool
    note: str
    """What the numbers are, or why there are none."""


@dataclass(frozen=True)
class MovedTerm:
    """A term that is more or less frequent than in the training data.

    Attributes
    ----------
    term : str
        The term.
    word : str
        The same term for people: a stem is marked.
    now, before : float
        The share of the documents that contain it, in the data and in the training data.
    z : float
        The signed root of the log-likelihood ratio G2 (Dunning 1993), which is about normal: above 0 if the term is
        more frequent now.
    """

    term: str
    word: str
    now: float
    before: float
    z: float


@dataclass(frozen=True)
class MovedTerms:
    """The terms of a sample of the data against the training data's terms.

    Attributes
    ----------
    documents : int
        The number of documents of the sample.
    tested, moved : int
        The number of terms that are frequent enough to tell, and of those that have moved.
    top : list of MovedTerm
        The terms that have moved most, by ``z``.
    """

    documents: int
    tested: int
    moved: int
    top: list[MovedTerm]

    @property
    def share(self) -> float | None:
        """The share of the tested terms that have moved."""
        return self.moved / self.tested if self.tested else None


@dataclass(frozen=True, eq=False)
class Drift:
    """Whether texts have moved away from the training data.

    Attributes
    ----------
    shift : Shift
        The share of unknown terms, and the estimated shares of the classes.
    intervals : list of Interval or None
        The 95% interval of the estimated share of each class.
    terms : MovedTerms or None
        The terms that are more or less frequent than in training; None if the terms of the model have no names.
    gold_shares : array or None
        The share of each class among the gold labels, if there are labels; the rest are labels unknown to the model.
    accuracy : GoldAccuracy or None
        The accuracy, if there are labels.
    """

    shift: Shift
    intervals: list[Interval] | None
    terms: MovedTerms | None
    gold_shares: Array | None = None
    accuracy: GoldAccuracy | None = None

    @property
    def is_drifted(self) -> bool:
        """Whether one of the checks found drift."""
        return any(check.is_drifted for check in self.checks)

    @property
    def checks(self) -> list[Check]:
        """The checks, each with what was found and its bound; with fewer than 30 documents, nothing is judged."""
        labelled = [] if self.accuracy is None else [self.accuracy.check()]
        checks = [self._unknown(), self._classes(), self._moved(), *labelled]
        if self.shift.documents >= ENOUGH:
            return checks
        return [Check(each.name, None, each.expected, None, False, f"not judged: {_FEW}") for each in checks]

    def _unknown(self) -> Check:
        found, usual = self.shift.unknown, self.shift.usual
        if found is None or usual is None:
            why = "the texts have no terms" if found is None else "terms were dropped from the model"
            return Check("unknown terms", found, usual, None, False, f"not known: {why}")
        chance = DEVIATIONS * math.sqrt(usual * (1 - usual) / max(self.shift.terms, 1))
        bound = usual + max(MORE_UNKNOWN, chance)
        if bound >= 1:
            return Check("unknown terms", found, usual, None, False, f"not judged: {_FEW}")
        return Check("unknown terms", found, usual, bound, found > bound, "share of all terms")

    def _classes(self) -> Check:
        name = "class shares"
        if self.gold_shares is not None:
            strange = max(0.0, 1 - float(self.gold_shares.sum()))
            distance = total_variation(np.append(self.gold_shares, strange), np.append(self.shift.expected, 0.0))
            bound = max(OTHER_GOLD_SHARES, distance_by_chance(self.shift.expected, self.shift.documents))
            others = f"; {percent(strange)} of the labels are not classes of the model" if strange > 1e-9 else ""
            note = f"distance of the gold labels' shares{others}"
            return Check(name, distance, 0.0, bound, distance > bound, note)
        found = self.shift.distance
        if found is None or not self.shift.is_calibrated:
            why = "no text has a known term" if found is None else "the model is not calibrated"
            return Check(name, found, 0.0, None, False, f"not judged: {why}")
        drifted = self.shift.significant and found > OTHER_ESTIMATED_SHARES
        note = "distance of the estimated shares" + ("" if self.shift.significant else ", which may be chance")
        return Check(name, found, 0.0, OTHER_ESTIMATED_SHARES, drifted, note)

    def _moved(self) -> Check:
        name, found = "moved terms", self.terms
        if found is None:
            return Check(name, None, None, None, False, "not known: the terms of the model have no names")
        if found.share is None:
            return Check(name, None, None, None, False, "not known: too few documents")
        bound = max(MOVED_TERMS, (FEWEST_MOVED - 1) / found.tested)
        if bound >= 1:
            return Check(name, found.share, 0.0, None, False, f"not judged: only {found.tested:,} frequent terms")
        return Check(name, found.share, 0.0, bound, found.share > bound, f"share of {found.tested:,} frequent terms")

    def to_dict(self) -> Plain:
        """All findings as plain data, ready for JSON."""
        shift = self.shift
        return {
            "documents": shift.documents,
            "is_drifted": self.is_drifted,
            "checks": [check._asdict() for check in self.checks],
            "unknown": shift.unknown,
            "usual": shift.usual,
            "classes": [self.class_shares(at) for at in range(len(shift.labels))],
            "terms": None if self.terms is None else {**asdict(self.terms), "share": self.terms.share},
            "accuracy": None if self.accuracy is None else asdict(self.accuracy),
        }

    def class_shares(self, at: int) -> Plain:
        """The label of a class, by its place, and its shares: expected, estimated, of the gold labels."""
        shift = self.shift
        return {
            "label": shift.labels[at],
            "expected": float(shift.expected[at]),
            "estimated": None if shift.shares is None else float(shift.shares[at]),
            "interval": None if self.intervals is None else asdict(self.intervals[at]),
            "gold": None if self.gold_shares is None else float(self.gold_shares[at]),
        }

    def __str__(self) -> str:
        if self.shift.documents < ENOUGH:
            return f"{counted(self.shift.documents, 'document')}: too few yet to tell (at least {ENOUGH})."
        parts = [_verdict(self), _checks(self.checks), _classes(self)]
        if self.terms is not None and self.terms.top:
            parts.append(_terms(self.terms.top[:MOST_PRINTED_TERMS], self.terms.documents))
        return "\n\n".join(parts)


def distance_by_chance(expected: Array, documents: int) -> float:
    """The distance that the shares of this many documents exceed once in a thousand times by chance.

    Examples
    --------
    >>> round(distance_by_chance(np.array([0.5, 0.5]), 1000), 2)
    0.05
    """
    replicates = max(MOST_DRAWN // len(expected), FEWEST_REPLICATES)
    drawn = np.random.default_rng(SEED).multinomial(documents, expected, min(REPLICATES, replicates))
    distances = np.abs(drawn / documents - expected).sum(axis=1) / 2
    return float(np.quantile(distances, RARELY))


@dataclass(frozen=True)
class GoldAccuracy:
    """The accuracy on labelled texts, and the expected accuracy.

    Attributes
    ----------
    documents : int
        The number of documents.
    accuracy : float
        The share of the documents whose prediction is the gold label.
    expected : float or None
        The accuracy of the model on learned documents, each judged by a model without it; None if it is not known.
    judged : int
        The number of documents that the expected accuracy was measured on.
    """

    documents: int
    accuracy: float
    expected: float | None
    judged: int

    def check(self) -> Check:
        """Whether the accuracy is lower than expected."""
        expected = self.expected
        if expected is None:
            return Check("accuracy", self.accuracy, None, None, False, "not judged: the model does not know its own")
        variance = expected * (1 - expected) * (1 / self.documents + 1 / max(self.judged, 1))
        bound = expected - max(LESS_ACCURATE, DEVIATIONS * math.sqrt(variance))
        return Check("accuracy", self.accuracy, expected, bound, self.accuracy < bound, "of the gold labels")


FEWEST_DOCUMENTS = 5
"""A term is tested if this many documents with it would be expected on both sides, if nothing had changed."""
MOVED_DEVIATIONS = 3.29
"""A term has moved if chance alone would move it as far once in a thousand times: standard deviations."""
NEW_DEVIATIONS = 5.5
"""A term that is too rare to be tested is counted and listed all the same if it is this much more frequent now: among
ten million rare terms, chance alone would make less than one so frequent."""
FACTOR = 1.5
"""A term has moved only if it is at least this many times as frequent, or as rare, as before."""
MOST_LISTED = 20
"""At most this many terms are listed."""
_LEAST = 1e-300


def moved_terms(moment: ModelView, texts: list[str], threads: int, n: int = MOST_LISTED) -> MovedTerms | None:
    """The terms of texts whose document frequencies differ most from those of the learned documents.

    Of a model with n-grams, only single words are tested. Documents are counted, not occurrences: a term that occurs
    often in one document says little about the others.
    None if terms have no names (``hash_bits``).
    """
    counts = moment.counts
    if counts.analyzer.hash_bits:
        return None
    if not texts:
        return MovedTerms(0, 0, 0, [])
    learned = math.fsum(counts.totals().documents)
    terms, now, before = _frequencies(counts, texts, learned, threads)
    here, there = float(len(texts)), learned
    z = signed_root(now, before, here, there)
    is_frequent = (now + before) / (here + there) * min(here, there) >= FEWEST_DOCUMENTS
    tested = is_frequent | ((now >= FEWEST_DOCUMENTS) & (z > NEW_DEVIATIONS))
    now, before, z = now[tested], before[tested], z[tested]
    names = [term for term, is_tested in zip(terms, tested.tolist(), strict=True) if is_tested]
    now, before = now / here, before / there
    is_factor = np.maximum(now, before) >= FACTOR * np.minimum(now, before)
    has_moved = (np.abs(z) > MOVED_DEVIATIONS) & is_factor
    order = np.argsort(-np.abs(np.where(has_moved, z, 0)), kind="stable")[: min(n, int(has_moved.sum()))]
    figures = zip(*(each[order].tolist() for each in (now, before, z)), strict=True)
    chosen = [(names[at], marked(counts.analyzer, names[at])) for at in order.tolist()]
    top = [MovedTerm(*named, *each) for named, each in zip(chosen, figures, strict=True)]
    return MovedTerms(len(texts), len(names), int(has_moved.sum()), top)


def _frequencies(counts: Counts, texts: list[str], learned: float, threads: int) -> tuple[list[str], Array, Array]:
    """The terms that may be tested, sorted, and in how many of the texts and of the learned documents each occurs."""
    analyzer = counts.analyzer
    found = _native.Counts.count(analyzer.native, [(analyzer.texts(texts), None, None)], threads)
    # Of a frequent term, at least half of the least number of documents is on one side.
    half = FEWEST_DOCUMENTS * (len(texts) + learned) / min(len(texts), learned) / 2
    here, there = _single(found, found.sorted_ids()), _single(counts.native, counts.sorted_ids())
    terms = set(found.spell(here[found.class_sums(here, True) >= FEWEST_DOCUMENTS]))
    terms.update(counts.native.spell(there[counts.document_frequencies(there) >= half]))
    names = sorted(terms)
    before = counts.find(names)
    is_known = before != UNKNOWN
    if counts.dropped:  # a term that the model does not know may have been dropped from it
        names = [name for name, known in zip(names, is_known.tolist(), strict=True) if known]
        before = before[is_known]
        is_known = is_known[is_known]
    now = found.find(analyzer.native, names)
    numbers = np.zeros((2, len(names)))
    numbers[0, now != UNKNOWN] = found.class_sums(now[now != UNKNOWN], True)
    numbers[1, is_known] = counts.document_frequencies(before[is_known])
    return names, numbers[0], numbers[1]


def _single(counts: _native.Counts, ids: Ids) -> Ids:
    """The ids of the single words, or all ids if terms are not words.

    With n-grams, a single phrase would be many terms.
    """
    single = ids[counts.words_in(ids) == 1]
    return single if len(single) else ids


def signed_root(now: Array, before: Array, here: float, there: float) -> Array:
    """The signed root of G2 for each term: about a standard normal variable if nothing has changed.

    ``now`` of ``here`` documents contain the term, and ``before`` of ``there``.

    Examples
    --------
    >>> signed_root(np.array([20.0, 10.0]), np.array([10.0, 10.0]), 100.0, 100.0).round(2)
    array([2., 0.])
    """
    totals = np.array([[here], [there]])
    with_term = np.stack([now, before])
    parts = [
        log_likelihood_ratio(np.maximum(cells, _LEAST), np.maximum(cells.sum(axis=0), _LEAST), totals, here + there)
        for cells in (with_term, np.maximum(totals - with_term, 0.0))
    ]
    g2 = np.sum(parts, axis=(0, 1))
    z: Array = np.sign(now / here - before / there) * np.sqrt(np.maximum(g2, 0.0))
    return z


MOST_TEXTS = 20_000
"""Terms are counted in at most this many texts, spread evenly over the data."""


def drift_of_texts(
    model: Model,
    texts: Texts | Source,
    labels: Labels | None,
    prior: Prior | None,
    reading: Mapping[str, object],
) -> Drift:
    """The drift of texts, with or without labels, or of a source."""
    if labels is not None or _are_texts(texts):
        rows = listed_texts(cast("Texts", texts))
        return drift_of_batches(model, [(rows, None if labels is None else python_labels(labels))], prior)
    for name in OF_LEARNING:
        if name in reading:
            raise OptionError(f"{name} has no effect on texts that are not learned: leave it out")
    corpus = Corpus(cast("Source", texts), reading_of(reading), labelled=False)
    with corpus.reporting():
        return drift_of_corpus(model, corpus, prior)


def _are_texts(texts: object) -> bool:
    """Whether texts are given, and not a source of them."""
    is_list = isinstance(texts, list | tuple) and bool(texts) and all(isinstance(text, str) for text in texts)
    return is_list or hasattr(texts, "__next__") or isinstance(texts, np.ndarray)


def has_labels(model: Model, corpus: Corpus) -> bool:
    """Whether a source has the labels that the model was trained on; what can be read only once has to be told."""
    reading = corpus.reading
    if reading.label is not None:
        return True
    if not corpus.is_rereadable():
        return False
    corpus.part = "test"
    corpus.expect(model.columns_)
    for reader, _ in corpus.files():
        known = model.columns_.label if model.columns_ is not None else None
        names = LABEL_NAMES if known is None else (known,)
        return any(name in names for name in reader.columns) or reader.format in ("documents", "fasttext")
    return False


def drift_of_corpus(model: Model, corpus: Corpus, prior: Prior | None) -> Drift:
    """The drift of texts that the caller has opened. Their labels are read, if the source has those of the model."""
    corpus.labelled = has_labels(model, corpus)
    classes = model.classes_.tolist()
    corpus.part = "test"
    corpus.expect(model.columns_, classes)
    kind = type(classes[0])
    batches = ((batch.texts, batch.labels_as(kind) if corpus.labelled else None) for batch in corpus)
    return drift_of_batches(model, batches, prior)


def drift_of_batches(model: Model, batches: Iterable[tuple[TextRows, Labels | None]], prior: Prior | None) -> Drift:
    """The drift of texts in batches. A sample of them, and of their probabilities, is kept."""
    scorer, watch = model._scorer().remembering(), model._watch(prior=prior)
    sample, classes = SpreadTexts(MOST_TEXTS), ClassPlaces(scorer.classes.labels)
    pairs = Combinations(classes.labels)
    for texts, labels in batches:
        sample.see(cast("Sequence[str]", texts))
        logs = scorer.answers(texts, prior=prior, watch=watch).log_probabilities
        if labels is not None:
            gold = classes.found(labels)
            if len(gold) != len(logs):
                raise unequal(len(gold), len(logs))
            pairs.add(gold, scorer.decided(logs))
    shift = watch.shift()
    if not shift.documents:
        raise ArgumentError("there are no texts to compare with the training data: give at least one")
    moved = model._ask(moved_terms, sample.texts, model._settle().threads)
    drawn = watch.replicates(SEED)
    intervals = None if drawn is None else [percentiles(column) for column in drawn.T]
    return Drift(shift, intervals, moved, *_of_gold(pairs, len(classes), model.calibration_))


def shift_of_seen(model: Model, seen: SeenTexts, usual: float | None) -> Shift:
    """How far texts that were seen are from the training data; ``usual`` is a result of `usual_unknown_of`.

    A sample of the probabilities of other classes than those of the model says nothing about the shares.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "good plot", "dull plot"], ["+", "+", "-"])
    >>> seen = SeenTexts.of_classes(2)
    >>> _ = model._predict_all(["good so good", "unheard of"], watch=seen)
    >>> found = shift_of_seen(model, seen, usual_unknown_of(model))
    >>> found.documents, found.terms, found.unknown, round(found.usual, 3)
    (2, 5, 0.6, 0.333)
    """
    with model._state.lock:
        classes, implied = model._scorer().classes, model._implied_prior()
    return ShiftWatch(classes, usual, implied, None, SeenTexts.of_classes(len(classes.labels)).plus(seen)).shift()


def usual_unknown_of(model: Model) -> float | None:
    """The share of the terms of new texts that is usually unknown; None if it is not known, or nothing is learned."""
    if not model._state.is_fitted:
        return None
    with model._state.lock:
        usual: float | None = model._usual(model._scorer().classes)
        return usual


def _of_gold(
    pairs: Combinations, classes: int, record: CalibrationRecord | None
) -> tuple[Array, GoldAccuracy] | tuple[None, None]:
    """The share of each class among the gold labels, and the accuracy; None without labels."""
    if not pairs.documents:
        return None, None
    found, counts = pairs.counted()
    gold, predicted = found.T
    known, right = gold >= 0, int(counts[gold == predicted].sum())
    shares = np.bincount(gold[known], counts[known], minlength=classes) / pairs.documents
    expected = record.curve[-1] if record is not None and record.curve else None
    return shares, GoldAccuracy(
        pairs.documents,
        right / pairs.documents,
        expected.accuracy if expected is not None and expected.coverage == 1 else None,
        0 if record is None else record.documents,
    )


MOST_CLASSES = 10
"""At most this many classes are listed, those whose shares differ most."""
MOST_PRINTED_TERMS = 10
"""At most this many terms are listed."""
LONGEST_TERM = 30


def _verdict(found: Drift) -> str:
    drifted = [check.name for check in found.checks if check.is_drifted]
    documents = counted(found.shift.documents, "document")
    unjudged = sum(check.bound is None for check in found.checks)
    if not drifted:
        if unjudged:
            return f"{documents}: no drift found; {unjudged} of {len(found.checks)} checks could not be judged."
        return f"{documents}: no drift. All checks are within their bounds."
    return f"{documents}: drift in {', '.join(drifted)}."


def _checks(checks: list[Check]) -> str:
    rows = [["", "found", "expected", "drift if", ""]]
    for each in checks:
        sign = "<" if each.name == "accuracy" else ">"
        bound = "-" if each.bound is None else f"{sign} {each.bound:.4f}"
        verdict = "?" if each.bound is None else "DRIFT" if each.is_drifted else "ok"
        rows.append([each.name, _number(each.found), _number(each.expected), bound, verdict])
    notes = "\n".join(wrapped(f"{each.name}: {each.note}", "  ") for each in checks)
    return f"{table(rows)}\n{notes}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _classes(found: Drift) -> str:
    shift = found.shift
    if shift.shares is None:
        return "The shares of the classes cannot be estimated: no text has a known term."
    shares = shift.shares if found.gold_shares is None else found.gold_shares
    order = sorted(range(len(shift.labels)), key=lambda at: -abs(float(shares[at] - shift.expected[at])))
    rows = [["class", "training", "estimated", "95% interval", "gold labels"]]
    for each in map(found.class_shares, order[:MOST_CLASSES]):
        interval = "-" if each["interval"] is None else "{low:.1%} to {high:.1%}".format(**each["interval"])
        gold = "" if each["gold"] is None else f"{each['gold']:.1%}"
        label = cut(printable(each["label"]), LONGEST_TERM)
        rows.append([label, f"{each['expected']:.1%}", f"{each['estimated']:.1%}", interval, gold])
    if found.gold_shares is None:
        rows = [row[:-1] for row in rows]
    more = len(order) - MOST_CLASSES
    rest = f"\n{counted(more, 'more class differs', 'more classes differ')} less." if more > 0 else ""
    return f"{table(rows)}{rest}"


def _terms(terms: list[MovedTerm], documents: int) -> str:
    rows = [["moved most", "now", "training", "z"]]
    rows += [
        [cut(printable(each.word), LONGEST_TERM), f"{each.now:.2%}", f"{each.before:.2%}", f"{each.z:+.1f}"]
        for each in terms
    ]
    told = f"(shares of the documents that contain the term, in {documents:,} documents of the data;"
    note = f"\n{STEM_NOTE}" if any(each.word != each.term for each in terms) else ""
    return f"{table(rows)}\n{told}\nz is the signed root of the log-likelihood ratio G2){note}"
