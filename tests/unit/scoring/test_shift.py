"""Texts like the training data, and texts of another kind: what a watch says."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.shift import MOST_TEXTS
from likely.sample import load_sample

if TYPE_CHECKING:
    from likely.core.shift import ShiftWatch

TEXTS, LABELS = load_sample()
POSITIVE = TEXTS[::2] if LABELS[0] == "positive" else TEXTS[1::2]

TWEETS = [
    "gm frens wen moon lol",
    "ngl tbh bbq was lit fr fr",
    "smh traffic jam otw 2 werk",
    "omg new drip just dropped rt pls",
]


def model(number: int = 400) -> NaiveBayes:
    return NaiveBayes(calibrate=True).fit(TEXTS[:number], LABELS[:number])


def test_fresh_texts_of_the_same_kind_are_not_warned_of() -> None:
    found = model()._shift(TEXTS[400:])
    assert found.warning is None
    assert found.unknown == pytest.approx(found.usual, abs=0.05)
    assert found.documents == 80
    assert found.shares == pytest.approx(found.expected, abs=0.15)


def test_texts_of_another_kind_are_warned_of() -> None:
    assert "of the terms are unknown" in str(model()._shift(TWEETS).warning)
    assert "of the terms are unknown" in str(model()._shift(["这家酒店的房间很干净", "服务态度很差"]).warning)


def test_other_shares_of_the_classes_are_warned_of() -> None:
    found = model()._shift(POSITIVE)
    assert found.shares is not None
    assert found.shares[1] > 0.9
    assert "positive" in str(found.warning)
    assert "--prior" in str(found.warning)
    assert model()._shift(POSITIVE[:3]).warning is None, "three texts may have the same class by chance"
    prior = {"negative": 0.05, "positive": 0.95}
    assert model()._shift(POSITIVE, prior=prior).warning is None, "this prior expects it"
    uniform = NaiveBayes(calibrate=True, prior="uniform").fit(TEXTS[:400], LABELS[:400])
    assert uniform._shift(TEXTS).warning is None


def test_shares_are_those_of_estimate_prior() -> None:
    found, asked = model()._shift(TEXTS[300:]), model().estimate_prior(TEXTS[300:])
    assert found.labels == list(asked)
    assert found.shares == pytest.approx(list(asked.values()), abs=1e-3)


def test_batches_make_no_difference() -> None:
    whole, parts = model()._watch(), model()._watch()
    model()._predict_all(TEXTS, watch=whole)
    for at in range(0, len(TEXTS), 7):
        model()._predict_all(TEXTS[at : at + 7], watch=parts)
    one, other = whole.shift().to_dict(), parts.shift().to_dict()
    assert one["shares"] == pytest.approx(other["shares"], abs=1e-12)
    assert (one["documents"], one["terms"]) == (other["documents"], other["terms"])
    assert one["unknown"] == pytest.approx(other["unknown"], abs=1e-12)


def watched(watch: ShiftWatch, rows: int, batch: int) -> ShiftWatch:
    """Rows of which every second has the first class, as in the sample corpus."""
    logs = np.log(np.tile([[0.9, 0.1], [0.1, 0.9]], (rows // 2, 1)))
    for at in range(0, rows, batch):
        part = logs[at : at + batch]
        watch.see(part, np.full(len(part), 0.5), np.full(len(part), 10.0))
    return watch


@pytest.mark.parametrize("rows", [MOST_TEXTS * 2, MOST_TEXTS * 8, 100_000])
def test_the_sample_is_bounded_and_has_no_period(rows: int) -> None:
    small, large = (watched(model(4)._watch(), rows, batch) for batch in (rows, 1000))
    assert len(small._seen.logs) == len(large._seen.logs) == MOST_TEXTS
    shares = small.shift().shares
    assert shares == pytest.approx([0.5, 0.5], abs=0.03)
    assert large.shift().shares == pytest.approx(shares, abs=1e-9)


def test_empty_texts_say_nothing() -> None:
    found = model()._shift(["", "", "?!"])
    assert (found.documents, found.terms, found.unknown, found.warning) == (3, 0, None, None)
    with_empty, without = model()._shift([*TEXTS[:50], *[""] * 500]), model()._shift(TEXTS[:50])
    assert with_empty.unknown == without.unknown
    assert with_empty.shares == pytest.approx(without.shares, abs=1e-12)


def test_a_class_that_is_learned_meanwhile() -> None:
    growing = model()
    watch = growing._watch()
    growing._predict_all(TEXTS[:10], watch=watch)
    growing.learn(["so so"], ["neutral"])
    growing._predict_all(TEXTS[:10], watch=watch)
    assert watch.shift().documents == 20


def read(path: Path, most: int = 5000) -> tuple[list[str], list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    rows = rows[:: max(1, len(rows) // most)]
    return [row["text"] for row in rows], [str(row["label"]) for row in rows]


SPLIT = [
    "imdb",
    "20newsgroups",
    "ag_news_partial",
    "reuters_r8",
    "reuters_r52",
    "sst2",
    "trec_questions",
    "wisesight_thai",
]


@pytest.mark.slow
@pytest.mark.parametrize("name", SPLIT)
def test_the_test_part_of_a_corpus_is_like_its_training_part(data_folder: Path, name: str) -> None:
    trained = NaiveBayes(calibrate=True).fit(*read(data_folder / name / "train.jsonl.gz"))
    assert trained._shift(read(data_folder / name / "test.jsonl.gz")[0]).warning is None


PAIRS = [
    ("imdb/train", "chnsenticorp_htl/all"),
    ("sentence_polarity/all", "chnsenticorp_htl/all"),
    ("sentence_polarity/all", "semeval2017_4a/test"),
    ("trec_questions/train", "imdb/test"),
    ("reuters_r8/train", "imdb/test"),
    ("sms_spam/all", "20newsgroups/test"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_texts_of_another_corpus_are_warned_of(data_folder: Path, one: str, other: str) -> None:
    trained = NaiveBayes(calibrate=True).fit(*read(data_folder / f"{one}.jsonl.gz"))
    assert trained._shift(read(data_folder / f"{other}.jsonl.gz")[0]).warning is not None


def test_the_weights_of_classes_do_not_change_the_shares_that_are_expected() -> None:
    texts, labels = ["good fun", "good plot", "fine", "dull"], ["+", "+", "+", "-"]
    found = NaiveBayes(class_weight="balanced").fit(texts, labels)._shift(["good"])
    assert found.expected == pytest.approx([0.75, 0.25])
