"""Choosing options: the same for the same documents, whatever their order, and never in the way."""

from __future__ import annotations

import csv
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.errors import LikelyError, OptionError
from likely.options.presets import with_preset
from likely.reading.sampling import Sampler
from likely.sample import load_sample
from likely.storage.model_file import to_bytes
from likely.training.tuning import Budget

TEXTS, LABELS = load_sample()
MEASURES = ["auto", "log-loss", "accuracy", "macro-f1", "f1:positive"]


@pytest.fixture(scope="module")
def tuned() -> NaiveBayes:
    return likely.train(TEXTS, LABELS)


def three() -> tuple[list[str], list[str]]:
    """Topics, with words that two of them share."""
    rng = np.random.default_rng(3)
    words = {"a": "cat dog bird the of", "b": "car dog road the of", "c": "sun rain road the", "d": "sun the of x"}
    labels = rng.choice(list(words), 200, p=[0.4, 0.3, 0.2, 0.1]).tolist()
    return [" ".join(rng.choice(words[label].split(), rng.integers(1, 12))) for label in labels], labels


# The same model


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
    assert to_bytes(DOORS[door]().snapshot()) == to_bytes(tuned.snapshot())


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_gives_the_same_bytes(tuned: NaiveBayes, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"sample.{suffix}"
    if suffix == "csv":
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([("text", "label"), *zip(TEXTS, LABELS, strict=True)])
    else:
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"text": TEXTS, "label": LABELS}), path)
    assert to_bytes(likely.train(path).snapshot()) == to_bytes(tuned.snapshot())


@pytest.mark.parametrize("tune_for", MEASURES)
def test_the_options_alone_give_the_same_model(tune_for: str) -> None:
    model = likely.train(TEXTS, LABELS, tune_for=tune_for)
    assert model.tuning_ is not None
    plain = likely.train(TEXTS, LABELS, **model.tuning_.options)
    assert plain.tuning_ is None
    assert without_tuning(model) == to_bytes(plain.snapshot())


def without_tuning(model: NaiveBayes) -> bytes:
    return to_bytes(replace(model.snapshot(), tuning=None))


def test_plain_is_plain() -> None:
    model = likely.train(TEXTS, LABELS, plain=True)
    expected = NaiveBayes().fit(TEXTS, LABELS)
    assert model.tuning_ is None
    assert model.calibration_ is not None
    assert model.counts_table() == expected.counts_table()
    assert model.get_params() == expected.get_params()
    assert (model.predict_joint_log_proba(TEXTS) == expected.predict_joint_log_proba(TEXTS)).all()
    uncalibrated = likely.train(TEXTS, LABELS, plain=True, calibrate=False)
    assert to_bytes(uncalibrated.snapshot()) == to_bytes(NaiveBayes(calibrate=False).fit(TEXTS, LABELS).snapshot())


def test_what_was_tried_is_remembered(tuned: NaiveBayes, tmp_path: Path) -> None:
    tuned.save(tmp_path / "a")
    for again in (likely.load(tmp_path / "a"), pickle.loads(pickle.dumps(tuned))):
        assert again.tuning_ == tuned.tuning_
        assert to_bytes(again.snapshot()) == to_bytes(tuned.snapshot())
    assert tuned.tuning_ is not None
    shown = str(tuned.tuning_)
    assert tuned.tuning_.command in shown
    assert (tuned.tuning_.documents, tuned.tuning_.of) == (480, 480)


# What it is for


@pytest.mark.parametrize("data", ["sample", "three"])
@pytest.mark.parametrize("tune_for", ["log-loss", "accuracy", "macro-f1", "f1:positive", "f1:d"])
def test_the_best_trial_is_chosen_and_its_figures_are_true(data: str, tune_for: str) -> None:
    texts, labels = (TEXTS, LABELS) if data == "sample" else three()
    if tune_for.startswith("f1:") and tune_for.removeprefix("f1:") not in labels:
        with pytest.raises(OptionError, match="there is no class"):
            likely.train(texts, labels, tune_for=tune_for)
        return
    model = likely.train(texts, labels, tune_for=tune_for)
    tuning = model.tuning_
    assert tuning is not None
    values = [trial.value for trial in tuning.trials]
    assert values == sorted(values, reverse=True)
    assert len({str(trial.options) for trial in tuning.trials}) == len(tuning.trials)
    best = tuning.trials[0]
    guesses = model.classes_[model.leave_one_out(texts, labels).argmax(axis=1)]
    assert best.accuracy == pytest.approx(np.mean(guesses == np.array(labels)))
    assert model.calibration_ is not None
    assert best.log_loss == pytest.approx(model.calibration_.after["log_loss"], rel=1e-6)
    expected = {"log-loss": -best.log_loss, "accuracy": best.accuracy, "macro-f1": best.macro_f1}
    f1 = [f1_of(guesses, labels, each) for each in sorted(set(labels))]
    assert best.macro_f1 == pytest.approx(np.mean(f1))
    if tune_for.startswith("f1:"):
        assert best.value == pytest.approx(f1_of(guesses, labels, tune_for.removeprefix("f1:")))
    else:
        assert best.value == expected[tune_for]


def f1_of(guesses: Any, labels: list[str], label: str) -> float:
    mine, own = guesses == label, np.array(labels) == label
    return float(2 * (mine & own).sum() / (mine.sum() + own.sum()))


@pytest.mark.parametrize("kind", [int, bool])
def test_labels_of_other_kinds(kind: type, tuned: NaiveBayes) -> None:
    labels = [kind(label == "positive") for label in LABELS]
    model = likely.train(TEXTS, labels, tune_for=f"f1:{kind(1)}")
    assert {type(label) for label in model.predict(TEXTS).tolist()} == {kind}
    same = likely.train(TEXTS, labels)
    assert tuned.tuning_ is not None
    assert same.tuning_ is not None
    assert same.tuning_.options == tuned.tuning_.options


GIVEN: list[dict[str, Any]] = [
    {"variant": "bernoulli"},
    {"alpha": 2.5},
    {"ngrams": (1, 1)},
    {"ngrams": (2, 3)},
    {"analyzer": "char_wb", "ngrams": (2, 4)},
    {"analyzer": "both"},
    {"hash_bits": 12},
    {"stop_words": "en", "lowercase": False},
    {"weighting": "tfidf"},
    {"weighting": "tfidf", "norm": "l2"},
    {"min_documents": 3, "max_terms": 100},
    {"max_documents": 0.5},
    {"stem": "english"},
    {"document_weight": "equal"},
    {"task": "sentiment"},
    {"task": "language"},
    {"prior": "uniform"},
    {"spelling": "on"},
    {"negation": "on"},
    {"variant": "complement"},
    {"variant": "complement_normalized"},
    {"abstain": 0.9, "calibrate": False},
]


@pytest.mark.parametrize("options", GIVEN, ids=str)
@pytest.mark.parametrize("size", [20, 120])
def test_options_that_are_given_are_held(options: dict[str, Any], size: int) -> None:
    texts, labels = TEXTS[:size], LABELS[:size]
    if size >= 30 and (set(options) & {"max_terms", "spelling"} or options.get("norm") == "l2"):
        with pytest.raises(OptionError, match="leave_one_out is not defined with"):
            likely.train(texts, labels, tune_for="accuracy", **options)
        return
    model = likely.train(texts, labels, tune_for="accuracy", **options)
    values, held = model.options(), with_preset(options)
    assert {name: values[name] for name in held} == held
    alike = likely.NaiveBayes(**model.get_params()).set_params(calibrate=False).fit(texts, labels)
    assert model.counts_table() == alike.counts_table()
    assert np.array_equal(model.predict_joint_log_proba(texts), alike.predict_joint_log_proba(texts))
    if size >= 30:
        assert model.tuning_ is not None
        assert (model.calibration_ is None) == (options.get("calibrate") is False)
    assert to_bytes(pickle.loads(pickle.dumps(model)).snapshot()) == to_bytes(model.snapshot())


@pytest.mark.parametrize("how", [{"tune_for": "accuracy"}, {"strongest": True}], ids=str)
@pytest.mark.parametrize("size", [20, 60])
def test_what_nothing_goes_together_with_is_an_error_or_works(how: dict[str, Any], size: int) -> None:
    try:
        model = likely.train(TEXTS[:size], LABELS[:size], variant="nbsvm", **how)
    except OptionError:
        return
    alike = NaiveBayes(**model.get_params()).fit(TEXTS[:size], LABELS[:size])
    assert (model.predict_joint_log_proba(TEXTS) == alike.predict_joint_log_proba(TEXTS)).all()


class Untouched:
    """What nobody is to read from."""

    def __iter__(self) -> Any:
        raise AssertionError("it was read")


@pytest.mark.parametrize(
    "wish",
    [
        {"tune_for": "recall"},
        {"tune_for": ""},
        {"tune_for": 3},
        {"budget": "soon"},
        {"budget": 0},
        {"budget": -1},
        {"budget": "nan"},
        {"budget": float("inf")},
        {"plain": True, "strongest": True},
        {"plain": True, "alpha": 0.5},
        {"plain": True, "tune_for": "accuracy"},
        {"tunefor": "accuracy"},
    ],
    ids=str,
)
def test_bad_wishes_are_refused_before_anything_is_read(wish: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=next(iter(wish))):
        likely.train(Untouched(), Untouched(), **wish)
    with pytest.raises(OptionError, match=next(iter(wish))):
        likely.train(tmp_path / "there is no such file", **wish)


def test_budgets() -> None:
    assert Budget.of(" 1.5 m ").seconds == 90
    assert Budget.of("1h").seconds == 3600
    assert Budget(1).documents(100, 2) <= Budget(10).documents(100, 2)
    assert to_bytes(likely.train(TEXTS, LABELS, budget="1s").snapshot()) == to_bytes(
        likely.train(TEXTS, LABELS, budget=1).snapshot()
    )


# Any data


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


@pytest.mark.parametrize("how", [{}, {"tune_for": "macro-f1", "strongest": True}, {"plain": True}], ids=str)
@pytest.mark.parametrize("name", ODD)
def test_any_data_give_a_model(name: str, how: dict[str, Any]) -> None:
    texts, labels = ODD[name]
    model = likely.train(texts, labels, **how)
    assert set(model.classes_.tolist()) == set(labels)
    probabilities = model.predict_proba([*texts[:5], "", "unheard"])
    assert np.isfinite(probabilities).all()
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert to_bytes(pickle.loads(pickle.dumps(model)).snapshot()) == to_bytes(model.snapshot())
    if len(texts) < 30:
        assert model.tuning_ is None
        assert model.counts_table() == NaiveBayes().fit(texts, labels).counts_table()
    turned = likely.train(texts[::-1], labels[::-1], **how)
    assert to_bytes(turned.snapshot()) == to_bytes(model.snapshot())


def test_the_strongest_of_a_small_corpus() -> None:
    model = likely.train(TEXTS, LABELS, strongest=True)
    assert model.tuning_ is not None
    ways = {trial.way for trial in model.tuning_.trials}
    assert ways == {"leave-one-out", "cross-validation"}
    learned = [trial for trial in model.tuning_.trials if trial.way == "cross-validation"]
    assert all(trial.options["variant"] == "nbsvm" for trial in learned)
    assert model.score(TEXTS, LABELS) > 0.9
    again = likely.train(TEXTS, LABELS, **model.tuning_.options)
    assert (again.predict_joint_log_proba(TEXTS) == model.predict_joint_log_proba(TEXTS)).all()


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


# Samples


documents = st.lists(st.tuples(st.text("abc", max_size=3), st.sampled_from("xy")), max_size=40)


def drawn(rows: list[tuple[str, str]], size: int, batch: int) -> Sampler:
    sampler = Sampler(size)
    for at in range(0, len(rows), batch):
        some = rows[at : at + batch]
        sampler.add([text for text, _ in some], [label for _, label in some])
    return sampler


@given(documents, st.randoms(use_true_random=False), st.integers(1, 12), st.integers(1, 10))
def test_a_sample_depends_on_the_documents_alone(rows: Any, random: Any, size: int, batch: int) -> None:
    sample = drawn(rows, size, 100).sample()
    other = list(rows)
    random.shuffle(other)
    assert drawn(other, size, batch).sample() == sample
    assert sample.of == len(rows)
    pairs = list(zip(sample.texts, sample.labels, strict=True))
    assert all(pairs.count(pair) <= rows.count(pair) for pair in pairs)
    assert len(sample) >= min(size, len(rows))
    if len({text for text, _ in rows}) == len(rows):
        assert len(sample) == min(size, len(rows))


@given(documents, st.integers(1, 12), st.integers(1, 12))
def test_the_first_of_a_sample_are_a_sample(rows: Any, one: int, other: int) -> None:
    unique = list({text: (text, label) for text, label in rows}.values())
    small, large = sorted((one, other))
    assert drawn(unique, large, 5).sample().first(small) == drawn(unique, small, 3).sample()
