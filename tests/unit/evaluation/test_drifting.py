"""Drift of texts: silent about texts of the same kind, loud about others, from any source."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import ArgumentError, OptionError
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


def halves(texts: list[str], labels: list[str], seed: int) -> tuple[NaiveBayes, list[str], list[str]]:
    """A calibrated model of a random half, and the other half."""
    order = np.random.default_rng(seed).permutation(len(texts)).tolist()
    first, second = order[::2], order[1::2]
    model = NaiveBayes(calibrate=True).fit([texts[at] for at in first], [labels[at] for at in first])
    return model, [texts[at] for at in second], [labels[at] for at in second]


@pytest.mark.parametrize("seed", range(8))
def test_a_random_half_has_not_drifted(seed: int) -> None:
    model, texts, labels = halves(TEXTS, LABELS, seed)
    for found in (model.drift(texts, labels), model.drift(texts), model.drift(texts[:20], labels[:20])):
        assert not found.is_drifted, str(found)


def test_one_class_alone_has_drifted() -> None:
    model, texts, labels = halves(TEXTS, LABELS, 0)
    only = [text for text, label in zip(texts, labels, strict=True) if label == "positive"]
    labelled = model.drift(only, ["positive"] * len(only))
    assert next(check.name for check in labelled.checks if check.is_drifted) == "class shares"
    found = model.drift(only)
    assert found.is_drifted
    assert found.intervals is not None
    interval = found.intervals[1]
    assert interval.low <= found.shift.shares[1] <= interval.high  # type: ignore[index]
    assert interval.low > 0.6


def test_turned_labels_are_seen_in_accuracy() -> None:
    model, texts, labels = halves(TEXTS, LABELS, 0)
    other = {"positive": "negative", "negative": "positive"}
    found = model.drift(texts, [other[label] for label in labels])
    assert [check.name for check in found.checks if check.is_drifted] == ["accuracy"]


def test_batches_and_sources_do_not_matter(tmp_path: Path) -> None:
    model, texts, labels = halves(TEXTS, LABELS, 1)
    rows = [{"text": text, "label": label} for text, label in zip(texts, labels, strict=True)]
    path = tmp_path / "data.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    expected = model.drift(texts, labels).to_dict()
    assert model.drift(path).to_dict() == expected
    assert model.drift(rows).to_dict() == expected
    assert model.drift(np.array(texts)).to_dict()["accuracy"] is None
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    assert model.drift(path).to_dict() == model.drift(texts).to_dict()


def test_wrong_input_is_refused() -> None:
    model, _, _ = halves(TEXTS, LABELS, 1)
    with pytest.raises(ArgumentError, match="no texts"):
        model.drift(iter([]))
    with pytest.raises(ArgumentError):
        model.drift(["good"], ["positive", "negative"])
    with pytest.raises(OptionError, match="weight has no effect"):
        model.drift("data.csv", weight="w")


CORPORA = {"20newsgroups": "train", "imdb": "train", "sms_spam": "all", "reuters_r8": "train"}


def load(folder: Path, name: str, part: str, most: int | None = None) -> tuple[list[str], list[str]]:
    with gzip.open(folder / name / f"{part}.jsonl.gz", "rt") as file:
        rows: list[dict[str, Any]] = [json.loads(line) for line in file]
    return [row["text"] for row in rows[:most]], [str(row["label"]) for row in rows[:most]]


@pytest.mark.slow
@pytest.mark.parametrize("name", CORPORA)
def test_corpora(data_folder: Path, name: str) -> None:
    texts, labels = load(data_folder, name, CORPORA[name])
    for seed in range(3):
        model, others, gold = halves(texts, labels, seed)
        assert not model.drift(others, gold).is_drifted
        assert not model.drift(others).is_drifted
    assert model.drift(load(data_folder, "trec_questions", "test")[0]).is_drifted
    if name in ("20newsgroups", "reuters_r8"):  # the test parts are of a later time
        model = NaiveBayes(calibrate=True).fit(texts, labels)
        assert model.drift(load(data_folder, name, "test")[0]).is_drifted
