"""Arrow data that other programs damaged: a named error from every method that reads it, and never a crash."""

from __future__ import annotations

import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from likely import NaiveBayes, analyze, train
from likely.arrow_data import arrays_of, is_arrow, listed
from likely.errors import LabelError, LikelyError, TextError
from likely.vectorize import CountVectorizer, HashingVectorizer, TfidfVectorizer

DATA = pa.py_buffer(b"good film bad film great movie terrible plot nice fun" * 4)


def offsets(*numbers: int, bits: type = np.int32) -> Any:
    return pa.py_buffer(np.array(numbers, bits).tobytes())


def view(buffer: int, offset: int) -> Any:
    views = pa.py_buffer(struct.pack("<i4sii", 20, b"good", buffer, offset))
    return pa.Array.from_buffers(pa.string_view(), 1, [None, views, DATA])


def keys(numbers: list[int], values: list[str]) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int32()), pa.array(values, pa.string()), safe=False)


def received(*numbers: int) -> Any:
    """A table whose texts have these offsets in a message of Arrow, which pyarrow reads without looking at them."""
    sink = pa.BufferOutputStream()
    table = pa.table({"text": ["good film", "bad film", "great"], "label": ["x", "y", "x"]})
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    message = sink.getvalue().to_pybytes().replace(offsets(0, 9, 17, 22).to_pybytes(), offsets(*numbers).to_pybytes())
    return pa.ipc.open_stream(message).read_all()


DAMAGED: dict[str, Callable[[], Any]] = {
    "offsets that decrease": lambda: pa.Array.from_buffers(pa.string(), 3, [None, offsets(0, 9, 4, 18), DATA]),
    "an offset beyond the data": lambda: pa.Array.from_buffers(
        pa.string(), 3, [None, offsets(0, 1 << 30, 9, 18), DATA]
    ),
    "a negative offset": lambda: pa.Array.from_buffers(pa.string(), 3, [None, offsets(0, -9, 9, 18), DATA]),
    "long offsets that decrease": lambda: pa.Array.from_buffers(
        pa.large_string(), 3, [None, offsets(0, 1 << 40, 4, 18, bits=np.int64), DATA]
    ),
    "a last offset beyond the data": lambda: received(0, 9, 17, 1 << 30)["text"].chunk(0),
    "a negative last offset": lambda: received(0, 9, 17, -1)["text"].chunk(0),
    "a view beyond the data": lambda: view(0, 1 << 28),
    "a view of no buffer": lambda: view(77, 0),
    "a key beyond the dictionary": lambda: keys([0, 5, 1], ["good", "bad"]),
    "a negative key": lambda: keys([0, -5, 1], ["good", "bad"]),
    "no dictionary": lambda: keys([0, 1], []),
    "bytes that are not UTF-8": lambda: pa.Array.from_buffers(
        pa.string(), 2, [None, offsets(0, 3, 6), pa.py_buffer(b"a\xff\xfeabc")]
    ),
    "values that are not UTF-8": lambda: pa.DictionaryArray.from_arrays(
        pa.array([0, 0], pa.int8()),
        pa.Array.from_buffers(pa.string(), 1, [None, offsets(0, 2), pa.py_buffer(b"\xff\xfe")]),
        safe=False,
    ),
}


class Stranger:
    """Arrow data of a library that is not pyarrow."""

    def __init__(self, array: Any) -> None:
        self.array_, self.size = array, len(array)

    def __len__(self) -> int:
        return self.size

    def __arrow_c_array__(self, requested_schema: object | None = None) -> Any:
        return self.array_.__arrow_c_array__(requested_schema)


CONTAINERS: dict[str, Callable[[Any], Any]] = {
    "array": lambda array: array,
    "chunks": lambda array: pa.chunked_array([array]),
    "table": lambda array: pa.table({"text": array}),
    "reader": lambda array: pa.table({"text": array}).to_reader(),
    "pandas column": lambda array: pd.Series(pd.arrays.ArrowExtensionArray(pa.chunked_array([array]))),
    "pandas frame": lambda array: pd.DataFrame({"text": pd.arrays.ArrowExtensionArray(pa.chunked_array([array]))}),
    "stranger": Stranger,
}


class Twice:
    """An array or a stream that gives the same capsules to everybody."""

    def __init__(self, data: Any, method: str) -> None:
        capsules = getattr(data, method)()
        setattr(self, method, lambda requested_schema=None: capsules)


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes().fit(["good film", "bad"], ["x", "y"])


READS_TEXTS: dict[str, Callable[[NaiveBayes, Any, list[str]], object]] = {
    "fit": lambda model, texts, labels: NaiveBayes().fit(texts, labels),
    "fit, calibrated": lambda model, texts, labels: NaiveBayes(calibrate=True).fit(texts, labels),
    "fit, with a tokenizer": lambda model, texts, labels: NaiveBayes(tokenizer=str.split).fit(texts, labels),
    "train": lambda model, texts, labels: train(texts, labels),
    "learn": lambda model, texts, labels: model.learn(texts, labels),
    "forget": lambda model, texts, labels: model.forget(texts, labels),
    "predict": lambda model, texts, labels: model.predict(texts),
    "predict_proba": lambda model, texts, labels: model.predict_proba(texts),
    "predict_top": lambda model, texts, labels: model.predict_top(texts, 2),
    "evaluate": lambda model, texts, labels: model.evaluate(texts, labels),
    "score": lambda model, texts, labels: model.score(texts, labels),
    "estimate_prior": lambda model, texts, labels: model.estimate_prior(texts),
    "leave_one_out": lambda model, texts, labels: model.leave_one_out(texts, labels),
    "suspects": lambda model, texts, labels: model.suspects(texts, labels),
    "independence": lambda model, texts, labels: model.independence(texts, labels),
    "perplexity": lambda model, texts, labels: model.perplexity(texts, "x"),
    "CountVectorizer": lambda model, texts, labels: CountVectorizer().fit_transform(texts),
    "CountVectorizer in Python": lambda model, texts, labels: CountVectorizer(analyzer=str.split).fit(texts),
    "TfidfVectorizer": lambda model, texts, labels: TfidfVectorizer().fit_transform(texts),
    "HashingVectorizer": lambda model, texts, labels: HashingVectorizer().transform(texts),
}


@pytest.mark.parametrize("method", READS_TEXTS)
@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_texts_are_a_named_error(damage: str, method: str, model: NaiveBayes) -> None:
    array = DAMAGED[damage]()
    labels = (["x", "y"] * len(array))[: len(array)]
    with pytest.raises(TextError, match=r"row \d is not|row \d lies outside|is not valid Arrow data"):
        READS_TEXTS[method](model, array, labels)


# A last offset is compared with the size of the data where a table is made, and cannot be if the size is not known.
PLACES = [
    (damage, container)
    for damage in DAMAGED
    for container in CONTAINERS
    if "last offset" not in damage or container not in ("table", "reader", "stranger")
]


@pytest.mark.parametrize(("damage", "container"), PLACES)
def test_damaged_texts_are_refused_in_every_container(damage: str, container: str, model: NaiveBayes) -> None:
    with pytest.raises(TextError, match=r"row \d is not|row \d lies outside|is not valid Arrow data"):
        model.predict(CONTAINERS[container](DAMAGED[damage]()))


@pytest.mark.parametrize(("damage", "container"), PLACES)
def test_damaged_labels_are_refused_in_every_container(damage: str, container: str, model: NaiveBayes) -> None:
    array = DAMAGED[damage]()
    texts = ["good"] * len(array)
    given = CONTAINERS[container]
    with pytest.raises(LabelError, match="labels is not valid Arrow data"):
        NaiveBayes().fit(texts, given(array))
    with pytest.raises(LabelError, match="labels is not valid Arrow data"):
        model.evaluate(texts, given(array))


@pytest.mark.parametrize("last", [1 << 30, -1])
@pytest.mark.parametrize(
    "frame",
    [
        lambda table: table,
        lambda table: table.to_reader(),
        lambda table: table.select(["text"]),
        lambda table: table.to_pandas(types_mapper=pd.ArrowDtype),
    ],
)
def test_damaged_frames_are_a_named_error(frame: Any, last: int, model: NaiveBayes) -> None:
    with pytest.raises(TextError, match="is not valid Arrow data"):
        model.predict(frame(received(0, 9, 17, last)))
    with pytest.raises(LikelyError):
        train(frame(received(0, 9, 17, last)), variant="multinomial")


def unaligned(kind: Any) -> Any:
    """Strings whose offsets or views begin at an odd address."""
    array = pa.array(["good", "a bad film of 1999"], kind)
    validity, places, *data = array.buffers()
    moved = pa.py_buffer(b"\0" + places.to_pybytes()).slice(1)
    assert moved.address % 2 == 1
    return pa.Array.from_buffers(kind, len(array), [validity, moved, *data])


UNALIGNED: dict[str, Callable[[], Any]] = {
    "strings": lambda: unaligned(pa.string()),
    "large strings": lambda: unaligned(pa.large_string()),
    "a dictionary": lambda: pa.DictionaryArray.from_arrays(pa.array([0, 1]), unaligned(pa.string())),
    "strings of a list": lambda: pa.ListArray.from_arrays(pa.array([0, 1, 2], pa.int32()), unaligned(pa.string())),
}


@pytest.mark.parametrize("container", CONTAINERS)
@pytest.mark.parametrize("kind", UNALIGNED)
def test_unaligned_offsets_are_refused(kind: str, container: str, model: NaiveBayes) -> None:
    with pytest.raises(TextError, match="texts is not valid Arrow data: its buffers are not aligned"):
        model.predict(CONTAINERS[container](UNALIGNED[kind]()))


@pytest.mark.parametrize("container", CONTAINERS)
def test_unaligned_views_and_keys_are_copied(container: str, model: NaiveBayes) -> None:
    given = CONTAINERS[container]
    assert model.predict(given(unaligned(pa.string_view()))).tolist() == ["x", "y"]
    keys = pa.Array.from_buffers(pa.int64(), 2, [None, pa.py_buffer(b"\0" + bytes(8) + b"\1" + bytes(7)).slice(1)])
    array = pa.DictionaryArray.from_arrays(keys, pa.array(["good", "bad"]))
    assert model.predict(given(array)).tolist() == ["x", "y"]


@pytest.mark.parametrize("method", ["__arrow_c_array__", "__arrow_c_stream__"])
def test_data_that_somebody_else_has_read_is_a_named_error(method: str, model: NaiveBayes) -> None:
    data: Any = Twice(pa.array(["good"]) if "array" in method else pa.chunked_array([["good"]]), method)
    assert list((pa.array if "array" in method else pa.chunked_array)(data)) == [pa.scalar("good")]
    with pytest.raises(TextError, match="it has been read before"):
        model.predict(data)


def test_data_that_can_be_read_once_is_read_once(model: NaiveBayes) -> None:
    array: Any = Twice(pa.array(["good", "bad"]), "__arrow_c_array__")
    assert model.predict(array).tolist() == ["x", "y"]
    with pytest.raises(TextError, match="it has been read before"):
        model.predict(array)
    stream: Any = Twice(pa.chunked_array([["good", "bad"]]), "__arrow_c_stream__")
    assert model.predict(stream).tolist() == ["x", "y"]
    with pytest.raises(TextError, match="it has been read before"):
        model.predict(stream)


def test_a_stream_that_fails_says_why(model: NaiveBayes) -> None:
    def batches() -> Iterator[Any]:
        yield pa.record_batch({"text": ["good"]})
        raise ValueError("the line is dead")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches())
    stream: Any = Twice(reader, "__arrow_c_stream__")
    with pytest.raises(TextError, match=r"texts is not valid Arrow data: .*the line is dead"):
        model.predict(stream)


@pytest.mark.parametrize("size", [8, 16, 32, 64])
def test_dictionaries_have_keys_of_every_type(size: int, model: NaiveBayes) -> None:
    for kind in (np.dtype(f"i{size // 8}"), np.dtype(f"u{size // 8}")):
        keys = pa.array(np.array([1, 0, 1], kind), mask=np.array([True, False, False]))
        assert model.predict(pa.DictionaryArray.from_arrays(keys[1:], ["good", "bad"])).tolist() == ["x", "y"]
        beyond = pa.DictionaryArray.from_arrays(np.array([0, np.iinfo(kind).max], kind), ["a"], safe=False)
        with pytest.raises(TextError, match="row 2 is not in its dictionary"):
            model.predict(beyond)


def test_nulls_are_named_by_their_row(model: NaiveBayes) -> None:
    chunks = pa.chunked_array([pa.array(["a", "b"]), pa.array(["c", None])])
    for texts in (chunks, chunks.cast(pa.string_view()), chunks.dictionary_encode(), pa.nulls(4)):
        row = 1 if isinstance(texts, pa.NullArray) else 4
        with pytest.raises(TextError, match=f"row {row} is missing"):
            model.predict(texts)
    values = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", None]))
    with pytest.raises(TextError, match="row 2 is missing"):
        model.predict(values)


@pytest.mark.parametrize(
    "column",
    [
        lambda texts: pa.array(["before", *texts]).slice(1),
        lambda texts: pa.array(texts, pa.large_string()),
        lambda texts: pa.array(["x" * 99, *texts], pa.string_view()).slice(1),
        lambda texts: pa.array(texts).dictionary_encode(),
        lambda texts: pd.Series(texts, index=[5, 5]),
        lambda texts: pd.Series(texts, dtype="string[pyarrow]"),
        lambda texts: pd.Series(texts, dtype="category"),
        lambda texts: pd.Series(texts, dtype=object),
        lambda texts: pd.DataFrame({"text": texts}, index=[3, 1]),
        pl.Series,
        lambda texts: pl.Series(texts, dtype=pl.Categorical),
        lambda texts: pl.Series(texts, dtype=pl.Enum(sorted(texts))),
        lambda texts: np.array([texts]).T,
        lambda texts: np.array([texts], dtype=object).T,
    ],
)
def test_sound_texts_are_read_from_every_column(column: Any, model: NaiveBayes) -> None:
    assert model.predict(column(["a good 映画, and so on", "bad"])).tolist() == ["x", "y"]


def test_what_is_arrow_data() -> None:
    assert [is_arrow(data) for data in (pa.array(["a"]), pl.Series(["a"]), ["a"], np.array(["a"]))] == [
        *(True, True, False, False)
    ]
    assert arrays_of(["a"], "labels", LabelError) is None
    assert arrays_of(pd.Series(["a", 1], dtype=object), "labels", LabelError) is None
    assert listed(pl.Series([1, None]), "labels", LabelError) == [1, None]


def test_columns_need_no_pyarrow() -> None:
    code = """
import sys
sys.modules["pyarrow"] = None
import numpy as np, polars as pl
from likely import NaiveBayes
model = NaiveBayes().fit(pl.Series(["good", "bad"]), pl.Series(["x", "y"]))
print(model.predict(pl.Series(["good", "bad"])).tolist(), NaiveBayes().fit(["a"], np.array([[1]])).classes_)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("['x', 'y'] [1]\n", "")


def test_analyzing_one_text_takes_no_array() -> None:
    with pytest.raises(TextError):
        analyze(DAMAGED["no dictionary"]())
