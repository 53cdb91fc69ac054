"""The sizes of texts that are stored once: never less than what the cells hold."""

from __future__ import annotations

from likely.reading.records.excel_texts import StoredTexts, has_texts


def stored(*parts: bytes) -> StoredTexts:
    texts = StoredTexts()
    for part in parts:
        texts.add(part)
    return texts


SHORT, LONG = b"<si><t>a</t></si>", b"<si><t>" + b"b" * 1000 + b"</t></si>"


def test_each_cell_has_the_size_of_its_text_whatever_the_parts() -> None:
    sheet = b'<c r="A1" t="s"><v>0</v></c><c r="B1" s="2" t="s"><v>1</v></c><c r="C1"><v>1</v></c>'
    for texts in (stored(SHORT + LONG), stored(SHORT, LONG), stored(b"", SHORT + b"<si>", LONG[4:])):
        assert texts.number == 2
        assert texts.size_of(sheet) == len(SHORT) + len(LONG)
        assert texts.size_of(b'<c t="s"><v>7</v></c>') == 0


def test_a_cell_that_is_written_in_another_way_may_have_any_text() -> None:
    for cell in (b"<c t='s'><v>0</v></c>", b'<c t="s"><v>0</v><v>1</v></c>', b'<x:c t = "s"><v>0</v></x:c>'):
        assert stored(SHORT, LONG).size_of(cell) == len(LONG), cell
    hidden = stored(b"<!--<si>-->", SHORT, LONG)
    assert hidden.size_of(b'<c t="s"><v>1</v></c>') == len(LONG)


def test_without_texts_there_is_nothing_to_count() -> None:
    assert stored().size_of(b'<c t="s"><v>0</v></c>') == 0
    assert [has_texts(name) for name in ("xl/sharedStrings.xml", "xl/worksheets/sheet1.xml")] == [True, False]
