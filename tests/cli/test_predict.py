"""`likely predict`: rows from any format to any format, with their predictions."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import os
import re
import subprocess
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely.sample import load_sample

from .conftest import COMMAND, Run


def test_predict_one(run: Run, model: Path) -> None:
    assert run("predict", model, "--text", "so much fun").out == "pos\n"
    assert re.fullmatch(r"pos\t0\.\d+\nneg\t0\.\d+\n", run("predict", model, "--text", "fun", "--top", "2").out)
    assert run("predict", model, "--text", "fun", "--json").json["prediction"] == "pos"
    run("predict", model, "x.csv", "--text", "fun", status=2)


def test_predict_keeps_columns_and_order(run: Run, model: Path, tmp_path: Path) -> None:
    rows = [["1", 'a "good"\nplot', "x,y"], ["2", "dull", ""], ["3", "", "é"]]
    with (tmp_path / "new.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["id", "text", "other"], *rows])
    found = list(csv.reader(io.StringIO(run("predict", model, "new.csv").out, newline="")))
    assert found == [
        ["id", "text", "other", "prediction", "problem"],
        [*rows[0], "pos", ""],
        [*rows[1], "neg", ""],
        [*rows[2], "neg", ""],
    ]
    proba = list(csv.DictReader(io.StringIO(run("predict", model, "new.csv", "--proba").out, newline="")))
    assert float(proba[1]["probability"]) > 0.5
    top = list(csv.DictReader(io.StringIO(run("predict", model, "new.csv", "--top", "3").out, newline="")))
    assert list(top[0])[3:] == ["prediction", "probability", "prediction_2", "probability_2", "known", "problem"]
    assert float(top[0]["probability"]) + float(top[0]["probability_2"]) == pytest.approx(1, abs=1e-5)


def test_predict_from_and_to_every_format(run: Run, model: Path, tmp_path: Path) -> None:
    table = pa.table({"id": [1, 2], "text": ["good fun", "dull"]})
    pq.write_table(table, tmp_path / "in.parquet")
    (tmp_path / "in.csv").write_text("id,text\n1,good fun\n2,dull\n")
    (tmp_path / "in.jsonl").write_text('{"id": 1, "text": "good fun"}\n{"id":2,"text":"dull"}\n')
    (tmp_path / "in.txt").write_text("good fun\ndull\n")
    for name in ("in.parquet", "in.csv", "in.jsonl", "in.txt"):
        as_csv = list(csv.DictReader(io.StringIO(run("predict", model, name, "--output-format", "csv").out)))
        as_json = [
            json.loads(line) for line in run("predict", model, name, "--output-format", "jsonl").out.splitlines()
        ]
        run("predict", model, name, "--output-format", "parquet", "-o", "out.parquet")
        as_parquet = pq.read_table(tmp_path / "out.parquet").to_pylist()
        for rows in (as_csv, as_json, as_parquet):
            assert [row["text"] for row in rows] == ["good fun", "dull"], name
            assert [row["prediction"] for row in rows] == ["pos", "neg"], name
            assert all("id" in row for row in rows) is (name != "in.txt")
    assert run("predict", model, "in.jsonl").out.startswith(
        '{"id": 1, "text": "good fun", "prediction": "pos", "known": 1.0}\n'
    )
    assert (
        run("predict", model, "in.csv", "--json").out
        == run("predict", model, "in.csv", "--output-format", "jsonl").out
    )


def test_predict_streams(model: Path) -> None:
    """The first rows are predicted before the other rows arrive."""
    process = subprocess.Popen([COMMAND, "predict", model, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"text\ngood fun\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"text,prediction,problem\n"
    assert process.stdout.readline() == b"good fun,pos,\n"
    process.stdin.write(b"dull\n")
    process.stdin.flush()
    assert process.stdout.readline() == b"dull,neg,\n"
    process.stdin.close()
    assert process.stdout.read() == b""
    process.stdout.close()
    assert process.wait(30) == 0


def test_predict_reads_standard_input_by_content(run: Run, model: Path) -> None:
    assert (
        run("predict", model, stdin=b'{"text": "dull"}').out
        == '{"text": "dull", "prediction": "neg", "known": 1.0}\n'
    )
    assert run("predict", model, stdin=b"good fun\ndull\n").out.splitlines()[1:] == ["good fun,pos,", "dull,neg,"]


def test_predict_from_files_of_several_kinds(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("id,text\n1,good fun\n")
    (tmp_path / "2.csv").write_text("id;text\n2;dull\n")
    (tmp_path / "3.tsv").write_text("id\ttext\n3\tdull\n")
    (tmp_path / "4.jsonl").write_text('{"id": 4, "text": "good, fun"}\n')
    pq.write_table(pa.table({"id": [5], "text": ["so dull"]}), tmp_path / "5.parquet")
    names = ["1.csv", "2.csv", "3.tsv", "4.jsonl", "5.parquet"]
    found = run("predict", model, *names).out.splitlines()
    assert found == [
        "id,text,prediction,problem",
        "1,good fun,pos,",
        "2,dull,neg,",
        "3,dull,neg,",
        '4,"good, fun",pos,',
        "5,so dull,neg,",
    ]
    rows = [json.loads(line) for line in run("predict", model, *reversed(names), "--json").out.splitlines()]
    assert [(row["text"], row["prediction"]) for row in rows][::2] == [
        ("so dull", "neg"),
        ("dull", "neg"),
        ("good fun", "pos"),
    ]
    assert run("predict", model, "3.tsv").out == "id\ttext\tprediction\tproblem\n3\tdull\tneg\t\n"
    assert run("predict", model, "3.tsv", "--output-format", "csv").out == "id,text,prediction,problem\n3,dull,neg,\n"
    (tmp_path / "other.csv").write_text("nr,text\n1,fun\n")
    assert "different columns" in run("predict", model, "1.csv", "other.csv", "-o", "out.csv", status=2).err
    assert not (tmp_path / "out.csv").exists()


def test_predict_writes_what_the_name_of_the_output_says(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("text,x\r\ngood fun,1\r\n")
    assert run("predict", model, "in.csv").raw == b"text,x,prediction,problem\r\ngood fun,1,pos,\r\n"
    run("predict", model, "in.csv", "-o", "out.parquet")
    assert pq.read_table(tmp_path / "out.parquet").to_pylist() == [
        {"text": "good fun", "x": "1", "prediction": "pos", "problem": None}
    ]
    (tmp_path / "none.csv").write_text("text,x\n")
    assert run("predict", model, "none.csv").out == "text,x,prediction,problem\n"
    assert "no rows" in run("predict", model, "none.csv", "-o", "none.parquet", status=2).err
    assert not (tmp_path / "none.parquet").exists()


def test_json_is_json_whatever_the_table_holds(run: Run, model: Path, tmp_path: Path) -> None:
    table = pa.table({"text": ["fun"], "x": [float("nan")], "y": [[1.5, None]], "z": [b"ab"]})
    pq.write_table(table, tmp_path / "in.parquet")
    row = json.loads(run("predict", model, "in.parquet", "--json").out, parse_constant=pytest.fail)
    assert (row["x"], row["y"], row["z"], row["prediction"]) == (None, [1.5, None], "ab", "pos")
    (tmp_path / "late.jsonl").write_text('{"text": "fun"}\n' * 300 + '{"text": "fun", "prediction": 1}\n')
    assert "--prediction-column" in run("predict", model, "late.jsonl", "-o", "out.jsonl", status=2).err
    assert len(run("predict", model, "late.jsonl", "--prediction-column", "answer").out.splitlines()) == 301
    assert (
        "new field"
        in run("predict", model, "late.jsonl", "--prediction-column", "answer", "-o", "out.csv", status=2).err
    )


def test_values_of_tables_are_written_as_they_are(run: Run, model: Path, tmp_path: Path) -> None:
    day, cost = dt.date(2020, 1, 2), Decimal("1.50")
    table = pa.table({"text": ["fun"], "day": [day], "cost": [cost], "x": [1234567.891], "y": [None], "z": [[1, 2]]})
    pq.write_table(table, tmp_path / "in.parquet")
    done = run("predict", model, "in.parquet", "--output-format", "csv", "--proba")
    row = next(csv.DictReader(io.StringIO(done.out)))
    assert float(row.pop("probability")) > 0.5
    expected = {"day": "2020-01-02", "cost": "1.50", "x": "1234567.891", "y": "", "z": "[1, 2]"}
    assert row == {"text": "fun", **expected, "prediction": "pos", "known": "1", "problem": ""}
    sql = "select 'fun' as text, 1.5 as cost, date '2020-01-02' as day"
    assert run("predict", model, "--sql", sql).out == "text,cost,day,prediction,problem\nfun,1.5,2020-01-02,pos,\n"
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
    assert run("predict", model, "box").out == "file,prediction,problem\nbox/1.txt,pos,\n"
    (tmp_path / "in.csv").write_text("text,label\nfun,x\n")
    assert "different columns" in run("predict", model, "box", "in.csv", "-o", "out.csv", status=2).err
    assert "--prediction-column" in run("predict", model, "box", "--prediction-column", "file", status=2).err


def test_standard_output_by_name_is_not_replaced(model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("text\nfun\n")
    log = tmp_path / "log"
    log.write_text("earlier\n")
    with log.open("ab") as out:
        args = [str(COMMAND), "predict", str(model), str(tmp_path / "in.csv"), "-o", "/dev/stdout"]
        subprocess.run(args, stdout=out, stderr=-3, check=True)
    assert log.read_text() == "earlier\ntext,prediction,problem\nfun,pos,\n"


def test_one_text_is_neither_read_nor_written(run: Run, model: Path, tmp_path: Path) -> None:
    assert "no effect" in run("predict", model, "--text", "fun", "-o", "out.csv", status=2).err
    for flag in ("--strict", "--no-header", "--header", "--sheet=reviews", "--text-column=body"):
        assert "no effect" in run("predict", model, "--text", "fun", flag, status=2).err
    assert not (tmp_path / "out.csv").exists()


def test_predict_does_not_overwrite_columns(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("text,prediction\ngood,?\n")
    assert "--prediction-column" in run("predict", model, "in.csv", status=2).err
    (tmp_path / "proba.csv").write_text("text,probability\ngood,?\n")
    assert run("predict", model, "proba.csv", "--prediction-column", "x", "--proba").out.startswith(
        "text,probability,x,x_probability,x_known,x_problem\n"
    )
    assert (
        run("predict", model, "in.csv", "--prediction-column", "answer").out
        == "text,prediction,answer,answer_problem\ngood,?,pos,\n"
    )


def test_every_file_of_a_folder_is_predicted(run: Run, model: Path, tmp_path: Path) -> None:
    for name in (b"a.txt", b"sub/\xff.txt", b"sub/deep/c.txt", b"z.txt"):
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/texts/" + name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("good fun")
    found = run("predict", model, "texts").out.splitlines()
    assert found == [
        "file,prediction,problem",
        "texts/a.txt,pos,",
        "texts/sub/deep/c.txt,pos,",
        "texts/sub/\\xff.txt,pos,",
        "texts/z.txt,pos,",
    ]


def test_nothing_is_written_into_a_folder_that_is_read(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "texts" / "pos").mkdir(parents=True)
    (tmp_path / "texts" / "pos" / "a.txt").write_text("good fun")
    for place in ("texts/pos/a.txt", "texts/new.csv", "texts/pos/new.csv"):
        assert "; choose another path" in run("predict", model, "texts", "-o", place, status=2).err
    assert "inside the input" in run("train", "texts", "-o", "texts/pos/m.likely", status=2).err
    assert sorted(str(each.relative_to(tmp_path)) for each in (tmp_path / "texts").rglob("*")) == [
        "texts/pos",
        "texts/pos/a.txt",
    ]
    assert (tmp_path / "texts" / "pos" / "a.txt").read_text() == "good fun"
    for _ in range(2):
        run("train", "texts", "-o", "texts/m.likely", "--allow-partial")
    run("predict", model, "texts", "-o", "out.csv")


def test_the_status_says_that_no_row_was_answered(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("id,text\n1\n2\n")
    done = run("predict", model, "bad.csv", status=1)
    assert done.out.splitlines()[1:] == [
        '"1",,,not as many fields as the header',
        '"2",,,not as many fields as the header',
    ]
    assert "2 rows unanswered: bad.csv row 1 (line 2): not as many fields as the header" in done.err
    (tmp_path / "none.csv").write_text("id,text\n")
    run("predict", model, "none.csv")


def test_the_summary_says_how_far_the_texts_are_from_the_training_data(
    run: Run, sample: Path, tmp_path: Path
) -> None:
    texts, _ = load_sample()
    (tmp_path / "same.txt").write_text("\n".join(texts[:100]))
    done = run("predict", sample, "same.txt")
    assert re.search(
        r"^\d\.\d% of the terms are unknown \([\d.]+% would be usual\); estimated shares", done.err, re.M
    )
    assert "warning" not in done.err
    assert "unknown" not in done.out
    (tmp_path / "tweets.txt").write_text("gm frens wen moon lol\nsmh traffic jam otw 2 werk\n" * 10)
    assert re.search(r"^warning: \d+% of the terms are unknown", run("predict", sample, "tweets.txt").err, re.M)
    (tmp_path / "good.txt").write_text("\n".join(texts[::2]))
    done = run("predict", sample, "good.txt")
    assert re.search("^warning: the estimated shares of the classes are far from", done.err, re.M)
    again = run("predict", sample, "good.txt", "--prior", "positive=0.97,negative=0.03")
    assert "warning" not in again.err
    (tmp_path / "empty.jsonl").write_text('{"text": ""}\n')
    assert "unknown" not in run("predict", sample, "empty.jsonl").err


def test_a_repeated_option_is_an_error_unless_it_is_a_list(run: Run, reviews: Path) -> None:
    done = run("train", reviews, "--text-column", "subject", "--text-column", "review", "-o", "m.likely", status=2)
    assert "--text-column is given twice" in done.err
    done = run(
        "select", "--target", "a.txt", "--target", "b.txt", "--raw", "c.txt", "--number", 1, "-o", "x", status=2
    )
    assert "twice" not in done.err


def test_a_closed_standard_output_is_an_error(run: Run, model: Path, reviews: Path) -> None:
    shell = f"{COMMAND} predict {model} {reviews} >&-"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, b"likely: Bad file descriptor")
    shell = f"{COMMAND} predict {model} {reviews} -o {reviews.with_name('out.csv')} >&-"
    assert subprocess.run(["bash", "-c", shell], capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_json_is_utf_8_whatever_the_input_is(run: Run, model: Path, tmp_path: Path, encoding: str) -> None:
    (tmp_path / "new.csv").write_bytes("review\ncafé fun\n".encode(encoding))
    done = run("predict", model, "new.csv", "--output-format", "jsonl").raw
    assert json.loads(done.decode())["review"] == "café fun"
    assert not done.startswith(b"\xef\xbb\xbf")


def test_zero_over_zero_is_said(run: Run, tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text("text,label\ngood fun,pos\ndull plot,neg\n")
    run("train", "some.csv", "-o", "zero.likely", "--alpha", "0")
    for texts in (("--text", "good but dull"), ("some.csv",)):
        done = run("predict", "zero.likely", *texts)
        assert ("every class is impossible for some texts (alpha=0)" in done.err) is (texts[0] == "--text")
