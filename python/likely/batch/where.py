"""`Where`: an expression that texts match or not, such as ``p(good) >= 0.8 and known > 0.3``.

Python's own parser reads the expression, and a whitelist says what it may contain. It is evaluated in three-valued
logic: numbers that are only known to lie between bounds make a comparison certainly true, certainly false, or open.
So rough answers of a model decide most texts, and exact answers, whose bounds are equal, decide the others.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from functools import partial, reduce
from operator import methodcaller
from typing import TYPE_CHECKING, Generic, NamedTuple, NoReturn, TypeVar

import numpy as np

from likely import _native
from likely.core.scorer import Answers, RoughAnswers, best_bounds, is_best_certain, probability_bounds
from likely.errors import LabelError, OptionError
from likely.terminal import named, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from likely.model.naive_bayes import NaiveBayes
    from likely.types import Array, Label, Mask, Prior, Texts

LONGEST = 20_000
"""The number of characters that an expression may have."""
DEEPEST = 50
"""How deep ``and``, ``or`` and ``not`` may be nested."""

_NUMBERS = ("known", "terms", "length", "probability")
_OPERAND = "a number, p(CLASS), label, known, probability, terms or length"
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_STRING = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_NUMBER = r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_WORD = rf"{_NUMBER}|[^\W\d]\w*"
_MASKED = re.compile(
    rf"(?P<string>{_STRING})|(?P<before>[(,]\s*|\b(?:label|prediction)\s*[!=]=\s*)(?P<word>(?:{_WORD})(?!\w))"
    r"(?=\s*(?:[,)]|$|\s(?:and|or)\b))",
    re.DOTALL,
)
"""Strings, and names of classes without quotes, which may be words and numbers that Python does not allow."""


class Bounds(NamedTuple):
    """The least and the largest values that numbers may have: one element per text, or one for all."""

    low: Array | float
    high: Array | float


class Certain(NamedTuple):
    """Whether something is certainly true, and whether it is certainly false: one element per text."""

    yes: Mask
    no: Mask

    def is_open(self) -> Mask:
        """Whether it may be true or false."""
        found: Mask = ~(self.yes | self.no)
        return found

    def opposite(self) -> Certain:
        """What is certain about the opposite."""
        return Certain(self.no, self.yes)


def all_of(one: Certain, other: Certain) -> Certain:
    """What is certain about two conditions that must both be true."""
    return Certain(one.yes & other.yes, one.no | other.no)


def any_of(one: Certain, other: Certain) -> Certain:
    """What is certain about two conditions of which one must be true."""
    return Certain(one.yes | other.yes, one.no & other.no)


def _is_less(left: Bounds, right: Bounds) -> Certain:
    return Certain(np.less(left.high, right.low), np.greater_equal(left.low, right.high))


def _is_equal(left: Bounds, right: Bounds) -> Certain:
    apart = np.less(left.high, right.low) | np.greater(left.low, right.high)
    is_known = np.equal(left.low, left.high) & np.equal(right.low, right.high)
    return Certain(is_known & np.equal(left.low, right.low), apart)


COMPARED: dict[str, Callable[[Bounds, Bounds], Certain]] = {
    "<": _is_less,
    ">": lambda left, right: _is_less(right, left),
    "<=": lambda left, right: _is_less(right, left).opposite(),
    ">=": lambda left, right: _is_less(left, right).opposite(),
    "==": _is_equal,
    "!=": lambda left, right: _is_equal(left, right).opposite(),
}
"""What is certain about a comparison, by its sign."""


class ScoredTexts:
    """Some texts, and the exact answers of a model about them."""

    def __init__(self, texts: _native.Strings, answers: Answers | RoughAnswers, labels: Sequence[Label]) -> None:
        self.texts, self.answers = texts, answers
        self.places = {label_name(label): place for place, label in enumerate(labels)}

    def number(self, name: str) -> Bounds:
        """The bounds of the numbers with this name."""
        if name == "length":
            numbers = self.texts.lengths().astype(np.float64)
        elif name == "probability":
            return self.best()
        else:
            numbers = self.answers.known if name == "known" else self.answers.terms
        return Bounds(numbers, numbers)

    def best(self) -> Bounds:
        """The bounds of the probability of the predicted label."""
        found = self.answers.probabilities[:, 0]  # type: ignore[union-attr]
        return Bounds(found, found)

    def probability(self, label: str) -> Bounds:
        """The bounds of the probability of a class."""
        found = np.exp(self.answers.log_probabilities[:, self.places[label]])
        return Bounds(found, found)

    def is_predicted(self, among: tuple[str, ...]) -> Certain:
        """Whether the predicted label is one of these. If the model abstains, it is none of them."""
        wanted = {self.places[label] for label in among}
        kinds = {name for name, place in self.places.items() if place in wanted}
        answers = self.answers.answers.tolist()  # type: ignore[union-attr]
        found = np.array([answer is not None and label_name(answer) in kinds for answer in answers], np.bool_)
        return Certain(found, ~found)


class RoughlyScoredTexts(ScoredTexts):
    """Some texts, and the rough answers of a model that neither abstains nor has thresholds."""

    answers: RoughAnswers

    def best(self) -> Bounds:
        """The bounds of the probability of the predicted label, which is the most probable one."""
        return Bounds(*best_bounds(self.answers.log_probabilities, self.answers.doubt))

    def probability(self, label: str) -> Bounds:
        """The bounds of the probability of a class."""
        logs, doubt = self.answers.log_probabilities, self.answers.doubt
        return Bounds(*probability_bounds(logs, self.places[label], doubt))

    def is_predicted(self, among: tuple[str, ...]) -> Certain:
        """Whether the predicted label is one of these."""
        logs = self.answers.log_probabilities
        certain = is_best_certain(logs, self.answers.doubt)
        is_among = np.isin(logs.argmax(axis=1), [self.places[label] for label in among])
        return Certain(certain & is_among, certain & ~is_among)


V = TypeVar("V", Bounds, Certain)


@dataclass(frozen=True)
class Part(Generic[V]):
    """A part of an expression: a number of each text, or a condition that is true or false for each text.

    Attributes
    ----------
    text : str
        How it is written: in the same way for parts that differ only in spaces and quotes.
    of : callable
        Returns between which values the numbers of some texts are, or whether the condition is certainly true or
        false: one element per text, or one number for all.
    labels : tuple of str
        The classes that are named, in order.
    """

    text: str
    of: Callable[[ScoredTexts], V]
    labels: tuple[str, ...] = ()


# Neither lambdas nor inner functions, so that expressions can be pickled:


def _constant(value: float, scored: ScoredTexts) -> Bounds:
    del scored
    return Bounds(value, value)


def _compared(sign: str, left: Part[Bounds], right: Part[Bounds], scored: ScoredTexts) -> Certain:
    found = COMPARED[sign](left.of(scored), right.of(scored))
    return Certain(*(np.broadcast_to(each, len(scored.answers.known)) for each in found))


def _joined(word: str, parts: list[Part[Certain]], scored: ScoredTexts) -> Certain:
    return reduce(all_of if word == "and" else any_of, (part.of(scored) for part in parts))


def _negated(part: Part[Certain], scored: ScoredTexts) -> Certain:
    return part.of(scored).opposite()


def joined(word: str, parts: list[Part[Certain]]) -> Part[Certain]:
    """All (``and``) or at least one (``or``) of some conditions."""
    text = f" {word} ".join(f"({part.text})" for part in parts)
    return Part(text, partial(_joined, word, parts), tuple(label for part in parts for label in part.labels))


def negated(part: Part[Certain]) -> Part[Certain]:
    """The opposite of a condition."""
    return Part(f"not ({part.text})", partial(_negated, part), part.labels)


class _Parser:
    """Turns what Python's parser finds into conditions. What is not on the list is refused; nothing is evaluated.

    Python sees a copy of the same length in which the names of classes are masked, so that they may be any text.
    """

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise OptionError(f"the expression has {len(text):,} characters: at most {LONGEST:,} are allowed")
        self._text = text
        plain = "".join(
            " " if each.isspace() else each if each.isascii() else "x" for each in _MASKED.sub(_mask, text)
        )
        self._indent = len(plain) - len(plain.lstrip())
        self._plain = plain.strip()

    def parse(self) -> Part[Certain]:
        """The whole expression."""
        if not self._plain:
            self._refuse(1, f"expected {_OPERAND}, but found the end")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about numbers before words
                tree = ast.parse(self._plain, mode="eval")
        except SyntaxError as error:
            self._refuse_syntax(error)
        except (MemoryError, RecursionError):
            self._refuse(1, f"at most {DEEPEST} nested parts are allowed")
        except ValueError as error:  # a null character, or a number with too many digits
            self._refuse(1, printable(error))
        return self._condition(tree.body, 1)

    def _refuse(self, column: int, why: str) -> NoReturn:
        raise OptionError(f"column {column + self._indent} of the expression: {why}")

    def _refuse_syntax(self, error: SyntaxError) -> NoReturn:
        column = min(error.offset or len(self._plain) + 1, len(self._plain) + 1)  # at the end, Python names none
        if error.msg.startswith("unterminated"):
            self._refuse(column, f"the quote {self._plain[column - 1]} is not closed")
        if "nested parentheses" in error.msg:
            self._refuse(column, f"at most {DEEPEST} nested parts are allowed")
        if "was never closed" in error.msg:
            self._refuse(column, "the parenthesis ( is not closed")
        found = re.match(r"\w+|\S", self._text[self._indent + column - 1 :])
        told = repr(printable(found[0][:40])) if found and error.offset else "the end"
        self._refuse(
            column,
            f"{told} is not expected here: compare as in p(good) >= 0.8, join with and, or, not, and quote names "
            "that are not one word, as in p('so so')",
        )

    def _expected(self, node: ast.expr, what: str) -> NoReturn:
        shown = printable(self._source(node)[:40])
        self._refuse(node.col_offset + 1, f"expected {what}, but found {shown!r}")

    def _source(self, node: ast.expr) -> str:
        """A part of the expression as it is written."""
        start, end = (self._indent + (at or 0) for at in (node.col_offset, node.end_col_offset))
        return self._text[start:end]

    def _condition(self, node: ast.expr, depth: int) -> Part[Certain]:
        if depth > DEEPEST:
            self._expected(node, f"at most {DEEPEST} nested parts")
        if isinstance(node, ast.BoolOp):
            word = "and" if isinstance(node.op, ast.And) else "or"
            return joined(word, [self._condition(each, depth + 1) for each in node.values])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return negated(self._condition(node.operand, depth + 1))
        if not isinstance(node, ast.Compare):
            if not _is_label(node):
                self._operand(node)
            self._expected(node, "a comparison, with one of <, <=, >, >=, == and !=")
        return self._label(node) if _is_label(node.left) else self._comparison(node)

    def _label(self, node: ast.Compare) -> Part[Certain]:
        sign, right = node.ops[0], node.comparators[0]
        if len(node.ops) > 1 or not isinstance(sign, ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            self._expected(node, "label with ==, != or in, and the name of a class")
        is_list = isinstance(sign, ast.In | ast.NotIn) and isinstance(right, ast.Tuple) and right.elts
        names = right.elts if is_list and isinstance(right, ast.Tuple) else [right]
        among = tuple(map(self._name, names))
        found = Part(f"label in ({', '.join(map(repr, among))})", methodcaller("is_predicted", among), among)
        return negated(found) if isinstance(sign, ast.NotEq | ast.NotIn) else found

    def _name(self, node: ast.expr) -> str:
        """The name of a class: quoted, or one word, or a number."""
        source = self._source(node)
        if re.fullmatch(_STRING, source, re.DOTALL):
            return re.sub(r"\\(.)", r"\1", source[1:-1], flags=re.DOTALL)
        if not re.fullmatch(_WORD, source):
            self._expected(node, "the name of a class, such as 'good', in quotes if it is not one word")
        return source

    def _comparison(self, node: ast.Compare) -> Part[Certain]:
        operands = [self._operand(each) for each in (node.left, *node.comparators)]
        if any(type(sign) not in _SIGNS for sign in node.ops):
            self._expected(node, "one of <, <=, >, >=, == and !=")
        parts = []
        for left, kind, right in zip(operands, node.ops, operands[1:], strict=False):
            sign = _SIGNS[type(kind)]
            text = f"{left.text} {sign} {right.text}"
            parts.append(Part(text, partial(_compared, sign, left, right), left.labels + right.labels))
        return parts[0] if len(parts) == 1 else joined("and", parts)

    def _operand(self, node: ast.expr) -> Part[Bounds]:
        if isinstance(node, ast.Constant) and re.fullmatch(_NUMBER, self._source(node)):
            value = float(self._source(node))
            return Part(repr(value), partial(_constant, value))
        if isinstance(node, ast.Name) and self._source(node) in _NUMBERS:
            return Part(node.id, methodcaller("number", node.id))
        if not isinstance(node, ast.Call) or self._source(node.func) != "p":
            self._expected(node, _OPERAND)
        if len(node.args) != 1 or node.keywords:
            self._expected(node, "p and the name of one class, such as p('good')")
        label = self._name(node.args[0])
        return Part(f"p({label!r})", methodcaller("probability", label), (label,))


def _mask(found: re.Match[str]) -> str:
    """A string with other characters, or the name of a class as a name that Python allows, with the same length."""
    if found["string"]:
        return found["string"][0] + "x" * (len(found["string"]) - 2) + found["string"][0]
    return found["before"] + "x" * len(found["word"])


def _is_label(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("label", "prediction")


def label_name(label: Label) -> str:
    """How a label is named in an expression: ``true`` for True, ``5`` for 5."""
    return str(label).lower() if isinstance(label, bool) else str(label)


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
    part : Part[Certain]
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
    likely.errors.OptionError: column 2 of the expression: the parenthesis ( is not closed
    """

    part: Part[Certain]

    @classmethod
    def parse(cls, text: str) -> Where:
        """Read an expression. Raise ``OptionError`` if the text is not one."""
        return cls(_Parser(text).parse())

    def __str__(self) -> str:
        return self.part.text

    def check(self, labels: Sequence[Label]) -> None:
        """Raise ``LabelError`` if the expression names a class that is not among these."""
        known = [label_name(label) for label in labels]
        for name in self.part.labels:
            if name not in known:
                raise LabelError(
                    f"the expression names the class {printable(name)!r}, which the model does not have: "
                    f"it has {named(known, 20, printable)}"
                )

    def of_answers(self, texts: _native.Strings, answers: Answers, labels: Sequence[Label]) -> Mask:
        """Whether each text matches, from the answers of a model with these classes: one element per text."""
        return self.part.of(ScoredTexts(texts, answers, labels)).yes

    def of_rough_answers(self, texts: _native.Strings, answers: RoughAnswers, labels: Sequence[Label]) -> Certain:
        """Whether each text certainly matches or not, from rough answers of a model with these classes."""
        return self.part.of(RoughlyScoredTexts(texts, answers, labels))

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
    """

    MOST_OPEN = 0.25
    """If rough answers leave a larger share of the texts open, exact answers alone take less time."""

    def __init__(self, where: Where, model: NaiveBayes, prior: Prior | None = None) -> None:
        self._where, self._model, self._prior = where, model, prior
        self._scorer = model._scorer().remembering()
        self._labels = model.classes_.tolist()
        self._seen = self._open = 0

    def __call__(self, texts: _native.Strings) -> Mask:
        """Whether each text matches: one element per text."""
        is_worth_it = self._open <= self.MOST_OPEN * self._seen
        rough = self._model._rough_answers(texts, prior=self._prior, scorer=self._scorer) if is_worth_it else None
        if rough is None:
            return self._exactly(texts)
        certain = self._where.of_rough_answers(texts, rough, self._labels)
        is_open, found = certain.is_open(), certain.yes.copy()
        self._seen += len(found)
        self._open += int(is_open.sum())
        if is_open.any():
            found[is_open] = self._exactly(texts.chosen(is_open))
        return found

    def _exactly(self, texts: _native.Strings) -> Mask:
        answers = self._model._predict_all(texts, prior=self._prior, scorer=self._scorer)
        return self._where.of_answers(texts, answers, self._labels)
