"""Traces of a wrong encoding, control characters, and lone invisible signs."""

from __future__ import annotations

import pytest
from likely.reading.rows import Whole
from likely.training.check.characters import character_findings, invisible_signs, troubles
from likely.training.check.finding import Place


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
        ("donâ\x80\x99t", ["mojibake", "windows"]),
        ("a\x00b", ["control"]),
        ("\x1b[31m", ["control"]),
        ("don\x92t", ["windows"]),
        ("so happy \ufe0f today", ["lone selector"]),
        ("\ufe0f", ["lone selector"]),
    ],
)
def test_troubles(text: str, kinds: list[str]) -> None:
    assert [kind for kind, _ in troubles(text)] == kinds


def test_what_was_meant_is_shown() -> None:
    assert list(troubles("Ã¼ber")) == [("mojibake", "'Ã¼' for 'ü'")]
    assert list(troubles("don\x92t")) == [("windows", "U+0092 for '’'")]


def test_every_character_of_windows_is_recognised_if_it_was_read_wrongly() -> None:
    for char in "äöüßéèñ€“”–—…•ășęłž漢я":
        wrong = char.encode().decode("cp1252", "ignore")
        if wrong.encode("cp1252") == char.encode():
            assert [kind for kind, _ in troubles(f"x{wrong}y")] == ["mojibake"], char


def test_findings() -> None:
    texts = ["fine"] * 98 + ["CafÃ©", "a\x00b"]
    found = list(character_findings(Whole(texts, ["x"] * 100), Place("x.csv"), 3))
    assert [(each.kind, each.serious, each.rows) for each in found] == [("encoding", True, 1), ("encoding", True, 1)]
    assert found[0].examples[0].row == 98
    assert "U+0000" in found[1].says
    assert "--encoding CODEC" in found[1].fix
    few = list(character_findings(Whole(texts + ["fine"] * 100, ["x"] * 200), Place(), 3))
    assert not any(each.serious for each in few)


def test_invisible_signs() -> None:
    assert invisible_signs("plain") == set()
    assert invisible_signs("a\u200bb\xadc\ue000") == {"\u200b", "\xad", "\ue000"}
    assert invisible_signs("می\u200cخواهم ❤️") == set()
    assert invisible_signs("gone \ufe0f") == {"\ufe0f"}
