"""Reading: the same rows whatever the container, columns guessed or asked for, bad rows named."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import sqlite3
import warnings
from pathlib import Path
from typing import Any

import duckdb
import likely
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely.errors import BadRowsError, LabelError, SkippedRowsWarning, SourceError, UnknownOptionError
from likely.reading import Corpus, Reading, jsonl, records, stream
from likely.reading.prefetch import ahead
from likely.storage.model_file import to_bytes

ROWS = [
    ("Good fun,\nand a “good” plot", "pos"),
    ('so "much" fun', "pos"),
    ("", "neg"),
    ("dull; boring\tfilm", "neg"),
    ("可愛い 映画 👍", "pos"),
]


def rows_of(source: Any, labelled: bool = True, **reading: Any) -> list[tuple[str, Any]]:
    corpus = Corpus(source, Reading(**reading), labelled=labelled)
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


FILES = {
    "a.csv": as_csv,
    "a.tsv": lambda rows: as_csv(rows, "\t"),
    "semicolons.csv": lambda rows: as_csv(rows, ";"),
    "a.jsonl": as_jsonl,
    "a.parquet": as_parquet,
    "a.arrow": as_arrow,
    "a.feather": as_feather,
}
PACKED = {"": lambda data: data, ".gz": gzip.compress, ".bz2": bz2.compress, ".zst": pa.Codec("zstd").compress}


def packed(data: bytes, suffix: str) -> bytes:
    done = PACKED[suffix](data)
    return done if isinstance(done, bytes) else done.to_pybytes()


@pytest.mark.parametrize("suffix", PACKED)
@pytest.mark.parametrize("name", FILES)
def test_the_same_rows_from_every_container(tmp_path: Path, name: str, suffix: str) -> None:
    path = tmp_path / (name + suffix)
    path.write_bytes(packed(FILES[name](ROWS), suffix))
    assert rows_of(path) == ROWS
    # Without a name that tells, the content does.
    bare = tmp_path / "bare"
    bare.write_bytes(path.read_bytes())
    assert rows_of(bare) == ROWS


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, lambda t: t, duckdb.from_arrow])
def test_the_same_rows_from_frames(frame: Any) -> None:
    table = as_table(ROWS)
    source = frame(table.to_pydict() if frame in (pd.DataFrame, pl.DataFrame) else table)
    assert rows_of(source) == ROWS
    assert rows_of(source, text="text", label="label") == ROWS


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@settings(deadline=None)
@given(rows=st.lists(st.tuples(texts, st.sampled_from(["a", "b,", 'c"', "d\n"])), min_size=1, max_size=20))
def test_containers_give_the_same_model(
    rows: list[tuple[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("same")
    expected = to_bytes(likely.NaiveBayes().fit(*map(list, zip(*rows, strict=True))).snapshot())
    for name in ("a.csv", "a.jsonl", "a.parquet", "a.arrow"):
        (folder / name).write_bytes(FILES[name](rows))
        if name != "a.csv" or all("\r" not in text for text, _ in rows):
            assert to_bytes(likely.train(folder / name, text="text", label="label").snapshot()) == expected, name


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(texts, st.sampled_from("ab")), min_size=1, max_size=30),
    size=st.integers(1, 60),
    data=st.data(),
)
def test_chunks_make_no_difference(
    rows: list[tuple[str, str]], size: int, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    name = data.draw(st.sampled_from(["a.csv", "a.jsonl"]))
    path = tmp_path_factory.mktemp("chunks") / name
    path.write_bytes(FILES[name](rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "CHUNK", size)
        patch.setattr(stream, "HEAD", size)
        assert rows_of(path, text="text", label="label") == rows


def test_several_files_and_globs(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_bytes(as_csv(ROWS[:2]))
    (tmp_path / "2.jsonl").write_bytes(as_jsonl(ROWS[2:]))
    assert rows_of([tmp_path / "1.csv", tmp_path / "2.jsonl"]) == ROWS
    assert rows_of(str(tmp_path / "*.*")) == ROWS
    assert rows_of(tmp_path) == ROWS
    with pytest.raises(SourceError, match="no file matches"):
        rows_of(str(tmp_path / "*.nothing"))


def test_a_folder_for_each_class(tmp_path: Path) -> None:
    for label in ("ham", "spam"):
        (tmp_path / label / "deep").mkdir(parents=True)
        (tmp_path / label / "1.txt").write_text(f"one {label}")
        (tmp_path / label / "deep" / "2").write_text(f"two {label}")
        (tmp_path / label / ".hidden").write_text("no")
    assert rows_of(tmp_path) == [("one ham", "ham"), ("two ham", "ham"), ("one spam", "spam"), ("two spam", "spam")]


MAIL = b"From: a@b\nSubject: =?utf-8?q?Caf=C3=A9?=\nContent-Type: text/html\n\n<p>so <b>good</b></p>\n"


def test_mailboxes(tmp_path: Path) -> None:
    (tmp_path / "spam.mbox").write_bytes(
        b"From a@b Mon Jan  1 00:00:00 2026\n" + MAIL + b"\nFrom x\nSubject: 2\n\ntwo\n"
    )
    (tmp_path / "ham").mkdir()
    (tmp_path / "ham" / "1.eml").write_bytes(MAIL)
    for part in ("cur", "new", "tmp"):
        (tmp_path / "box" / part).mkdir(parents=True)
    (tmp_path / "box" / "new" / "1").write_bytes(MAIL)
    found = [(text.split(), label) for text, label in rows_of(tmp_path)]
    good = ["Café", "so", "good"]
    assert found == [(good, "box"), (good, "ham"), (good, "spam"), (["2", "two"], "spam")]
    assert [label for _, label in rows_of([tmp_path / "spam.mbox", tmp_path / "box"])] == ["spam", "spam", "box"]


def test_fasttext_and_plain_lines(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("__label__pos good fun\n__label__neg dull\n")
    assert rows_of(path) == [("good fun", "pos"), ("dull", "neg")]
    assert rows_of(path, labelled=False) == [("good fun", None), ("dull", None)]
    path.write_text("good fun\n\ndull")
    assert rows_of(path, labelled=False) == [("good fun", None), ("", None), ("dull", None)]
    with pytest.raises(SourceError, match="plain text without labels"):
        rows_of(path)


def test_sql(tmp_path: Path) -> None:
    pq.write_table(as_table(ROWS), tmp_path / "a.parquet")
    query = "select text as body, label as tag from '{}' order by rowid"
    assert sorted(rows_of(None, sql=f"select text as body, label as tag from '{tmp_path}/*.parquet'")) == sorted(ROWS)
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("create table rows (text, label)")
        database.executemany("insert into rows values (?, ?)", ROWS)
    database.close()
    assert rows_of(tmp_path / "a.db", sql=query.format("rows").replace("'", "")) == ROWS
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(f"create table rows as select * from '{tmp_path}/a.parquet'")
    assert sorted(rows_of(tmp_path / "a.duckdb", sql="select * from rows")) == sorted(ROWS)
    with pytest.raises(SourceError, match="the query failed"):
        rows_of(None, sql="selekt 1")
    with pytest.raises(SourceError, match="give a query with sql"):
        rows_of(tmp_path / "a.db")


def summary(path: Path) -> str:
    corpus = Corpus(path)
    list(corpus)
    return corpus.summary()


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("id,Review,Sentiment", "text=Review, label=Sentiment"),
        ("id,body,class", "text=body, label=class"),
        ("nr,what,kind", "text=what, label=kind"),  # by content: the long one, and the one with few values
    ],
)
def test_columns_are_guessed(tmp_path: Path, header: str, chosen: str) -> None:
    rows = "".join(f"{at},a rather long text about number {at},{'ab'[at % 2]}\n" for at in range(20))
    (tmp_path / "a.csv").write_text(f"{header}\n{rows}")
    assert summary(tmp_path / "a.csv") == f"read as CSV, {chosen}, 20 rows"


@pytest.mark.parametrize("header", ["a,b", "text_1,text_2", "body,message"])
def test_no_guess_where_it_is_not_clear(tmp_path: Path, header: str) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\nx y,z w\n")
    with pytest.raises(SourceError, match=f"{header.replace(',', ', ')}: name one with text"):
        rows_of(tmp_path / "a.csv")


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\na,b\n")
    with pytest.raises(SourceError, match=r"no column 'body'\. The columns are text, label"):
        rows_of(tmp_path / "a.csv", text="body")
    with pytest.raises(SourceError, match="both"):
        rows_of(tmp_path / "a.csv", text="text", label="text")
    assert rows_of(tmp_path / "a.csv", header=False, text="1", label="2") == [("text", "label"), ("a", "b")]


def test_bad_rows_are_counted_and_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(
        b'text,label\ngood,+\nno label,\n"two\nlines",-\nbad \xff,+\n"open,+\nmany,fields,here\nlast,-\n'
    )
    with pytest.warns(SkippedRowsWarning) as told:
        model = likely.train(path)
    assert model.class_documents_.tolist() == [1, 2]
    problems = [
        "line 3: no label",
        "line 6: not valid UTF-8",
        "line 7: broken quoting",
        "line 8: not as many fields as the header",
    ]
    assert str(told[0].message) == "4 rows skipped: " + "; ".join(f"{path} {problem}" for problem in problems)
    assert told[0].filename == __file__
    with pytest.raises(BadRowsError, match="line 3: no label"):
        likely.train(path, strict=True)


def test_bad_rows_of_tables() -> None:
    table = pa.table({"text": ["a", None, "c", "d"], "label": ["x", "y", None, "y"]})
    corpus = Corpus(table)
    assert [batch.texts.to_pylist() for batch in corpus] == [["a", "d"]]
    assert corpus.skipped.first == ["the Table row 2: no text", "the Table row 3: no label"]
    with pytest.raises(BadRowsError, match="no row could be read"):
        rows_of(pa.table({"text": pa.array([None], pa.string()), "label": ["x"]}))


def test_labels_keep_their_kind(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(as_jsonl([("good", 1), ("bad", 0)]))
    assert likely.train(path).classes_.tolist() == [0, 1]
    path.write_bytes(as_jsonl([("good", True), ("bad", False)]))
    assert likely.train(path).classes_.tolist() == [False, True]
    path.write_bytes(as_jsonl([("good", 1), ("bad", "no")]))
    with pytest.raises((LabelError, SourceError), match=r"alike|same type"):
        likely.train(path)


def test_labels_of_text_files_are_read_as_the_model_has_them(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\ngood,1\nbad,0\n")
    model = likely.NaiveBayes().fit(["good", "bad"], [1, 0])
    assert model.evaluate(tmp_path / "a.csv").accuracy == 1
    assert model.learn(tmp_path / "a.csv").class_documents_.tolist() == [2, 2]
    assert model.forget(tmp_path / "a.csv").class_documents_.tolist() == [1, 1]
    (tmp_path / "a.csv").write_text("text,label\ngood,one\n")
    with pytest.raises(LabelError, match="'one' cannot be read as int"):
        model.learn(tmp_path / "a.csv")


def test_nothing_is_learned_from_what_cannot_be_read(tmp_path: Path) -> None:
    model = likely.NaiveBayes().fit(["good"], ["+"])
    before = to_bytes(model.snapshot())
    (tmp_path / "a.csv").write_bytes(as_csv(ROWS) + b"bad row\n")
    with pytest.raises(BadRowsError):
        model.learn(tmp_path / "a.csv", strict=True)
    for source in (tmp_path / "none.csv", tmp_path / "empty"):
        with pytest.raises(SourceError):
            model.learn(source)
    assert to_bytes(model.snapshot()) == before


def test_settings_that_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(UnknownOptionError, match="abstain, threads, budget, encoding, format"):
        likely.train(tmp_path / "a.csv", colum="x")  # type: ignore[call-arg]
    with pytest.raises(UnknownOptionError):
        likely.train(["a"], ["b"], text="x")
    with pytest.raises(SourceError, match="format must be None, 'csv'"):
        likely.train(tmp_path / "a.csv", format="xml")  # type: ignore[arg-type]
    with pytest.raises(SourceError, match="cannot read labelled texts from a dict"):
        likely.train({"a": 1})


def test_compressed_files_that_break_off(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(as_csv(ROWS * 1000))[:-20])
    with pytest.raises(SourceError, match=r"a\.csv\.gz"):
        rows_of(path)


def test_a_row_that_does_not_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (records, jsonl):
        monkeypatch.setattr(module, "LONGEST_ROW", 1000)
    monkeypatch.setattr(records, "CHUNK", 256)
    monkeypatch.setattr(stream, "HEAD", 256)
    path = tmp_path / "a.jsonl"
    long = as_jsonl([("x" * 5000, "a")])
    path.write_bytes(as_jsonl(ROWS[:1]) + long + as_jsonl(ROWS[1:]))
    corpus = Corpus(path)
    assert [text for batch in corpus for text in batch.texts.to_pylist()] == [text for text, _ in ROWS]
    assert corpus.skipped.first == [f"{path} line 2: longer than a row may be"]


def test_reading_ahead_hands_errors_on_and_stops_when_left() -> None:
    def failing() -> Any:
        yield 1
        raise OSError("gone")

    items = ahead(failing())
    assert next(items) == 1
    with pytest.raises(OSError, match="gone"):
        next(items)
    endless = ahead(iter(int, 1))
    assert next(endless) == 0
    endless.close()  # type: ignore[attr-defined]


def test_nothing_is_said_of_good_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(as_csv(ROWS))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        likely.train(tmp_path / "a.csv")
