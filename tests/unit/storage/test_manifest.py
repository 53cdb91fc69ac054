"""The document of a model file: read with suspicion, whoever signed it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import likely
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes
from likely.core.file import from_bytes, to_bytes
from likely.errors import ModelFileError
from likely.reading.batch import Chosen
from likely.sample import load_sample

from .conftest import Change, Reviews, forged, read, restored, with_class, without

BAD_COLUMNS: list[Any] = [
    1,
    [],
    {},
    {"text": "review"},
    {"text": None, "label": "stars"},
    {"text": "review", "label": 1},
    {"text": ["review"], "label": None},
    {"text": "review", "label": None, "more": 1},
]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: m | {"format": 9, "likely": "9.0"}, "its format is 9, .* install `likely` 9.0 or later"),
        (lambda m: m | {"format": 3}, "other keys"),
        (lambda m: without(m, "columns"), "other keys"),
        *((lambda m, bad=bad: m | {"columns": bad}, "columns that it was trained from") for bad in BAD_COLUMNS),
        (lambda m: m | {"format": 1.0}, "not a model of `likely`"),
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
        (lambda m: m | {"options": m["options"] | {"class_weight": [["+", 2.0], ["+", 3.0]]}}, "twice"),
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
        (lambda m: [m], "not a model of `likely`"),
        (lambda m: {}, "not a model of `likely`"),
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


def row(table: pa.Table, **values: Any) -> pa.Table:
    """The table with one more row at its end."""
    last = table.slice(len(table) - 1).to_pylist()[0] | values
    return pa.concat_tables([table, pa.Table.from_pylist([last], schema=table.schema)])


@pytest.fixture
def model(reviews: Reviews) -> NaiveBayes:
    return NaiveBayes().fit(*reviews)


@pytest.fixture(scope="module")
def remembering() -> bytes:
    return to_bytes(likely.train(*load_sample())._snapshot())


def keys(name: str, *values: Any) -> list[Change]:
    return [partial(_with, name, value) for value in values]


def _with(name: str, value: Any, document: Any) -> Any:
    return document | {name: value}


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
        *keys("chosen", "alpha", ["unheard"], ["ngrams", "alpha"], [1], {"alpha": 1}),
        *keys("calibrated_prior", "even", 1, [["+", 0.5]], [["+", 2]], [["+", 0.5], ["+", 0.5]]),
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
    kept = pq.ParquetFile(pa.BufferReader(remembering)).metadata.row_group(0).num_rows
    model = restored(forged(table, document | {name: None}, parts=[kept] if document["kept_terms"] else []))
    assert getattr(model, f"{name}_") is None
    assert to_bytes(restored(to_bytes(model._snapshot()))._snapshot()) == to_bytes(model._snapshot())


@pytest.mark.parametrize("columns", [None, Chosen("review", "stars"), Chosen('Größe \n"', None)])
def test_the_columns_of_the_data_are_remembered(data: bytes, columns: Chosen | None) -> None:
    snapshot = replace(from_bytes(data), columns=columns)
    again = from_bytes(to_bytes(snapshot))
    assert again.columns == columns
    assert to_bytes(again) == to_bytes(snapshot)


def before_5(document: Any) -> Any:
    later = ("chosen", "calibrated_prior", "thresholds", "kept_terms")
    return {key: value for key, value in document.items() if key not in later}


def test_a_file_of_the_format_before_has_no_columns(data: bytes) -> None:
    table, document = read(data)
    old = before_5(without(document, "columns")) | {"format": 3}
    assert from_bytes(forged(table, old)).columns is None
    assert from_bytes(forged(table, old)).chosen == ()


def test_calibrate_was_false_by_default(data: bytes) -> None:
    table, document = read(data)
    options = document["options"] | {"calibrate": False}
    old = before_5(document) | {"format": 4, "options": options}
    assert from_bytes(forged(table, old)).options["calibrate"] is None
    assert from_bytes(forged(table, document | {"options": options})).options["calibrate"] is False


def test_thresholds_are_remembered(data: bytes) -> None:
    labels = from_bytes(data).counts.live().labels
    snapshot = replace(from_bytes(data), thresholds={labels[0]: 0.25})
    again = from_bytes(to_bytes(snapshot))
    assert again.thresholds == {labels[0]: 0.25}
    assert restored(to_bytes(snapshot)).thresholds_ == {labels[0]: 0.25}
    assert to_bytes(again) == to_bytes(snapshot)


@pytest.mark.parametrize(
    "stored",
    [[["nobody", 0.5]], [["nobody"]], "f1:nobody", {"a": 0.5}, 1, [[["x"], 0.5]], [["nobody", 0.5], ["nobody", 0.4]]],
    ids=str,
)
def test_thresholds_that_no_model_has_are_refused(data: bytes, stored: Any) -> None:
    table, document = read(data)
    with pytest.raises(ModelFileError):
        restored(forged(table, document | {"thresholds": stored}))


@pytest.mark.parametrize(
    "stored", [[["a", 2]], [["a", "b", 1], ["a", 0.5]], [["a", 0.5], ["a", 0.4]], "recall", 7], ids=str
)
def test_an_option_of_thresholds_that_is_not_allowed_is_refused(data: bytes, stored: Any) -> None:
    table, document = read(data)
    with pytest.raises(ModelFileError):
        restored(forged(table, document | {"options": document["options"] | {"thresholds": stored}}))


HOSTILE = "\x1b[31m\u202e\n" + "x" * 100_000


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m | {"format": 10**4000},
        lambda m: m | {"format": 9, "likely": HOSTILE},
        lambda m: m | {HOSTILE: 1},
        lambda m: m | {"options": m["options"] | {HOSTILE: 1}},
        lambda m: m | {"options": m["options"] | {"variant": HOSTILE}},
        lambda m: m | {"options": m["options"] | {"alpha": HOSTILE}},
        lambda m: m | {"options": m["options"] | {"tokenizer": HOSTILE}},
        lambda m: m | {"options": m["options"] | {"prior": [[HOSTILE, 0.5]]}},
        lambda m: m | {"options": m["options"] | {"prior": HOSTILE}},
        lambda m: m | {"options": HOSTILE},
        lambda m: m | {"counted_with": m["counted_with"] | {"stem": HOSTILE}},
        lambda m: m | {"counted_with": m["counted_with"] | {"ngrams": HOSTILE}},
        lambda m: m | {"classes": HOSTILE},
        lambda m: m | {"classes": [{HOSTILE: HOSTILE}]},
        lambda m: with_class(m, label=[HOSTILE]),
        lambda m: with_class(m, documents=HOSTILE),
        lambda m: m | {"calibration": HOSTILE},
        lambda m: m | {"tuning": {HOSTILE: HOSTILE}},
        lambda m: m | {"columns": HOSTILE},
        lambda m: m | {"thresholds": [[HOSTILE, 0.5]]},
        lambda m: m | {"options": m["options"] | {"thresholds": [[HOSTILE, HOSTILE]]}},
        lambda m: json.dumps(m | {"digest": HOSTILE}),
        lambda m: f'{{"{HOSTILE}": 1, "{HOSTILE}": 2}}',
        lambda m: f'{{"format": {"9" * 100_000}}}',
        lambda m: HOSTILE,
    ],
)
def test_a_message_is_one_short_line_whatever_the_file_says(data: bytes, change: Change) -> None:
    table, document = read(data)
    with pytest.raises(ModelFileError) as caught:
        restored(forged(table, change(document)))
    assert len(str(caught.value)) < 500
    assert str(caught.value).isprintable()
