"""`likely train`: what it says, what it takes, what it refuses."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import likely
import pytest
from likely.options.model import MODEL
from likely.options.reading import READING, TUNING
from likely.reading.batch import Chosen
from likely.sample import load_sample

from .conftest import REVIEWS, Run


@pytest.fixture
def sample_rows(tmp_path: Path) -> Path:
    with (tmp_path / "sample.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *zip(*load_sample(), strict=True)])
    return tmp_path / "sample.csv"


def test_train_has_a_flag_for_every_option(run: Run) -> None:
    shown = " ".join(run("train", "--help-all").out.split())
    for option in (*MODEL.values(), *READING.values(), *TUNING.values()):
        if option.has_flag:
            assert all(flag in shown for flag in option.declaration.split("/"))
            assert option.help in shown


def test_train_says_what_it_did(run: Run, reviews: Path, tmp_path: Path) -> None:
    done = run("train", reviews, "-o", "m.likely")
    assert done.err == "read as CSV, text=review, label=sentiment, 6 rows\n"
    what, written = done.out.partition("\nNext: ")[0].split("\nWrote ")
    assert re.fullmatch(r"Trained on 6 documents of 2 classes \(neg 3, pos 3\)(?: in \d+ s)?\.", what)
    assert re.fullmatch(
        r"m.likely: 11 terms, \d+ kB\.\nNot tuned or calibrated: that takes at least 30 distinct documents\.", written
    )
    texts, labels = zip(*REVIEWS, strict=True)
    same = likely.NaiveBayes(tune="auto").fit(list(texts), list(labels))  # too few to choose options
    same._remember_columns(Chosen("review", "sentiment")).save(tmp_path / "same.likely")
    assert (tmp_path / "m.likely").read_bytes() == (tmp_path / "same.likely").read_bytes()


def test_train_takes_every_option(run: Run, reviews: Path, tmp_path: Path) -> None:
    flags = {
        "variant": "binary",
        "alpha": "0.5",
        "prior": "pos=0.25,neg=0.75",
        "class_weight": "pos=2.5",
        "analyzer": "both",
        "ngrams": "1,3+3,3",
        "accents": "strip",
        "normalize": "nfkc",
        "punctuation": "keep",
        "entities": "numbers=mask,urls=mask,emails=keep,mentions=mask,hashtags=keep",
        "stop_words": "en",
        "stem": "german",
        "negation": "never,no",
        "spelling": "on",
        "min_documents": "2",
        "max_documents": "0.9",
        "max_terms": "1000",
        "weighting": "tfidf_raw_smooth",
        "document_weight": "equal",
        "thresholds": "neg=0.4,pos=0.7",
        "abstain": "margin=0.5,label=nobody knows",
        "threads": "1",
    }
    learned = {"variant": "nbsvm", "norm": "l2", "nbsvm": "loss=logistic,cost=4,interpolation=0.25"}
    tuning = {"tune": "macro-f1", "budget": "3s", "prefer": "strongest"}
    apart = {"lowercase", "task", "hash_bits", "calibrate", *learned, *tuning, "tokenizer"}
    given = [part for name, value in flags.items() for part in (f"--{name.replace('_', '-')}", value)]
    run("train", reviews, "-o", "m.likely", "--no-lowercase", "--no-calibrate", *given)
    found = likely.load(tmp_path / "m.likely")._options()
    assert set(found) == set(flags) | apart, "a new option needs a flag here"
    expected = {name: MODEL[name].read(text) for name, text in flags.items()} | {"threads": None}
    assert {name: found[name] for name in flags} == expected
    assert found["lowercase"] is False
    assert found["calibrate"] is False
    asked = ["--tune", "macro-f1", "--budget", "3s", "--prefer", "strongest", "--calibrate"]
    run("train", reviews, "-o", "t.likely", *asked)
    found = likely.load(tmp_path / "t.likely")._options()
    assert {name: found[name] for name in (*tuning, "calibrate")} == tuning | {"calibrate": True}
    more = ["--hash-bits", "12", "--task", "sentiment", "--weighting", "tfidf", "--norm", "l2"]
    run("train", reviews, "-o", "h.likely", *more)
    found = likely.load(tmp_path / "h.likely")._options()
    assert (found["hash_bits"], found["variant"], found["norm"]) == (12, "binary", "l2")
    given = [part for name, value in learned.items() for part in (f"--{name}", value)]
    run("train", reviews, "-o", "n.likely", *given)
    found = likely.load(tmp_path / "n.likely")._options()
    assert {name: found[name] for name in learned} == {n: MODEL[n].read(text) for n, text in learned.items()}


DOUBTS = [
    (["Spam", "spam", "ham"] * 2, "2 rows have a label that differs only in case", "--fold-labels"),
    (["spam", "spam ", "ham"] * 2, "2 rows have a label with white space around it", "--strip-labels"),
    (["spam", "NA", "ham"] * 2, "2 rows have a label that looks like a missing value", "--missing-labels=skip"),
    (["a;b", "b;c", "c;a"] * 4, "12 of 12 rows seem to have several labels", "--label-separator=;"),
    (
        [f"id {number}" for number in range(12)],
        "12 of 12 rows have a label that no other row has",
        "--label-column=label",
    ),
]


@pytest.mark.parametrize(("labels", "said", "flag"), DOUBTS)
def test_train_says_which_labels_are_doubtful(
    run: Run, tmp_path: Path, labels: list[str], said: str, flag: str
) -> None:
    rows = "".join(f"some words,{label}\n" for label in labels)
    (tmp_path / "a.csv").write_text(f"text,label\n{rows}")
    done = run("train", "a.csv", "-o", "m.likely", "--json")
    read, doubt = done.err.splitlines()
    assert read.startswith("read as CSV, text=text, label=label, ")
    assert doubt.startswith(said)
    assert flag.partition("=")[0] in doubt
    assert done.json["read"]["doubts"] == [doubt]
    assert run("train", "a.csv", "-o", "m.likely", flag, "--json").json["read"]["doubts"] == []


def test_train_counts_what_flags_leave_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\ngood,pos\nso,n/a\nbad,neg\n,null\n")
    done = run("train", "a.csv", "-o", "m.likely", "--missing-labels", "skip")
    assert done.err.splitlines()[1] == "2 rows left out because of the label: 'n/a' (1), 'null' (1)"
    assert "Trained on 2 documents of 2 classes" in done.out


BAD_FLAGS = [
    ("--alpha", "-1"),
    ("--ngrams", "2"),
    ("--ngrams", "x"),
    ("--prior", "a=2"),
    ("--class-weight", "a=0"),
    ("--variant", "b"),
]


@pytest.mark.parametrize("flag", BAD_FLAGS)
def test_a_bad_option_is_refused(run: Run, reviews: Path, tmp_path: Path, flag: tuple[str, str]) -> None:
    done = run("train", reviews, "-o", "m.likely", *flag, status=2)
    assert flag[0] in done.err
    assert not (tmp_path / "m.likely").exists()


def test_train_evaluates(run: Run, reviews: Path) -> None:
    done = run("train", reviews, "-o", "m.likely", "--test", reviews, "--json")
    assert done.json["evaluation"]["accuracy"] == 1.0
    done = run("train", reviews, reviews, reviews, "-o", "m.likely", "--holdout", "0.3", "--json")
    assert done.json["read"]["rows"] == done.json["holdout"]["rows"] == 18
    assert done.json["evaluation"]["documents"] == done.json["holdout"]["judged"] == 6
    assert "accuracy" in run("train", reviews, "-o", "m.likely", "--test", reviews).out
    (reviews.parent / "small.csv").write_text("review,sentiment\nfun,pos\n")
    done = run("train", reviews, reviews, "small.csv", "-o", "m.likely", "--holdout", "0.4", "--json")
    assert done.json["read"]["rows"] == 13
    assert done.json["evaluation"]["documents"] + done.json["holdout"]["learned"] == 13
    run("train", reviews, "-o", "m.likely", "--test", reviews, "--holdout", "0.5", status=2)
    run("train", reviews, "-o", "m.likely", "--test", "none.csv", status=2)
    run("train", "-", "-o", "m.likely", "--holdout", "0.5", status=2)


def test_the_written_model_learns_what_was_held_out(run: Run, reviews: Path, tmp_path: Path) -> None:
    run("train", reviews, "-o", "all.likely")
    done = run("train", reviews, "-o", "m.likely", "--holdout", "0.3")
    assert "\nMeasured on a model of 67% of the rows; the written model has learned all rows.\nNext: " in done.out
    assert "Trained on 6 documents of 2 classes (neg 3, pos 3)" in done.out
    assert (tmp_path / "m.likely").read_bytes() == (tmp_path / "all.likely").read_bytes()
    again = run("train", reviews, "-o", "m.likely", "--holdout", "0.3", "--variant", "nbsvm", "--json").json
    assert again["holdout"] == {
        "rows": 6,
        "learned": 4,
        "judged": 2,
        "copies": 0,
        "untested": [],
        "end": "trained again",
    }
    assert [each["documents"] for each in again["classes"]] == [3, 3]


def test_what_is_printed_is_short_and_the_rest_is_for_those_who_ask(run: Run, sample_rows: Path) -> None:
    assert len(run("train", sample_rows, "-o", "m.likely").out.splitlines()) <= 14
    done = run("train", sample_rows, "-o", "m.likely", "--holdout", "0.2")
    assert len((done.err + done.out).splitlines()) <= 20
    assert done.out.count("confidence it is right") == 1
    assert done.out.endswith("Next: likely predict m.likely NEW.csv (everything that was measured: --details)\n")
    more = run("train", sample_rows, "-o", "m.likely", "--holdout", "0.2", "--details").out
    for each in ("The same options without the search:", "Brier score", "kappa", "threshold  answered"):
        assert each in more
        assert each not in done.out


def test_what_is_evaluated_on_held_out_rows_is_pruned_like_what_is_written(run: Run, reviews: Path) -> None:
    held = ["train", reviews, "-o", "m.likely", "--holdout", "0.3", "--json"]
    whole, pruned = run(*held).json, run(*held, "--prune", "3").json
    assert pruned["model"]["dropped_terms"] > 0
    assert pruned["evaluation"] != whole["evaluation"]


def test_weights_and_groups(run: Run, tmp_path: Path) -> None:
    rows = "".join(f"{text!r},{label},{1 + at % 2},{at % 3}\n" for at, (text, label) in enumerate(REVIEWS))
    (tmp_path / "a.csv").write_text("text,label,times,author\n" + rows.replace("'", '"'))
    done = run("train", "a.csv", "-o", "m.likely", "--weight", "times", "--group", "author", "--holdout", "0.3")
    assert done.err == "read as CSV, text=text, label=label, weight=times, group=author, 6 rows\n"
    texts, labels = map(list, zip(*REVIEWS, strict=True))
    same, model = likely.NaiveBayes().fit(texts, labels, [1, 2] * 3), likely.load(tmp_path / "m.likely")
    assert model.counts_table() == same.counts_table()
    assert model.columns_ == Chosen("text", "label", "times")
    tested = run("train", "a.csv", "-o", "m.likely", "--weight", "times", "--group", "author", "--test", "a.csv")
    assert "test data: read as CSV, text=text, label=label, 6 rows" in tested.err


def test_train_prunes(run: Run, reviews: Path, tmp_path: Path) -> None:
    done = run("train", reviews, "-o", "m.likely", "--prune", "2")
    assert "3 terms dropped, which leaves" in done.out
    assert likely.load(tmp_path / "m.likely").terms_ == 8
    done = run("train", reviews, "-o", "m.likely", "--prune", "2", "--json")
    assert (tmp_path / "m.likely").stat().st_size == done.json["model"]["bytes"]
    assert 0 < done.json["model"]["kept_information"] < 1


def test_what_is_evaluated_is_what_is_written(run: Run, reviews: Path) -> None:
    done = run("train", reviews, "-o", "m.likely", "--prune", "3", "--test", reviews, "--json")
    assert done.json["evaluation"] == run("evaluate", "m.likely", reviews, "--json").json["evaluation"]
    assert done.json["evaluation"]["accuracy"] < 1


def test_a_pruned_model_says_so(run: Run, reviews: Path) -> None:
    run("train", reviews, "-o", "m.likely", "--prune", "2")
    assert "3 terms were dropped" in run("inspect", "m.likely").out
    assert "3 terms were dropped" in run("forget", "m.likely", reviews, status=2).err
    assert "3 terms were dropped" in run("learn", "m.likely", reviews).err


def test_labels_are_quoted_where_they_must(run: Run, tmp_path: Path) -> None:
    labels = ["two\nlines", 'a "quote"', "com,ma"]
    with (tmp_path / "odd.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["text", "label"], *([f"word{at}", label] for at, label in enumerate(labels))])
    run("train", "odd.csv", "-o", "odd.likely")
    (tmp_path / "new.csv").write_text("text\nword0\nword1\nword2\n")
    found = list(csv.DictReader(io.StringIO(run("predict", "odd.likely", "new.csv").out, newline="")))
    assert [row["prediction"] for row in found] == labels


def test_a_folder_to_train_on_and_a_folder_to_test_on(run: Run, tmp_path: Path) -> None:
    for at, (text, label) in enumerate(REVIEWS):
        for part in ("train", "test"):
            path = tmp_path / "films" / part / label / f"{at}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    (tmp_path / "films" / "train" / "notes.txt").write_text("not a document")
    told = "films contains train and test: train is read, test is not"
    done = run("train", "films", "-o", "m.likely")
    assert done.err.splitlines() == [
        "read as a folder per class, text=text, label=label, 6 rows",
        told,
        "films/train: ignored 1 file outside the class folders: notes.txt",
        "test data: read as a folder per class, text=text, label=label, 6 rows",
        "test data: films contains train and test: test is read, train is not",
    ]
    assert "accuracy" in done.out
    document = run("train", "films", "-o", "m.likely", "--json").json
    assert document["read"]["notes"][0] == told
    assert document["evaluation"] == run("evaluate", "m.likely", "films", "--json").json["evaluation"]
    assert "test is read, train is not" in run("evaluate", "m.likely", "films").err
    held = run("train", "films", "-o", "m.likely", "--holdout", "0.5", "--allow-partial")
    assert held.err.splitlines()[1] == told
    model = likely.load(tmp_path / "m.likely")
    assert model.evaluate(tmp_path / "films").documents == 6
