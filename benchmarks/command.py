"""The command line, process start included, against a script with pandas and scikit-learn; and its peak memory."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks import corpus
from benchmarks.measure import HERE, Claim, best, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMMAND = Path(sys.executable).with_name("likely")
LARGE = 2_000_000_000
# Bytecode is cached, as on the machine of a user who has run the command before.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def claims() -> Iterator[Claim]:
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield from _train()
            yield from _predict()
            yield from _start()
            yield _memory()
        finally:
            os.chdir(here)


def run(*command: object) -> None:
    subprocess.run([str(each) for each in command], check=True, capture_output=True, env=ENVIRONMENT)


def likely(*args: object) -> Callable[[], None]:
    return lambda: run(COMMAND, *args)


def script(name: str, *args: object) -> Callable[[], None]:
    return lambda: run(sys.executable, HERE / f"script_{name}.py", *args)


def _train() -> Iterator[Claim]:
    for copies, bar, times in ((1, 10, 3), (10, 20, 1)):
        for suffix in ("csv", "jsonl", "parquet"):
            source = write(copies, suffix)
            theirs, _ = best(script("train", source, "model.pickle"), times)
            ours, _ = best(likely("train", source, "-o", "model.likely", "--plain"))
            detail = f"{ours:.2f} s against {theirs:.2f} s"
            work = f"train, {copies} copies, {suffix}, against pandas + sklearn"
            yield Claim(work, theirs / ours, bar, detail)
            if suffix != "csv":
                source.unlink()
    ratio = os.path.getsize("model.likely") / os.path.getsize("model.pickle")
    yield Claim("size of the model against a pickle pair", ratio, 0.25, "", at_most=True)


def _predict() -> Iterator[Claim]:
    for copies, bar, times in ((1, 6, 3), (10, 15, 1)):
        source = Path(f"{copies}.csv")
        theirs, _ = best(script("predict", "model.pickle", source, "out.csv"), times)
        ours, _ = best(likely("predict", "model.likely", source, "-o", "out.csv"))
        detail = f"{ours:.2f} s against {theirs:.2f} s"
        work = f"predict, {copies} copies, CSV to CSV, against the same"
        yield Claim(work, theirs / ours, bar, detail)


def _start() -> list[Claim]:
    click, _ = best(lambda: run(sys.executable, "-c", "import click"), 20)
    shown, _ = best(likely("--help"), 20)
    said, _ = best(likely("predict", large_model(), "--text", "a film to remember"), 10)
    detail = f"{shown * 1000:.0f} ms against {click * 1000:.0f} ms"
    return [
        Claim("likely --help against import click", shown / click, 2, detail, at_most=True),
        Claim("likely predict --text, cold, 100,000 terms, seconds", said, 0.4, "", at_most=True),
    ]


def large_model() -> Path:
    """A model of 100,000 terms."""
    text = " ".join(corpus.word(rank) for rank in range(100_000))
    Path("terms.csv").write_text(f"text,label\n{text},a\n{text},b\n")
    likely("train", "terms.csv", "-o", "terms.likely", "--plain")()
    return Path("terms.likely")


def _memory() -> Claim:
    once = Path("1.csv").read_bytes()
    header, rows = once.split(b"\n", 1)
    with open("large.csv", "wb") as file:
        file.write(header + b"\n")
        while file.tell() < LARGE:
            file.write(rows)
    # The peak memory of a child starts with that of its parent, so the parent must be small.
    launcher = (
        "import os, subprocess, sys; child = subprocess.Popen(sys.argv[1:], stdout=-3, stderr=-3);"
        "_, status, usage = os.wait4(child.pid, 0); assert status == 0; print(usage.ru_maxrss)"
    )
    command = [sys.executable, "-c", launcher, str(COMMAND), "train", "large.csv", "-o", "large.likely", "--plain"]
    answer = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True)
    return Claim("train on 2 GB of CSV, peak MB", int(answer.stdout) / 1000, 600, "", at_most=True)


def write(copies: int, suffix: str) -> Path:
    """The corpus in a format, repeated this many times."""
    texts, labels, _ = corpus.load()
    path = Path(f"{copies}.{suffix}")
    if suffix == "parquet":
        pq.write_table(pa.table({"text": texts * copies, "label": labels * copies}), path)
        return path
    with path.open("w", newline="", encoding="utf-8") as file:
        if suffix == "csv":
            rows = csv.writer(file)
            rows.writerow(["text", "label"])
        for _ in range(copies):
            if suffix == "csv":
                rows.writerows(zip(texts, labels))
            else:
                file.writelines(json.dumps({"text": t, "label": c}) + "\n" for t, c in zip(texts, labels))
    return path


if __name__ == "__main__":
    show(claims())
