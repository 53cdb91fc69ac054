"""Models as bytes and files: the same bytes for the same model, and nothing but models from files."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import json
import os
import pickle
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.errors import LikelyError, ModelFileError, NotFittedError, TooLargeError
from likely.sample import load_sample
from likely.storage import manifest
from likely.storage.model_file import from_bytes, to_bytes

Reviews = tuple[list[str], list[str]]


@pytest.fixture
def data(reviews: Reviews) -> bytes:
    return to_bytes(NaiveBayes(ngrams=(1, 2)).fit(*reviews).snapshot())


def restored(data: bytes) -> NaiveBayes:
    return NaiveBayes.from_snapshot(from_bytes(data))


def read(data: bytes, **how: Any) -> tuple[pa.Table, dict[str, Any]]:
    file = pq.ParquetFile(pa.BufferReader(data), **how)
    return file.read(), json.loads(file.metadata.metadata[b"likely"])


def forged(table: pa.Table, document: Any, **how: Any) -> bytes:
    """A file as somebody would write it who knows all about it, the digest included."""
    sink = io.BytesIO()
    columns = [name for name in table.column_names if name != "class"]
    settings = {
        "compression": "zstd",
        "use_dictionary": ["class"] if "class" in table.column_names else False,
        "column_encoding": {name: "DELTA_BYTE_ARRAY" if name == "term" else "PLAIN" for name in columns},
        "write_statistics": False,
        "store_schema": False,
    }
    schema = pa.schema([field.with_nullable(False) for field in table.schema])
    with pq.ParquetWriter(sink, schema, **(settings | how)) as writer:
        writer.write_table(table.cast(schema))
        if isinstance(document, dict):
            document = json.dumps(document | {"digest": "0" * 64}, separators=(",", ":"))
        writer.add_key_value_metadata({"likely": document})
    content = sink.getvalue()
    return manifest.sign(content) if b'"digest":"000' in content else content


def test_a_forger_would_get_the_same_bytes_if_he_changed_nothing(data: bytes) -> None:
    levels = {"term": 9, "class": 1, "count": 1, "documents": 1}
    table, document = read(data, read_dictionary=["class"])
    assert forged(table, document, compression_level=levels, dictionary_pagesize_limit=1 << 30) == data


# What is read back


def test_a_file_holds_what_it_is_said_to_hold(reviews: Reviews, tmp_path: Path) -> None:
    path = tmp_path / "reviews.likely"
    saved = NaiveBayes(alpha=1).fit(*reviews).save(path)
    table, document = read(path.read_bytes())
    assert (saved.path, saved.size, saved.terms) == (str(path), path.stat().st_size, 20)
    assert [(field.name, str(field.type)) for field in table.schema] == [
        ("term", "string"),
        ("class", "string"),
        ("count", "int64"),
        ("documents", "int64"),
    ]
    assert document["format"] == 3
    assert document["likely"] == likely.__version__
    assert set(document["options"]) == set(NaiveBayes().get_params())
    assert document["classes"] == [
        {"label": "+", "documents": 2, "tokens": 9},
        {"label": "-", "documents": 3, "tokens": 14},
    ]
    blank = path.read_bytes().replace(document["digest"].encode(), b"0" * 64)
    assert hashlib.sha256(blank).hexdigest() == document["digest"]
    keys = list(zip(*(table[name].to_pylist() for name in ("term", "class")), strict=True))
    assert keys == sorted(set(keys))


@pytest.mark.parametrize("kind", [str, int, bool])
def test_other_programs_read_the_table(kind: type, reviews: Reviews, tmp_path: Path) -> None:
    import duckdb
    import pandas as pd
    import polars as pl

    path = tmp_path / "reviews.likely"
    labels: Any = {str: reviews[1], int: [ord(x) for x in reviews[1]], bool: [x == "+" for x in reviews[1]]}[kind]
    model = NaiveBayes().fit(reviews[0], labels)
    model.save(path)
    expected = model.counts_table().to_pylist()
    names = list(expected[0])
    found = duckdb.connect().execute("from read_parquet(?)", [str(path)]).fetchall()
    assert [dict(zip(names, row, strict=True)) for row in found] == expected
    assert pl.read_parquet(path.read_bytes()).to_dicts() == expected
    assert pd.read_parquet(path).to_dict("records") == expected


words = st.text(st.sampled_from("ab éİ😀\ud800"), max_size=8)


@given(
    st.lists(st.tuples(words, st.sampled_from("xyz"), st.sampled_from([1, 0.1, 3, 2.0**-64, 2.0**63])), min_size=1),
    st.sampled_from([{}, {"ngrams": (1, 3)}, {"analyzer": "char", "ngrams": (2, 3)}, {"variant": "binary"}]),
    st.sampled_from([str, ord, lambda label: label == "x"]),
)
def test_models_come_back(rows: list[Any], options: Any, label: Callable[[str], Any]) -> None:
    texts, labels, weights = map(list, zip(*((text, label(name), w) for text, name, w in rows), strict=True))
    try:
        model = NaiveBayes(**options).fit(texts, labels, weights)
    except TooLargeError:
        return
    data = to_bytes(model.snapshot())
    copy = restored(data)
    assert to_bytes(copy.snapshot()) == data
    assert copy.counts_table() == model.counts_table()
    assert np.array_equal(copy.predict_joint_log_proba(texts), model.predict_joint_log_proba(texts))
    assert to_bytes(copy.forget(texts[:1], labels[:1], weights[:1]).snapshot()) == to_bytes(
        model.forget(texts[:1], labels[:1], weights[:1]).snapshot()
    )


def test_loaded_models_go_on_as_the_saved_ones_would(reviews: Reviews, tmp_path: Path) -> None:
    model, other = NaiveBayes().fit(*reviews), NaiveBayes().fit(["fun", "new words"], ["+", "?"])
    model.save(tmp_path / "a")
    copy = likely.load(tmp_path / "a")
    assert to_bytes((copy + other).snapshot()) == to_bytes((model + other).snapshot())
    assert to_bytes(((copy + other) - other).snapshot()) == to_bytes(model.snapshot())
    for each in (model, copy):
        each.learn(["more fun"], ["+"]).forget([reviews[0][0]], [reviews[1][0]])
    assert to_bytes(copy.snapshot()) == to_bytes(model.snapshot())
    assert np.array_equal(copy.predict_proba(reviews[0]), model.predict_proba(reviews[0]))


def test_a_model_of_more_than_a_million_rows_comes_back() -> None:
    model = NaiveBayes().fit([" ".join(map(str, range(1_100_000)))], ["x"])
    data = to_bytes(model.snapshot())
    assert pq.ParquetFile(pa.BufferReader(data)).metadata.num_row_groups == 2
    assert to_bytes(restored(data).snapshot()) == data


def test_a_file_is_at_most_a_quarter_of_what_scikit_learn_pickles(data_folder: Path) -> None:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    with gzip.open(data_folder / "imdb" / "train.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    texts, labels = [row["text"] for row in rows], [row["label"] for row in rows]
    vectorizer = CountVectorizer()
    pair = vectorizer, MultinomialNB().fit(vectorizer.fit_transform(texts), labels)
    assert 4 * len(to_bytes(NaiveBayes().fit(texts, labels).snapshot())) <= sum(
        len(pickle.dumps(each)) for each in pair
    )


def test_a_model_of_empty_texts_comes_back() -> None:
    model = NaiveBayes().fit(["", ""], ["x", "y"])
    assert restored(to_bytes(model.snapshot())).predict_proba(["a"]).tolist() == [[0.5, 0.5]]


def test_what_has_learned_nothing_is_pickled_but_not_saved(tmp_path: Path) -> None:
    assert pickle.loads(pickle.dumps(NaiveBayes(alpha=2))).alpha == 2
    with pytest.raises(NotFittedError):
        NaiveBayes().save(tmp_path / "a")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "options",
    [
        {"threads": np.int64(2), "alpha": np.float32(0.5)},
        {"prior": {"+": 0.25, "-": 0.25, 1: 0.25, "z": np.float64(0.25)}},
        {"ngrams": [1, 2], "lowercase": False, "analyzer": "char"},
    ],
)
def test_all_options_come_back(options: dict[str, Any], reviews: Reviews) -> None:
    model = NaiveBayes(**options).fit(*reviews)
    copy = pickle.loads(pickle.dumps(model))
    assert np.array_equal(copy.predict_proba(reviews[0]), model.predict_proba(reviews[0]))
    for name, value in copy.get_params().items():
        assert value == (tuple(model.ngrams) if name == "ngrams" else getattr(model, name))


def test_options_changed_after_learning_come_back(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews).set_params(ngrams=(1, 2))
    copy = pickle.loads(pickle.dumps(model))
    assert copy.vocabulary_ == model.vocabulary_
    assert copy.ngrams == (1, 2)


def test_labels_that_no_file_can_hold_are_named() -> None:
    with pytest.raises(LikelyError, match="ud800"):
        to_bytes(NaiveBayes().fit(["a"], ["\ud800"]).snapshot())


# The same bytes


def test_order_batches_threads_and_number_types_do_not_matter(reviews: Reviews) -> None:
    texts, labels = reviews
    data = to_bytes(NaiveBayes(threads=1, alpha=1).fit(texts, labels).snapshot())
    backward = NaiveBayes(threads=3, alpha=1.0)
    for text, label in zip(texts[::-1], labels[::-1], strict=True):
        backward.learn([text], [label])
    assert to_bytes(backward.snapshot()) == data
    assert to_bytes(backward.learn(["x"], ["new"]).forget(["x"], ["new"]).snapshot()) == data


def test_another_process_writes_the_same_bytes(reviews: Reviews, tmp_path: Path) -> None:
    script = f"from likely import NaiveBayes; NaiveBayes(ngrams=(1, 2)).fit(*{reviews!r}).save('model')"
    found = set()
    for seed in "0", "1":
        subprocess.run([sys.executable, "-c", script], check=True, cwd=tmp_path, env={"PYTHONHASHSEED": seed})
        found.add((tmp_path / "model").read_bytes())
    assert found == {to_bytes(NaiveBayes(ngrams=(1, 2)).fit(*reviews).snapshot())}


# Damage


def test_every_cut_is_refused(data: bytes) -> None:
    for length in range(len(data)):
        with pytest.raises(ModelFileError):
            restored(data[:length])


@pytest.mark.parametrize("bits", [0x01, 0x10, 0x80, 0xFF])
def test_every_changed_byte_is_refused(data: bytes, bits: int) -> None:
    for at in range(len(data)):
        with pytest.raises(ModelFileError):
            restored(data[:at] + bytes([data[at] ^ bits]) + data[at + 1 :])


def test_what_is_added_or_missing_in_the_middle_is_refused(data: bytes) -> None:
    for changed in (data + b"\0", b"\0" + data, data + data, data[:100] + data[101:], data[:50] + b"x" + data[50:]):
        with pytest.raises(ModelFileError):
            restored(changed)


def test_a_forged_change_of_any_byte_is_refused_or_harmless(data: bytes) -> None:
    """As above, by somebody who signs what he changed: whatever is read, it is a model that can be used."""
    document = read(data)[1]
    unsigned = data.replace(document["digest"].encode(), b"0" * 64)
    for at in range(4, len(data), 2):
        changed = unsigned[:at] + bytes([data[at] ^ (1 << at % 8)]) + unsigned[at + 1 :]
        try:
            model = restored(manifest.sign(changed))
        except (ModelFileError, ValueError):  # the latter if the digest has no place any more
            continue
        assert to_bytes(restored(to_bytes(model.snapshot())).snapshot()) == to_bytes(model.snapshot())


Change = Callable[[dict[str, Any]], Any]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m | {"format": 4, "likely": "9.0"}, "its format is 4.*install `likely` 9.0 or later"),
        (lambda m: m | {"format": 1.0}, "not a model"),
        (lambda m: m | {"more": 1}, "other keys"),
        (lambda m: m | {"counted_with": m["counted_with"] | {"ngrams": [1, 10**9]}}, "options"),
        (lambda m: m | {"counted_with": m["counted_with"] | {"alpha": 1}}, "other keys"),
        (lambda m: m | {"counted_with": m["counted_with"] | {"tokenizer": "x.y"}}, "its analyzer has"),
        (lambda m: m | {"counted_with": m["counted_with"] | {"stop_words": "abc"}}, "its analyzer has"),
        (lambda m: m | {"counted_with": m["counted_with"] | {"stem": "en"}}, "its analyzer has"),
        (lambda m: m | {"counted_with": m["counted_with"] | {"value": "presence"}}, "its analyzer has"),
        (lambda m: m | {"options": m["options"] | {"norm": "l2"}}, "no effect with weighting"),
        (lambda m: m | {"options": m["options"] | {"stop_words": "klingon"}}, "stop words"),
        (lambda m: m | {"options": m["options"] | {"alpha": -1}}, "options"),
        (lambda m: m | {"options": m["options"] | {"unheard": 1}}, "there is no option 'unheard'"),
        (lambda m: m | {"options": m["options"] | {"prior": [["+", 0.5], ["+", 0.5]]}}, "twice"),
        (lambda m: m | {"classes": []}, "not as `likely`|class"),
        (lambda m: m | {"classes": m["classes"][::-1]}, "not sorted"),
        (lambda m: m | {"classes": [m["classes"][0]] * 2}, "not sorted"),
        (lambda m: with_class(m, documents=0), "no documents"),
        (lambda m: with_class(m, documents=1), "more documents|count is 0"),
        (lambda m: with_class(m, documents=-1), "not a whole number"),
        (lambda m: with_class(m, documents=1e3), "not a whole number"),
        (lambda m: with_class(m, documents=2**64), "not a whole number"),
        (lambda m: with_class(m, tokens=10**6), "tokens of its classes"),
        (lambda m: with_class(m, label=1), "."),
        (lambda m: with_class(m, label="a"), "class"),
        (lambda m: [m], "not a model"),
        (lambda m: {}, "not a model"),
        (lambda m: "[" * 100_000, "."),
        (lambda m: '{"a": 1, "a": 2}', "twice"),
        (lambda m: '{"format": NaN}', "NaN"),
        (lambda m: '{"format": 1, "digest": ' + "9" * 10_000 + "}", "."),
        (lambda m: " " * (33 << 20), "at most"),
        (lambda m: b"\xff", "."),
    ],
)
def test_a_document_that_is_not_sound_is_refused(data: bytes, change: Change, message: str) -> None:
    table, document = read(data)
    changed = change(document)
    with pytest.raises(ModelFileError, match=message):
        restored(forged(table, json.dumps(changed) if isinstance(changed, list) else changed))


def with_class(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    *others, last = document["classes"]
    return document | {"classes": [*others, last | changes]}


def plus(table: pa.Table, name: str, values: Any) -> pa.Table:
    at = table.column_names.index(name)
    return table.set_column(at, name, values if isinstance(values, pa.Array | pa.ChunkedArray) else pa.array(values))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: pa.concat_tables([t.slice(0, 1), t]), "not sorted"),
        (lambda t: t.take(pa.array([1, 0, *range(2, len(t))])), "not sorted"),
        (lambda t: t.take(pa.array(range(len(t) - 1))), "tokens of its classes"),
        (lambda t: plus(t, "count", np.zeros(len(t), np.int64)), "more documents|count is 0"),
        (lambda t: plus(t, "documents", np.zeros(len(t), np.int64)), "a count is 0"),
        (lambda t: plus(t, "documents", t["count"].to_numpy() + 1), "more documents|count is 0"),
        (lambda t: plus(t, "count", np.full(len(t), -1)), "negative"),
        (lambda t: plus(t, "count", np.full(len(t), 2**64 - 1, np.uint64)), "2\\^64"),
        (lambda t: plus(t, "count", np.ones(len(t))), "a page that `likely` does not write"),
        (lambda t: plus(t, "count", t["count"].cast(pa.timestamp("us"))), "of type timestamp"),
        (lambda t: plus(t, "class", ["?"] * len(t)), "not one of its classes"),
        (lambda t: plus(t, "class", np.ones(len(t), np.int64)), "."),
        (lambda t: plus(t, "term", [*t["term"].to_pylist()[:-1], "z" + " z" * 1_000_000]), "too many words"),
        (lambda t: plus(t, "term", [*t["term"].to_pylist()[:-1], "z  z"]), "empty"),
        (lambda t: plus(t, "term", pa.array([b"\xff%09d" % at for at in range(len(t))]).view(pa.string())), "UTF-8"),
        (lambda t: t.select(["term", "class", "count"]), "columns"),
        (lambda t: t.append_column("more", t["count"]), "columns"),
        (lambda t: t.rename_columns(["class", "term", "count", "documents"]), "."),
        (lambda t: plus(t, "term", pa.array([[x] for x in t["term"].to_pylist()])), "columns"),
    ],
)
def test_a_table_that_is_not_sound_is_refused(
    data: bytes, change: Callable[[pa.Table], pa.Table], message: str
) -> None:
    table, document = read(data)
    how = {"column_encoding": None} if change(table)["term"].type not in (pa.string(), pa.binary()) else {}
    with pytest.raises(ModelFileError, match=message):
        restored(forged(change(table), document, **how))


@pytest.fixture
def learned(reviews: Reviews) -> bytes:
    return to_bytes(NaiveBayes(variant="nbsvm", ngrams=(1, 2)).fit(*reviews).snapshot())


def row(table: pa.Table, **values: Any) -> pa.Table:
    """The table with one more row at its end."""
    last = table.slice(len(table) - 1).to_pylist()[0] | values
    return pa.concat_tables([table, pa.Table.from_pylist([last], schema=table.schema)])


def weights(table: pa.Table, first: float) -> Any:
    return pa.array([first, *table["weight"].to_pylist()[1:]], pa.float32())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: plus(t, "weight", weights(t, np.nan)), "a weight is not a finite number"),
        (lambda t: plus(t, "weight", weights(t, -np.inf)), "a weight is not a finite number"),
        (lambda t: plus(t, "weight", t["weight"].cast(pa.float64())), "a page that `likely` does not write"),
        (lambda t: plus(t, "weight", np.ones(len(t), np.int64)), "of type int64"),
        (lambda t: t.select(["term", "class", "count", "documents"]), "columns"),
        (lambda t: row(t, term="zz", count=0, documents=0), "a count is 0"),
        (lambda t: row(row(t, term="zz", count=0, documents=0), term="zzz"), "a count is 0"),
        (lambda t: plus(t, "weight", np.zeros(len(t), np.float32)), "a count is 0"),
        (lambda t: plus(t, "documents", np.zeros(len(t), np.int64)), "a count is 0"),
        (row, "not sorted"),
        (lambda t: t.take(pa.array([1, 0, *range(2, len(t))])), "not sorted"),
        (lambda t: t.slice(2), "tokens of its classes"),
    ],
)
def test_learned_weights_that_are_not_sound_are_refused(
    learned: bytes, change: Callable[[pa.Table], pa.Table], message: str
) -> None:
    table, document = read(learned)
    with pytest.raises(ModelFileError, match=message):
        restored(forged(change(table), document))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: with_class(m, bias=1), "bias"),
        (lambda m: with_class(m, bias=None), "bias"),
        (lambda m: m | {"classes": [{"bias": 0.5, **m["classes"][0]}, without(m["classes"][1], "bias")]}, "bias"),
        (lambda m: m | {"classes": [without(each, "bias") for each in m["classes"]]}, "columns"),
        (lambda m: m | {"options": m["options"] | {"variant": "binary"}}, "bias"),
        (lambda m: m | {"options": m["options"] | {"cost": 0.0}}, "cost"),
    ],
)
def test_a_document_of_learned_weights_that_is_not_sound_is_refused(
    learned: bytes, change: Change, message: str
) -> None:
    table, document = read(learned)
    with pytest.raises(ModelFileError, match=message):
        restored(forged(table, change(document)))


def without(values: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != name}


def test_a_file_of_learned_weights_is_what_a_forger_would_write_and_no_bit_of_it_may_change(learned: bytes) -> None:
    levels = {"term": 9, "class": 1, "count": 1, "documents": 1, "weight": 1}
    table, document = read(learned, read_dictionary=["class"])
    assert forged(table, document, compression_level=levels, dictionary_pagesize_limit=1 << 30) == learned
    for at in range(0, len(learned), 7):
        with pytest.raises(ModelFileError):
            restored(learned[:at] + bytes([learned[at] ^ (1 << at % 8)]) + learned[at + 1 :])


@pytest.mark.parametrize(
    "how",
    [
        {"compression": "gzip"},
        {"compression": "snappy"},
        {"data_page_version": "2.0"},
        {"store_schema": True},
        {"use_dictionary": True, "column_encoding": None},
        {"use_byte_stream_split": ["count"], "column_encoding": {"term": "PLAIN", "documents": "PLAIN"}},
        {"column_encoding": {"count": "DELTA_BINARY_PACKED", "term": "PLAIN"}},
        {"column_encoding": {"term": "DELTA_LENGTH_BYTE_ARRAY"}},
        {"write_page_index": True, "write_statistics": True},
    ],
)
def test_what_we_do_not_write_is_not_read(data: bytes, how: dict[str, Any]) -> None:
    with pytest.raises(ModelFileError):
        restored(forged(*read(data), **how))


# Files that are made to do harm


@pytest.fixture
def little_memory() -> Iterator[None]:
    """Whatever needs more than a gigabyte beyond what there is fails."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def many_rows(rows: int, terms: Any = None) -> pa.Table:
    ones = pa.array(np.ones(rows, np.int64))
    terms = pa.array(["a"]).take(pa.array(np.zeros(rows, np.int64))) if terms is None else terms
    return pa.table({"term": terms, "class": pa.array(["+"]).take(pa.array(np.zeros(rows, int))), "count": ones})


@pytest.mark.usefixtures("little_memory")
def test_a_few_bytes_do_not_become_many_rows(data: bytes) -> None:
    table = many_rows(5_000_000)
    bomb = forged(table.append_column("documents", table["count"]), read(data)[1], compression_level=9)
    assert len(bomb) < 200_000
    with pytest.raises(ModelFileError, match="decompress to more than"):
        restored(bomb)


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("name", ["count", "term", "documents"])
def test_runs_in_dictionaries_do_not_become_many_rows(data: bytes, name: str) -> None:
    table = many_rows(1_000_000)
    table = table.append_column("documents", table["count"])
    with pytest.raises(ModelFileError, match=r"dictionary|does not write"):
        restored(forged(table, read(data)[1], use_dictionary=[name, "class"], column_encoding=None))


@pytest.mark.usefixtures("little_memory")
def test_terms_that_share_their_beginnings_do_not_fill_the_memory(data: bytes) -> None:
    prefix = "x" * 200_000
    table = many_rows(1000, pa.array([f"{prefix}{at:04}" for at in range(1000)]))
    bomb = forged(table.append_column("documents", table["count"]), read(data)[1])
    assert len(bomb) < 10_000
    with pytest.raises(ModelFileError, match="decompress to more than"):
        restored(bomb)


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("field", ["size", "packed", "values"])
def test_a_page_that_says_it_is_huge_is_refused(data: bytes, field: str) -> None:
    """The header of the first page: type, size, packed size, and the number of values of a data page."""
    document = read(data)[1]
    unsigned = bytearray(data.replace(document["digest"].encode(), b"0" * 64))
    fields = varints(data, 4)
    start, end = fields[{"size": 1, "packed": 2, "values": 3}[field]]
    huge = (2**31 - 1) * 2 if end - start == 5 else (1 << 7 * (end - start)) - 2
    unsigned[start:end] = bytes(
        (huge >> 7 * k & 127) | (128 if k < end - start - 1 else 0) for k in range(end - start)
    )
    with pytest.raises(ModelFileError):
        restored(manifest.sign(bytes(unsigned)))


def varints(data: bytes, at: int) -> list[tuple[int, int]]:
    """Where the numbers of a page header are: each after the byte that names its field."""
    found = []
    for _ in range(4):
        at += 1 if data[at] != 0x2C else 2  # 0x2c opens the struct of a data page
        start = at
        while data[at] & 128:
            at += 1
        at += 1
        found.append((start, at))
    return found


def test_a_model_that_packs_too_well_is_written_so_that_it_is_read() -> None:
    """Hundreds of classes of the same text look like an attack; such a model is written plain."""
    text = " ".join(f"{'word' * 50}{at}" for at in range(1000))
    model = NaiveBayes().fit([text] * 300, list(range(300)))
    data = to_bytes(model.snapshot())
    assert to_bytes(restored(data).snapshot()) == data
    assert pq.ParquetFile(pa.BufferReader(data)).metadata.row_group(0).column(0).compression == "UNCOMPRESSED"


@pytest.mark.parametrize(
    "footer",
    [b"", b"\x19" * 100_000, b"\x1c" * 100_000, b"\x19\xfc\xff\xff\xff\xff\x07", b"\x18\xff\xff\xff\x7f"],
)
def test_footers_that_are_made_up_are_refused(footer: bytes) -> None:
    with pytest.raises(ModelFileError):
        restored(b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1")


# Files that are none of ours


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"text,label\ngood,+\n", "not a Parquet file"),
        (pickle.dumps([1, 2]), "not a Parquet file"),
        (b"PAR1" + bytes(100), "cut off or damaged"),
        (None, "not a model"),
    ],
)
def test_other_files_are_told_apart(content: bytes | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "other.likely"
    if content is None:
        pq.write_table(pa.table({"a": [1]}), path)
    else:
        path.write_bytes(content)
    with pytest.raises(ModelFileError, match=f"cannot load '{path}'.*{message}"):
        likely.load(path)


def test_what_is_no_file_is_told_apart(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    cases = {
        tmp_path: "folder",
        tmp_path / "pipe": "pipe",
        Path("/dev/zero"): "device",
        tmp_path / "x": "no such file",
    }
    for path, message in (cases | {tmp_path / "loop": "symbolic links", Path("a\0b"): "null"}).items():
        with pytest.raises(ModelFileError, match=message):
            likely.load(path)


def test_a_file_that_may_not_be_read(tmp_path: Path, data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model"
    path.write_bytes(data)
    monkeypatch.setattr(os, "open", lambda *args, **kwargs: fail(errno.EACCES))
    with pytest.raises(ModelFileError, match="Permission denied"):
        likely.load(path)


def fail(number: int) -> Any:
    raise OSError(number, os.strerror(number))


def test_no_more_is_read_of_another_file_than_its_beginning(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(ModelFileError, match="not a Parquet file"):
        likely.load(tmp_path / "huge")


# Saving


@pytest.fixture
def model(reviews: Reviews) -> NaiveBayes:
    return NaiveBayes().fit(*reviews)


def test_permissions_are_kept(model: NaiveBayes, tmp_path: Path) -> None:
    path = tmp_path / "model"
    before = os.umask(0o027)
    try:
        model.save(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(before)
    path.chmod(0o604)
    model.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o604
    assert os.listdir(tmp_path) == ["model"]


def test_links_are_followed(model: NaiveBayes, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/model")
    for _ in range(2):  # into nothing, then to a file
        model.save(tmp_path / "link")
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "folder" / "model").read_bytes() == to_bytes(model.snapshot())


def test_a_pipe_is_written_to(model: NaiveBayes, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["/bin/cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        model.save(tmp_path / "pipe")
        assert reader.communicate()[0] == to_bytes(model.snapshot())
    assert (tmp_path / "pipe").is_fifo()


def test_standard_output_is_written_to(model: NaiveBayes, reviews: Reviews) -> None:
    script = f"from likely import NaiveBayes; NaiveBayes().fit(*{reviews!r}).save('/dev/stdout')"
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert found.stdout == to_bytes(model.snapshot())


def test_places_where_nothing_can_be_saved(model: NaiveBayes, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old")
    cases = {
        tmp_path: "folder: name a file",
        tmp_path / "none" / "model": "No such file or directory: create the folder",
        tmp_path / "file" / "model": "Not a directory",
        tmp_path / ("x" * 300): "name too long",
        Path("a\0b"): "null",
    }
    for path, message in cases.items():
        with pytest.raises(ModelFileError, match=f"(?s)cannot save .*{message}"):
            model.save(path)
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("nameless", [True, False])
@pytest.mark.parametrize("call", ["write", "fsync", "link", "replace", "fchmod"])
def test_an_error_while_saving_leaves_all_as_it_was(
    model: NaiveBayes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, nameless: bool
) -> None:
    path = tmp_path / "model"
    path.write_bytes(b"old")
    if not nameless:
        monkeypatch.delattr(os, "O_TMPFILE")
        call = "replace" if call == "link" else call
    with monkeypatch.context() as patch:
        patch.setattr(os, call, lambda *args, **kwargs: fail(errno.ENOSPC))
        with pytest.raises(ModelFileError, match="No space left on device: make room"):
            model.save(path)
    assert os.listdir(tmp_path) == ["model"]
    assert path.read_bytes() == b"old"
    model.save(path)
    assert os.listdir(tmp_path) == ["model"]
    assert path.read_bytes() == to_bytes(model.snapshot())


def test_what_is_write_protected_stays(model: NaiveBayes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model").write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *args: False)  # root may write anywhere
    with pytest.raises(ModelFileError, match="Permission denied: choose a place"):
        model.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == b"old"


def test_a_folder_that_cannot_be_synced_is_told(
    model: NaiveBayes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            fail(errno.EIO)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(ModelFileError, match="it is saved, but a power failure may undo that"):
        model.save(tmp_path / "model")


def test_ctrl_c_while_saving_leaves_all_as_it_was(
    model: NaiveBayes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*args: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.delattr(os, "O_TMPFILE")
    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.save(tmp_path / "model")
    assert not list(tmp_path.iterdir())


def test_a_file_may_be_too_large_for_the_system(tmp_path: Path) -> None:
    script = """
import resource, likely
model = likely.NaiveBayes().fit(["good fun", "bad"], ["+", "-"])
model.save("model")
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    model.learn(["more"], ["+"]).save("model")
except likely.errors.ModelFileError as error:
    print(error)
"""
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert found.stdout.strip() == (
        "cannot save 'model': File too large: raise the limit on the size of files, or choose another place"
    )
    assert likely.load(tmp_path / "model").vocabulary_ == ["bad", "fun", "good"]
    assert os.listdir(tmp_path) == ["model"]


def test_a_full_disk(model: NaiveBayes, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["/bin/mount", "-t", "tmpfs", "-o", "size=64k", "none", disk], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no right to mount a small disk")
    try:
        model.save(disk / "model")
        (disk / "rest").write_bytes(bytes(os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize))
        with pytest.raises(ModelFileError, match="No space left on device: make room"):
            (model + model).save(disk / "model")
        assert to_bytes(likely.load(disk / "model").snapshot()) == to_bytes(model.snapshot())
        assert sorted(os.listdir(disk)) == ["model", "rest"]
    finally:
        subprocess.run(["/bin/umount", disk], check=True)


def test_a_kill_at_any_moment_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    """LIKELY_KILLS is how often; the model is large enough for kills to hit the writing."""
    script = """
import likely
a = likely.NaiveBayes().fit([" ".join(f"{at * 7919 % 65537:x}" for at in range(30000))], ["x"])
b = a + likely.NaiveBayes().fit(["new"], ["y"])
a.save("model")
print("ready", flush=True)
while True:
    b.save("model")
    a.save("model")
"""
    pause = np.random.default_rng(1)
    seen = set()
    with subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    for _ in range(int(os.environ.get("LIKELY_KILLS", "15"))):
        with subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(pause.uniform(0, 0.1))
            process.send_signal(signal.SIGKILL)
        seen.add(len(likely.load(tmp_path / "model").classes_))
        litter = [name for name in os.listdir(tmp_path) if name != "model"]
        assert len(litter) <= 1  # only between two system calls
        for name in litter:
            (tmp_path / name).unlink()
    assert seen <= {1, 2}


# What a model remembers of how it was made


@pytest.fixture(scope="module")
def remembering() -> bytes:
    return to_bytes(likely.train(*load_sample()).snapshot())


def calibrations(name: str, *values: Any) -> list[Change]:
    return [calibration(**{name: value}) for value in values]


def tunings(name: str, *values: Any) -> list[Change]:
    return [tuning(**{name: value}) for value in values]


def trials(name: str, *values: Any) -> list[Change]:
    return [trial(**{name: value}) for value in values]


def calibration(**changes: Any) -> Change:
    return lambda m: m | {"calibration": m["calibration"] | changes}


def tuning(**changes: Any) -> Change:
    return lambda m: m | {"tuning": m["tuning"] | changes}


def trial(**changes: Any) -> Change:
    return lambda m: m | {"tuning": m["tuning"] | {"trials": [m["tuning"]["trials"][0] | changes]}}


MEASURED = {"expected_calibration_error": 0.1, "brier": 0.1, "log_loss": 0.1}


@pytest.mark.parametrize(
    "change",
    [
        *calibrations("tau", 0, -1, 1e300, 1e-300, 10**400, "1", None, True, [1]),
        *calibrations("gamma", -0.1, 1.1, 1e300, "0", None, False),
        *calibrations("delta", -0.1, 1.0, 1e300, "0", None),
        *calibrations("documents", 0, -1, 1.5, 2**53, "1", None, True),
        *calibrations("before", {}, None, [], MEASURED | {"more": 1}, MEASURED | {"brier": None}),
        *(calibration(after=MEASURED | {"log_loss": value}) for value in ("0", [0], True, 10**400)),
        *calibrations("coverage", None, {}, [1], [[1, 1]], [[1, 1, None]], [[1, 1, "1"]]),
        *(calibration(coverage=[row]) for row in ([2, 0.5, 0.5], [0.5, -1, 0.5], [0.5, 0.5, 7], [1e300, 1, 1])),
        calibration(coverage=[]),
        calibration(coverage=[[0.5, 1, 1]] * 100_000),
        calibration(more=1),
        lambda m: m | {"calibration": without(m["calibration"], "gamma")},
        lambda m: m | {"calibration": 1},
        lambda m: m | {"calibration": []},
        *tunings("tune_for", "recall", "", None, 1, ["auto"]),
        *tunings("documents", -1, 1.5, 2**53, None, True),
        *tunings("trials", None, [], {}, [1], [[]], [None]),
        tuning(more=1),
        lambda m: m | {"tuning": m["tuning"] | {"trials": m["tuning"]["trials"] * 1_000}},
        *trials("log_loss", None, "1", True, [1], 10**400),
        *trials("accuracy", None, "1"),
        *trials("way", "guessing", None, ["leave-one-out"]),
        *trials("options", None, [], {"alpha": -1}, {"unheard": 1}, {"ngrams": [1, 10**9]}),
        trial(options={"prior": {"x": "y"}}),
        trial(more=1),
        lambda m: m | {"tuning": without(m["tuning"], "of")},
        lambda m: m | {"tuning": "auto"},
    ],
)
def test_what_is_remembered_is_read_with_suspicion(remembering: bytes, change: Change) -> None:
    table, document = read(remembering)
    with pytest.raises(ModelFileError):
        restored(forged(table, change(document)))


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("name", ["tau", "gamma", "brier", "accuracy", "value"])
def test_what_is_remembered_has_no_numbers_that_are_none(remembering: bytes, name: str, number: str) -> None:
    table, document = read(remembering)
    text = json.dumps(document | {"digest": "0" * 64}, separators=(",", ":"))
    at = text.index(f'"{name}":') + len(name) + 3
    end = min(place for place in (text.find(",", at), text.find("}", at)) if place > 0)
    with pytest.raises(ModelFileError):
        restored(forged(table, text[:at] + number + text[end:]))


@pytest.mark.parametrize("name", ["calibration", "tuning"])
def test_nothing_need_be_remembered(remembering: bytes, name: str) -> None:
    table, document = read(remembering)
    model = restored(forged(table, document | {name: None}))
    assert getattr(model, f"{name}_") is None
    assert to_bytes(restored(to_bytes(model.snapshot())).snapshot()) == to_bytes(model.snapshot())
