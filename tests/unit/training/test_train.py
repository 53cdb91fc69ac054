"""Training with options that are chosen: the same for the same documents, whatever their order or container."""

from __future__ import annotations

import csv
import logging
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import LikelyError, OptionError
from likely.reading.batch import Chosen
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


@pytest.fixture(scope="module")
def tuned() -> NaiveBayes:
    return likely.train(TEXTS, LABELS)


def shuffled() -> Any:
    order = np.random.default_rng(1).permutation(len(TEXTS))
    return likely.train([TEXTS[at] for at in order], [LABELS[at] for at in order])


def pandas_frame() -> Any:
    import pandas as pd

    return likely.train(pd.DataFrame({"text": TEXTS, "label": LABELS}))


def polars_columns() -> Any:
    import polars as pl

    return likely.train(pl.Series(TEXTS), pl.Series(LABELS))


def generators() -> Any:
    return likely.train((text for text in TEXTS), (label for label in LABELS))


DOORS: list[Callable[[], Any]] = [
    shuffled,
    pandas_frame,
    polars_columns,
    generators,
    lambda: likely.train(TEXTS, LABELS, threads=1),
    lambda: likely.train(TEXTS, LABELS, threads=3),
    lambda: likely.train(pa.array(TEXTS), pa.array(LABELS)),
    lambda: likely.train(pa.chunked_array([TEXTS[:7], [], TEXTS[7:]]), LABELS),
    lambda: likely.train(pa.array(TEXTS, pa.large_string()), LABELS),
    lambda: likely.train(np.array(TEXTS), np.array(LABELS)),
    lambda: likely.train(pa.table({"text": TEXTS, "label": LABELS})),
]


@pytest.mark.parametrize("door", range(len(DOORS)))
def test_the_same_documents_give_the_same_bytes(tuned: NaiveBayes, door: int) -> None:
    assert to_bytes(DOORS[door]()._remember_columns(None)._snapshot()) == to_bytes(tuned._snapshot())


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_gives_the_same_bytes(tuned: NaiveBayes, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"sample.{suffix}"
    if suffix == "csv":
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([("text", "label"), *zip(TEXTS, LABELS, strict=True)])
    else:
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"text": TEXTS, "label": LABELS}), path)
    assert to_bytes(likely.train(path)._remember_columns(None)._snapshot()) == to_bytes(tuned._snapshot())


def test_plain_is_plain() -> None:
    model = likely.train(TEXTS, LABELS, plain=True)
    expected = NaiveBayes().fit(TEXTS, LABELS)
    assert model.tuning_ is None
    assert model.calibration_ is None
    assert model.counts_table() == expected.counts_table()
    assert model.get_params() == NaiveBayes().get_params()
    assert (model.predict_proba(TEXTS) == expected.predict_proba(TEXTS)).all()
    assert likely.train(TEXTS, LABELS, plain=True, calibrate=True).calibration_ is not None
    assert (model.predict_joint_log_proba(TEXTS) == expected.predict_joint_log_proba(TEXTS)).all()
    uncalibrated = likely.train(TEXTS, LABELS, plain=True, calibrate=False)
    assert to_bytes(uncalibrated._snapshot()) == to_bytes(NaiveBayes(calibrate=False).fit(TEXTS, LABELS)._snapshot())


@pytest.mark.parametrize("kind", [int, bool])
def test_labels_of_other_kinds(kind: type, tuned: NaiveBayes) -> None:
    labels = [kind(label == "positive") for label in LABELS]
    model = likely.train(TEXTS, labels, tune=f"f1:{kind(1)}")
    assert {type(label) for label in model.predict(TEXTS).tolist()} == {kind}
    same = likely.train(TEXTS, labels)
    assert tuned.tuning_ is not None
    assert same.tuning_ is not None
    assert same.tuning_.options == tuned.tuning_.options


class Untouched:
    """What nobody is to read from."""

    def __iter__(self) -> Any:
        raise AssertionError("it was read")


@pytest.mark.parametrize(
    "wish",
    [
        {"tune": "recall"},
        {"tune": ""},
        {"tune": 3},
        {"budget": "soon"},
        {"budget": 0},
        {"budget": -1},
        {"budget": "nan"},
        {"budget": float("inf")},
        {"plain": True, "prefer": "strongest"},
        {"plain": True, "alpha": 0.5},
        {"plain": True, "tune": "accuracy"},
        {"tunefor": "accuracy"},
    ],
    ids=str,
)
def test_bad_wishes_are_refused_before_anything_is_read(wish: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=next(iter(wish))):
        likely.train(Untouched(), Untouched(), **wish)
    with pytest.raises(OptionError, match=next(iter(wish))):
        likely.train(tmp_path / "there is no such file", **wish)


ODD: dict[str, tuple[list[str], list[Any]]] = {
    "one": (["a b"], ["x"]),
    "two": (["a b", "c"], ["x", "y"]),
    "five": (["a b", "c", "a", "c d", "e"], ["x", "y", "x", "y", "z"]),
    "29": (TEXTS[:29], LABELS[:29]),
    "30": (TEXTS[:30], LABELS[:30]),
    "one class": (TEXTS[:40], ["x"] * 40),
    "classes of one": ([f"w{at} w{at % 3}" for at in range(40)], [f"c{at}" for at in range(40)]),
    "a class of one": ([*TEXTS[:40], "alone"], [*LABELS[:40], "alone"]),
    "empty": ([""] * 40, ["x", "y"] * 20),
    "nearly empty": ([""] * 39 + ["a"], ["x", "y"] * 20),
    "equal": (["the same text"] * 40, ["x", "y"] * 20),
    "one each": (["a"] * 20 + ["b"] * 20, ["x"] * 20 + ["y"] * 20),
    "many classes": ([f"w{at % 20} the of" for at in range(200)], [at % 20 for at in range(200)]),
    "chinese": (["很好看的电影", "太无聊了", "剧情很好", "浪费时间"] * 12, ["+", "-", "+", "-"] * 12),
    "thai": (["หนังดีมาก", "น่าเบื่อมาก", "ชอบมาก", "เสียเวลา"] * 12, ["+", "-", "+", "-"] * 12),
    "unicode": (["été 👍🏽 ﬁn", "İstanbul \ud800", "ß ſ", "नमस्ते दुनिया"] * 12, [True, False, True, False] * 12),
}


@pytest.mark.filterwarnings("ignore::likely.errors.TrainingWarning")
@pytest.mark.parametrize("how", [{}, {"tune": "macro-f1", "prefer": "strongest"}, {"plain": True}], ids=str)
@pytest.mark.parametrize("name", ODD)
def test_any_data_give_a_model(name: str, how: dict[str, Any]) -> None:
    texts, labels = ODD[name]
    model = likely.train(texts, labels, **how)
    assert set(model.classes_.tolist()) == set(labels)
    probabilities = model.predict_proba([*texts[:5], "", "unheard"])
    assert np.isfinite(probabilities).all()
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert to_bytes(pickle.loads(pickle.dumps(model))._snapshot()) == to_bytes(model._snapshot())
    if len(texts) < 30:
        assert model.tuning_ is None
        assert model.counts_table() == NaiveBayes().fit(texts, labels).counts_table()
    turned = likely.train(texts[::-1], labels[::-1], **how)
    assert to_bytes(turned._snapshot()) == to_bytes(model._snapshot())


def test_labels_must_be_as_many_as_texts() -> None:
    for texts, labels in ((TEXTS[:40], LABELS[:39]), (TEXTS[:39], LABELS[:40]), (TEXTS, []), ([], LABELS)):
        with pytest.raises(LikelyError, match="one label per text"):
            likely.train(texts, labels)
        with pytest.raises(LikelyError, match="one label per text"):
            NaiveBayes(calibrate=True).fit(texts, labels)
        with pytest.raises(LikelyError, match="one label per text"):
            NaiveBayes().fit(TEXTS, LABELS).fit_calibration(texts, labels)


@pytest.mark.parametrize("texts", [["a", None], [1, 2], "ab", [b"a", b"b"]], ids=str)
def test_what_is_no_text_is_named(texts: Any) -> None:
    with pytest.raises(LikelyError, match="text"):
        likely.train(texts, ["x", "y"])


def test_training_on_a_frame_tells_its_guess(caplog: pytest.LogCaptureFixture) -> None:
    frame = pa.table({"id": [1, 2, 3], "review": ["good fun", "dull", "so dull"], "sentiment": ["+", "-", "-"]})
    with caplog.at_level(logging.INFO, "likely"):
        model = likely.train(frame)
    assert model.columns_ == Chosen("review", "sentiment")
    assert caplog.messages == ["read as a frame, text=review, label=sentiment, 3 rows"]


def rare_documents(documents: int = 600) -> tuple[list[str], list[str]]:
    """Documents of three classes, one of which has few documents, which are hard to tell from the others."""
    random = np.random.default_rng(5)
    labels = random.choice(["good", "bad", "odd"], documents, p=[0.49, 0.47, 0.04]).tolist()
    shares = {"good": [5, 2, 1, 2], "bad": [2, 5, 1, 2], "odd": [3, 3, 3, 1]}
    words = np.array(["fine", "poor", "queer", "film"])
    texts = []
    for at, label in enumerate(labels):
        drawn = random.choice(words, 6, p=np.array(shares[label]) / sum(shares[label]))
        texts.append(f"{' '.join(drawn)} w{at % 40}")
    return texts, labels


def test_a_rare_class_gets_a_threshold_unless_thresholds_are_given_or_the_model_is_plain() -> None:
    texts, labels = rare_documents()
    model = likely.train(texts, labels)
    choice = model.threshold_choice_
    assert choice is not None
    assert list(model.thresholds_) == ["odd"] == [each.label for each in choice.classes]
    assert choice.classes[0].recall[1] > choice.classes[0].recall[0]
    assert (model.predict(texts) == "odd").sum() > (model.set_params(thresholds={}).predict(texts) == "odd").sum()
    given = likely.train(texts, labels, thresholds={})
    assert given.thresholds_ == {}
    assert given.tuning_ is not None  # the options are chosen all the same
    assert likely.train(texts, labels, thresholds={"odd": 0.3}).thresholds_ == {"odd": 0.3}
    assert likely.train(texts, labels, plain=True).thresholds_ == {}
    assert likely.train(texts, labels, calibrate=False).thresholds_ == {}


def test_a_wish_and_the_f1_of_a_class_keep_their_threshold() -> None:
    texts, labels = rare_documents()
    tuned = likely.train(texts, labels, tune="f1:odd")
    assert list(tuned.thresholds_) == ["odd"]
    assert tuned.thresholds == "f1:odd"
    assert tuned.tuning_ is not None
    assert "--thresholds f1:odd" in tuned.tuning_.command
    asked = likely.train(texts, labels, thresholds="macro-f1", alpha=0.5)
    assert sorted(asked.thresholds_) == ["bad", "good", "odd"]
    assert asked.thresholds == "macro-f1"
    again = pickle.loads(pickle.dumps(tuned))
    assert again.thresholds_ == tuned.thresholds_


def test_without_rare_classes_nothing_is_decided_differently(tuned: NaiveBayes) -> None:
    assert tuned.thresholds_ == {}
    assert tuned.threshold_choice_ is None  # no class is rare, so nothing was judged for thresholds
