"""Traces of a wrong encoding, and control characters."""

from __future__ import annotations

import pytest
from likely.evaluation.check import character_findings, troubles
from likely.reading.rows import Whole


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("plain text,\n\twith lines", []),
        ("Café, naïve, Ünïcödé, NÃO, 50 °C, Straße, Ærø, ÇA VA", []),
        ("日本語 ไทย عربي 한국어 ❤️ 1️⃣ 👩‍👩‍👧", []),
        ("lost \ufffd here", ["replacement"]),
        ("CafÃ©", ["mojibake"]),
        ("donâ€™t", ["mojibake"]),
        ("ÐŸÑ€Ð¸Ð²ÐµÑ‚", ["mojibake"]),
        ("donâ\x80\x99t", ["mojibake", "control"]),
        ("a\x00b", ["control"]),
        ("\x1b[31m", ["control"]),
        ("don\x92t", ["control"]),
    ],
)
def test_troubles(text: str, kinds: list[str]) -> None:
    assert [kind for kind, _ in troubles(text)] == kinds


def test_what_was_meant_is_shown() -> None:
    assert list(troubles("Ã¼ber")) == [("mojibake", "'Ã¼' for 'ü'")]


def test_every_character_of_windows_is_recognised_if_it_was_read_wrongly() -> None:
    for char in "äöüßéèñ€“”–—…•ășęłž漢я":
        wrong = char.encode().decode("cp1252", "ignore")
        if wrong.encode("cp1252") == char.encode():
            assert [kind for kind, _ in troubles(f"x{wrong}y")] == ["mojibake"], char


def test_findings() -> None:
    texts = ["fine"] * 98 + ["CafÃ©", "a\x00b"]
    found = list(character_findings(Whole(texts, ["x"] * 100), 3))
    assert [(each.kind, each.serious, each.rows) for each in found] == [("encoding", True, 1), ("encoding", True, 1)]
    assert found[0].examples[0].row == 98
    assert "U+0000" in found[1].says
    assert "--encoding" in found[1].fix
    few = list(character_findings(Whole(texts + ["fine"] * 100, ["x"] * 200), 3))
    assert not any(each.serious for each in few)
