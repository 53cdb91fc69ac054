"""`likely train` and `likely predict` with `--engine spark`: the same model, the same columns, a folder of files."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result
from likely import NaiveBayes, load
from likely.cli import cli

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

REVIEWS = [("good fun, and so good", "pos"), ("so\ndull", "neg"), ("a good film", "pos"), ("dull plot", "neg")]


def run(*args: object, status: int = 0) -> Result:
    """Run a command in this process, which shares its session."""
    done = CliRunner().invoke(cli, [*map(str, args)])
    assert done.exit_code == status, done.output
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Reviews in every format."""
    texts, tags = ([row[at] for row in REVIEWS] for at in (0, 1))
    (tmp_path / "parquet").mkdir()
    for at in (0, 1):
        rows = pa.table({"review": texts[at::2], "sentiment": tags[at::2]})
        pq.write_table(rows, tmp_path / "parquet" / f"part-{at}.parquet")
    with (tmp_path / "reviews.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("review", "sentiment"), *REVIEWS])
    lines = [f'{{"review": {text!a}, "sentiment": {tag!a}}}\n'.replace("'", '"') for text, tag in REVIEWS]
    (tmp_path / "reviews.jsonl").write_text("".join(lines))
    return tmp_path


@pytest.mark.parametrize("name", ["parquet", "reviews.csv", "reviews.jsonl"])
def test_the_model_and_the_predictions_are_those_without_spark(spark: SparkSession, folder: Path, name: str) -> None:
    model, here = folder / "a.likely", folder / "b.likely"
    done = run("train", "--engine", "spark", "--master", "local[2]", folder / name, "-o", model, "--alpha", "0.5")
    assert "2 classes (neg 2, pos 2)" in done.stdout
    run("train", folder / name, "-o", here, "--alpha", "0.5")
    assert model.read_bytes() == here.read_bytes()
    out = folder / "out"
    run("predict", "--engine", "spark", model, folder / name, "-o", out, "--proba")
    kind = {"parquet": "parquet", "reviews.csv": "csv", "reviews.jsonl": "json"}[name]
    options = {"header": "true", "multiLine": "true", "escape": '"'} if kind == "csv" else {}
    found = spark.read.format(kind).options(**options).load(str(out)).collect()
    assert {row.review: row.prediction for row in found} == dict(REVIEWS)
    new = {"prediction", "probability", "known"} | ({"problem"} if kind != "json" else set())
    assert set(found[0].asDict()) >= {"review", "sentiment", *new}


def test_what_does_not_go_with_spark_is_refused(tmp_path: Path) -> None:
    NaiveBayes().fit(["good", "bad"], ["+", "-"]).save(tmp_path / "m.likely")
    (tmp_path / "a.csv").write_text("text,label\ngood,+\n")
    spark = ("--engine", "spark")
    train = ("train", tmp_path / "a.csv", "-o", tmp_path / "new.likely")
    predict = ("predict", tmp_path / "m.likely")
    for args, told in [
        ((*train, "--master", "local"), "--master has no effect without --engine spark"),
        ((*train, *spark, "--encoding", "cp1252"), "--encoding has no effect with --engine spark"),
        ((*train, *spark, "--holdout", "0.2"), "--holdout cannot be combined with --engine spark"),
        ((*predict, *spark, "--text", "good"), "--text cannot be combined with --engine spark"),
        ((*predict, *spark, "--where", "p(+) > 1"), "--where cannot be combined with --engine spark"),
        ((*predict, *spark, "--overwrite"), "--overwrite cannot be combined with --engine spark"),
        ((*predict, *spark, tmp_path / "a.csv"), "give the folder to write as -o FOLDER"),
        ((*predict, *spark, tmp_path / "a.csv", "-o", tmp_path / "m.likely"), "exists already"),
        ((*predict, *spark, "-", "-o", tmp_path / "out"), "Spark cannot read standard input"),
    ]:
        assert told in " ".join(run(*args, status=2).stderr.split()), args
    assert not (tmp_path / "new.likely").exists()


def test_the_command_is_a_process_of_its_own(folder: Path) -> None:
    command = [sys.executable, "-m", "likely.cli", "train", "--engine", "spark", "--master", "local[1]"]
    command += [str(folder / "parquet"), "-o", str(folder / "m.likely"), "--plain"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert load(folder / "m.likely").class_documents_.tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"JAVA_HOME": "/nowhere"}, "Spark needs Java 17"),
        ({"PYTHONPATH": "{without}"}, "pip install 'likely[spark]'"),
    ],
    ids=["java", "pyspark"],
)
def test_what_is_missing_is_said_in_one_sentence(
    folder: Path, environment: dict[str, str], told: str, tmp_path: Path
) -> None:
    (tmp_path / "without" / "pyspark").mkdir(parents=True)
    (tmp_path / "without" / "pyspark" / "__init__.py").write_text("raise ImportError('pyspark')")
    paths = f"{tmp_path / 'without'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    given = {name: value.format(without=paths) for name, value in environment.items()}
    command = [sys.executable, "-m", "likely.cli", "train", "--engine", "spark", str(folder / "parquet"), "-o", "m"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | given, cwd=tmp_path)
    assert done.returncode != 0
    assert told in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 3
