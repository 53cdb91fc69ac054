"""Every command through its real entry point: what it prints, as text and as JSON, and its exit status."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import re
import subprocess
from decimal import Decimal
from pathlib import Path

import likely
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely.cli import COMMANDS
from likely.options.table import OPTIONS, READING, TUNING

from .conftest import COMMAND, REVIEWS, Run

ROOT = Path(__file__).parents[2]


def test_help_names_every_command(run: Run) -> None:
    shown = run("--help").out
    assert re.findall(r"^  (\w+)  +\w", shown.split("Commands:")[1], re.MULTILINE) == list(COMMANDS)
    assert run("--version").out == f"likely {likely.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_json_and_debug(run: Run, command: str) -> None:
    shown = run(command, "--help").out
    assert "--json" in shown
    assert "--debug" in shown
    assert "..." not in run("--help").out.split(f"  {command} ")[1].splitlines()[0], "the first sentence is too long"


def test_train_has_a_flag_for_every_option(run: Run) -> None:
    shown = " ".join(run("train", "--help").out.split())
    for option in (*OPTIONS.values(), *READING.values(), *TUNING.values()):
        if option.has_flag:
            assert all(flag in shown for flag in option.declaration.split("/"))
            assert option.help in shown


def test_help_is_light() -> None:
    script = (
        "import sys; sys.argv = ['likely', '--help']; import likely.cli as c\n"
        "try: c.cli()\nexcept SystemExit: pass\n"
        "print([m for m in ('numpy', 'pyarrow', 'likely._native') if m in sys.modules])"
    )
    done = subprocess.run([COMMAND.with_name("python"), "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_train_says_what_it_did(run: Run, reviews: Path, tmp_path: Path) -> None:
    done = run("train", reviews, "-o", "m.likely")
    assert done.err == "read as CSV, text=review, label=sentiment, 6 rows\n"
    what, written = done.out.split(" Wrote ")
    assert re.fullmatch(r"Trained on 6 documents of 2 classes \(neg 3, pos 3\); 11 terms; [\d.]+ s, \d+ MB/s\.", what)
    assert re.fullmatch(r"m.likely: 11 terms, \d+ kB\.\n", written)
    texts, labels = zip(*REVIEWS, strict=True)
    likely.NaiveBayes().fit(list(texts), list(labels)).save(tmp_path / "same.likely")
    assert (tmp_path / "m.likely").read_bytes() == (tmp_path / "same.likely").read_bytes()


def test_train_takes_every_option(run: Run, reviews: Path, tmp_path: Path) -> None:
    flags = {
        "variant": "binary",
        "alpha": "0.5",
        "prior": "pos=0.25,neg=0.75",
        "analyzer": "both",
        "ngrams": "1,3",
        "char_ngrams": "3,3",
        "accents": "strip",
        "normalize": "nfkc",
        "punctuation": "keep",
        "numbers": "mask",
        "urls": "mask",
        "emails": "keep",
        "mentions": "mask",
        "hashtags": "keep",
        "stop_words": "en",
        "stem": "german",
        "negation": "never,no",
        "spelling": "on",
        "min_documents": "2",
        "max_documents": "0.9",
        "max_terms": "1000",
        "weighting": "tfidf",
        "tf": "raw",
        "idf": "smooth",
        "document_weight": "equal",
        "abstain": "margin=0.5",
        "threads": "1",
    }
    learned = {"variant": "nbsvm", "norm": "l2", "loss": "logistic", "cost": "4", "interpolation": "0.25"}
    apart = {"lowercase", "task", "hash_bits", "calibrate", *learned, "tokenizer"}
    given = [part for name, value in flags.items() for part in (f"--{name.replace('_', '-')}", value)]
    run("train", reviews, "-o", "m.likely", "--no-lowercase", "--calibrate", *given)
    found = likely.load(tmp_path / "m.likely").options()
    assert set(found) == set(flags) | apart, "a new option needs a flag here"
    expected = {name: OPTIONS[name].read(text) for name, text in flags.items()} | {"threads": None}
    assert {name: found[name] for name in flags} == expected
    assert found["lowercase"] is False
    assert found["calibrate"] is True
    more = ["--hash-bits", "12", "--task", "sentiment", "--weighting", "tfidf", "--norm", "l2"]
    run("train", reviews, "-o", "h.likely", *more)
    found = likely.load(tmp_path / "h.likely").options()
    assert (found["hash_bits"], found["variant"], found["norm"]) == (12, "binary", "l2")
    given = [part for name, value in learned.items() for part in (f"--{name}", value)]
    run("train", reviews, "-o", "n.likely", *given)
    found = likely.load(tmp_path / "n.likely").options()
    assert {name: found[name] for name in learned} == {n: OPTIONS[n].read(text) for n, text in learned.items()}


BAD_FLAGS = [("--alpha", "-1"), ("--ngrams", "2"), ("--ngrams", "x"), ("--prior", "a=2"), ("--variant", "b")]


@pytest.mark.parametrize("flag", BAD_FLAGS)
def test_a_bad_option_is_refused(run: Run, reviews: Path, tmp_path: Path, flag: tuple[str, str]) -> None:
    done = run("train", reviews, "-o", "m.likely", *flag, status=2)
    assert flag[0] in done.err
    assert not (tmp_path / "m.likely").exists()


def test_train_evaluates(run: Run, reviews: Path) -> None:
    done = run("train", reviews, "-o", "m.likely", "--test", reviews, "--json")
    assert done.json["evaluation"]["accuracy"] == 1.0
    done = run("train", reviews, reviews, reviews, "-o", "m.likely", "--holdout", "0.3", "--json")
    assert done.json["read"]["rows"] + done.json["evaluation"]["documents"] == 18
    assert "accuracy" in run("train", reviews, "-o", "m.likely", "--test", reviews).out
    (reviews.parent / "small.csv").write_text("review,sentiment\nfun,pos\n")
    done = run("train", reviews, reviews, "small.csv", "-o", "m.likely", "--holdout", "0.4", "--json")
    assert done.json["read"]["rows"] + done.json["evaluation"]["documents"] == 13
    run("train", reviews, "-o", "m.likely", "--test", reviews, "--holdout", "0.5", status=2)
    run("train", reviews, "-o", "m.likely", "--test", "none.csv", status=2)
    run("train", "-", "-o", "m.likely", "--holdout", "0.5", status=2)


def test_train_prunes(run: Run, reviews: Path, tmp_path: Path) -> None:
    done = run("train", reviews, "-o", "m.likely", "--prune", "2")
    assert "3 terms dropped, which leaves" in done.out
    assert likely.load(tmp_path / "m.likely").terms_ == 8
    full = run("train", reviews, "-o", "m.likely", "--json").json["model"]["bytes"]
    done = run("train", reviews, "-o", "m.likely", "--max-size", str(full - 5), "--json")
    assert (tmp_path / "m.likely").stat().st_size == done.json["model"]["bytes"] <= full - 5
    assert 0 < done.json["model"]["kept_information"] < 1
    run("train", reviews, "-o", "m.likely", "--max-size", "10", status=2)


def test_what_is_evaluated_is_what_is_written(run: Run, reviews: Path) -> None:
    done = run("train", reviews, "-o", "m.likely", "--prune", "3", "--test", reviews, "--json")
    assert done.json["evaluation"] == run("evaluate", "m.likely", reviews, "--json").json["evaluation"]
    assert done.json["evaluation"]["accuracy"] < 1


def test_a_pruned_model_says_so(run: Run, reviews: Path) -> None:
    run("train", reviews, "-o", "m.likely", "--prune", "2")
    assert "3 terms were dropped" in run("inspect", "m.likely").out
    assert "3 terms were dropped" in run("forget", "m.likely", reviews, status=2).err
    assert "3 terms were dropped" in run("learn", "m.likely", reviews).err


def test_nothing_is_written_over_what_is_read(run: Run, reviews: Path, model: Path, tmp_path: Path) -> None:
    before = reviews.read_bytes()
    run("train", reviews, "-o", reviews, status=2)
    (tmp_path / "notes.txt").write_text("mine")
    run("train", reviews, "-o", "notes.txt", status=2)
    run("predict", model, reviews, "-o", reviews, status=2)
    run("predict", model, reviews, "-o", model, status=2)
    pq.write_table(pa.table({"mine": [1]}), tmp_path / "mine.parquet")
    run("train", reviews, "-o", "mine.parquet", status=2)
    run("predict", model, str(tmp_path / "review?.csv"), "-o", reviews, status=2)
    run("predict", model, "-", "-o", reviews, stdin_file=reviews, status=2)
    run("explain", model, "fun", "--html", model, status=2)
    assert reviews.read_bytes() == before
    assert likely.load(model).terms_ == 11
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_forgetting_everything_is_refused(run: Run, reviews: Path, model: Path) -> None:
    assert "delete the file" in run("forget", model, reviews, status=2).err


def test_predict_one(run: Run, model: Path) -> None:
    assert run("predict", model, "--say", "so much fun").out == "pos\n"
    assert re.fullmatch(r"pos\t0\.\d+\nneg\t0\.\d+\n", run("predict", model, "--say", "fun", "--top", "2").out)
    assert run("predict", model, "--say", "fun", "--json").json["prediction"] == "pos"
    run("predict", model, "x.csv", "--say", "fun", status=2)


def test_predict_keeps_columns_and_order(run: Run, model: Path, tmp_path: Path) -> None:
    rows = [["1", 'a "good"\nplot', "x,y"], ["2", "dull", ""], ["3", "", "é"]]
    with (tmp_path / "new.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "text", "other"], *rows])
    found = list(csv.reader(io.StringIO(run("predict", model, "new.csv").out, newline="")))
    assert found == [["id", "text", "other", "prediction"], [*rows[0], "pos"], [*rows[1], "neg"], [*rows[2], "neg"]]
    proba = list(csv.DictReader(io.StringIO(run("predict", model, "new.csv", "--proba").out, newline="")))
    assert float(proba[1]["probability"]) > 0.5
    top = list(csv.DictReader(io.StringIO(run("predict", model, "new.csv", "--top", "3").out, newline="")))
    assert list(top[0])[3:] == ["prediction", "probability", "prediction_2", "probability_2"]
    assert float(top[0]["probability"]) + float(top[0]["probability_2"]) == pytest.approx(1, abs=1e-5)


def test_predict_from_and_to_every_format(run: Run, model: Path, tmp_path: Path) -> None:
    table = pa.table({"id": [1, 2], "text": ["good fun", "dull"]})
    pq.write_table(table, tmp_path / "in.parquet")
    (tmp_path / "in.csv").write_text("id,text\n1,good fun\n2,dull\n")
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "good fun"}\n{"id":2,"text":"dull"}\n')
    (tmp_path / "in.txt").write_text("good fun\ndull\n")
    for name in ("in.parquet", "in.csv", "in.jsonl", "in.txt"):
        as_csv = list(csv.DictReader(io.StringIO(run("predict", model, name, "--format", "csv").out)))
        as_json = [json.loads(line) for line in run("predict", model, name, "--format", "jsonl").out.splitlines()]
        run("predict", model, name, "--format", "parquet", "-o", "out.parquet")
        as_parquet = pq.read_table(tmp_path / "out.parquet").to_pylist()
        for rows in (as_csv, as_json, as_parquet):
            assert [row["text"] for row in rows] == ["good fun", "dull"], name
            assert [row["prediction"] for row in rows] == ["pos", "neg"], name
            assert all("id" in row for row in rows) is (name != "in.txt")
    assert run("predict", model, "in.jsonl").out.startswith('{"id": 1, "text": "good fun", "prediction": "pos"}\n')
    assert run("predict", model, "in.csv", "--json").out == run("predict", model, "in.csv", "--format", "jsonl").out


def test_predict_streams(model: Path) -> None:
    """The first rows are answered while the rest is still to come."""
    process = subprocess.Popen([COMMAND, "predict", model, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"text\ngood fun\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"text,prediction\n"
    assert process.stdout.readline() == b"good fun,pos\n"
    process.stdin.write(b"dull\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"dull,neg\n"
    process.stdin.close()
    assert process.stdout.read() == b""
    process.stdout.close()
    assert process.wait(30) == 0


def test_predict_reads_standard_input_by_content(run: Run, model: Path) -> None:
    assert run("predict", model, stdin=b'{"text": "dull"}').out == '{"text": "dull", "prediction": "neg"}\n'
    assert run("predict", model, stdin=b"good fun\ndull\n").out.splitlines()[1:] == ["good fun,pos", "dull,neg"]


def test_predict_from_files_of_several_kinds(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("id,text\n1,good fun\n")
    (tmp_path / "2.csv").write_text("id;text\n2;dull\n")
    (tmp_path / "3.tsv").write_text("id\ttext\n3\tdull\n")
    (tmp_path / "4.jsonl").write_text('{"id": 4, "text": "good, fun"}\n')
    pq.write_table(pa.table({"id": [5], "text": ["so dull"]}), tmp_path / "5.parquet")
    names = ["1.csv", "2.csv", "3.tsv", "4.jsonl", "5.parquet"]
    found = run("predict", model, *names).out.splitlines()
    assert found == [
        "id,text,prediction",
        "1,good fun,pos",
        "2,dull,neg",
        "3,dull,neg",
        '4,"good, fun",pos',
        "5,so dull,neg",
    ]
    rows = [json.loads(line) for line in run("predict", model, *reversed(names), "--json").out.splitlines()]
    assert [(row["text"], row["prediction"]) for row in rows][::2] == [
        ("so dull", "neg"),
        ("dull", "neg"),
        ("good fun", "pos"),
    ]
    assert run("predict", model, "3.tsv").out == "id\ttext\tprediction\n3\tdull\tneg\n"
    assert run("predict", model, "3.tsv", "--format", "csv").out == "id,text,prediction\n3,dull,neg\n"
    (tmp_path / "other.csv").write_text("nr,text\n1,fun\n")
    assert "other columns" in run("predict", model, "1.csv", "other.csv", "-o", "out.csv", status=2).err
    assert not (tmp_path / "out.csv").exists()


def test_predict_writes_what_the_name_of_the_output_says(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("text,x\r\ngood fun,1\r\n")
    assert run("predict", model, "in.csv").raw == b"text,x,prediction\r\ngood fun,1,pos\r\n"
    run("predict", model, "in.csv", "-o", "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == [
        {"text": "good fun", "x": "1", "prediction": "pos"}
    ]
    (tmp_path / "none.csv").write_text("text,x\n")
    assert run("predict", model, "none.csv").out == "text,x,prediction\n"
    assert "no rows" in run("predict", model, "none.csv", "-o", "none.parquet", status=2).err
    assert not (tmp_path / "none.parquet").exists()


def test_labels_are_quoted_where_they_must(run: Run, tmp_path: Path) -> None:
    labels = ["two\nlines", 'a "quote"', "com,ma"]
    with (tmp_path / "odd.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["text", "label"], *([f"word{at}", label] for at, label in enumerate(labels))])
    run("train", "odd.csv", "-o", "odd.likely")
    (tmp_path / "new.csv").write_text("text\nword0\nword1\nword2\n")
    found = list(csv.DictReader(io.StringIO(run("predict", "odd.likely", "new.csv").out, newline="")))
    assert [row["prediction"] for row in found] == labels


def test_json_is_json_whatever_the_table_holds(run: Run, model: Path, tmp_path: Path) -> None:
    table = pa.table({"text": ["fun"], "x": [float("nan")], "y": [[1.5, None]], "z": [b"ab"]})
    pq.write_table(table, tmp_path / "in.parquet")
    row = json.loads(run("predict", model, "in.parquet", "--json").out, parse_constant=pytest.fail)
    assert (row["x"], row["y"], row["z"], row["prediction"]) == (None, [1.5, None], "ab", "pos")
    (tmp_path / "late.jsonl").write_text('{"text": "fun"}\n' * 300 + '{"text": "fun", "prediction": 1}\n')
    assert "--as" in run("predict", model, "late.jsonl", "-o", "out.jsonl", status=2).err
    assert len(run("predict", model, "late.jsonl", "--as", "answer").out.splitlines()) == 301
    assert "new name" in run("predict", model, "late.jsonl", "--as", "answer", "-o", "out.csv", status=2).err


def test_values_of_tables_are_written_as_they_are(run: Run, model: Path, tmp_path: Path) -> None:
    day, cost = dt.date(2020, 1, 2), Decimal("1.50")
    table = pa.table({"text": ["fun"], "day": [day], "cost": [cost], "x": [1234567.891], "y": [None], "z": [[1, 2]]})
    pq.write_table(table, tmp_path / "in.parquet")
    done = run("predict", model, "in.parquet", "--format", "csv", "--proba")
    row = next(csv.DictReader(io.StringIO(done.out)))
    assert float(row.pop("probability")) > 0.5
    expected = {"day": "2020-01-02", "cost": "1.50", "x": "1234567.891", "y": "", "z": "[1, 2]"}
    assert row == {"text": "fun", **expected, "prediction": "pos"}
    sql = "select 'fun' as text, 1.5 as cost, date '2020-01-02' as day"
    assert run("predict", model, "--sql", sql).out == "text,cost,day,prediction\nfun,1.5,2020-01-02,pos\n"
    assert "the query failed" in run("predict", model, "--sql", "select cast('x' as int) as text", status=2).err


def test_predict_lines_with_any_number_of_labels(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "ft.txt").write_text("__label__pos __label__x good fun\ndull\n__label__neg so dull\n")
    rows = [json.loads(line) for line in run("predict", model, "ft.txt", "--json").out.splitlines()]
    assert [row["text"] for row in rows] == ["good fun", "dull", "so dull"]
    assert [row["label"] for row in rows] == ["pos x", None, "neg"]
    assert [row["prediction"] for row in rows] == ["pos", "neg", "neg"]


def test_predict_of_folders_names_the_files(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "1.txt").write_text("good fun")
    assert run("predict", model, "box").out == "file,prediction\nbox/1.txt,pos\n"
    (tmp_path / "in.csv").write_text("text,label\nfun,x\n")
    assert "other columns" in run("predict", model, "box", "in.csv", "-o", "out.csv", status=2).err
    assert "--as" in run("predict", model, "box", "--as", "file", status=2).err


def test_standard_output_by_name_is_not_replaced(model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("text\nfun\n")
    log = tmp_path / "log"
    log.write_text("earlier\n")
    with log.open("ab") as out:
        args = [str(COMMAND), "predict", str(model), str(tmp_path / "in.csv"), "-o", "/dev/stdout"]
        subprocess.run(args, stdout=out, stderr=-3, check=True)
    assert log.read_text() == "earlier\ntext,prediction\nfun,pos\n"


def test_one_text_is_neither_read_nor_written(run: Run, model: Path, tmp_path: Path) -> None:
    assert "no effect" in run("predict", model, "--say", "fun", "-o", "out.csv", status=2).err
    assert not (tmp_path / "out.csv").exists()


def test_predict_and_evaluate_weigh_as_told(run: Run, model: Path, reviews: Path) -> None:
    prior = "pos=0.001,neg=0.999"
    assert run("predict", model, "--say", "fun", "--prior", prior).out == "neg\n"
    assert run("evaluate", model, reviews, "--prior", prior, "--json").json["evaluation"]["accuracy"] < 1
    assert run("evaluate", model, reviews, "--alpha", "0.1", "--threads", "1", "--json").json["missed"] == []


def test_predict_does_not_overwrite_columns(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("text,prediction\ngood,?\n")
    assert "--as" in run("predict", model, "in.csv", status=2).err
    (tmp_path / "proba.csv").write_text("text,probability\ngood,?\n")
    assert run("predict", model, "proba.csv", "--as", "x", "--proba").out.startswith(
        "text,probability,x,x_probability\n"
    )
    assert run("predict", model, "in.csv", "--as", "answer").out == "text,prediction,answer\ngood,?,pos\n"


def test_explain(run: Run, model: Path, tmp_path: Path) -> None:
    text = "good plot, <b>no</b> clue"
    done = run("explain", model, text)
    assert "Decision: " in done.out
    assert "\x1b" not in done.out
    assert run("explain", model, text, "--html", "why.html").err == "wrote why.html\n"
    page = (tmp_path / "why.html").read_text()
    assert "<b>no" not in page
    assert "&lt;b&gt;" in page
    document = run("explain", model, "-", "--json", stdin=b"good plot").json
    assert document["label"] == "pos"
    assert [each["term"] for each in document["terms"]] == ["good", "plot"]


def test_evaluate(run: Run, model: Path, reviews: Path) -> None:
    assert "accuracy 1 on 6 documents" in run("evaluate", model, reviews, "--min-accuracy", "1", "--min-f1", "1").out
    (reviews.parent / "wrong.csv").write_text("review,sentiment\ngood fun,neg\ndull,neg\n")
    done = run("evaluate", model, "wrong.csv", "--min-accuracy", "0.9", status=1)
    assert "accuracy 0.5 is below 0.9" in done.err
    assert run("evaluate", model, "wrong.csv", "--min-f1", "0.9", "--json", status=1).json["missed"]


def test_inspect(run: Run, model: Path) -> None:
    done = run("inspect", model, "--top", "2")
    assert "11 terms" in done.out
    assert "neg: boring, dull" in done.out
    document = run("inspect", model, "--class", "pos", "--json").json
    assert [each["class"] for each in document["classes"]] == ["pos"]
    assert "did you mean 'pos'" in run("inspect", model, "--class", "poss", status=2).err


def test_inspect_a_term(run: Run, model: Path) -> None:
    rows = run("inspect", model, "--term", "fun", "--json").json["classes"]
    assert [(row["class"], row["count"], row["documents"]) for row in rows] == [("neg", 1, 1), ("pos", 2, 2)]
    assert "never learned" in run("inspect", model, "--term", "zzz", status=1).out


def test_inspect_two(run: Run, model: Path, reviews: Path, tmp_path: Path) -> None:
    assert run("inspect", model, model).out == "The models are the same.\n"
    (tmp_path / "more.csv").write_text("review,sentiment\nbrilliant brilliant,pos\n")
    run("learn", model, "more.csv", "-o", "other.likely")
    done = run("inspect", model, "other.likely", status=1)
    assert "class pos: 3 -> 4 documents" in done.out
    assert "1 new, 0 gone" in done.out
    assert run("inspect", model, "other.likely", "--json", status=1).json["changes"][0]["term"] == "brilliant"


def test_learn_and_forget_are_exact(run: Run, model: Path, tmp_path: Path) -> None:
    before = model.read_bytes()
    (tmp_path / "more.csv").write_text("review,sentiment\nodd,weird\nodd fun,pos\n")
    done = run("learn", model, "more.csv")
    assert "6 -> 8 documents, 2 -> 3 classes, 11 -> 12 terms" in done.out
    assert model.read_bytes() != before
    assert run("forget", model, "more.csv", "--json").json["after"] == {"documents": 6, "classes": 2, "terms": 11}
    assert model.read_bytes() == before
    assert "was never learned" in run("forget", model, "more.csv", status=2).err
    assert model.read_bytes() == before


def test_merge_is_learning_all(run: Run, reviews: Path, tmp_path: Path) -> None:
    header, *rows = reviews.read_text().splitlines()
    for name, part in (("a", rows[:2]), ("b", rows[2:])):
        (tmp_path / f"{name}.csv").write_text("\n".join([header, *part]))
        run("train", f"{name}.csv", "-o", f"{name}.likely")
    run("train", reviews, "-o", "all.likely")
    run("merge", "b.likely", "a.likely", "-o", "both.likely")
    assert (tmp_path / "both.likely").read_bytes() == (tmp_path / "all.likely").read_bytes()
    run("train", "a.csv", "-o", "c.likely", "--ngrams", "1,2")
    assert "in the same way" in run("merge", "b.likely", "c.likely", "-o", "no.likely", status=2).err
    assert not (tmp_path / "no.likely").exists()


def test_tokens(run: Run, model: Path) -> None:
    shown = run("tokens", "So GOOD!").out
    assert re.search(r"GOOD +good +lower-cased", shown)
    assert re.search(r"! +- +punctuation", shown)
    document = run("tokens", model, "good zzz", "--json").json
    assert document["unknown"] == ["zzz"]
    assert run("tokens", "a b", "--ngrams", "1,2", "--json").json["terms"] == ["a", "b", "a b"]


def test_demo_and_doctor(run: Run) -> None:
    shown = run("demo").out
    for verb in ("train", "predict", "explain", "evaluate"):
        assert f"$ likely {verb}" in shown
    assert "likely train yours.csv" in shown
    found = run("doctor", "--json").json
    assert found["versions"]["likely"] == likely.__version__
    assert "pip install" in run("doctor").out or all(found["optional"].values())


def test_completion(run: Run) -> None:
    done = run(_LIKELY_COMPLETE="bash_complete", COMP_WORDS="likely ev", COMP_CWORD="1")
    assert done.out == "plain,evaluate\n"
    done = run(_LIKELY_COMPLETE="bash_complete", COMP_WORDS="likely train --anal", COMP_CWORD="2")
    assert done.out == "plain,--analyzer\n"
    assert "_LIKELY_COMPLETE" in run(_LIKELY_COMPLETE="bash_source").out


JSON_DOCS = (ROOT / "docs" / "json.md").read_text()


@pytest.mark.parametrize("command", COMMANDS)
def test_json_is_as_documented(run: Run, model: Path, reviews: Path, command: str) -> None:
    args: dict[str, list[object]] = {
        "train": [reviews, "-o", "m.likely"],
        "predict": [model, "--say", "fun", "--top", "1"],
        "explain": [model, "fun"],
        "evaluate": [model, reviews],
        "inspect": [model],
        "learn": [model, reviews],
        "forget": [model, reviews, "-o", "m.likely"],
        "merge": [model, model, "-o", "m.likely"],
        "tokens": ["fun"],
        "demo": [],
        "doctor": [],
    }
    if command == "forget":
        run("learn", model, reviews)
    found = list(run(command, *args[command], "--json").json)
    section = JSON_DOCS.split(f"\n## likely {command}\n")[1].split("\n## ")[0]
    documented = re.findall(r"^- `(\w+)`", section, re.MULTILINE)
    assert documented == found, "write in docs/json.md: " + "\n".join(f"- `{key}`: ..." for key in found)
