"""`ThresholdChoice`: the thresholds that were chosen, their measured effect, and the classes hardly found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.scoring.decisions import decided, decision_of
from likely.scoring.threshold_choice import FEWEST, choose_thresholds
from likely.terminal import cut, named, printable, table, wrapped

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.reading.rows import Sample
    from likely.scoring.threshold_choice import Cuts, Unseen
    from likely.types import Array, Label, Places, Thresholds


DECIDED_ON = 20_000
"""The largest number of documents to choose thresholds on. Rare classes have few among them."""
RARE = 0.5
"""A class is rare if it has less than this many times the average number of documents per class."""
RARELY_FOUND = 0.2
"""A class is hardly ever predicted if less than this share of its documents is found."""
FEWEST_MISSED = 10
"""With fewer documents of a class, its recall is not known well enough to say so."""
MOST_LOST = 0.02
"""By default, thresholds may cost at most this much accuracy."""


MOST_PROBABILITIES = 4_000_000
"""The largest number of probabilities, documents times classes, to choose thresholds on."""


MOST_CHARACTERS = 8_000_000
"""The largest number of characters of all texts to choose thresholds on, if there are enough documents."""
ENOUGH = 2_000
"""At least this many documents are used, if there are as many, however long they are."""


def has_rare_class(documents: Array) -> bool:
    """Whether one of the classes is rare, from the number of documents of each.

    Examples
    --------
    >>> has_rare_class(np.array([90.0, 100.0])), has_rare_class(np.array([30.0, 100.0]))
    (False, True)
    """
    return bool(documents.min() < RARE * documents.mean())


def to_decide(sample: Sample, classes: int) -> Sample:
    """The first documents of a sample: as many as thresholds of this many classes are chosen on.

    Examples
    --------
    >>> from likely.reading.rows import Sample
    >>> size = 6_000
    >>> sample = Sample(["x" * 2_000] * size, ["+"] * size, [1.0] * size, list(range(size)), [1] * size, size, size)
    >>> len(to_decide(sample, 2)), len(to_decide(sample, 2_000))
    (4000, 2000)
    """
    sizes = np.cumsum([len(text) for text in sample.texts])
    short = max(int(np.searchsorted(sizes, MOST_CHARACTERS, side="right")), ENOUGH)
    return sample.first(min(DECIDED_ON, short, max(MOST_PROBABILITIES // max(classes, 1), 1)))


@dataclass(frozen=True)
class ClassDecision:
    """One class before and after the choice of thresholds.

    Attributes
    ----------
    label : str, int or bool
        The class.
    documents : int
        The number of its documents, of those that were judged.
    threshold : float or None
        The probability from which it is predicted, if it has a threshold.
    recall, precision, f1 : (float, float)
        The measures for the most probable class, and with the thresholds; 0 if they are not defined.
    """

    label: Label
    documents: int
    threshold: float | None
    recall: tuple[float, float]
    precision: tuple[float, float]
    f1: tuple[float, float]

    @property
    def is_rarely_found(self) -> bool:
        """Whether the class is hardly ever predicted, with the thresholds."""
        return self.documents >= FEWEST_MISSED and self.recall[1] < RARELY_FOUND


@dataclass(frozen=True)
class ThresholdChoice:
    """The thresholds that were chosen, and what they change for documents that the model had not seen.

    Attributes
    ----------
    thresholds : dict
        The thresholds by class.
    is_asked : bool
        Whether the caller asked for them.
    documents : int
        The number of documents that were judged.
    accuracy : (float, float)
        The accuracy of the most probable classes, and with the thresholds.
    classes : list of ClassDecision
        The classes with a threshold, and those that are hardly ever predicted.
    """

    thresholds: dict[Label, float]
    is_asked: bool
    documents: int
    accuracy: tuple[float, float]
    classes: list[ClassDecision]

    @property
    def rarely_found(self) -> list[ClassDecision]:
        """The classes that are hardly ever predicted, with the thresholds."""
        return [each for each in self.classes if each.is_rarely_found]

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return {
            "documents": self.documents,
            "accuracy": list(self.accuracy),
            "classes": [
                {
                    "class": each.label,
                    "documents": each.documents,
                    "threshold": each.threshold,
                    "recall": list(each.recall),
                    "precision": list(each.precision),
                    "f1": list(each.f1),
                    "rarely_found": each.is_rarely_found,
                }
                for each in self.classes
            ],
        }


def threshold_choice(wish: Thresholds | None, unseen: Unseen, *, weighted: bool = False) -> ThresholdChoice:
    """The thresholds that suit a wish, or without one those for rare classes, and their measured effect.

    If classes are ``weighted``, a rare class has a threshold also if it is found often enough without one.

    Examples
    --------
    >>> from likely.scoring.threshold_choice import Unseen
    >>> logs = np.log([[0.6, 0.4]] * 12 + [[0.8, 0.2]] * 90)
    >>> unseen = Unseen(logs, np.array([1] * 12 + [0] * 90), np.ones(102), ["ham", "spam"])
    >>> found = threshold_choice(None, unseen)
    >>> found.thresholds, found.classes[0].recall
    ({'spam': 0.3}, (0.0, 1.0))
    """
    chosen = rare_thresholds(unseen, weighted=weighted) if wish is None else choose_thresholds(wish, unseen)
    return _measured(chosen, unseen, is_asked=wish is not None)


def rarely_found(unseen: Unseen) -> list[Label]:
    """The classes of which hardly any document is found, if the most probable class is predicted."""
    best = decided(unseen.log_probabilities, None)
    return [each.label for each in _classes(best, best, unseen, {}) if each.is_rarely_found]


def rare_f1(unseen: Unseen, labels: list[Label], least_accuracy: float) -> float:
    """The mean F1 of some classes, each at its best threshold with at least this accuracy; 0 if it has none."""
    found = []
    for label in labels:
        cut = unseen.of_class(label)
        at = _best_cut(cut, least_accuracy * unseen.weights.sum())
        found.append(0.0 if at is None else float(cut.f1[at]))
    return sum(found) / len(found)


def rare_thresholds(unseen: Unseen, *, weighted: bool = False) -> dict[Label, float]:
    """The thresholds of the classes that would hardly ever be predicted.

    Each is the one with the best F1 of its class among those that cost at most `MOST_LOST` of accuracy. If all of
    them together cost more, those that cost most are left out.
    """
    best = decided(unseen.log_probabilities, None)
    before = _accuracy(best, unseen)
    few = RARE * len(unseen.gold) / len(unseen.labels)
    rare = [
        each
        for each in _classes(best, best, unseen, {})
        if each.is_rarely_found or (weighted and FEWEST_MISSED <= each.documents < few)
    ]
    found: dict[Label, tuple[float, float]] = {}
    for each in rare:
        cut = unseen.of_class(each.label)
        at = _best_cut(cut, (before - MOST_LOST) * unseen.weights.sum())
        if at is not None and cut.f1[at] > each.f1[0] and cut.found[at] >= FEWEST:
            found[each.label] = float(cut.right[at]), cut.threshold(at)
    while found:
        chosen = {label: threshold for label, (_, threshold) in found.items()}
        after = _accuracy(decided(unseen.log_probabilities, decision_of(chosen, unseen.labels)), unseen)
        if after >= before - MOST_LOST:
            return chosen
        del found[min(found, key=lambda label: found[label][0])]
    return {}


def _best_cut(found: Cuts, least_right: float) -> int | None:
    """The cut with the best F1 among those that predict enough documents right."""
    allowed = found.right >= least_right
    return int(np.where(allowed, found.f1, -1.0).argmax()) if allowed.any() else None


def _accuracy(predicted: Places, unseen: Unseen) -> float:
    return float((unseen.weights * (predicted == unseen.gold)).sum() / unseen.weights.sum())


def _measured(thresholds: dict[Label, float], unseen: Unseen, *, is_asked: bool) -> ThresholdChoice:
    before = decided(unseen.log_probabilities, None)
    after = decided(unseen.log_probabilities, decision_of(thresholds, unseen.labels))
    shown = [
        each
        for each in _classes(before, after, unseen, thresholds)
        if each.threshold is not None or each.is_rarely_found
    ]
    accuracy = _accuracy(before, unseen), _accuracy(after, unseen)
    return ThresholdChoice(thresholds, is_asked, len(unseen.gold), accuracy, shown)


def _classes(before: Places, after: Places, unseen: Unseen, thresholds: Mapping[Label, float]) -> list[ClassDecision]:
    """All classes with two sets of predictions."""
    measures = [_measures(predicted, unseen) for predicted in (before, after)]
    pairs = list(zip(*measures, strict=True))
    sizes = np.bincount(unseen.gold, minlength=len(unseen.labels)).tolist()
    return [
        ClassDecision(
            label,
            sizes[place],
            thresholds.get(label),
            *((float(one[place]), float(other[place])) for one, other in pairs),
        )
        for place, label in enumerate(unseen.labels)
    ]


def _measures(predicted: Places, unseen: Unseen) -> tuple[Array, Array, Array]:
    """Recall, precision and F1 of each class; 0 if they are not defined."""
    width, weights = len(unseen.labels), unseen.weights
    right = weights * (predicted == unseen.gold)
    pairs = ((unseen.gold, right), (unseen.gold, weights), (predicted, weights))
    found, of_class, said = (np.bincount(of, weights=by, minlength=width).astype(np.float64) for of, by in pairs)
    return _share(found, of_class), _share(found, said), _share(2 * found, of_class + said)


def _share(part: Array, whole: Array) -> Array:
    shares: Array = part / np.where(whole > 0, whole, 1.0)
    return shares


MOST_CLASSES = 10
"""At most this many classes are shown."""
LONGEST_LABEL = 18
"""Longer labels are cut in the table, in columns of a terminal."""


def thresholds_text(choice: ThresholdChoice) -> str:
    """What the thresholds change, and which classes are hardly ever predicted; '' if there is neither."""
    parts = [_chosen(choice)] if choice.thresholds else []
    parts += [_warning(choice)] if choice.rarely_found else []
    return "\n\n".join(parts)


def _chosen(choice: ThresholdChoice) -> str:
    shown = [each for each in choice.classes if each.threshold is not None]
    rows = [["", "documents", "threshold", "recall", "precision", "F1"]]
    rows += [_row(each) for each in shown[:MOST_CLASSES]]
    hidden = len(shown) - MOST_CLASSES
    more = [f"and {hidden:,} more"] if hidden > 0 else []
    before, after = choice.accuracy
    judged = f"Measured on {choice.documents:,} documents that the model had not seen, before and after"
    what = "as you asked" if choice.is_asked else "because they are rare"
    head = f"These classes have a threshold, {what}: from this probability on they are predicted, even if another"
    accuracy = f"The accuracy changes from {before:.4f} to {after:.4f}."
    off = "" if choice.is_asked else " --thresholds none predicts the most probable class instead."
    return "\n".join(
        [wrapped(f"{head} class is more probable. {judged}:"), table(rows), *more, wrapped(accuracy + off)]
    )


def _row(each: ClassDecision) -> list[str]:
    measures = [f"{before:.2f} -> {after:.2f}" for before, after in (each.recall, each.precision, each.f1)]
    return [cut(printable(each.label), LONGEST_LABEL), f"{each.documents:,}", f"{each.threshold:.4g}", *measures]


def _warning(choice: ThresholdChoice) -> str:
    rare = choice.rarely_found
    classes = named(rare, MOST_CLASSES, lambda each: f"{printable(each.label)} (recall {_recall(each)})")
    label = printable(rare[0].label)
    flags = f"--threshold-for f1:{label}, --tune-for f1:{label} or --class-weight balanced"
    return wrapped(f"Warning: hardly ever predicted: {classes}. To find more of them: {flags}.")


def _recall(each: ClassDecision) -> str:
    return f"{each.recall[1]:.2f} of {each.documents:,} documents"
