"""Small workbooks that would become gigabytes are refused before they are opened."""

from __future__ import annotations

import io
import struct
import time
import zipfile
from pathlib import Path

import pytest
from likely.errors import SourceError
from likely.reading.records import excel_limits
from likely.reading.records.excel_limits import check_workbook

from tests.unit.reading.conftest import as_xlsx, rows_of

PLAIN = as_xlsx({"Data": [["text", "label"], ["a", "x"], ["b", "y"]]})


def with_sheet(body: str) -> bytes:
    """A workbook whose only sheet has this XML."""
    sink = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(PLAIN)) as old, zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            data = old.read(name)
            if "worksheets" in name:
                data = data.split(b"<sheetData>")[0] + f"<sheetData>{body}</sheetData></worksheet>".encode()
            new.writestr(name, data)
    return sink.getvalue()


def test_an_ordinary_workbook_passes() -> None:
    check_workbook(io.BytesIO(PLAIN), "a.xlsx")


@pytest.mark.parametrize(
    "body",
    [
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        "<row r='1'><c t='n' r = 'a1'><v>1</v></c></row><row><c r='xfd1048576'><v>1</v></c></row>",
        '<x:row r="99999999"><x:c><v>1</v></x:c></x:row><row>' + "<c><v>1</v></c>" * 30 + "</row>",
        "<row><c/></row>" * 5000 + "<row>" + "<c/>" * 5000 + "</row>",
        "<row><c " + " " * (3 << 20) + 'r="A1"/></row>',
    ],
    ids=["far", "small letters", "row numbers", "no places", "long tag"],
)
def test_cells_that_lie_far_apart_are_refused(tmp_path: Path, body: str) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(with_sheet(body))
    begun = time.monotonic()
    with pytest.raises(SourceError, match="more cells or text than a workbook may have here: save it as CSV"):
        rows_of(path)
    assert time.monotonic() - begun < 20


def with_stored_texts(texts: str, sheet: str) -> bytes:
    """A workbook whose cells refer to these texts."""
    sink = io.BytesIO(with_sheet(sheet))
    with zipfile.ZipFile(sink, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/sharedStrings.xml", f"<sst>{texts}</sst>")
    return sink.getvalue()


@pytest.mark.parametrize(
    ("texts", "cell"),
    [
        ("<si><t>text</t></si><si><t>{long}</t></si>", '<c r="A{row}" t="s"><v>1</v></c>'),
        ("<si><t>text</t></si><si><t>{long}</t></si>", "<c r=\"A{row}\" t='s' ><v> 1 </v></c>"),
        ("<si><t>text</t></si><si><t>{long}</t></si>", '<c r="A{row}" t="s"><v>0</v><v>1</v></c>'),
        ("<!--<si>--><si><t>text</t></si><si><t>{long}</t></si>", '<c r="A{row}" t="s"><v>1</v></c>'),
        ("<x:si/>" * 110_000, ""),
        ("", '<c r="A1"><v>1</v></c>'),
    ],
    ids=["shared", "odd", "two values", "hidden", "many texts", "one place"],
)
def test_texts_that_are_stored_once_do_not_fill_the_memory(
    monkeypatch: pytest.MonkeyPatch, texts: str, cell: str
) -> None:
    monkeypatch.setattr(excel_limits, "MOST_CELLS", 100_000)
    rows = 20_000 if texts else 110_000
    sheet = "".join(f"<row>{cell.format(row=row)}</row>" for row in range(rows)) if texts else cell * rows
    bomb = with_stored_texts(texts.format(long="good " * 20_000), sheet)
    assert len(bomb) < 2_000_000
    with pytest.raises(SourceError, match="more cells or text than a workbook may have here: save it as CSV"):
        check_workbook(io.BytesIO(bomb), "a.xlsx")


def test_texts_that_are_stored_once_may_be_in_many_cells() -> None:
    texts = "<si><t>text</t></si><si><t>" + "good " * 6000 + "</t></si>"
    sheet = "".join(f'<row><c r="A{row}" s="1" t="s"><v>{row == 1:d}</v></c></row>' for row in range(100_000))
    check_workbook(io.BytesIO(with_stored_texts(texts, sheet)), "a.xlsx")


def test_the_size_that_an_archive_claims_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel_limits, "MOST_BYTES", 10 << 20)
    sink, size = io.BytesIO(), (10 << 20) + 0x1A2B3
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", bytes(size))
    lie = sink.getvalue().replace(struct.pack("<I", size), struct.pack("<I", 100))
    assert zipfile.ZipFile(io.BytesIO(lie)).infolist()[0].file_size == 100
    with pytest.raises(SourceError, match="more cells"):
        check_workbook(io.BytesIO(lie), "a.xlsx")


def test_damaged_archives_are_refused() -> None:
    for at in range(0, len(PLAIN), 7):
        damaged = PLAIN[:at] + bytes([PLAIN[at] ^ 255]) + PLAIN[at + 1 :]
        try:
            check_workbook(io.BytesIO(damaged), "a.xlsx")
        except SourceError as error:
            assert "a.xlsx" in str(error)  # noqa: PT017 - some damage is not noticed here
