"""Whatever is wrong with some rows: as many rows come out as go in, in order, and each has an answer or a reason."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.batch.pipeline import RowPredictor
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus

MODEL = NaiveBayes().fit(["good fun été", "dull plot 映画"], ["+", "-"])

words = st.text(st.characters(categories=["L", "N", "Po", "Zs", "So"], exclude_characters='",;\r\n'), max_size=12)
"""Texts of any script. They contain no quote or delimiter, so that it is certain how many rows a damaged file has."""

Row = tuple[str, str | None]
"""A text, and the damage that is done to its row."""


def damaged(kinds: list[str]) -> st.SearchStrategy[list[Row]]:
    """Rows, of which some are damaged. The first is sound, so that the format of the file is clear."""
    row = st.tuples(words, st.sampled_from([None, None, *kinds]))
    return st.lists(row, max_size=25).map(lambda rows: [("the first row is sound", None), *rows])


def csv_row(at: int, text: str, damage: str | None) -> bytes:
    sound = f'{at},"x{text}"'.encode()
    return {
        None: sound,
        "bytes": sound[:-1] + b'\xff"',
        "open quote": f'{at},"x{text}'.encode(),
        "after the quote": sound + b"z",
        "few fields": str(at).encode(),
        "many fields": sound + b",1,2",
    }[damage]


def csv_file(rows: list[Row]) -> bytes:
    # Enough valid characters beyond ASCII make it UTF-8, and not some other encoding.
    sound = "id,text\n" + '0,"été été été été été été été été été été"\n' * 3
    return sound.encode() + b"".join(csv_row(at, *row) + b"\n" for at, row in enumerate(rows))


def json_row(at: int, text: str, damage: str | None) -> bytes:
    sound = json.dumps({"id": at, "text": text}, ensure_ascii=False).encode()
    return {
        None: sound,
        "bytes": sound.replace(b'"id"', b'"\xff"'),
        "cut off": sound[:-2],
        "no text": json.dumps({"id": at}).encode(),
        "wrong type": json.dumps({"id": at, "text": 5}).encode(),
        "not an object": b"[1, 2]",
    }[damage]


def json_file(rows: list[Row]) -> bytes:
    sound = '{"id": -1, "text": "été été été été été été été été été"}\n' * 3
    return sound.encode() + b"".join(json_row(at, *row) + b"\n" for at, row in enumerate(rows))


def parquet_file(rows: list[Row]) -> bytes:
    sink = io.BytesIO()
    texts = ["été"] * 3 + [None if damage else text for text, damage in rows]
    pq.write_table(pa.table({"id": list(range(len(texts))), "text": pa.array(texts, pa.string())}), sink)
    return sink.getvalue()


def answers(source: Path, output_format: str, **how: str) -> list[dict[str, object]]:
    sink = io.BytesIO()
    corpus = Corpus(source, ReadingOptions(**how), labelled=False, whole=True)  # type: ignore[arg-type]  # only strings
    RowPredictor(MODEL, "prediction", False, None, format=output_format).write(corpus, sink)
    if output_format == "csv":
        return list(csv.DictReader(io.StringIO(sink.getvalue().decode("utf-8", "replace"), newline="")))
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def check(found: list[dict[str, object]], expected: list[bool]) -> None:
    """Each row has an answer if that is expected, and otherwise a reason."""
    assert len(found) == len(expected)
    for row, has_answer in zip(found, expected, strict=True):
        assert bool(row["prediction"]) == has_answer, row
        assert bool(row.get("problem")) == (not has_answer), row


CSV_DAMAGE = ["bytes", "open quote", "after the quote", "few fields", "many fields"]
JSON_DAMAGE = ["bytes", "cut off", "no text", "wrong type", "not an object"]


@pytest.mark.parametrize("output_format", ["csv", "jsonl"])
@pytest.mark.parametrize(
    ("name", "write", "kinds"),
    [
        ("a.csv", csv_file, CSV_DAMAGE),
        ("a.jsonl", json_file, JSON_DAMAGE),
        ("a.parquet", parquet_file, ["null"]),
    ],
)
@settings(deadline=None)
@given(data=st.data())
def test_rows_out_are_rows_in(
    name: str,
    write: Callable[[list[Row]], bytes],
    kinds: list[str],
    output_format: str,
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    rows = data.draw(damaged(kinds))
    path = tmp_path_factory.mktemp("rows") / name
    path.write_bytes(write(rows))
    check(answers(path, output_format), [True] * 3 + [damage is None for _, damage in rows])


@settings(deadline=None)
@given(messages=st.lists(st.tuples(words, st.binary(max_size=30)), min_size=1, max_size=10))
def test_every_message_of_a_mailbox_is_answered(
    messages: list[tuple[str, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("mail") / "box.mbox"
    path.write_bytes(
        b"".join(
            b"From a@b Mon Jan 1 00:00:00 2024\nSubject: "
            + text.encode()
            + b"\n\n"
            + damage.replace(b"From ", b"")
            + b"\n\n"
            for text, damage in messages
        )
    )
    check(answers(path, "jsonl"), [True] * len(messages))


@settings(deadline=None)
@given(files=st.lists(st.tuples(words, st.booleans()), min_size=1, max_size=10))
def test_every_file_of_a_folder_is_answered(
    files: list[tuple[str, bool]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("files") / "box"
    folder.mkdir()
    for at, (text, is_damaged) in enumerate(files):
        (folder / f"{at:02}.txt").write_bytes(text.encode() + (b"\xff" if is_damaged else b""))
    found = answers(folder, "jsonl", encoding="utf-8")
    check(found, [not is_damaged for _, is_damaged in files])
    assert [str(row["file"])[-6:] for row in found] == [f"{at:02}.txt" for at in range(len(files))]
