"""Rows, and the files that hold them in each format."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import zipfile
from typing import Any
from xml.sax.saxutils import escape

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus

ROWS = [
    ("Good fun,\nand a “good” plot", "pos"),
    ('so "much" fun', "pos"),
    ("", "neg"),
    ("dull; boring\tfilm", "neg"),
    ("可愛い 映画 👍", "pos"),
]


def rows_of(source: Any, labelled: bool = True, **reading: Any) -> list[tuple[str, Any]]:
    corpus = Corpus(source, ReadingOptions(**reading), labelled=labelled)
    found: list[tuple[str, Any]] = []
    for batch in corpus:
        texts = batch.texts.to_pylist()
        found += zip(texts, batch.labels or [None] * len(texts), strict=True)
    return found


def as_csv(rows: list[tuple[str, Any]], delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows([("text", "label"), *rows])
    return text.getvalue().encode()


def as_jsonl(rows: list[tuple[str, Any]]) -> bytes:
    return "".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in rows).encode()


def as_table(rows: list[tuple[str, Any]]) -> pa.Table:
    return pa.table({"text": [text for text, _ in rows], "label": [label for _, label in rows]})


def as_arrow(rows: list[tuple[str, Any]]) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, as_table(rows).schema) as writer:
        writer.write_table(as_table(rows))
    return sink.getvalue()


def as_parquet(rows: list[tuple[str, Any]]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(as_table(rows), sink)
    return sink.getvalue()


def as_feather(rows: list[tuple[str, Any]]) -> bytes:
    sink = io.BytesIO()
    pyarrow.feather.write_feather(as_table(rows), sink)
    return sink.getvalue()


_XML = "http://schemas.openxmlformats.org"
_KIND = f"{_XML}/officeDocument/2006/relationships"
_WORKBOOK = f'<workbook xmlns="{_XML}/spreadsheetml/2006/main" xmlns:r="{_KIND}">'
_RELATIONS = f'<Relationships xmlns="{_XML}/package/2006/relationships">'
_FORMATS = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>'
_STYLES = f'<styleSheet xmlns="{_XML}/spreadsheetml/2006/main">{_FORMATS}</styleSheet>'
_TYPES = f'<Types xmlns="{_XML}/package/2006/content-types"/>'


def as_xlsx(sheets: dict[str, list[list[Any]]]) -> bytes:
    """A workbook. None is an empty cell, and a ``datetime.date`` a cell with the format of a date."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        names = "".join(f'<sheet name="{name}" sheetId="{at}" r:id="s{at}"/>' for at, name in enumerate(sheets, 1))
        archive.writestr("[Content_Types].xml", _TYPES)
        root = f'<Relationship Id="r" Type="{_KIND}/officeDocument" Target="xl/workbook.xml"/>'
        archive.writestr("_rels/.rels", f"{_RELATIONS}{root}</Relationships>")
        archive.writestr("xl/workbook.xml", f"{_WORKBOOK}<sheets>{names}</sheets></workbook>")
        parts = "".join(
            f'<Relationship Id="s{at}" Type="{_KIND}/worksheet" Target="worksheets/sheet{at}.xml"/>'
            for at in range(1, len(sheets) + 1)
        )
        styles = f'<Relationship Id="x" Type="{_KIND}/styles" Target="styles.xml"/>'
        archive.writestr("xl/_rels/workbook.xml.rels", f"{_RELATIONS}{parts}{styles}</Relationships>")
        archive.writestr("xl/styles.xml", _STYLES)
        for at, rows in enumerate(sheets.values(), 1):
            body = "".join(_xlsx_row(number, row) for number, row in enumerate(rows, 1))
            sheet = f'<worksheet xmlns="{_XML}/spreadsheetml/2006/main"><sheetData>{body}</sheetData></worksheet>'
            archive.writestr(f"xl/worksheets/sheet{at}.xml", sheet)
    return sink.getvalue()


def _xlsx_row(number: int, row: list[Any]) -> str:
    cells = (_xlsx_cell(f"{chr(65 + at)}{number}", value) for at, value in enumerate(row) if value is not None)
    return f'<row r="{number}">{"".join(cells)}</row>'


def _xlsx_cell(place: str, value: Any) -> str:
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'
    if isinstance(value, bool):
        return f'<c r="{place}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, dt.date):
        return f'<c r="{place}" s="1"><v>{(value - dt.date(1899, 12, 30)).days}</v></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def as_json(rows: list[tuple[str, Any]]) -> bytes:
    return json.dumps([{"text": text, "label": label} for text, label in rows], indent=1).encode()


FILES = {
    "a.csv": as_csv,
    "a.tsv": lambda rows: as_csv(rows, "\t"),
    "semicolons.csv": lambda rows: as_csv(rows, ";"),
    "a.jsonl": as_jsonl,
    "a.json": as_json,
    "wrapped.json": lambda rows: b'{"n": [1], "data": ' + as_json(rows) + b"}",
    "a.parquet": as_parquet,
    "a.arrow": as_arrow,
    "a.feather": as_feather,
}
