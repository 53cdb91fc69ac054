"""`compare`: two classifiers on the same documents, and whether one of them is better."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely.core.shift import Spread
from likely.errors import ArgumentError
from likely.evaluation.evaluation import Evaluation
from likely.evaluation.intervals import REPLICATES, SEED, Interval, percentiles, samples_of
from likely.evaluation.measures import Combinations, Numbers, Table, Tables, mean_of_defined
from likely.labels import python_label
from likely.reading.prediction_file import PredictionFile
from likely.reading.rows import Whole, in_memory
from likely.terminal import UNSURE, WIDTH, counted, cut, number, printable, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from likely.reading.corpus import Corpus
    from likely.types import Array, Label, Labels, Model, Plain, Texts

MOST_EXACT = 1_000
"""McNemar's test is exact up to this many documents that only one classifier gets right; then it is approximate."""


class McNemar(NamedTuple):
    """McNemar's test of two classifiers on the same documents (McNemar 1947).

    If both were right equally often, each document that only one of them gets right would be that of the first or of
    the second with the same probability. ``p_value`` is the probability that the two numbers are then as unequal as
    they are, or more.

    Examples
    --------
    >>> round(mcnemar(2, 8).p_value, 6), mcnemar(2, 8).is_exact
    (0.109375, True)
    >>> mcnemar(0, 0).p_value
    1.0
    """

    only_first: int
    """The number of documents that only the first gets right."""
    only_second: int
    """The number of documents that only the second gets right."""
    p_value: float
    is_exact: bool
    """Whether the p-value is that of the binomial distribution. Otherwise it is that of chi-squared, with Edwards'
    correction for continuity (1948)."""


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """McNemar's test for the numbers of documents that only the first, and only the second, gets right."""
    number = only_first + only_second
    if number <= MOST_EXACT:
        ways = sum(math.comb(number, heads) for heads in range(min(only_first, only_second) + 1))
        return McNemar(only_first, only_second, min(1.0, 2 * ways / (1 << number)), True)
    statistic = (abs(only_first - only_second) - 1) ** 2 / number
    return McNemar(only_first, only_second, math.erfc(math.sqrt(statistic / 2)), False)


class Differences(NamedTuple):
    """By how much the second classifier is better than the first, by two measures."""

    accuracy: float
    macro_f1: float


SIGNIFICANT = 0.05
"""A difference is significant if the p-value of McNemar's test is below this."""
LONGEST = 300
"""The largest number of characters of a text that is shown."""


@dataclass(frozen=True)
class Disagreement:
    """A document that only one of the two classifiers gets right.

    Attributes
    ----------
    row : int
        The number of the document in the data, from 0.
    text : str or None
        The text, if it is known.
    gold, a, b : label
        The gold label and the two predictions; None where a classifier abstained.
    """

    row: int
    text: str | None
    gold: Label
    a: Label | None
    b: Label | None

    @property
    def is_right_in_b(self) -> bool:
        """Whether the second classifier is the one that gets it right."""
        return self.b == self.gold

    @property
    def rival(self) -> Label | None:
        """The wrong prediction; None if the classifier that is not right abstained."""
        return self.a if self.is_right_in_b else self.b

    def to_dict(self) -> dict[str, object]:
        """The document as plain data, with the beginning of its text."""
        return {**asdict(self), "text": None if self.text is None else self.text[:LONGEST]}


@dataclass(frozen=True)
class ClassChange:
    """A class against the rest, by both classifiers."""

    label: Label
    a: Table
    b: Table

    def measure(self, name: str) -> dict[str, float | None]:
        """The recall or the precision of both classifiers, and the difference; None where it is undefined."""
        a, b = getattr(self.a, name), getattr(self.b, name)
        return {"a": a, "b": b, "difference": None if a is None or b is None else b - a}

    @property
    def mistakes(self) -> int:
        """How many more mistakes the second classifier makes with this class: missed and wrongly found documents."""
        return self.b.fp + self.b.fn - self.a.fp - self.a.fn

    def to_dict(self) -> dict[str, object]:
        """The class as plain data."""
        return {
            "label": self.label,
            "documents": self.a.support,
            "recall": self.measure("recall"),
            "precision": self.measure("precision"),
            "mistakes": self.mistakes,
        }


_PLAIN = ("documents", "both_right", "neither_right", "verdict", "is_worse")


@dataclass(frozen=True, eq=False)
class Comparison:
    """How a classifier B compares with a classifier A on the same documents.

    Attributes
    ----------
    names : (str, str)
        What the classifiers are called.
    labels : list
        The classes, sorted.
    gold, first, second, counts : array
        One element per combination that occurs: the place in ``labels`` of the gold label, those of the predictions
        of A and B (-1 where a classifier abstained), and the number of documents.
    disagreements : list of Disagreement
        Documents that only one of the two gets right: a sample, spread evenly over the data.

    Examples
    --------
    >>> texts, labels = ["one", "two", "three", "four"], ["x", "x", "y", "y"]
    >>> found = compare(["x", "y", "y", "x"], ["x", "x", "y", "x"], texts, labels)
    >>> found.differences.accuracy, found.mcnemar.only_second, found.verdict
    (0.25, 1, 'the difference may be chance')
    """

    names: tuple[str, str]
    labels: list[Label]
    gold: Numbers
    first: Numbers
    second: Numbers
    counts: Numbers
    disagreements: list[Disagreement] = field(default_factory=list)

    @property
    def documents(self) -> int:
        """The number of documents."""
        return int(self.counts.sum())

    @cached_property
    def a(self) -> Evaluation:
        """The evaluation of the first classifier."""
        return self._evaluation(self.first)

    @cached_property
    def b(self) -> Evaluation:
        """The evaluation of the second classifier."""
        return self._evaluation(self.second)

    def _evaluation(self, predicted: Numbers) -> Evaluation:
        pairs, places = np.unique(np.stack([self.gold, predicted]), axis=1, return_inverse=True)
        counts = np.bincount(places.reshape(-1), weights=self.counts).astype(np.int64)
        return Evaluation(self.labels, pairs[0], pairs[1], counts)

    @property
    def differences(self) -> Differences:
        """Accuracy and macro-F1 of B minus those of A."""
        return Differences(*(float(each) for each in self._differences(self.counts.astype(np.float64))))

    def _differences(self, counts: Array) -> tuple[Array, Array]:
        """Both differences, if these are the numbers of documents per combination; the last axis is these."""
        tables = [
            Tables.of(self.gold, predicted, counts, len(self.labels), self.documents)
            for predicted in (self.first, self.second)
        ]
        accuracies = [each.tp.sum(axis=-1) / each.documents for each in tables]
        means = [mean_of_defined(each.f(1.0)) for each in tables]
        return accuracies[1] - accuracies[0], means[1] - means[0]

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """The 95% intervals of these differences, by paired bootstrap: documents are drawn with both predictions."""
        samples = samples_of(self.counts, np.random.default_rng(SEED), REPLICATES, len(self.labels))
        drawn = zip(*map(self._differences, samples), strict=True)
        return dict(zip(Differences._fields, (percentiles(np.concatenate(each)) for each in drawn), strict=True))

    @property
    def measures(self) -> dict[str, Plain]:
        """Accuracy and macro-F1 of both classifiers, the difference, and its interval, by name."""
        both = {"accuracy": (self.a.accuracy, self.b.accuracy), "macro_f1": (self.a.macro.f, self.b.macro.f)}
        return {
            name: {"a": a, "b": b, "difference": difference, "interval": asdict(self.intervals[name])}
            for (name, (a, b)), difference in zip(both.items(), self.differences, strict=True)
        }

    @cached_property
    def mcnemar(self) -> McNemar:
        """McNemar's test of the accuracies."""
        first, second = self.first == self.gold, self.second == self.gold
        return mcnemar(int(self.counts[first & ~second].sum()), int(self.counts[second & ~first].sum()))

    @property
    def both_right(self) -> int:
        """The number of documents that both get right."""
        return self.a.right - self.mcnemar.only_first

    @property
    def neither_right(self) -> int:
        """The number of documents that neither gets right."""
        return self.documents - self.b.right - self.mcnemar.only_first

    @property
    def is_significant(self) -> bool:
        """Whether chance alone would seldom make the accuracies as different as they are."""
        return self.mcnemar.p_value < SIGNIFICANT

    @property
    def is_worse(self) -> bool:
        """Whether B is significantly less accurate than A."""
        return self.is_significant and self.mcnemar.only_second < self.mcnemar.only_first

    @property
    def verdict(self) -> str:
        """What the test says, in a few words."""
        if not self.mcnemar.only_first + self.mcnemar.only_second:
            return "both are right on the same documents"
        if not self.is_significant:
            return "the difference may be chance"
        return f"B is significantly {'less' if self.is_worse else 'more'} accurate than A"

    @property
    def per_class(self) -> list[ClassChange]:
        """Each class by both classifiers, those whose mistakes changed most first."""
        tables = ((label, self.a.per_class[label], self.b.per_class[label]) for label in self.labels)
        return sorted((ClassChange(*each) for each in tables), key=lambda change: -abs(change.mistakes))

    def to_dict(self) -> Plain:
        """All measures as plain data, ready for JSON."""
        test = self.mcnemar
        return {
            "names": list(self.names),
            "labels": list(self.labels),
            **self.measures,
            **{name: getattr(self, name) for name in _PLAIN},
            "only_a_right": test.only_first,
            "only_b_right": test.only_second,
            "mcnemar": {"p_value": test.p_value, "exact": test.is_exact},
            "bootstrap": {"replicates": REPLICATES, "seed": SEED},
            "per_class": [each.to_dict() for each in self.per_class],
            "examples": [each.to_dict() for each in self.disagreements],
        }

    def __str__(self) -> str:
        a, b = (cut(printable(name), WIDTH - 3) for name in self.names)
        parts = [f"A: {a}\nB: {b}", _measures_compared(self), _test(self)]
        if changes := [each for each in self.per_class if (each.a.tp, each.a.fp) != (each.b.tp, each.b.fp)]:
            parts.append(_classes(changes))
        for in_b, name in ((True, "B"), (False, "A")):
            if examples := [each for each in self.disagreements if each.is_right_in_b is in_b]:
                shown = [
                    _example(each) for each in examples[:: max(1, len(examples) // MOST_EXAMPLES)][:MOST_EXAMPLES]
                ]
                parts.append("\n".join([f"Documents that only {name} gets right, for example:", *shown]))
        return "\n\n".join(parts)


MOST_KEPT = 200
"""At most this many documents that only one classifier gets right are kept, for each of the two."""


class Pairing:
    """Adds up two classifiers' predictions for documents that come in batches.

    If no gold label is ``unsure``, a prediction of this name is an abstention.

    Examples
    --------
    >>> pairing = Pairing()
    >>> pairing.add(["+", "-"], ["+", "+"], [None, "-"], ["good", "dull"])
    >>> found = pairing.comparison()
    >>> found.mcnemar.only_first, found.disagreements[1].text
    (1, 'dull')
    """

    def __init__(self, unsure: Label | None = None) -> None:
        self._unsure = unsure
        self._found = Combinations()
        self._rows = 0
        self._sides = _Side(), _Side()

    def add(
        self,
        gold: Sequence[Label],
        a: Sequence[Label | None],
        b: Sequence[Label | None],
        texts: Sequence[str] | None = None,
    ) -> None:
        """Compare some documents: their gold labels, both predictions (None for an abstention), and their texts."""
        for name, labels in (("A", a), ("B", b)):
            if len(labels) != len(gold):
                raise ArgumentError(
                    f"{name} has {len(labels)} predictions for {len(gold)} gold labels: give one per document"
                )
        codes = [self._found.numbers(labels) for labels in (gold, a, b)]
        self._found.add(*codes)
        is_right = [codes[0] == each for each in codes[1:]]
        for side, alone in zip(self._sides, (is_right[0] & ~is_right[1], is_right[1] & ~is_right[0]), strict=True):
            side.see(
                [
                    Disagreement(self._rows + at, None if texts is None else texts[at], gold[at], a[at], b[at])
                    for at in np.flatnonzero(alone).tolist()
                ]
            )
        self._rows += len(gold)

    def comparison(self, names: tuple[str, str] = ("A", "B")) -> Comparison:
        """The comparison of all documents so far."""
        if not self._rows:
            raise ArgumentError("there are no documents to compare the predictions on")
        combinations, counts = self._found.counted()
        golds = set(combinations[:, 0].tolist())
        labels = sorted(
            label for number, label in enumerate(self._found.index.labels) if label != self._unsure or number in golds
        )
        gold, first, second = self._found.places(labels)[combinations.T]
        kept = sorted((each for side in self._sides for each in side.kept), key=lambda each: each.row)
        return Comparison(names, labels, gold, first, second, counts, kept)


class _Side:
    """The documents that only one classifier gets right: a sample of them."""

    def __init__(self) -> None:
        self._spread = Spread(MOST_KEPT)
        self.kept: list[Disagreement] = []

    def see(self, documents: list[Disagreement]) -> None:
        """See more such documents."""
        new, stay = self._spread.draw(len(documents))
        self.kept += [documents[at] for at in new.tolist()]
        self.kept = [each for each, stays in zip(self.kept, stay.tolist(), strict=True) if stays]


def compare(
    a: Model | Iterable[Label | None],
    b: Model | Iterable[Label | None],
    texts: Texts,
    labels: Labels,
    *,
    names: tuple[str, str] = ("A", "B"),
) -> Comparison:
    """Compare two classifiers on the same labelled texts.

    Parameters
    ----------
    a, b : NaiveBayes or iterable of labels
        Models, or their predictions: one label per text, None where a classifier abstains. Models do not abstain.
    texts, labels
        The texts and their gold labels, as for `NaiveBayes.evaluate`.
    names : (str, str)
        What the two are called.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> texts, labels = ["good fun", "good plot", "dull plot", "not good"], ["+", "+", "-", "-"]
    >>> words, pairs = (NaiveBayes(ngrams=(1, n)).fit(texts, labels) for n in (1, 2))
    >>> found = compare(words, pairs, ["good", "not good", "dull"], ["+", "-", "-"])
    >>> found.a.accuracy, found.b.accuracy, found.mcnemar.p_value
    (1.0, 1.0, 1.0)
    >>> compare(["+", "+", "-"], words, ["good", "not good", "dull"], ["+", "-", "-"]).mcnemar.only_second
    1
    """
    whole = Whole.of([in_memory(texts, labels)])
    held = whole.texts
    pairing = Pairing()
    pairing.add(whole.labels, predictions(a, held), predictions(b, held), held)
    return pairing.comparison(names)


def compare_corpus(
    a: Model | PredictionFile, b: Model | PredictionFile, corpus: Corpus, names: tuple[str, str]
) -> Comparison:
    """As `compare`, for labelled texts that the caller has opened, and for models or files of predictions."""
    models = [each for each in (a, b) if not isinstance(each, PredictionFile)]
    files = [each for each in (a, b) if isinstance(each, PredictionFile)]
    classes = models[0].classes_.tolist() if models else []
    kind = type(classes[0]) if classes else str
    corpus.expect(models[0].columns_ if models else None, classes)
    pairing = Pairing(UNSURE if files else None)
    for at, batch in enumerate(corpus):
        for file in files if not at else []:
            file.begin(corpus.chosen.text if corpus.chosen else None, kind)
        texts = batch.texts.to_pylist()
        first, second = (
            each.next(texts) if isinstance(each, PredictionFile) else predictions(each, texts) for each in (a, b)
        )
        pairing.add(list(batch.labels_as(kind)), first, second, texts)
    for file in files:
        file.check_end()
    return pairing.comparison(names)


def predictions(classifier: Model | Iterable[Label | None], texts: Sequence[str]) -> list[Label | None]:
    """The predictions of a model, which does not abstain, or those that were given."""
    if hasattr(classifier, "predict"):
        answers: list[Label | None] = classifier.predict(list(texts), abstain=0).tolist()
        return answers
    if isinstance(classifier, str | bytes):
        raise ArgumentError("the predictions are a single text: give a model, or one label per text")
    return [None if label is None else python_label(label) for label in classifier]


MOST_CLASSES = 10
"""At most this many classes are listed, those whose mistakes changed most."""
MOST_EXAMPLES = 3
"""At most this many documents are listed for each classifier."""
LONGEST_LABEL = 16


def _measures_compared(found: Comparison) -> str:
    rows = [["", "A", "B", "B - A", "95% interval"]]
    for name, of in found.measures.items():
        low, high = of["interval"].values()
        figures = [number(of["a"]), number(of["b"]), f"{of['difference']:+.4f}", f"{low:+.4f} to {high:+.4f}"]
        rows.append([name.replace("_f", " F"), *figures])
    how = f"paired bootstrap over the documents: {REPLICATES:,} replicates, seed {SEED}"
    return f"{counted(found.documents, 'document')}\n{table(rows)}\n({how})"


def _test(found: Comparison) -> str:
    test = found.mcnemar
    which = "exact" if test.is_exact else "chi-squared with continuity correction"
    alone = f"Only A is right on {counted(test.only_first, 'document')}, only B on {test.only_second:,}"
    others = f"both on {found.both_right:,}, neither on {found.neither_right:,}"
    verdict = found.verdict[0].upper() + found.verdict[1:]
    p_value = "< 0.0001" if test.p_value < 0.0001 else f"= {test.p_value:.4f}"
    return f"{alone};\n{others}.\nMcNemar's test ({which}): p {p_value}.\n{verdict}."


def _classes(changes: list[ClassChange]) -> str:
    rows = [["", "documents", "recall A", "B", "change", "precision A", "B", "change"]]
    rows += [
        [
            cut(printable(each.label), LONGEST_LABEL),
            f"{each.a.support:,}",
            *_both(**each.measure("recall")),
            *_both(**each.measure("precision")),
        ]
        for each in changes[:MOST_CLASSES]
    ]
    more = len(changes) - MOST_CLASSES
    rest = f"\n{counted(more, 'more class', 'more classes')} changed." if more > 0 else ""
    return f"Classes that changed, most changed mistakes first:\n{table(rows)}{rest}"


def _both(a: float | None, b: float | None, difference: float | None) -> list[str]:
    values = ["-" if value is None else f"{value:.3f}" for value in (a, b)]
    return [*values, "-" if difference is None else f"{difference:+.3f}"]


def _example(document: Disagreement) -> str:
    gold, rival = (
        "unsure" if label is None else cut(printable(label), LONGEST_LABEL)
        for label in (document.gold, document.rival)
    )
    head = f"row {document.row + 1:,}: {gold}, not {rival}"
    if document.text is None:
        return f"  {head}"
    return f"  {head}\n    {cut(printable(' '.join(document.text.split())), WIDTH - 4)}"
