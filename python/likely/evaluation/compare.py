"""`compare`: two classifiers on the same documents, and whether one of them is better."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast, runtime_checkable

import numpy as np

from likely.core.shift import Spread
from likely.errors import ArgumentError, LabelError, TextError
from likely.evaluation.evaluation import Evaluation
from likely.evaluation.intervals import REPLICATES, SEED, Interval, percentiles
from likely.evaluation.measures import Tables, mean_of_defined
from likely.labels import LabelIndex, python_label, python_labels
from likely.reading.prediction_file import PredictionFile
from likely.reading.rows import in_memory
from likely.terminal import UNSURE, WIDTH, counted, cut, number, printable, table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy.typing as npt

    from likely.evaluation.measures import Table
    from likely.reading.corpus import Corpus
    from likely.types import Array, Label, LabelArray, Labels, Model, Plain, Texts

    Integers = npt.NDArray[np.int64]

MOST_EXACT = 1_000
"""McNemar's test is exact up to this many documents that only one classifier gets right; then it is approximate."""
_AT_ONCE = 2_000_000
"""At most this many numbers are drawn at once, to bound the memory."""


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
        return McNemar(only_first, only_second, _binomial(min(only_first, only_second), number), True)
    statistic = (abs(only_first - only_second) - 1) ** 2 / number
    return McNemar(only_first, only_second, math.erfc(math.sqrt(statistic / 2)), False)


def _binomial(less: int, number: int) -> float:
    """The two-sided probability of at most ``less`` heads, or as few tails, in ``number`` tosses of a fair coin.

    Whole numbers of Python neither overflow nor round: only the last division does.
    """
    ways, term = 0, 1
    for heads in range(less + 1):
        ways += term
        term = term * (number - heads) // (heads + 1)
    return float(min(1.0, 2 * ways / (1 << number)))


class PairedOutcomes(NamedTuple):
    """Documents by their gold class and the two predictions: one element per combination that occurs.

    Classes are places among ``classes`` classes; a prediction is -1 where a classifier abstained.
    """

    gold: Integers
    first: Integers
    second: Integers
    counts: Integers
    classes: int

    @property
    def documents(self) -> int:
        """The number of documents."""
        return int(self.counts.sum())


class Differences(NamedTuple):
    """By how much the second classifier is better than the first, by two measures."""

    accuracy: float
    macro_f1: float


def differences(outcomes: PairedOutcomes) -> Differences:
    """The accuracy and the macro-F1 of the second classifier minus those of the first.

    Examples
    --------
    >>> gold, first, second = np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([0, 1, 0])
    >>> differences(PairedOutcomes(gold, first, second, np.array([5, 2, 1]), 2)).accuracy
    0.125
    """
    return Differences(*(float(value) for value in _differences(outcomes, outcomes.counts.astype(np.float64))))


def _differences(outcomes: PairedOutcomes, counts: Array) -> tuple[Array, Array]:
    """Both differences, if these are the numbers of documents per combination; the last axis is the combinations."""
    first, second = (_measures(outcomes, predicted, counts) for predicted in (outcomes.first, outcomes.second))
    return second[0] - first[0], second[1] - first[1]


def _measures(outcomes: PairedOutcomes, predicted: Integers, counts: Array) -> tuple[Array, Array]:
    """The accuracy and the macro-F1: the mean over the classes that have a gold label or a prediction."""
    tables = Tables.of(outcomes.gold, predicted, counts, outcomes.classes, outcomes.documents)
    return tables.tp.sum(axis=-1) / tables.documents, mean_of_defined(tables.f(1.0))


def difference_intervals(
    outcomes: PairedOutcomes, replicates: int = REPLICATES, seed: int = SEED
) -> tuple[Interval, Interval]:
    """The paired bootstrap intervals of both differences: documents are drawn with both predictions.

    Documents of the same combination are exchangeable, so the numbers of each combination are drawn at once.

    Examples
    --------
    >>> same = PairedOutcomes(np.array([0, 1]), np.array([0, 0]), np.array([0, 0]), np.array([5, 5]), 2)
    >>> difference_intervals(same)[0]
    Interval(low=0.0, high=0.0)
    """
    generator = np.random.default_rng(seed)
    shares = outcomes.counts / outcomes.counts.sum()
    step = max(1, _AT_ONCE // max(len(shares), outcomes.classes))
    parts = [
        _differences(outcomes, generator.multinomial(outcomes.documents, shares, size).astype(np.float64))
        for size in [step] * (replicates // step) + [replicates % step]
        if size
    ]
    accuracy, macro_f1 = (percentiles(np.concatenate(values)) for values in zip(*parts, strict=True))
    return accuracy, macro_f1


SIGNIFICANT = 0.05
"""A difference is significant if the p-value of McNemar's test is below this."""
LONGEST = 300
"""The largest number of characters of a text that is shown."""


@runtime_checkable
class Classifier(Protocol):
    """A fitted model, as far as a comparison uses it: a `NaiveBayes`."""

    def predict(self, texts: list[str], *, abstain: float = ...) -> LabelArray:
        """The predicted class of each text."""


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

    @property
    def recall(self) -> float | None:
        """The recall of the second classifier minus that of the first; None if one is undefined."""
        return _minus(self.b.recall, self.a.recall)

    @property
    def precision(self) -> float | None:
        """The precision of the second classifier minus that of the first; None if one is undefined."""
        return _minus(self.b.precision, self.a.precision)

    @property
    def mistakes(self) -> int:
        """How many more mistakes the second classifier makes with this class: missed and wrongly found documents."""
        return self.b.fp + self.b.fn - self.a.fp - self.a.fn

    def to_dict(self) -> dict[str, object]:
        """The class as plain data."""
        sides = {name: getattr(self, name) for name in ("a", "b")}
        return {
            "label": self.label,
            "documents": self.a.tp + self.a.fn,
            "recall": {**{name: side.recall for name, side in sides.items()}, "difference": self.recall},
            "precision": {**{name: side.precision for name, side in sides.items()}, "difference": self.precision},
            "mistakes": self.mistakes,
        }


@dataclass(frozen=True, eq=False)
class Comparison:
    """How a classifier B compares with a classifier A on the same documents.

    Attributes
    ----------
    names : (str, str)
        What the classifiers are called.
    labels : list
        The classes, sorted.
    outcomes : PairedOutcomes
        The number of documents of each combination of gold label, prediction of A and prediction of B.
    disagreements : list of Disagreement
        Documents that only one of the two gets right: a sample, spread evenly over the data.

    Examples
    --------
    >>> from likely.evaluation.compare import compare_labels
    >>> found = compare_labels(["x", "x", "y", "y"], ["x", "y", "y", "x"], ["x", "x", "y", "x"])
    >>> found.differences.accuracy, found.mcnemar.only_second, found.verdict
    (0.25, 1, 'the difference may be chance')
    """

    names: tuple[str, str]
    labels: list[Label]
    outcomes: PairedOutcomes
    disagreements: list[Disagreement] = field(default_factory=list)

    @property
    def documents(self) -> int:
        """The number of documents."""
        return self.outcomes.documents

    @cached_property
    def a(self) -> Evaluation:
        """The evaluation of the first classifier."""
        return self._evaluation(self.outcomes.first)

    @cached_property
    def b(self) -> Evaluation:
        """The evaluation of the second classifier."""
        return self._evaluation(self.outcomes.second)

    def _evaluation(self, predicted: npt.NDArray[np.int64]) -> Evaluation:
        pairs, places = np.unique(np.stack([self.outcomes.gold, predicted]), axis=1, return_inverse=True)
        counts = np.bincount(places.reshape(-1), weights=self.outcomes.counts).astype(np.int64)
        return Evaluation(self.labels, pairs[0], pairs[1], counts)

    @property
    def differences(self) -> Differences:
        """Accuracy and macro-F1 of B minus those of A."""
        return differences(self.outcomes)

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """The 95 % intervals of these differences, by paired bootstrap over the documents."""
        accuracy, macro_f1 = difference_intervals(self.outcomes)
        return {"accuracy": accuracy, "macro_f1": macro_f1}

    @cached_property
    def mcnemar(self) -> McNemar:
        """McNemar's test of the accuracies."""
        right_a, right_b = self._right
        counts = self.outcomes.counts
        return mcnemar(int(counts[right_a & ~right_b].sum()), int(counts[right_b & ~right_a].sum()))

    @property
    def _right(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        return self.outcomes.first == self.outcomes.gold, self.outcomes.second == self.outcomes.gold

    @property
    def both_right(self) -> int:
        """The number of documents that both get right."""
        right_a, right_b = self._right
        return int(self.outcomes.counts[right_a & right_b].sum())

    @property
    def neither_right(self) -> int:
        """The number of documents that neither gets right."""
        right_a, right_b = self._right
        return int(self.outcomes.counts[~(right_a | right_b)].sum())

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
            "documents": self.documents,
            "labels": list(self.labels),
            "accuracy": self._measure("accuracy", self.a.accuracy, self.b.accuracy),
            "macro_f1": self._measure("macro_f1", self.a.macro.f, self.b.macro.f),
            "both_right": self.both_right,
            "only_a_right": test.only_first,
            "only_b_right": test.only_second,
            "neither_right": self.neither_right,
            "mcnemar": {"p_value": test.p_value, "exact": test.is_exact},
            "verdict": self.verdict,
            "is_worse": self.is_worse,
            "bootstrap": {"replicates": REPLICATES, "seed": SEED},
            "per_class": [each.to_dict() for each in self.per_class],
            "examples": [each.to_dict() for each in self.disagreements],
        }

    def _measure(self, name: str, a: float | None, b: float | None) -> dict[str, object]:
        difference = getattr(self.differences, name)
        return {"a": a, "b": b, "difference": difference, "interval": self.intervals[name].to_dict()}

    def __str__(self) -> str:

        return comparison_text(self)


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other


MOST_KEPT = 200
"""At most this many documents that only one classifier gets right are kept, for each of the two."""
_MOST_CLASSES = 1 << 20


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
        self._index = LabelIndex()
        self._found: dict[int, int] = {}
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
        codes = [self._codes(labels) for labels in (gold, a, b)]
        keys = (codes[0] * _MOST_CLASSES + codes[1]) * _MOST_CLASSES + codes[2]
        for key, documents in zip(*(each.tolist() for each in np.unique(keys, return_counts=True)), strict=True):
            self._found[key] = self._found.get(key, 0) + documents
        is_right = [codes[0] == each for each in codes[1:]]
        for side, alone in zip(self._sides, (is_right[0] & ~is_right[1], is_right[1] & ~is_right[0]), strict=True):
            side.draw(
                np.flatnonzero(alone).tolist(),
                lambda at: Disagreement(
                    self._rows + at, None if texts is None else texts[at], gold[at], a[at], b[at]
                ),
            )
        self._rows += len(gold)

    def _codes(self, labels: Iterable[Label | None]) -> npt.NDArray[np.int64]:
        """The number of each label from 1 on; 0 for an abstention."""
        codes = np.array([0 if label is None else self._index.number(label) + 1 for label in labels], np.int64)
        if len(self._index.labels) >= _MOST_CLASSES:
            raise LabelError(f"there are more than {_MOST_CLASSES:,} classes: compare fewer")
        return codes

    def comparison(self, names: tuple[str, str] = ("A", "B")) -> Comparison:
        """The comparison of all documents so far."""
        if not self._rows:
            raise ArgumentError("there are no documents to compare the predictions on")
        labels = self._index.labels
        classes = [at for at, label in enumerate(labels) if label != self._unsure or self._is_gold(at)]
        order = sorted(classes, key=labels.__getitem__)
        places = np.full(len(labels) + 1, -1, np.int64)
        places[np.array(order, np.int64) + 1] = np.arange(len(order))
        keys = np.array(sorted(self._found), np.int64)
        counts = np.array([self._found[key] for key in keys.tolist()], np.int64)
        rest, second = np.divmod(keys, _MOST_CLASSES)
        gold, first = np.divmod(rest, _MOST_CLASSES)
        outcomes = PairedOutcomes(places[gold], places[first], places[second], counts, len(order))
        kept = sorted((each for side in self._sides for each in side.kept), key=lambda each: each.row)
        return Comparison(names, [labels[at] for at in order], outcomes, kept)

    def _is_gold(self, number: int) -> bool:
        """Whether a document has the label of this number."""
        return any(key // _MOST_CLASSES**2 == number + 1 for key in self._found)


class _Side:
    """The documents that only one classifier gets right: a sample of them."""

    def __init__(self) -> None:
        self._spread = Spread(MOST_KEPT)
        self.kept: list[Disagreement] = []

    def draw(self, places: list[int], made: Callable[[int], Disagreement]) -> None:
        """See the places of more such documents in a batch; ``made`` makes one of a place."""
        drawn = self._spread.draw(len(places))
        self.kept += [made(places[at]) for at in drawn.new.tolist()]
        self.kept = [each for each, stays in zip(self.kept, drawn.stay.tolist(), strict=True) if stays]


def compare_labels(
    gold: Sequence[Label], a: Sequence[Label | None], b: Sequence[Label | None], texts: Sequence[str] | None = None
) -> Comparison:
    """The comparison of two lists of predictions with the gold labels; None is an abstention."""
    pairing = Pairing()
    pairing.add(gold, a, b, texts)
    return pairing.comparison()


def compare(
    a: Classifier | Iterable[Label | None],
    b: Classifier | Iterable[Label | None],
    texts: Texts,
    labels: Labels,
    *,
    names: tuple[str, str] = ("A", "B"),
) -> Comparison:
    """How a classifier B compares with a classifier A on the same labelled texts.

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
    batch = in_memory(texts, labels)
    held = cast("list[str]", batch.texts.to_pylist() if hasattr(batch.texts, "to_pylist") else batch.texts)
    if isinstance(held, str | bytes):
        raise TextError(f"texts is a single {type(held).__name__}: for one text write [text]")
    gold = python_labels(batch.labels)
    pairing = Pairing()
    pairing.add(gold, predictions(a, held), predictions(b, held), held)
    return pairing.comparison(names)


def compare_corpus(
    a: Classifier | PredictionFile, b: Classifier | PredictionFile, corpus: Corpus, names: tuple[str, str]
) -> Comparison:
    """As `compare`, for labelled texts that the caller has opened, and for models or files of predictions."""
    models: list[Model] = [each for each in (a, b) if not isinstance(each, PredictionFile)]
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


def predictions(classifier: Classifier | Iterable[Label | None], texts: Sequence[str]) -> list[Label | None]:
    """The predictions of a model, which does not abstain, or those that were given."""
    if isinstance(classifier, Classifier):
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


def comparison_text(found: Comparison) -> str:
    """The accuracies, the test, the classes that changed, and examples."""
    parts = [_head(found), _measures_compared(found), _test(found)]
    if changes := [each for each in found.per_class if _is_changed(each)]:
        parts.append(_classes(changes))
    for in_b, name in ((True, "B"), (False, "A")):
        if examples := [each for each in found.disagreements if each.is_right_in_b is in_b]:
            shown = [_example(each) for each in _spread(examples)]
            parts.append("\n".join([f"Documents that only {name} gets right, for example:", *shown]))
    return "\n\n".join(parts)


def _head(found: Comparison) -> str:
    a, b = (cut(printable(name), WIDTH - 3) for name in found.names)
    return f"A: {a}\nB: {b}"


def _measures_compared(found: Comparison) -> str:
    rows = [["", "A", "B", "B - A", "95 % interval"]]
    measures = (
        ("accuracy", found.a.accuracy, found.b.accuracy, "accuracy"),
        ("macro F1", found.a.macro.f, found.b.macro.f, "macro_f1"),
    )
    for shown, a, b, name in measures:
        interval = found.intervals[name]
        difference = getattr(found.differences, name)
        rows.append(
            [shown, number(a), number(b), f"{difference:+.4f}", f"{interval.low:+.4f} to {interval.high:+.4f}"]
        )
    how = f"paired bootstrap over the documents: {REPLICATES:,} replicates, seed {SEED}"
    return f"{counted(found.documents, 'document')}\n{table(rows)}\n({how})"


def _test(found: Comparison) -> str:
    test = found.mcnemar
    which = "exact" if test.is_exact else "chi-squared with continuity correction"
    alone = f"Only A is right on {counted(test.only_first, 'document')}, only B on {test.only_second:,}"
    others = f"both on {found.both_right:,}, neither on {found.neither_right:,}"
    verdict = found.verdict[0].upper() + found.verdict[1:]
    return f"{alone};\n{others}.\nMcNemar's test ({which}): p {_p(test.p_value)}.\n{verdict}."


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"= {value:.4f}"


def _is_changed(change: ClassChange) -> bool:
    return (change.a.tp, change.a.fp) != (change.b.tp, change.b.fp)


def _classes(changes: list[ClassChange]) -> str:
    rows = [["", "documents", "recall A", "B", "change", "precision A", "B", "change"]]
    rows += [
        [
            cut(printable(each.label), LONGEST_LABEL),
            f"{each.a.tp + each.a.fn:,}",
            *_both(each.a.recall, each.b.recall, each.recall),
            *_both(each.a.precision, each.b.precision, each.precision),
        ]
        for each in changes[:MOST_CLASSES]
    ]
    more = len(changes) - MOST_CLASSES
    rest = f"\n{counted(more, 'more class', 'more classes')} changed." if more > 0 else ""
    return f"Classes that changed, those with the most changed mistakes first:\n{table(rows)}{rest}"


def _both(a: float | None, b: float | None, change: float | None) -> list[str]:
    return [_share(a), _share(b), "-" if change is None else f"{change:+.3f}"]


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _spread(examples: list[Disagreement]) -> list[Disagreement]:
    """Some of the examples, from the whole list."""
    step = max(1, len(examples) // MOST_EXAMPLES)
    return examples[::step][:MOST_EXAMPLES]


def _example(document: Disagreement) -> str:
    gold, rival = (
        "unsure" if label is None else cut(printable(label), LONGEST_LABEL)
        for label in (document.gold, document.rival)
    )
    head = f"row {document.row + 1:,}: {gold}, not {rival}"
    if document.text is None:
        return f"  {head}"
    return f"  {head}\n    {cut(printable(' '.join(document.text.split())), WIDTH - 4)}"
