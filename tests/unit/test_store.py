"""Models as bytes: the same bytes for the same model, and nothing but models from bytes."""

from __future__ import annotations

import contextlib
import json
import pickle
import random
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes
from likely.errors import ModelFileError
from likely.store import _digest, restore, to_bytes

Reviews = tuple[list[str], list[str]]


@pytest.fixture
def data(reviews: Reviews) -> bytes:
    return to_bytes(NaiveBayes(ngrams=(1, 2)).fit(*reviews))


def restored(data: bytes) -> NaiveBayes:
    model = NaiveBayes.__new__(NaiveBayes)
    restore(model, data)
    return model


def test_every_cut_is_refused(data: bytes) -> None:
    for length in range(0, len(data), 7):
        with pytest.raises(ModelFileError):
            restored(data[:length])


def test_a_changed_byte_is_refused_or_changes_nothing(data: bytes) -> None:
    rng = random.Random(1)
    for _ in range(1500):
        at = rng.randrange(len(data))
        changed = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        try:
            model = restored(changed)
        except ModelFileError:
            continue
        assert to_bytes(model) == data


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m | {"format": 2},
        lambda m: m | {"digest": "0"},
        lambda m: m | {"counted_with": m["counted_with"] | {"ngrams": [1, 10**9]}},
        lambda m: m | {"options": m["options"] | {"alpha": -1}},
        lambda m: m | {"options": m["options"] | {"unheard": 1}},
        lambda m: m | {"classes": []},
        lambda m: [m],
        lambda m: {},
        lambda m: "[" * 100_000,
    ],
)
def test_metadata_that_is_not_sound_is_refused(data: bytes, change: Any, tmp_path: Any) -> None:
    path = tmp_path / "model.parquet"
    path.write_bytes(data)
    table = pq.read_table(path)
    changed = change(json.loads(table.schema.metadata[b"likely"]))
    text = changed if isinstance(changed, str) else json.dumps(changed)
    pq.write_table(table.replace_schema_metadata({b"likely": text}), path)
    with pytest.raises(ModelFileError):
        restored(path.read_bytes())


def test_a_term_of_very_many_words_is_refused(data: bytes, tmp_path: Any) -> None:
    table, metadata = read(data, tmp_path)
    terms = table["term"].to_pylist()
    table = table.set_column(0, "term", pa.array([*terms[:-1], "z" + " z" * 1_000_000]))
    with pytest.raises(ModelFileError, match="too many words"):
        restored(written(table, metadata, tmp_path))


@pytest.mark.parametrize("change", ["repeat", "swap", "zero"])
def test_a_table_that_is_not_sound_is_refused(data: bytes, change: str, tmp_path: Any) -> None:
    table, metadata = read(data, tmp_path)
    if change == "repeat":
        table = pa.concat_tables([table.slice(0, 1), table])
    elif change == "swap":
        table = table.take(pa.array([1, 0, *range(2, table.num_rows)]))
    else:
        table = table.set_column(2, "count", pa.array(np.zeros(table.num_rows, np.uint64)))
    with pytest.raises(ModelFileError):
        restored(written(table, metadata, tmp_path))


def read(data: bytes, tmp_path: Any) -> tuple[Any, dict[str, Any]]:
    path = tmp_path / "model.parquet"
    path.write_bytes(data)
    table = pq.read_table(path)
    return table, json.loads(table.schema.metadata[b"likely"])


def written(table: Any, metadata: dict[str, Any], tmp_path: Any) -> bytes:
    """As somebody would write it who knows how the digest is made."""
    path = tmp_path / "model.parquet"
    with contextlib.suppress(ModelFileError):  # some are so unsound that not even a digest can be made
        metadata = metadata | {"digest": _digest(table, metadata)}
    pq.write_table(table.replace_schema_metadata({b"likely": json.dumps(metadata)}), path)
    content: bytes = path.read_bytes()
    return content


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
