"""Texts in every container that is accepted, and the errors for those that are not."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import ArgumentError, TextError
from likely.vectorize import vectorize

if TYPE_CHECKING:
    from collections.abc import Callable


TEXTS = ["good fun", "naïve 漢字", "", "good \x00 NUL", "x" * 40]


LABELS = ["+", "-", "+", "-", "+"]


CONTAINERS: dict[str, Callable[[list[str]], Any]] = {
    "list": list,
    "tuple": tuple,
    "generator": lambda items: (item for item in items),
    "numpy str": np.array,
    "numpy object": lambda items: np.array(items, dtype=object),
    "pandas str": lambda items: pd.Series(items, dtype="str"),
    "pandas object": lambda items: pd.Series(items, dtype=object),
    "pandas indexed": lambda items: pd.Series(items, index=range(5, 5 + len(items))),
    "pandas category": lambda items: pd.Series(items, dtype="category"),
    "polars": pl.Series,
    "polars categorical": lambda items: pl.Series(items, dtype=pl.Categorical),
    "utf8": lambda items: pa.array(items, pa.string()),
    "large utf8": lambda items: pa.array(items, pa.large_string()),
    "string view": lambda items: pa.array(items, pa.string_view()),
    "dictionary": lambda items: pa.array(items).dictionary_encode(),
    "chunked": lambda items: pa.chunked_array([items[:2], [], items[2:]], pa.string()),
    "chunked dictionary": lambda items: pa.chunked_array(
        [pa.array(part).dictionary_encode() for part in (items[:2], items[2:])]
    ),
    "sliced": lambda items: pa.array(["skipped", *items, "too"]).slice(1, len(items)),
    "sliced view": lambda items: pa.array(["skipped", *items, "too"], pa.string_view()).slice(1, len(items)),
}


@pytest.fixture
def expected() -> bytes:
    return to_bytes(NaiveBayes().fit(TEXTS, LABELS)._snapshot())


@pytest.mark.parametrize("container", CONTAINERS.values(), ids=CONTAINERS)
def test_every_container_gives_the_same_counts(container: Callable[[list[str]], Any], expected: bytes) -> None:
    texts = [text.replace("\0", " ") if container is CONTAINERS["numpy str"] else text for text in TEXTS]
    assert to_bytes(NaiveBayes().fit(container(texts), LABELS)._snapshot()) == expected
    assert to_bytes(NaiveBayes().fit(texts, container(LABELS))._snapshot()) == expected
    model = NaiveBayes().fit(TEXTS, LABELS)
    assert model.predict(container(texts)).tolist() == model.predict(TEXTS).tolist()
    assert vectorize(container(texts)).terms == model.vocabulary_


def test_a_stream_is_read_batch_by_batch(expected: bytes) -> None:
    batches = [pa.record_batch({"text": TEXTS[:3]}), pa.record_batch({"text": TEXTS[3:]})]
    column = pa.chunked_array([batch["text"] for batch in batches])
    assert to_bytes(NaiveBayes().fit(column, LABELS)._snapshot()) == expected


def test_texts_of_many_batches() -> None:
    texts = ["word " * 1000 + str(at) for at in range(5000)]
    labels = [at % 3 for at in range(5000)]
    at_once = NaiveBayes().fit(texts, labels)
    assert to_bytes(NaiveBayes().fit(iter(texts), labels)._snapshot()) == to_bytes(at_once._snapshot())
    assert to_bytes(NaiveBayes().fit(pa.chunked_array([texts[:999], texts[999:]]), labels)._snapshot()) == to_bytes(
        at_once._snapshot()
    )
    assert at_once.counts("word")[0].count == 1000 * 1667


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ("one text", r"single str.*\[text\]"),
        (b"bytes", "single bytes"),
        ({"a": "x"}, "single dict"),
        (["fine", None], "row 2 is missing"),
        (["fine", "too", float("nan")], "row 3 is missing"),
        (["fine", 3], "row 2 is of type int"),
        ([b"bytes"], "row 1 is of type bytes.*decode"),
        ([["nested"]], "row 1 is of type list"),
        (7, "texts is a int"),
        (None, "texts is a NoneType"),
        ({"a", "b"}, "set, which has no order"),
        (vectorize(["a b"]).to_scipy(), "sparse matrix.*leave the vectorizer out"),
        (pa.array(["a", None]), "row 2 is missing"),
        (pa.array(["a", None]).dictionary_encode(), "row 2 is missing"),
        (pa.DictionaryArray.from_arrays([0, 1], pa.array(["a", None])), "row 2 is missing"),
        (pa.chunked_array([["a"], ["b", None]]), "row 3 is missing"),
        (pa.array([1, 2]), "Int64.*strings are needed"),
        (pa.array([None, None]), "row 1 is missing"),
        (pa.table({"x": ["a"], "tag": ["b"]}), r"columns x, tag.*table\[.x.\]"),
        (pd.DataFrame({"x": ["a"], "n": [1]}), "columns x, n"),
        (pd.Series(["a", None], dtype="str"), "row 2 is missing"),
        (pd.Series(["a", None], dtype=object), "row 2 is missing"),
        (pd.Series([1, 2]), "strings are needed"),
        (pl.Series(["a", None]), "row 2 is missing"),
        (np.array([1.5, 2.5]), "row 1 is of type float"),
        (np.array("good bad"), "single str"),
    ],
)
def test_texts_that_are_none_are_refused(texts: Any, message: str) -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    before = to_bytes(model._snapshot())
    sized = list | pa.Array | pa.ChunkedArray | pd.Series | pl.Series
    size = len(texts) if isinstance(texts, sized) or np.shape(texts) == (2,) else 1
    with pytest.raises(TextError, match=message):
        model.learn(texts, ["+"] * size)
    assert to_bytes(model._snapshot()) == before
    with pytest.raises(TextError, match=message):
        model.predict(texts)


@pytest.mark.parametrize("lazily", [False, True])
@pytest.mark.parametrize(("texts", "labels"), [(["a"], ["x", "y"]), (["a", "b"], ["x"]), ([], ["x"]), (["a"], [])])
def test_lengths_that_differ(texts: list[str], labels: list[str], lazily: bool) -> None:
    model = NaiveBayes()
    with pytest.raises(ArgumentError):
        model.fit(iter(texts) if lazily else texts, labels)


@pytest.mark.parametrize(
    "empty",
    [
        [],
        (),
        np.array([]),
        pa.array([], pa.string()),
        pa.array([], pa.dictionary(pa.int32(), pa.string())),
        pd.Series([], dtype="category"),
        pl.Series([], dtype=pl.Categorical),
    ],
)
def test_no_documents(empty: Any) -> None:
    with pytest.raises(ArgumentError, match="no documents"):
        NaiveBayes().fit(empty, [])
    model = NaiveBayes().fit(["a"], ["x"])
    assert model.predict(empty).tolist() == []
    assert model.predict_proba(empty).shape == (0, 1)


def test_an_empty_chunk_among_others() -> None:
    kind = pa.dictionary(pa.int32(), pa.string())
    chunks = pa.chunked_array([pa.array([], kind), pa.array(["good"]).dictionary_encode()])
    assert NaiveBayes().fit(TEXTS, LABELS).predict(chunks).tolist() == ["+"]


def test_arrow_is_taken_everywhere() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    labels = pa.chunked_array([LABELS[:2], LABELS[2:]])
    assert model.score(pa.array(TEXTS), labels) == model.score(TEXTS, LABELS)
    assert model.perplexity(pa.chunked_array([["good"]]), "+") == model.perplexity(["good"], "+")
    expected = to_bytes(model._snapshot())
    assert (
        to_bytes(NaiveBayes().partial_fit(TEXTS, (label for label in LABELS), classes=labels)._snapshot()) == expected
    )


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_what_the_generator_behind_a_reader_raises_comes_through(error: type[BaseException]) -> None:
    def batches() -> Any:
        yield pa.record_batch({"text": ["fine"]})
        raise error

    reader = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches())
    with pytest.raises(error):
        NaiveBayes().fit(reader, ["x", "x"])


def test_what_a_producer_raises_comes_through() -> None:
    class Broken:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        NaiveBayes().fit(Broken(), ["x"])


def test_an_error_in_a_generator_leaves_the_model_as_it_was() -> None:
    def broken() -> Any:
        yield "fine"
        raise OSError("disk on fire")

    model = NaiveBayes().fit(TEXTS, LABELS)
    before = to_bytes(model._snapshot())
    with pytest.raises(OSError, match="disk on fire"):
        model.learn(broken(), ["+", "+"])
    assert to_bytes(model._snapshot()) == before


def test_a_reader_of_one_column_is_read_as_it_comes() -> None:
    asked = []

    def batches() -> Any:
        for at in range(3):
            asked.append(at)
            yield pa.record_batch({"text": [f"text {at}"]})

    reader = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches())
    model = NaiveBayes().fit(reader, ["a", "b", "c"])
    assert asked == [0, 1, 2]
    assert model.vocabulary_ == ["0", "1", "2", "text"]


WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
from likely import NaiveBayes
from likely.errors import MissingExtraError
texts, labels = ["good fun", "dull plot"] * 5, ["+", "-"] * 5
model, other = NaiveBayes().fit(texts, labels), NaiveBayes(tokenizer=str.split).fit(texts, labels)
model.counts("good"), model.ratio("good"), model.top_words("+"), model.suspects(texts, labels), model.explain("good")
other.predict(texts), model.pruned(min_documents=2)
for table in (model.counts_table, model.ratio_table):
    try:
        table()
    except MissingExtraError as error:
        print(error)
"""


def test_only_tables_need_pyarrow() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_PYARROW], check=True, capture_output=True, text=True)
    assert done.stdout == (
        "A table of counts needs pyarrow, which is not installed: `pip install 'likely[arrow]'`\n"
        "A table of ratios needs pyarrow, which is not installed: `pip install 'likely[arrow]'`\n"
    )
