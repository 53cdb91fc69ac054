"""Texts of many languages and scripts, and their terms, from the tables in tests/golden."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from likely import analyze

GOLDEN = Path(__file__).parents[2] / "golden"


def cases(name: str) -> list[Any]:
    """Text, options and terms of each case of a table."""
    tables = tomllib.loads((GOLDEN / name).read_text(encoding="utf-8"))
    return [
        pytest.param(case["text"], case.get("options", {}), terms(case["tokens"]), id=f"{group}-{number}")
        for group, table in tables.items()
        for number, case in enumerate(table, 1)
    ]


def terms(tokens: str | list[str]) -> list[str]:
    """Terms parted by single spaces, or listed."""
    return tokens.split() if isinstance(tokens, str) else tokens


@pytest.mark.parametrize(("text", "options", "expected"), cases("tokens.toml"))
def test_tokens(text: str, options: dict[str, Any], expected: list[str]) -> None:
    found = analyze(text, **options)
    assert [term.term for term in found] == expected
    written = text.encode()
    for term in found:
        cut = text[term.start : term.end]
        assert cut == written[term.start_byte : term.end_byte].decode()
        if " " not in term.term:
            assert (cut.lower() if options.get("lowercase", True) else cut) == term.term


@pytest.mark.parametrize(("text", "options", "expected"), cases("prepared.toml"))
def test_prepared(text: str, options: dict[str, Any], expected: list[str]) -> None:
    assert [term.term for term in analyze(text, **options)] == expected


def test_there_are_twenty_four_languages_and_scripts() -> None:
    tables = tomllib.loads((GOLDEN / "tokens.toml").read_text(encoding="utf-8"))
    languages = set(tables) - {"Emoji", "Mixed", "Nothing"}
    assert len(languages) >= 24
    assert all(3 <= len(table) <= 6 for table in tables.values())
