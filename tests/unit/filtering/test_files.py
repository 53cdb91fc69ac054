"""The matching rows of many files, in every format, byte by byte."""

from __future__ import annotations

import bz2
import gzip
import json
from collections.abc import Callable
from pathlib import Path

import likely
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes, _native
from likely.batch.pipeline import filter_files
from likely.batch.writers import ZSTD_LEVEL
from likely.errors import LabelError, OptionError, OutputError
from likely.reading.stream import Stream

MODEL = NaiveBayes().fit(["good fun", "dull plot"], ["good", "bad"])
ROWS = [
    '{"id":1,  "text":"good \\u00e9", "meta": {"x": [1, null]}}',
    '{"id": 2, "text": "dull"}',
    '{"text": "good fun", "id": 3, "more": 1.50}',
    "not JSON",
    '{"id": 4}',
    '{"id": 5, "text": "fun é"}',
]
KEPT = [ROWS[0], ROWS[2], ROWS[5]]
WHERE = "p(good) > 0.5"


def zstd(data: bytes) -> bytes:
    native = _native.ZstdWriter(ZSTD_LEVEL)
    return native.feed(data) + native.finish()


PACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".zst": zstd,
}


def unpacked(path: Path) -> bytes:
    stream = Stream(path)
    try:
        return b"".join(iter(stream.read, b""))
    finally:
        stream.close()


@pytest.mark.parametrize("suffix", list(PACK))
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_rows_of_json_lines_stay_byte_by_byte(tmp_path: Path, suffix: str, end: str) -> None:
    data = "".join(row + end for row in ROWS).encode()
    name = f"pages.jsonl{suffix}"
    (tmp_path / name).write_bytes(PACK[suffix](data))
    found = filter_files(MODEL, tmp_path / name, tmp_path / "out", WHERE)
    written = tmp_path / "out" / name
    assert unpacked(written) == "".join(row + end for row in KEPT).encode()
    assert (written.read_bytes() == unpacked(written)) == (suffix == "")
    assert (found.rows, found.kept, found.skipped, found.files) == (6, 3, 2, 1)


def test_rows_of_csv_keep_their_header(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'sep=;\r\nid;text\r\n1;"good; ""so"""\r\n2;dull\r\n3;fun\r\n')
    filter_files(MODEL, tmp_path / "a.csv", tmp_path / "out", WHERE)
    assert (tmp_path / "out/a.csv").read_bytes() == b'sep=;\r\nid;text\r\n1;"good; ""so"""\r\n3;fun\r\n'


def test_other_encodings_stay(tmp_path: Path) -> None:
    data = "id,text\n1,good café fermé\n2,dull\n".encode("cp1252")
    (tmp_path / "a.csv").write_bytes(data)
    filter_files(MODEL, tmp_path / "a.csv", tmp_path / "out", WHERE)
    assert (tmp_path / "out/a.csv").read_bytes() == data[: -len(b"2,dull\n")]


def test_plain_lines(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("good fun indeed\ndull it is\nfun it is\n")
    filter_files(MODEL, tmp_path / "a.txt", tmp_path / "out", WHERE)
    assert (tmp_path / "out/a.txt").read_text() == "good fun indeed\nfun it is\n"


@pytest.mark.parametrize("where", [WHERE, "known > 2"], ids=["some", "none"])
def test_parquet_keeps_its_types(tmp_path: Path, where: str) -> None:
    table = pa.table(
        {
            "text": pa.array(["good", "dull", None, "fun"], pa.large_string()),
            "meta": pa.array([{"x": 1}, {"x": 2}, None, {"x": 3}]),
            "n": pa.array([1, 2, 3, 4], pa.int16()),
        }
    )
    pq.write_table(table, tmp_path / "a.parquet")
    found = filter_files(MODEL, tmp_path / "a.parquet", tmp_path / "out", where)
    written = pq.read_table(tmp_path / "out/a.parquet")
    assert written.schema.types == table.schema.types
    assert written["n"].to_pylist() == ([1, 4] if where == WHERE else [])
    assert found.skipped == 1


def test_new_columns_if_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(row + "\n" for row in ROWS))
    filter_files(MODEL, tmp_path / "a.jsonl", tmp_path / "out", WHERE, proba=True)
    rows = [json.loads(line) for line in (tmp_path / "out/a.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == [1, 3, 5]
    assert [row["prediction"] for row in rows] == ["good"] * 3
    assert all(row["probability"] > 0.5 and 0 < row["known"] <= 1 for row in rows)


def test_all_rows_with_a_column_that_says_which_match(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(row + "\n" for row in ROWS))
    filter_files(MODEL, tmp_path / "a.jsonl", tmp_path / "out", WHERE, only_matching=False)
    rows = [json.loads(line) for line in (tmp_path / "out/a.jsonl").read_text().splitlines()]
    assert [row["matches"] for row in rows] == [True, False, True, None, None, True]
    assert [row.get("problem") for row in rows][3:5] == ["not a JSON object", "no text"]


def test_a_parquet_file_with_a_column_that_says_which_match(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": ["good", "dull", None]}), tmp_path / "a.parquet")
    filter_files(MODEL, tmp_path / "a.parquet", tmp_path / "out", WHERE, only_matching=False)
    assert pq.read_table(tmp_path / "out/a.parquet")["matches"].to_pylist() == [True, False, None]


def test_empty_and_damaged_files_do_not_end_the_work(tmp_path: Path) -> None:
    rows = "".join(row + "\n" for row in ROWS).encode()
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.jsonl.gz").write_bytes(gzip.compress(rows * 1000)[:-20])
    (tmp_path / "in/b.jsonl.gz").write_bytes(gzip.compress(b""))
    (tmp_path / "in/c.jsonl").write_bytes(rows)
    found = filter_files(MODEL, tmp_path / "in", tmp_path / "out", WHERE)
    assert list(found.unread) == [str(tmp_path / "in/a.jsonl.gz")]
    assert (found.files, found.kept) == (2, 3)
    assert not (tmp_path / "out/a.jsonl.gz").exists()
    assert gzip.decompress((tmp_path / "out/b.jsonl.gz").read_bytes()) == b""
    (tmp_path / "in/a.jsonl.gz").write_bytes(gzip.compress(rows))
    again = filter_files(MODEL, tmp_path / "in", tmp_path / "out", WHERE)
    assert (again.files, again.already, again.kept, again.unread) == (1, 2, 6, {})


def test_a_file_with_a_column_of_the_new_name_does_not_end_the_work(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, key in {"a.jsonl": "id", "b.jsonl": "prediction", "c.jsonl": "known", "d.jsonl": "label"}.items():
        (tmp_path / "in" / name).write_text(f'{{"{key}": 1, "text": "good"}}\n')
    (tmp_path / "in/e.csv").write_text("text,matches\ngood,1\n")
    found = filter_files(MODEL, tmp_path / "in", tmp_path / "out", WHERE, only_matching=False)
    place = tmp_path / "in/b.jsonl"
    assert (
        found.unread[str(place)]
        == f"{place} already has a column 'prediction': name the new one with --prediction-column"
    )
    assert sorted(Path(name).name for name in found.unread) == ["b.jsonl", "c.jsonl", "e.csv"]
    assert sorted(path.name for path in (tmp_path / "out").glob("[!.]*")) == ["a.jsonl", "d.jsonl"]
    named = filter_files(MODEL, tmp_path / "in", tmp_path / "named", WHERE, only_matching=False, name="tone")
    assert named.files == 5
    as_they_are = filter_files(MODEL, tmp_path / "in", tmp_path / "kept", WHERE)
    assert (as_they_are.files, as_they_are.unread) == (5, {})


def test_finished_files_are_skipped_and_other_work_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(row + "\n" for row in ROWS))
    filter_files(MODEL, tmp_path / "a.jsonl", tmp_path / "out", WHERE)
    before = (tmp_path / "out/a.jsonl").stat().st_mtime_ns
    again = filter_files(MODEL, tmp_path / "a.jsonl", tmp_path / "out", "p('good')  >  0.50")
    assert (again.files, again.already, again.kept, again.rows) == (0, 1, 3, 6)
    assert (tmp_path / "out/a.jsonl").stat().st_mtime_ns == before
    other = NaiveBayes(alpha=0.5).fit(["good fun", "dull plot"], ["good", "bad"])
    for model, where in ((MODEL, "p(good) > 0.6"), (other, WHERE)):
        with pytest.raises(OutputError):
            filter_files(model, tmp_path / "a.jsonl", tmp_path / "out", where)
    with pytest.raises(OutputError, match="output has changed"):
        filter_files(MODEL, tmp_path / "a.jsonl", tmp_path / "out", WHERE, proba=True)
    found = filter_files(other, tmp_path / "a.jsonl", tmp_path / "out", "known > 2", overwrite=True)
    assert (found.files, found.kept) == (1, 0)
    assert (tmp_path / "out/a.jsonl").read_bytes() == b""


def test_threads_do_not_change_the_bytes(tmp_path: Path) -> None:
    rows = "".join(f'{{"text": "good {at} dull {at % 7} fun"}}\n' for at in range(30_000))
    (tmp_path / "a.jsonl").write_text(rows)
    found = []
    for threads in (1, 2, 5):
        model = NaiveBayes(threads=threads).fit(["good fun 1 2 3", "dull plot 4 5"], ["good", "bad"])
        filter_files(model, tmp_path / "a.jsonl", tmp_path / str(threads), "p(good) > 0.55", proba=True)
        found.append((tmp_path / str(threads) / "a.jsonl").read_bytes())
    assert found[0]
    assert found[1:] == found[:1] * 2


def test_a_bad_expression_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(row + "\n" for row in ROWS))
    for where, error in (("p(good) >", OptionError), ("p(god) > 1", LabelError)):
        with pytest.raises(error):
            filter_files(MODEL, tmp_path / "a.jsonl", tmp_path / "out", where)
    assert not (tmp_path / "out").exists()


def test_what_is_observed(tmp_path: Path) -> None:
    data = "".join(row + "\n" for row in ROWS).encode()
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_bytes(data)
    seen: list[tuple[int, ...]] = []
    filter_files(
        MODEL, str(tmp_path / "*.jsonl"), tmp_path / "out", WHERE, observe=lambda *numbers: seen.append(numbers)
    )
    size = len(data)
    assert seen == [(6, size, 2 * size, size), (12, 2 * size, 2 * size, 2 * size)]


@pytest.mark.parametrize("only_matching", [True, False], ids=["only matching", "all"])
def test_a_parquet_file_without_rows_keeps_its_types(tmp_path: Path, only_matching: bool) -> None:
    table = pa.table({"text": pa.array([], pa.string()), "meta": pa.array([], pa.struct([("x", pa.int8())]))})
    pq.write_table(table, tmp_path / "a.parquet")
    source, out = tmp_path / "a.parquet", tmp_path / "out"
    found = filter_files(MODEL, source, out, WHERE, only_matching=only_matching, proba=not only_matching)
    written = pq.read_table(tmp_path / "out/a.parquet")
    assert (written.num_rows, found.files, found.unread) == (0, 1, {})
    new = [] if only_matching else [pa.string(), pa.float64(), pa.float64(), pa.bool_(), pa.string()]
    assert written.schema.types == [*table.schema.types, *new]


def test_what_was_written_can_be_filtered_by_a_glob(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(row + "\n" for row in ROWS))
    filter_files(MODEL, tmp_path / "a.jsonl", tmp_path / "first", WHERE)
    found = filter_files(MODEL, str(tmp_path / "first/*"), tmp_path / "second", WHERE)
    assert (found.files, found.rows, found.kept) == (1, 3, 3)


def test_another_column_of_texts_is_told(tmp_path: Path) -> None:
    model = likely.train([{"text": "good fun", "label": "good"}, {"text": "dull plot", "label": "bad"}], plain=True)
    for at in range(12):
        (tmp_path / f"{at}.jsonl").write_text('{"id": 1, "body": "good fun it is"}\n')
    found = filter_files(model, str(tmp_path / "*.jsonl"), tmp_path / "out", WHERE)
    assert (found.files, found.kept, len(found.notes)) == (12, 12, 10)
    assert "the model was trained on text=text" in found.notes[0]
    assert filter_files(model, str(tmp_path / "*.jsonl"), tmp_path / "new", WHERE, text="body").notes == []


def test_starting_over_leaves_nothing_of_earlier_work(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text("".join(row + "\n" for row in ROWS))
    filter_files(MODEL, str(tmp_path / "*.jsonl"), tmp_path / "out", WHERE)
    for _ in range(2):  # the record stays as it is
        with pytest.raises(OutputError, match=r"b\.jsonl is from an earlier run and would remain"):
            filter_files(MODEL, tmp_path / "a.jsonl", tmp_path / "out", "known > 2", overwrite=True)
    (tmp_path / "out/b.jsonl").unlink()
    found = filter_files(MODEL, tmp_path / "a.jsonl", tmp_path / "out", "known > 2", overwrite=True)
    assert (found.files, found.kept) == (1, 0)
