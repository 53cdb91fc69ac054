"""`likely train` that chooses options, and `likely predict` that abstains: the same as in Python."""

from __future__ import annotations

import csv
import io
import json
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import likely
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.reading.batch import Chosen
from likely.sample import load_sample

from .conftest import Run  # noqa: TC001

TEXTS, LABELS = load_sample()


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "sample.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *zip(TEXTS, LABELS, strict=True)])
    return path


def test_train_chooses_as_python_does_from_a_file_and_from_a_pipe(run: Run, sample: Path, tmp_path: Path) -> None:
    done = run("train", sample, "-o", "a", "--json").json
    expected = likely.train(TEXTS, LABELS)._remember_columns(Chosen("text", "label"))
    assert expected.tuning_ is not None
    assert expected.calibration_ is not None
    assert (tmp_path / "a").read_bytes() == to_bytes(expected._snapshot())
    assert done["tuning"]["command"] == expected.tuning_.command
    assert done["calibration"] == expected.calibration_.to_dict()
    run("train", "-", "-o", "b", stdin=sample.read_bytes())
    assert (tmp_path / "b").read_bytes() == to_bytes(expected._snapshot())


@pytest.mark.parametrize("how", [[], ["--tune", "f1:negative", "--min-documents", "3"]])
def test_the_command_that_is_shown_gives_the_same_model(run: Run, sample: Path, tmp_path: Path, how: Any) -> None:
    shown = run("train", sample, "-o", "a", "--details", *how).out
    model = likely.load(tmp_path / "a")
    assert model.tuning_ is not None
    command = model.tuning_.command
    assert command in shown
    run(*shlex.split(command.replace("DATA", str(sample)).replace("MODEL", "b"))[1:])
    again = likely.load(tmp_path / "b")
    assert again.tuning_ is None
    snapshot = model._snapshot()
    untuned = replace(snapshot, options={**snapshot.options, "tune": None}, tuning=None, chosen=())
    assert to_bytes(again._snapshot()) == to_bytes(untuned)


def test_plain_is_plain(run: Run, sample: Path, tmp_path: Path) -> None:
    run("train", sample, "-o", "a", "--plain")
    model, expected = likely.load(tmp_path / "a"), NaiveBayes().fit(TEXTS, LABELS)
    assert model.counts_table() == expected.counts_table()
    assert model.get_params() == NaiveBayes().get_params()
    assert model.calibration_ is None


@pytest.mark.parametrize(
    ("how", "named"),
    [
        (["--tune", "recall"], "tune"),
        (["--tune", ""], "tune"),
        (["--budget", "soon"], "budget"),
        (["--budget", "0s"], "budget"),
        (["--plain", "--prefer", "strongest"], "plain"),
        (["--plain", "--alpha", "0.5"], "plain"),
        (["--abstain", "2"], "abstain"),
        (["--abstain", "recall=0.9"], "abstain"),
    ],
)
def test_bad_wishes_are_refused_before_reading(run: Run, tmp_path: Path, how: list[str], named: str) -> None:
    (tmp_path / "never.csv").write_text("text,label\n")
    done = run("train", "never.csv", "-o", "a", *how, status=2)
    assert named in done.err.replace("-", "_")
    assert not (tmp_path / "a").exists()


def test_a_class_that_is_not_there_cannot_be_tuned_for(run: Run, sample: Path, tmp_path: Path) -> None:
    done = run("train", sample, "-o", "a", "--tune", "f1:nobody", status=2)
    assert "there is no class 'nobody'" in done.err
    assert not (tmp_path / "a").exists()


# Abstaining


ASKED = [
    ("a wonderful film, I loved it", "positive"),
    ("the", None),
    ("zzz", None),
    ("dull, boring and bad", "negative"),
]


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    likely.train(TEXTS, LABELS, plain=True).save(tmp_path / "sample.likely")
    (tmp_path / "new.csv").write_text("text\n" + "".join(f'"{text}"\n' for text, _ in ASKED))
    return tmp_path / "sample.likely"


@pytest.mark.parametrize("more", [[], ["--proba"]])
def test_what_is_not_answered_in_each_format(run: Run, trained: Path, tmp_path: Path, more: list[str]) -> None:
    model = likely.load(trained)
    answers = model.predict([text for text, _ in ASKED], abstain=0.7).tolist()
    assert answers == [answer for _, answer in ASKED]
    ask = ["predict", trained, "new.csv", "--abstain", "0.7", *more]
    rows = list(csv.DictReader(io.StringIO(run(*ask).out)))
    assert [row["prediction"] for row in rows] == ["unsure" if each is None else each for each in answers]
    lines = [json.loads(line) for line in run(*ask, "--output-format", "jsonl").out.splitlines()]
    assert [line["prediction"] for line in lines] == answers
    run(*ask, "-o", "out.parquet")
    table = pq.read_table(tmp_path / "out.parquet")
    assert table["prediction"].to_pylist() == answers
    if more:
        best = model.predict_proba([text for text, _ in ASKED]).max(axis=1).tolist()
        assert table["probability"].to_pylist() == pytest.approx(best)
        assert [float(row["probability"]) for row in rows] == pytest.approx(best, rel=1e-4)


@pytest.mark.parametrize("order", [1, -1])
def test_batches_without_answers_go_into_one_parquet_file(
    run: Run, trained: Path, tmp_path: Path, order: int
) -> None:
    parts = [["zzz"], [text for text, _ in ASKED]][::order]
    for name, texts in zip("ab", parts, strict=True):
        (tmp_path / f"{name}.csv").write_text("text\n" + "".join(f'"{text}"\n' for text in texts))
    run("predict", trained, "a.csv", "b.csv", "--abstain", "0.7", "-o", "out.parquet")
    expected = likely.load(trained).predict([text for part in parts for text in part], abstain=0.7).tolist()
    assert pq.read_table(tmp_path / "out.parquet")["prediction"].to_pylist() == expected


def test_say_and_the_option_in_the_model(run: Run, trained: Path, sample: Path) -> None:
    assert run("predict", trained, "--text", "zzz", "--abstain", "0.9").out.strip() == "unsure"
    assert run("predict", trained, "--text", ASKED[0][0], "--abstain", "margin=0.2").out.strip() == "positive"
    shown = run("predict", trained, "--text", "zzz", "--abstain", "0.9", "--proba").out.split()
    assert shown == ["unsure", "0.5"]
    document = run("predict", trained, "--text", "zzz", "--abstain", "0.9", "--json").json
    assert document == {"prediction": None, "probability": 0.5, "known": 0.0}
    run("train", sample, "-o", "shy.likely", "--plain", "--calibrate", "--abstain", "precision=0.9")
    assert run("predict", "shy.likely", "--text", "zzz").out.strip() == "unsure"
    assert run("predict", "shy.likely", "--text", "zzz", "--abstain", "0").out.strip() == "negative"
    assert run("predict", "shy.likely", "--text", "zzz", "--abstain", "none").out.strip() == "negative"


@pytest.mark.parametrize("data", [["--holdout", "0.2"], ["--test", "sample.csv"]])
def test_a_model_that_abstains_is_measured_as_it_answers(run: Run, sample: Path, data: list[str]) -> None:
    done = run("train", sample, "-o", "a", "--plain", "--abstain", "0.8", *data, "--json").json["evaluation"]
    if data[0] == "--holdout":
        measured = run("evaluate", sample, "--plain", "--abstain", "0.8", *data, "--json").json["evaluation"]
    else:
        measured = run("evaluate", "a", sample, "--abstain", "0.8", "--json").json["evaluation"]
    assert (done["abstained"], done["accuracy"]) == (measured["abstained"], measured["accuracy"])
    assert done["abstained"] > 0


def test_a_prior_for_another_world(run: Run, trained: Path) -> None:
    assert run("predict", trained, "--text", "zzz", "--prior", "negative=0.1,positive=0.9").out.strip() == "positive"
    assert "positive" in run("predict", trained, "--text", "zzz", "--prior", "negative=1", status=2).err


def rare(tmp_path: Path) -> Path:
    """Rows of three classes, one of which is rare and never the most probable one."""
    path = tmp_path / "rare.csv"
    kinds = [("fine film", "good")] * 100 + [("poor film", "bad")] * 100 + [("poor queer film", "odd")] * 12
    kinds += [("poor queer film", "bad")] * 14
    rows = [(f"{text} n{at}", label) for at, (text, label) in enumerate(kinds)]  # copies are left out together
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *rows])
    return path


def test_thresholds_are_given_shown_and_turned_off(run: Run, tmp_path: Path) -> None:
    data = rare(tmp_path)
    run("train", data, "-o", "m", "--alpha", "0.5", "--thresholds", "odd=0.05")
    assert run("predict", "m", "--text", "poor queer film").out == "odd\n"
    assert run("predict", "m", "--text", "poor queer film", "--thresholds", "none").out == "bad\n"
    assert run("predict", "m", "--text", "poor queer film", "--thresholds", "odd=0.99").out == "bad\n"
    said = run("predict", "m", "--text", "poor queer film", "--top", "3", "--json").json
    assert said["top"][0]["label"] == said["prediction"] == "odd"
    assert said["probability"] == said["top"][0]["probability"] < said["top"][1]["probability"]
    explained = run("explain", "m", "poor queer film")
    assert "reaches its threshold 0.05" in explained.out
    assert run("explain", "m", "poor queer film", "--json").json["by_threshold"] is True
    assert run("inspect", "m", "--json").json["thresholds"] == [{"class": "odd", "threshold": 0.05}]
    assert "decision thresholds: odd 0.05" in run("inspect", "m").out
    recall = run("evaluate", "m", data, "--json").json["evaluation"]["per_class"][2]["recall"]
    assert recall == 1.0
    assert (
        run("evaluate", "m", data, "--thresholds", "none", "--json").json["evaluation"]["per_class"][2]["recall"] == 0
    )


@pytest.mark.parametrize("wish", ["f1:odd", "macro-f1", "precision:odd=0.3", "cost:odd>bad=9,odd>good=9,bad>odd=1"])
def test_thresholds_are_chosen_for_a_wish(run: Run, tmp_path: Path, wish: str) -> None:
    done = run("train", rare(tmp_path), "-o", "m", "--alpha", "0.5", "--thresholds", wish, "--json").json
    odd = next(each for each in done["thresholds"]["classes"] if each["class"] == "odd")
    assert odd["recall"][1] > odd["recall"][0] == 0
    assert run("predict", "m", "--text", "poor queer film").out == "odd\n"


def test_costs_that_are_not_given_are_one(run: Run, tmp_path: Path) -> None:
    path = rare(tmp_path)
    given = "cost:odd>bad=9,odd>good=9"
    others = ",".join(
        f"{gold}>{said}=1" for gold in ("bad", "good") for said in ("bad", "good", "odd") if gold != said
    )
    found = [
        run("train", path, "-o", "m", "--alpha", "0.5", "--thresholds", wish, "--json").json["thresholds"]
        for wish in (given, f"{given},{others}")
    ]
    assert found[0] == found[1]
    assert found[0]["accuracy"][1] > 0.9


def test_a_precision_out_of_reach_names_the_best(run: Run, tmp_path: Path) -> None:
    done = run("train", rare(tmp_path), "-o", "m", "--thresholds", "precision:odd=0.99", status=2)
    assert "a precision of 0.99 is out of reach for the class 'odd': the best is 0.4" in done.err
    assert not (tmp_path / "m").exists()


def test_a_rare_class_is_told(run: Run, tmp_path: Path) -> None:
    told = run("train", rare(tmp_path), "-o", "m", "--alpha", "0.5").out
    assert "Decision thresholds: odd 0.0" in told or "Warning: hardly ever predicted: odd" in told
    off = run("train", rare(tmp_path), "-o", "m", "--alpha", "0.5", "--thresholds", "none").out
    assert "hardly ever" not in off


@pytest.mark.parametrize("wrong", ["odd=2", "odd", "f1:", "cost:odd>odd=1", "precision:odd=2"])
def test_what_is_no_threshold_is_a_usage_error(run: Run, tmp_path: Path, wrong: str) -> None:
    assert "is not allowed" in run("train", rare(tmp_path), "-o", "m", "--thresholds", wrong, status=2).err
