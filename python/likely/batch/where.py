"""`Where`: an expression that texts match or not."""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from likely import _native
from likely.core.scorer import best_bounds, is_best_certain, probability_bounds
from likely.errors import ParseError, UnknownClassError
from likely.terminal import named, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from likely.core.scorer import Answers, RoughAnswers
    from likely.model.naive_bayes import NaiveBayes
    from likely.types import Array, Label, Mask, Prior, Texts


class Bounds(NamedTuple):
    """The least and the largest values that numbers may have: one element per text, or one for all."""

    low: Array | float
    high: Array | float


class Certain(NamedTuple):
    """Whether something is certainly true, and whether it is certainly false: one element per text.

    Examples
    --------
    >>> import numpy as np
    >>> some = Certain(np.array([True, False, False]), np.array([False, True, False]))
    >>> some.is_open()
    array([False, False,  True])
    """

    yes: Mask
    no: Mask

    def is_open(self) -> Mask:
        """Whether it may be true or false."""
        found: Mask = ~(self.yes | self.no)
        return found


def opposite(part: Certain) -> Certain:
    """What is certain about the opposite."""
    return Certain(part.no, part.yes)


def all_of(parts: Iterable[Certain]) -> Certain:
    """What is certain about parts of which all must be true."""
    return reduce(lambda one, other: Certain(one.yes & other.yes, one.no | other.no), parts)


def any_of(parts: Iterable[Certain]) -> Certain:
    """What is certain about parts of which one must be true."""
    return reduce(lambda one, other: Certain(one.yes | other.yes, one.no & other.no), parts)


def _is_less(left: Bounds, right: Bounds) -> Certain:
    return Certain(np.less(left.high, right.low), np.greater_equal(left.low, right.high))


def _is_equal(left: Bounds, right: Bounds) -> Certain:
    apart = np.less(left.high, right.low) | np.greater(left.low, right.high)
    is_known = np.equal(left.low, left.high) & np.equal(right.low, right.high)
    return Certain(is_known & np.equal(left.low, right.low), apart)


COMPARED: dict[str, Callable[[Bounds, Bounds], Certain]] = {
    "<": _is_less,
    ">": lambda left, right: _is_less(right, left),
    "<=": lambda left, right: opposite(_is_less(right, left)),
    ">=": lambda left, right: opposite(_is_less(left, right)),
    "==": _is_equal,
    "!=": lambda left, right: opposite(_is_equal(left, right)),
}
"""What is certain about a comparison, by its sign.

Examples
--------
>>> COMPARED[">="](Bounds(np.array([0.7, 0.9]), np.array([0.9, 1.0])), Bounds(0.8, 0.8))
Certain(yes=array([False,  True]), no=array([False, False]))
"""


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


OPERATORS = ("<=", ">=", "==", "!=", "<", ">")
"""The signs of comparisons, longer ones first."""

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?!\w)
        | (?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
        | (?P<name>[^\W\d]\w*)
        | (?P<sign><=|>=|==|!=|<|>|\(|\)|,)
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class Token(NamedTuple):
    """A part of an expression that cannot be divided.

    Attributes
    ----------
    kind : {"number", "string", "name", "sign", "end"}
        What it is.
    text : str
        The token; of a string, what is between the quotes.
    column : int
        The place of its first character, counted from 1.
    """

    kind: str
    text: str
    column: int

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else repr(printable(self.text))


def tokens_of(text: str) -> list[Token]:
    """The tokens of an expression, and one for its end.

    Examples
    --------
    >>> [(token.kind, token.text) for token in tokens_of("p('so so') > .5")]
    [('name', 'p'), ('sign', '('), ('string', 'so so'), ('sign', ')'), ('sign', '>'), ('number', '.5'), ('end', '')]
    """
    tokens, at = [], 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        if found is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            raise ParseError(_unexpected(text, at), at + 1)
        kind = str(found.lastgroup)
        value = found.group(kind)
        if kind == "string":
            value = _ESCAPED.sub(r"\1", value[1:-1])
        tokens.append(Token(kind, value, found.start(kind) + 1))
        at = found.end()
    return [*tokens, Token("end", "", len(text.rstrip()) + 1)]


def _unexpected(text: str, at: int) -> str:
    where = f"column {at + 1} of the expression"
    if text[at] in "'\"":
        return f"{where}: the quote {text[at]} is not closed"
    found = f"expected a name, a number, a comparison or a parenthesis, but found {printable(text[at])!r}"
    return f"{where}: {found}: quote names that are not one word, as in p('so so')"


DEEPEST = 50
"""How deep parentheses and ``not`` may be nested."""

_LABEL = ("label", "prediction")
_OPERAND = "a number, p(CLASS), label, known, probability, terms or length"


class Parser:
    """Reads one expression.

    Parameters
    ----------
    text : str
        The expression.
    """

    def __init__(self, text: str) -> None:
        self._tokens = tokens_of(text)
        self._at = 0
        self._depth = 0

    def parse(self) -> Part:
        """The whole expression."""
        part = self._either()
        if self._next.kind != "end":
            raise self._expected("and, or, or the end")
        return part

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _expected(self, what: str) -> ParseError:
        found = self._next
        return ParseError(
            f"column {found.column} of the expression: expected {what}, but found {found}", found.column
        )

    def _take(self, text: str) -> bool:
        """Whether the next token is this word or sign; if so, it is passed."""
        found = self._next.kind in ("name", "sign") and self._next.text == text
        self._at += found
        return found

    def _demand(self, text: str) -> None:
        if not self._take(text):
            raise self._expected(text)

    def _either(self) -> Part:
        return self._joined("or", self._both)

    def _both(self) -> Part:
        return self._joined("and", self._single)

    def _joined(self, word: str, rule: Callable[[], Part]) -> Part:
        parts = [rule()]
        while self._take(word):
            parts.append(rule())
        return parts[0] if len(parts) == 1 else Joined(word, tuple(parts))

    def _single(self) -> Part:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._expected(f"at most {DEEPEST} nested parts")
        try:
            if self._take("not"):
                return Not(self._single())
            if self._take("("):
                part = self._either()
                self._demand(")")
                return part
            return self._label() if self._next.text in _LABEL else self._comparison()
        finally:
            self._depth -= 1

    def _label(self) -> Part:
        self._at += 1
        if self._take("=="):
            return Predicted((self._name(),))
        if self._take("!="):
            return Not(Predicted((self._name(),)))
        is_not = self._take("not")
        if not self._take("in"):
            raise self._expected("in" if is_not else "==, != or in")
        found = Predicted(self._names())
        return Not(found) if is_not else found

    def _names(self) -> tuple[str, ...]:
        self._demand("(")
        names = [self._name()]
        while self._take(","):
            names.append(self._name())
        self._demand(")")
        return tuple(names)

    def _name(self) -> str:
        """The name of a class: quoted, or one word, or a number."""
        if self._next.kind not in ("string", "name", "number"):
            raise self._expected("the name of a class, such as 'good'")
        self._at += 1
        return self._tokens[self._at - 1].text

    def _comparison(self) -> Part:
        left = self._operand()
        parts = []
        while self._next.kind == "sign" and self._next.text in COMPARISONS:
            sign = self._next.text
            self._at += 1
            right = self._operand()
            parts.append(Comparison(left, sign, right))
            left = right
        if not parts:
            raise self._expected("one of <, <=, >, >=, == and !=")
        return parts[0] if len(parts) == 1 else Joined("and", tuple(parts))

    def _operand(self) -> Operand:
        token = self._next
        if token.kind == "number":
            self._at += 1
            return Number(token.text)
        if token.kind == "name" and token.text in NUMBERS:
            self._at += 1
            return Named(token.text)
        if not self._take("p"):
            raise self._expected(_OPERAND)
        self._demand("(")
        label = self._name()
        self._demand(")")
        return Probability(label)


@dataclass(frozen=True)
class Where:
    """An expression that texts match or not, such as ``p(good) >= 0.8 and known > 0.3``.

    It consists of comparisons (``<``, ``<=``, ``>``, ``>=``, ``==``, ``!=``; also ``0.2 < known <= 0.9``), which
    ``and``, ``or``, ``not`` and parentheses combine. They compare numbers with

    - ``p(CLASS)``: the probability of a class; a name that is not one word is quoted, as in ``p('not so good')``
    - ``probability``: the probability of the predicted label
    - ``known``: the share of the terms of the text that the model knows
    - ``terms``: the number of terms of the text
    - ``length``: the number of its characters

    or the predicted label with classes: ``label == 'good'``, ``label != good``, ``label in (good, fair)``,
    ``label not in (bad)``. If the model abstains, the label is different from all classes.

    Attributes
    ----------
    part : Part
        The expression. Its text, from `str`, is the same for expressions that differ only in spaces and quotes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["so good", "so bad"], ["good", "bad"])
    >>> where = Where.parse("p(good) >= 0.6 and known > 0")
    >>> where.matches(model, ["good", "bad", "unheard of"])
    array([ True, False, False])
    >>> Where.parse("p(good > 0.8")
    Traceback (most recent call last):
    likely.errors.ParseError: column 8 of the expression: expected ), but found '>'
    """

    part: Part

    @classmethod
    def parse(cls, text: str) -> Where:
        """The expression in a text. Raise ``ParseError`` if the text is not an expression."""
        return cls(Parser(text).parse())

    def __str__(self) -> str:
        return str(self.part)

    def check(self, labels: Sequence[Label]) -> None:
        """Raise ``UnknownClassError`` if the expression names a class that is not among these."""
        check_labels(self.part, labels)

    def of_answers(self, texts: _native.Strings, answers: Answers, labels: Sequence[Label]) -> Mask:
        """Whether each text matches, from the answers of a model with these classes: one element per text."""
        return self.part(Scored(texts, answers, places_of(labels)))

    def of_rough_answers(self, texts: _native.Strings, answers: RoughAnswers, labels: Sequence[Label]) -> Certain:
        """Whether each text certainly matches or not, from rough answers of a model with these classes."""
        return self.part.certainly(RoughlyScored(texts, answers, places_of(labels)))

    def matches(self, model: NaiveBayes, texts: Texts) -> Mask:
        """Whether each text matches, with the answers of this model: one element per text."""
        self.check(model.classes_.tolist())
        return Screen(self, model)(_native.Strings(texts))


class Screen:
    """Decides which texts match an expression. Rough answers decide most of them, and exact answers the others.

    Parameters
    ----------
    where : Where
        The expression.
    model : NaiveBayes
        The model, which has the classes that the expression names.
    prior : {"fitted", "uniform"}, mapping or None
        As for `NaiveBayes.predict`.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["so good", "so bad"], ["good", "bad"])
    >>> Screen(Where.parse("p(good) > 0.5"), model)(_native.Strings(["good", "bad"]))
    array([ True, False])
    """

    MOST_OPEN = 0.25
    """If rough answers leave a larger share of the texts open, exact answers alone take less time."""

    def __init__(self, where: Where, model: NaiveBayes, prior: Prior | None = None) -> None:
        self._where, self._model, self._prior = where, model, prior
        self._labels = model.classes_.tolist()
        self._seen = self._open = 0

    def __call__(self, texts: _native.Strings) -> Mask:
        """Whether each text matches: one element per text."""
        rough = self._model._rough_answers(texts, prior=self._prior) if self._is_worth_it() else None
        if rough is None:
            return self._exactly(texts)
        certain = self._where.of_rough_answers(texts, rough, self._labels)
        is_open, found = certain.is_open(), certain.yes.copy()
        self._seen += len(found)
        self._open += int(is_open.sum())
        if is_open.any():
            found[is_open] = self._exactly(texts.chosen(is_open))
        return found

    def _is_worth_it(self) -> bool:
        return self._open <= self.MOST_OPEN * self._seen

    def _exactly(self, texts: _native.Strings) -> Mask:
        answers = self._model._predict_all(texts, prior=self._prior)
        return self._where.of_answers(texts, answers, self._labels)
