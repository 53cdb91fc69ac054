"""`likely select`: raw documents that resemble a target."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest

from .conftest import COMMAND, Run

FILM = "the film has a plot and the actors of the film are good"
MARKET = "the market fell and the shares of the bank lost money"


def write(path: Path, texts: list[str]) -> None:
    path.write_text("".join(json.dumps({"id": at, "text": text}) + "\n" for at, text in enumerate(texts)))


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path / "wiki.jsonl", [FILM] * 3)
    write(tmp_path / "books.jsonl", [MARKET] * 3)
    (tmp_path / "web").mkdir()
    texts = [f"{(FILM, MARKET, MARKET)[at % 3]} number{at}" for at in range(60)]
    write(tmp_path / "web" / "1.jsonl", texts[:25])
    write(tmp_path / "web" / "2.jsonl", texts[25:])


def ids(path: Path) -> list[int]:
    return [json.loads(line)["id"] for line in path.read_text().splitlines()]


def test_the_best_of_several_files(run: Run, tmp_path: Path) -> None:
    args = [
        "--target",
        "wiki.jsonl",
        "--raw",
        "web/*.jsonl",
        "--number",
        20,
        "-o",
        "out/",
        "--min-words",
        5,
        "--best",
    ]
    done = run("select", *args)
    assert "Selected 20 documents of 60: the best." in done.out
    assert "Wrote 2 files to out/." in done.out
    assert ids(tmp_path / "out" / "1.jsonl") == list(range(0, 25, 3))
    assert ids(tmp_path / "out" / "2.jsonl") == list(range(2, 35, 3))


def test_seeds(run: Run, tmp_path: Path) -> None:
    args = ["--target", "wiki.jsonl", "--raw", "web/*.jsonl", "--number", 10, "--min-words", 5]
    for name, seed, threads in (("a", 1, 1), ("b", 1, 2), ("c", 2, 2)):
        run("select", *args, "-o", f"{name}.jsonl", "--seed", seed, "--threads", threads)
    a, b, c = ((tmp_path / f"{name}.jsonl").read_bytes() for name in "abc")
    assert a == b != c


def test_what_was_left_out_is_told(run: Run, tmp_path: Path) -> None:
    with (tmp_path / "web" / "2.jsonl").open("a") as file:
        file.write("not json\n")
    done = run("select", "--target", "wiki.jsonl", "--raw", "web/*.jsonl", "--number", 10, "-o", "out", status=1)
    assert "Selected 0 documents of 0: a sample (seed 0)." in done.out
    assert "60 documents with fewer than 100 words left out." in done.out
    assert "web/2.jsonl row 36 (line 36): not a JSON object" in done.err
    assert "--min-words" in done.err


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--target", "none.jsonl"], "none.jsonl: cannot be read"),
        (["--target", "wiki.jsonl", "--buckets", "0"], "must be a whole number from 1"),
        (["--target", "wiki.jsonl", "--text-column", "body"], "body"),
    ],
    ids=["no file", "buckets", "column"],
)
def test_bad_input_is_one_line(args: list[str], told: str, run: Run, tmp_path: Path) -> None:
    done = run("select", *args, "--raw", "web/*.jsonl", "--number", 5, "-o", "out", "--min-words", 5, status=2)
    assert told in done.err
    assert not (tmp_path / "out").exists()


def test_killed_in_the_middle_no_file_is_half_written(run: Run, tmp_path: Path) -> None:
    for at in range(6):
        write(tmp_path / "web" / f"{at + 3}.jsonl", [f"{FILM} number{at} " * 40] * 400)
    args = [
        "select",
        "--target",
        "wiki.jsonl",
        "--raw",
        "web/*.jsonl",
        "--number",
        "2400",
        "-o",
        "out",
        "--min-words",
        "5",
    ]
    begun = time.perf_counter()
    run(*args)
    seconds = time.perf_counter() - begun
    whole = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    dice = random.Random(0)
    for _ in range(6):
        subprocess.run(["rm", "-r", tmp_path / "out"], check=False)
        process = subprocess.Popen([COMMAND, *args], cwd=tmp_path, stdout=-3, stderr=-3)
        time.sleep(dice.uniform(0.4, 1.0) * seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        left = list((tmp_path / "out").iterdir()) if (tmp_path / "out").exists() else []
        assert all(path.read_bytes() == whole[path.name] for path in left if not path.name.startswith("."))
    run(*args)
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir() if path.name in whole} == whole
