"""The tokens of an expression become its parts. It is a parser by recursive descent, one function per rule.

```
either     := both ("or" both)*
both       := single ("and" single)*
single     := "not" single | "(" either ")" | label | comparison
label      := ("label" | "prediction") (("==" | "!=") NAME | ["not"] "in" "(" NAME ("," NAME)* ")")
comparison := operand (SIGN operand)+
operand    := NUMBER | "known" | "probability" | "terms" | "length" | "p" "(" NAME ")"
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.errors import ParseError
from likely.filtering.expression import (
    COMPARISONS,
    NUMBERS,
    Comparison,
    Joined,
    Named,
    Not,
    Number,
    Operand,
    Part,
    Predicted,
    Probability,
)
from likely.filtering.tokens import Token, tokens_of

if TYPE_CHECKING:
    from collections.abc import Callable

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
