"""What is not an expression is refused, with the place and what was expected."""

from __future__ import annotations

import pytest
from likely.batch.where import DEEPEST, Parser
from likely.errors import ParseError

OPERAND = "a number, p(CLASS), label, known, probability, terms or length"
SIGNS = "one of <, <=, >, >=, == and !="


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, OPERAND),
        ("   ", 1, OPERAND),
        ("known", 6, SIGNS),
        ("known >", 8, OPERAND),
        ("known > 0.3 and", 16, OPERAND),
        ("known > 0.3 known", 13, "and, or, or the end"),
        ("x > 1", 1, OPERAND),
        ("p(good", 7, ")"),
        ("p good > 1", 3, "("),
        ("p() > 1", 3, "the name of a class, such as 'good'"),
        ("(known > 1", 11, ")"),
        ("known > 1)", 10, "and, or, or the end"),
        ("label > 3", 7, "==, != or in"),
        ("label not good", 11, "in"),
        ("label in good", 10, "("),
        ("known > 'a'", 9, OPERAND),
        ("known = 1", 7, "a name, a number, a comparison or a parenthesis"),
        ("known > 1 && known < 2", 11, "a name, a number, a comparison or a parenthesis"),
        ("known > 1x", 9, "a name, a number, a comparison or a parenthesis"),
    ],
)
def test_the_place_and_what_was_expected(text: str, column: int, expected: str) -> None:
    with pytest.raises(ParseError) as refused:
        Parser(text).parse()
    assert refused.value.column == column
    assert str(refused.value).startswith(f"column {column} of the expression: expected {expected}, but found ")


def test_and_binds_more_strongly_than_or() -> None:
    assert str(Parser("known>1 or known>2 and known>3").parse()) == (
        "(known > 1.0) or ((known > 2.0) and (known > 3.0))"
    )


@pytest.mark.parametrize("start", ["(", "not "])
def test_nesting_is_bounded(start: str) -> None:
    with pytest.raises(ParseError, match=f"at most {DEEPEST} nested parts"):
        Parser(start * 100_000).parse()
