"""`likely inspect`: a model, and a term."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from likely import load

from .conftest import Run  # noqa: TC001


def test_inspect(run: Run, model: Path) -> None:
    done = run("inspect", model, "--top", "2")
    assert "11 terms" in " ".join(done.out.split())  # a long path makes a long line, which is wrapped
    assert "neg: boring, dull" in done.out
    assert "trained on text=review, label=sentiment\n" in done.out
    document = run("inspect", model, "--class", "pos", "--json").json
    assert [each["class"] for each in document["classes"]] == ["pos"]
    assert document["columns"] == {"text": "review", "label": "sentiment"}
    assert "did you mean 'pos'" in run("inspect", model, "--class", "poss", status=2).err


def test_inspect_a_term(run: Run, model: Path) -> None:
    rows = run("inspect", model, "--term", "fun", "--json").json["classes"]
    assert [(row["class"], row["count"], row["documents"]) for row in rows] == [("neg", 1, 1), ("pos", 2, 2)]
    assert "never learned" in run("inspect", model, "--term", "zzz", status=1).out
    assert "Give one of --class, --term" in run("inspect", model, "--term", "zzz", "--class", "pos", status=2).err


def test_weights_of_classes_are_kept_and_shown(run: Run, reviews: Path) -> None:
    run("train", reviews, "-o", "w.likely", "--alpha", "1", "--class-weight", "pos=2.5")
    assert [each["weight"] for each in run("inspect", "w.likely", "--json").json["classes"]] == [1.0, 2.5]
    shown = run("inspect", "w.likely").out
    assert "class_weight={'pos': 2.5}" in shown
    assert ["documents", "tokens", "weight"] in [line.split() for line in shown.splitlines()]
    assert run("explain", "w.likely", "fun", "--json").json["class_weight"] == [1.0, 2.5]
    assert "Class weights: neg 1, pos 2.5." in run("explain", "w.likely", "fun").out
    refused = run("train", reviews, "-o", "x.likely", "--alpha", "1", "--class-weight", "spam=2", status=2).err
    assert "class_weight names the class 'spam', which the model does not have" in refused


def test_infinite_ratios_have_a_table_and_are_null_in_json(run: Run, reviews: Path) -> None:
    run("train", reviews, "-o", "zero.likely", "--alpha", "0")
    assert "inf" in run("inspect", "zero.likely", "--table").out
    document = run("inspect", "zero.likely", "--table", "--json").json
    assert document["sums"]["log_ratio"] is None
    assert None in {row["log_ratio"] for row in document["terms"]}
    first = next(row["term"] for row in document["terms"] if not row["count_a"])
    found = run("inspect", "zero.likely", "--perplexity", first, "--json").json["classes"]
    assert None in {row["perplexity"] for row in found}


def test_a_table_of_words_with_ratios_and_their_sums(run: Run, model: Path) -> None:
    document = run("inspect", model, "--table", "--contrast", "pos", "neg", "--json").json
    assert document["classes"] == ["pos", "neg"]
    (fun,) = (row for row in document["terms"] if row["term"] == "fun")
    assert fun["log_ratio"] == pytest.approx(math.log(fun["p_a"] / fun["p_b"]))
    assert [fun["count_a"], fun["count_b"]] == [2, 1]
    sums = document["sums"]
    assert sums["p_a"] == pytest.approx(1) == sums["p_b"]
    assert sums["log_ratio"] == pytest.approx(sum(row["log_ratio"] for row in document["terms"]))
    lines = run("inspect", model, "--table", "--top", "3").out.splitlines()
    assert lines[0].split() == ["n(pos)", "n(neg)", "P(w|pos)", "P(w|neg)", "ratio", "log"]
    assert lines[4].split()[:5] == ["(sum)", f"{sums['count_a']:g}", f"{sums['count_b']:g}", "1", "1"]
    assert "and 8 words that separate them less" in lines[5]
    refused = run("inspect", model, "--table", "--term", "fun", status=2).err
    assert "Give one of --class, --term, --table, --perplexity and --generate." in refused


def test_a_class_as_a_language_model(run: Run, model: Path) -> None:
    loaded = load(model)
    rows = run("inspect", model, "--perplexity", "good fun", "--json").json["classes"]
    assert [row["class"] for row in rows] == ["neg", "pos"]
    assert [row["perplexity"] for row in rows] == [loaded.perplexity(["good fun"], each) for each in ("neg", "pos")]
    assert [row["log_likelihood"] for row in rows] == [
        loaded.log_likelihood("good fun", each) for each in ("neg", "pos")
    ]
    assert "perplexity" in run("inspect", model, "--perplexity", "good fun").out
    written = run("inspect", model, "--generate", "pos", "--top", "7", "--seed", "3").out
    assert written == f"{loaded.generate('pos', 7, 3)}\n"
    assert "did you mean 'pos'" in run("inspect", model, "--generate", "poss", status=2).err
