"""Models as bytes and files: the same bytes for the same model, and nothing but models from files."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
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
from likely.core import manifest
from likely.core.file import to_bytes
from likely.errors import LikelyError, ModelFileError, NotFittedError, TooLargeError

from .conftest import Reviews, forged, plus, read, restored


def test_a_forger_who_changes_nothing_makes_the_same_model(data: bytes) -> None:
    assert to_bytes(restored(forged(*read(data)))._snapshot()) == data


def test_a_good_file_is_not_replaced_by_one_that_cannot_be_loaded(reviews: Reviews, tmp_path: Path) -> None:
    path, model = tmp_path / "reviews.likely", NaiveBayes().fit(*reviews)
    model.save(path)
    good, counts = path.read_bytes(), model._state.counts
    counts._derived["sorted_ids"] = np.roll(counts.sorted_ids(), 1)  # as if another thread had left something stale
    with pytest.raises(ModelFileError, match=r"cannot save .*: the terms are not sorted"):
        model.save(path)
    assert path.read_bytes() == good


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
    assert document["format"] == 7
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


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import likely
model = likely.load(sys.argv[1])
model.save(sys.argv[2], min_documents=1)
model.save(sys.argv[3])
"""


@pytest.mark.parametrize("options", [{}, {"variant": "nbsvm"}])
def test_files_are_loaded_and_saved_without_pyarrow(options: Any, reviews: Reviews, tmp_path: Path) -> None:
    before, after, smaller = (tmp_path / name for name in ("before", "after", "smaller"))
    NaiveBayes(**options).fit(*reviews).save(before)
    subprocess.run([sys.executable, "-c", WITHOUT_PYARROW, before, after, smaller], check=True)
    assert after.read_bytes() == smaller.read_bytes() == before.read_bytes()


def test_no_other_library_is_imported_to_load_a_file(reviews: Reviews, tmp_path: Path) -> None:
    path = tmp_path / "model"
    NaiveBayes().fit(*reviews).save(path)
    script = "import sys, likely; likely.load(sys.argv[1]); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script, path], check=True, capture_output=True, text=True)
    assert not {"pyarrow", "pandas", "polars", "duckdb"} & set(done.stdout.split())


@pytest.mark.parametrize(
    ("texts", "labels", "weights"),
    [
        (["a b"], ["only"], None),
        (["a b", "c"], ["x", "y"], [0.1, 2.5]),
        (["a", "b"], ["x", "y"], [2.0**63, 1.0]),
        (["", ""], ["x", "y"], None),
        ([" ".join(f"w{at}" for at in range(30_000))] * 2, ["x", "y"], None),
    ],
    ids=["one class", "fractions", "unsigned", "no terms", "many pages"],
)
def test_other_programs_read_tables_of_every_shape(
    texts: list[str], labels: list[str], weights: list[float] | None, tmp_path: Path
) -> None:
    import duckdb
    import pandas as pd
    import polars as pl

    path = tmp_path / "model"
    NaiveBayes().fit(texts, labels, weights).save(path)
    expected = pq.read_table(path).to_pylist()
    assert pl.read_parquet(path.read_bytes()).to_dicts() == expected
    assert pd.read_parquet(path).to_dict("records") == expected
    found = duckdb.connect().execute("from read_parquet(?)", [str(path)])
    names = [column[0] for column in found.description or []]
    assert [dict(zip(names, row, strict=True)) for row in found.fetchall()] == expected


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
    data = to_bytes(model._snapshot())
    copy = restored(data)
    assert to_bytes(copy._snapshot()) == data
    assert copy.counts_table() == model.counts_table()
    assert np.array_equal(copy.predict_joint_log_proba(texts), model.predict_joint_log_proba(texts))
    assert to_bytes(copy.forget(texts[:1], labels[:1], weights[:1])._snapshot()) == to_bytes(
        model.forget(texts[:1], labels[:1], weights[:1])._snapshot()
    )


def test_loaded_models_go_on_as_the_saved_ones_would(reviews: Reviews, tmp_path: Path) -> None:
    model, other = NaiveBayes().fit(*reviews), NaiveBayes().fit(["fun", "new words"], ["+", "?"])
    model.save(tmp_path / "a")
    copy = likely.load(tmp_path / "a")
    assert to_bytes((copy + other)._snapshot()) == to_bytes((model + other)._snapshot())
    assert to_bytes(((copy + other) - other)._snapshot()) == to_bytes(model._snapshot())
    for each in (model, copy):
        each.learn(["more fun"], ["+"]).forget([reviews[0][0]], [reviews[1][0]])
    assert to_bytes(copy._snapshot()) == to_bytes(model._snapshot())
    assert np.array_equal(copy.predict_proba(reviews[0]), model.predict_proba(reviews[0]))


@pytest.mark.slow
@pytest.mark.slow
def test_a_model_of_more_than_a_million_rows_comes_back() -> None:
    model = NaiveBayes().fit([" ".join(map(str, range(1_100_000)))], ["x"])
    data = to_bytes(model._snapshot())
    assert pq.ParquetFile(pa.BufferReader(data)).metadata.num_row_groups == 2
    assert to_bytes(restored(data)._snapshot()) == data


def test_a_file_is_at_most_a_quarter_of_what_scikit_learn_pickles(data_folder: Path) -> None:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.naive_bayes import MultinomialNB

    with gzip.open(data_folder / "imdb" / "train.jsonl.gz", "rt") as lines:
        rows = [json.loads(line) for line in lines]
    texts, labels = [row["text"] for row in rows], [row["label"] for row in rows]
    vectorizer = CountVectorizer()
    pair = vectorizer, MultinomialNB().fit(vectorizer.fit_transform(texts), labels)
    assert 4 * len(to_bytes(NaiveBayes().fit(texts, labels)._snapshot())) <= sum(
        len(pickle.dumps(each)) for each in pair
    )


def test_a_model_of_empty_texts_comes_back() -> None:
    model = NaiveBayes().fit(["", ""], ["x", "y"])
    assert restored(to_bytes(model._snapshot())).predict_proba(["a"]).tolist() == [[0.5, 0.5]]


def test_what_has_learned_nothing_is_pickled_but_not_saved(tmp_path: Path) -> None:
    assert pickle.loads(pickle.dumps(NaiveBayes(alpha=2))).alpha == 2
    with pytest.raises(NotFittedError):
        NaiveBayes().save(tmp_path / "a")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "options",
    [
        {"threads": np.int64(2), "alpha": np.float32(0.5)},
        {"class_weight": "balanced"},
        {"class_weight": {"-": np.float64(2.5)}, "variant": "complement"},
        {"prior": {"+": 0.25, "-": 0.25, 1: 0.25, "z": np.float64(0.25)}},
        {"ngrams": [1, 2], "lowercase": False, "analyzer": "char"},
    ],
)
def test_all_options_come_back(options: dict[str, Any], reviews: Reviews) -> None:
    model = NaiveBayes(**options).fit(*reviews)
    copy = pickle.loads(pickle.dumps(model))
    assert np.array_equal(copy.predict_proba(reviews[0]), model.predict_proba(reviews[0]))
    for name, value in copy.get_params().items():
        assert value == getattr(model, name)


def test_options_changed_after_learning_come_back(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews).set_params(ngrams=(1, 2))
    copy = pickle.loads(pickle.dumps(model))
    assert copy.vocabulary_ == model.vocabulary_
    assert copy.ngrams == (1, 2)


def test_labels_that_no_file_can_hold_are_named() -> None:
    with pytest.raises(LikelyError, match="ud800"):
        to_bytes(NaiveBayes().fit(["a"], ["\ud800"])._snapshot())


def test_order_batches_threads_and_number_types_do_not_matter(reviews: Reviews) -> None:
    texts, labels = reviews
    data = to_bytes(NaiveBayes(threads=1, alpha=1).fit(texts, labels)._snapshot())
    backward = NaiveBayes(threads=3, alpha=1.0)
    for text, label in zip(texts[::-1], labels[::-1], strict=True):
        backward.learn([text], [label])
    assert to_bytes(backward._snapshot()) == data
    assert to_bytes(backward.learn(["x"], ["new"]).forget(["x"], ["new"])._snapshot()) == data


def test_another_process_writes_the_same_bytes(reviews: Reviews, tmp_path: Path) -> None:
    script = f"from likely import NaiveBayes; NaiveBayes(ngrams=(1, 2)).fit(*{reviews!r}).save('model')"
    found = set()
    for seed in "0", "1":
        subprocess.run(
            [sys.executable, "-c", script], check=True, cwd=tmp_path, env=os.environ | {"PYTHONHASHSEED": seed}
        )
        found.add((tmp_path / "model").read_bytes())
    assert found == {to_bytes(NaiveBayes(ngrams=(1, 2)).fit(*reviews)._snapshot())}


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
        assert to_bytes(restored(to_bytes(model._snapshot()))._snapshot()) == to_bytes(model._snapshot())


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
        (lambda t: plus(t, "count", np.ones(len(t))), "its column 'count' is of a type that no model has"),
        (
            lambda t: plus(t, "count", t["count"].cast(pa.timestamp("us"))),
            "its column 'count' is of a type that no model has",
        ),
        (lambda t: plus(t, "class", ["?"] * len(t)), "not one of its classes"),
        (lambda t: plus(t, "class", np.ones(len(t), np.int64)), "."),
        (lambda t: plus(t, "term", [*t["term"].to_pylist()[:-1], "z" + " z" * 1_000_000]), "too many words"),
        (lambda t: plus(t, "term", [*t["term"].to_pylist()[:-1], "z  z"]), "empty"),
        (lambda t: plus(t, "term", pa.array([b"\xff%09d" % at for at in range(len(t))]).view(pa.string())), "UTF-8"),
        (lambda t: t.select(["term", "class", "count"]), "columns"),
        (lambda t: t.append_column("more", t["count"]), "columns"),
        (lambda t: t.rename_columns(["class", "term", "count", "documents"]), "."),
        (lambda t: plus(t, "term", pa.array([[x] for x in t["term"].to_pylist()])), "its column 'term' is of a type"),
    ],
)
def test_a_table_that_is_not_sound_is_refused(
    data: bytes, change: Callable[[pa.Table], pa.Table], message: str
) -> None:
    table, document = read(data)
    how = {"column_encoding": None} if change(table)["term"].type not in (pa.string(), pa.binary()) else {}
    with pytest.raises(ModelFileError, match=message):
        restored(forged(change(table), document, **how))


def row(table: pa.Table, **values: Any) -> pa.Table:
    """The table with one more row at its end."""
    last = table.slice(len(table) - 1).to_pylist()[0] | values
    return pa.concat_tables([table, pa.Table.from_pylist([last], schema=table.schema)])


def weights(table: pa.Table, first: float) -> Any:
    return pa.array([first, *table["weight"].to_pylist()[1:]], pa.float32())


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


def test_counts_that_the_options_would_not_have_made_are_refused(data: bytes, tmp_path: Path) -> None:
    table, document = read(data)
    (tmp_path / "a").write_bytes(
        forged(table, document | {"counted_with": document["counted_with"] | {"equal": True}})
    )
    with pytest.raises(ModelFileError, match=r"cannot load .* not a valid model: the model has learned with"):
        likely.load(tmp_path / "a")


@pytest.fixture
def model(reviews: Reviews) -> NaiveBayes:
    return NaiveBayes().fit(*reviews)
