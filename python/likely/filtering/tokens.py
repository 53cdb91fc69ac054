"""The text of an expression becomes tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from likely.errors import ParseError
from likely.terminal import printable

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
