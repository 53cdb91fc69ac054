"""Expressions are cut into tokens, whatever the quotes and spaces."""

from __future__ import annotations

import pytest
from likely.batch.where import tokens_of
from likely.errors import ParseError


def test_tokens_know_their_columns() -> None:
    found = tokens_of(" p('it\\'s')>=1e-3 and\tknown<.5 ")
    assert [(token.text, token.column) for token in found] == [
        ("p", 2),
        ("(", 3),
        ("it's", 4),
        (")", 11),
        (">=", 12),
        ("1e-3", 14),
        ("and", 19),
        ("known", 23),
        ("<", 28),
        (".5", 29),
        ("", 31),
    ]


def test_names_of_any_script() -> None:
    assert [token.text for token in tokens_of("p(größe) > p('良い')")][2:8:5] == ["größe", "良い"]


def test_a_quote_that_is_not_closed() -> None:
    with pytest.raises(ParseError, match="column 3 of the expression: the quote ' is not closed"):
        tokens_of("p('good")


def test_linear_time() -> None:
    assert len(tokens_of("known > 1 and " * 20_000)) == 80_001


@pytest.mark.parametrize("name", ["🎉", "-1"], ids=["emoji", "negative number"])
def test_what_is_not_a_name_wants_quotes(name: str) -> None:
    with pytest.raises(ParseError, match=r"column 3 of the expression: .* quote names that are not one word"):
        tokens_of(f"p({name}) > 0.5")
    assert tokens_of(f"p('{name}') > 0.5")[2].text == name
