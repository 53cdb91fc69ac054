"""The parts of an expression. Each is evaluated on arrays: one element per text."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from likely.core.scorer import best_bounds, is_best_certain, probability_bounds
from likely.errors import UnknownClassError
from likely.filtering.certainty import COMPARED, Bounds, Certain, all_of, any_of, opposite
from likely.terminal import named, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from likely import _native
    from likely.core.scorer import Answers, RoughAnswers
    from likely.types import Array, Label, Mask

COMPARISONS: dict[str, Callable[[Array | float, Array | float], Mask]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
"""What each sign compares."""


@dataclass(frozen=True)
class Scored:
    """Some texts, and what a model answers about them."""

    texts: _native.Strings
    answers: Answers
    places: dict[str, int]
    """The place of each class, by its name."""


@dataclass(frozen=True)
class RoughlyScored:
    """Some texts, and what is nearly certain about them."""

    texts: _native.Strings
    answers: RoughAnswers
    places: dict[str, int]
    """The place of each class, by its name."""


EXACT: dict[str, Callable[[Scored | RoughlyScored], Array]] = {
    "known": lambda scored: scored.answers.known,
    "terms": lambda scored: scored.answers.terms,
    "length": lambda scored: scored.texts.lengths().astype(np.float64),
}
"""The numbers that are exact also in rough answers."""

NUMBERS: dict[str, Callable[[Scored], Array]] = {
    **EXACT,
    "probability": lambda scored: scored.answers.probabilities[:, 0],
}
"""The numbers that an expression may name: the share of known terms, the probability of the predicted label, and the
numbers of terms and of characters."""


class Part(Protocol):
    """A part of an expression that is true or false for each text."""

    def __call__(self, scored: Scored) -> Mask:
        """Whether it is true: one element per text."""

    def certainly(self, rough: RoughlyScored) -> Certain:
        """Whether it is certainly true or false: one element per text."""

    def labels(self) -> Iterator[str]:
        """The labels that it names."""


@dataclass(frozen=True)
class Number:
    """A number that is written in the expression."""

    text: str

    def __call__(self, scored: Scored) -> float:
        """The number."""
        del scored
        return float(self.text)

    def bounds(self, rough: RoughlyScored) -> Bounds:
        """The number."""
        del rough
        return Bounds(float(self.text), float(self.text))

    def labels(self) -> Iterator[str]:
        """No labels."""
        return iter(())

    def __str__(self) -> str:
        return repr(float(self.text))


@dataclass(frozen=True)
class Named:
    """One of `NUMBERS`."""

    name: str

    def __call__(self, scored: Scored) -> Array:
        """The numbers: one per text."""
        return NUMBERS[self.name](scored)

    def bounds(self, rough: RoughlyScored) -> Bounds:
        """Between which values the numbers are."""
        if self.name in EXACT:
            numbers = EXACT[self.name](rough)
            return Bounds(numbers, numbers)
        # Without thresholds, the predicted label is the most probable one.
        return Bounds(*best_bounds(rough.answers.log_probabilities, rough.answers.doubt))

    def labels(self) -> Iterator[str]:
        """No labels."""
        return iter(())

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Probability:
    """The probability of a class."""

    label: str

    def __call__(self, scored: Scored) -> Array:
        """The probabilities: one per text."""
        found: Array = np.exp(scored.answers.log_probabilities[:, scored.places[self.label]])
        return found

    def bounds(self, rough: RoughlyScored) -> Bounds:
        """Between which values the probabilities are."""
        place = rough.places[self.label]
        return Bounds(*probability_bounds(rough.answers.log_probabilities, place, rough.answers.doubt))

    def labels(self) -> Iterator[str]:
        """The name of the class."""
        yield self.label

    def __str__(self) -> str:
        return f"p({self.label!r})"


Operand = Number | Named | Probability


@dataclass(frozen=True)
class Comparison:
    """Two numbers and how they compare."""

    left: Operand
    sign: str
    right: Operand

    def __call__(self, scored: Scored) -> Mask:
        """Whether the comparison holds: one element per text."""
        found = COMPARISONS[self.sign](self.left(scored), self.right(scored))
        return np.broadcast_to(found, len(scored.answers.known))

    def certainly(self, rough: RoughlyScored) -> Certain:
        """Whether the comparison certainly holds or not: one element per text."""
        found = COMPARED[self.sign](self.left.bounds(rough), self.right.bounds(rough))
        return Certain(*(np.broadcast_to(each, len(rough.answers.known)) for each in found))

    def labels(self) -> Iterator[str]:
        """The labels of both sides."""
        yield from self.left.labels()
        yield from self.right.labels()

    def __str__(self) -> str:
        return f"{self.left} {self.sign} {self.right}"


@dataclass(frozen=True)
class Predicted:
    """Whether the predicted label is one of these. If the model abstains, it is none of them."""

    among: tuple[str, ...]

    def __call__(self, scored: Scored) -> Mask:
        """Whether it is: one element per text."""
        wanted = {scored.places[label] for label in self.among}
        kinds = [each for each, place in scored.places.items() if place in wanted]
        answers = scored.answers.answers.tolist()
        return np.array(
            [label_name(answer) in kinds if answer is not None else False for answer in answers], np.bool_
        )

    def certainly(self, rough: RoughlyScored) -> Certain:
        """Whether it certainly is or is not, if the model does not abstain: one element per text."""
        logs = rough.answers.log_probabilities
        certain = is_best_certain(logs, rough.answers.doubt)
        is_among = np.isin(logs.argmax(axis=1), [rough.places[label] for label in self.among])
        return Certain(certain & is_among, certain & ~is_among)

    def labels(self) -> Iterator[str]:
        """The labels."""
        yield from self.among

    def __str__(self) -> str:
        return f"label in ({', '.join(map(repr, self.among))})"


@dataclass(frozen=True)
class Not:
    """The opposite."""

    part: Part

    def __call__(self, scored: Scored) -> Mask:
        """Whether the part is false: one element per text."""
        return ~self.part(scored)

    def certainly(self, rough: RoughlyScored) -> Certain:
        """Whether the part is certainly false or true: one element per text."""
        return opposite(self.part.certainly(rough))

    def labels(self) -> Iterator[str]:
        """The labels of the part."""
        return self.part.labels()

    def __str__(self) -> str:
        return f"not ({self.part})"


@dataclass(frozen=True)
class Joined:
    """Parts of which all (``and``) or at least one (``or``) must be true."""

    word: str
    parts: tuple[Part, ...]

    def __call__(self, scored: Scored) -> Mask:
        """Whether they are: one element per text."""
        reduce = np.logical_and.reduce if self.word == "and" else np.logical_or.reduce
        found: Mask = reduce([part(scored) for part in self.parts])
        return found

    def certainly(self, rough: RoughlyScored) -> Certain:
        """Whether they certainly are or are not: one element per text."""
        found = [part.certainly(rough) for part in self.parts]
        return all_of(found) if self.word == "and" else any_of(found)

    def labels(self) -> Iterator[str]:
        """The labels of all parts."""
        for part in self.parts:
            yield from part.labels()

    def __str__(self) -> str:
        return f" {self.word} ".join(f"({part})" for part in self.parts)


def label_name(label: Label) -> str:
    """How a label is named in an expression.

    Examples
    --------
    >>> label_name("good"), label_name(5), label_name(True)
    ('good', '5', 'true')
    """
    return str(label).lower() if isinstance(label, bool) else str(label)


def places_of(labels: Sequence[Label]) -> dict[str, int]:
    """The place of each class, by its name."""
    return {label_name(label): place for place, label in enumerate(labels)}


def check_labels(part: Part, labels: Sequence[Label]) -> None:
    """Raise ``UnknownClassError`` if an expression names a class that the model does not have.

    Examples
    --------
    >>> check_labels(Comparison(Probability("god"), ">", Number("0.5")), ["x"])
    Traceback (most recent call last):
    likely.errors.UnknownClassError: the expression names the class 'god', which the model does not have: it has x
    """
    known = places_of(labels)
    for name in part.labels():
        if name not in known:
            raise UnknownClassError(
                f"the expression names the class {printable(name)!r}, which the model does not have: "
                f"it has {named(list(known), 20, printable)}"
            )
