"""Compare the CPU time of two trees of `likely`: `python tools/golden.py speed BEFORE AFTER`.

Each task runs in a process of its own, alternately with both trees, and the best of all rounds counts.
With `speed BEFORE AFTER TASK...`, only these tasks run.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 7
COMMAND = [sys.executable, "-c", "import sys; from likely.cli import main; sys.argv[0] = 'likely'; sys.exit(main())"]
# Whole processes: start-up, and the commands that work on files.
PROCESSES = {
    "start: --version": "--version",
    "start: --help": "--help",
    "start: predict one text": "predict small.likely TEXT_FLAG good",
    "train, default": "train sample.csv -o trained.likely",
    "filter": "predict imdb.likely imdb.csv --where 'p(pos)>=0.8' --only-matching -o kept/ --overwrite",
    "select": "select --target sample.csv --raw imdb.csv --number 200 -o selected.csv",
}
# Inside one process, without starting: the CPU seconds of the best of several calls.
CALLS = (
    "import",
    "fit",
    "fit bigrams",
    "predict",
    "predict one text",
    "load",
    "learn one",
    "count",
    "tfidf",
    "hashing",
)


def prepare(folder: Path, tree: str) -> None:
    """Write the files that the tasks read."""
    script = (
        "import csv, sys; from likely import NaiveBayes\n"
        "csv.field_size_limit(10**8)\n"
        "for name in ('sample', 'imdb'):\n"
        "    rows = list(csv.DictReader(open(name + '.csv', newline='', encoding='utf-8')))\n"
        "    model = NaiveBayes().fit([row['text'] for row in rows], [row['label'] for row in rows])\n"
        "    model.save({'sample': 'small', 'imdb': 'imdb'}[name] + '.likely')\n"
    )
    with gzip.open(Path(os.environ["LIKELY_DATA"], "imdb", "train.jsonl.gz"), "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines][::6]
    with (folder / "imdb.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("text", "label"), *((row["text"], row["label"]) for row in rows)])
    (folder / "sample.csv").write_bytes(Path(tree, "likely", "data", "sample.csv").read_bytes())
    subprocess.run([sys.executable, "-c", script], cwd=folder, env=environment(tree, folder), check=True)


def environment(tree: str, folder: Path) -> dict[str, str]:
    """The environment of a tree, with compiled modules as an installation has them."""
    others = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return others | {"PYTHONPATH": tree, "PYTHONPYCACHEPREFIX": str(folder / "compiled"), "NO_COLOR": "1"}


def cost(args: list[str], folder: Path, tree: str) -> float:
    """The CPU seconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [*COMMAND, *args], cwd=folder, env=environment(tree, folder), capture_output=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise RuntimeError(f"{tree}: likely {' '.join(args)}: {done.stderr.decode()}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def call_cost(task: str, folder: Path, tree: str) -> float:
    """The CPU seconds of a call in a process of its own."""
    command = [sys.executable, str(Path(__file__)), task]
    done = subprocess.run(command, cwd=folder, env=environment(tree, folder), capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{tree}: {task}: {done.stderr.decode()}")
    return float(done.stdout)


def measure(task: str) -> float:
    """The CPU seconds of the task in this process, in the folder that `prepare` made."""
    begun = time.process_time()
    import likely
    from likely import NaiveBayes, load

    if task == "import":
        return time.process_time() - begun
    csv.field_size_limit(10**8)
    with Path("imdb.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    texts, labels = [row["text"] for row in rows], [row["label"] for row in rows]
    if task in {"count", "tfidf", "hashing"}:
        names = {"count": "CountVectorizer", "tfidf": "TfidfVectorizer", "hashing": "HashingVectorizer"}
        make = getattr(likely.vectorize, names[task])
        return best(lambda: make().fit_transform(texts), 3)
    model = load("imdb.likely")
    model.predict(texts[:1])
    short = texts[0][:200]

    def learn() -> None:
        for text, label in zip(texts[:200], labels[:200], strict=True):
            model.learn([text], [label])
            model.predict([short])

    calls: dict[str, Callable[[], object]] = {
        "fit": lambda: NaiveBayes().fit(texts, labels),
        "fit bigrams": lambda: NaiveBayes(ngrams=(1, 2)).fit(texts, labels),
        "predict": lambda: model.predict_proba(texts),
        "predict one text": lambda: [model.predict([short]) for _ in range(2000)],
        "load": lambda: [load("imdb.likely").predict([short]) for _ in range(10)],
        "learn one": learn,
    }
    return best(calls[task], 3 if task in {"fit bigrams"} else 5)


def best(call: Callable[[], object], times: int) -> float:
    """The CPU seconds of the fastest of several calls, all threads together."""
    found = []
    for _ in range(times):
        begun = time.process_time()
        call()
        found.append(time.process_time() - begun)
    return min(found)


def speed(before: str, after: str, *only: str) -> None:
    """Print the CPU time of every task in both trees, and its ratio."""
    trees = [str(Path(tree).resolve()) for tree in (before, after)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder, trees[0])
        print(f"{'CPU time, ms':26} {'before':>9} {'after':>9} {'ratio':>6}")
        for task in [task for task in (*PROCESSES, *CALLS) if not only or task in only]:
            try:
                a, b = (seconds * 1000 for seconds in alternately(task, folder, trees))
            except RuntimeError as error:
                print(f"{task:26} failed: {error}")
            else:
                print(f"{task:26} {a:9.1f} {b:9.1f} {b / a:6.3f}", flush=True)


def alternately(task: str, folder: Path, trees: list[str]) -> list[float]:
    """The CPU seconds of a task in each tree, the best of several rounds."""
    found: list[list[float]] = [[] for _ in trees]
    flags = [text_flag(folder, tree) for tree in trees]
    for turn in range(ROUNDS if task.startswith(("start", "import")) else 3):
        for at in range(len(trees)) if turn % 2 else reversed(range(len(trees))):
            if task in PROCESSES:
                args = shlex.split(PROCESSES[task].replace("TEXT_FLAG", flags[at]))
                found[at].append(cost(args, folder, trees[at]))
            else:
                found[at].append(call_cost(task, folder, trees[at]))
    return [min(times) for times in found]


def text_flag(folder: Path, tree: str) -> str:
    """The flag with which a tree predicts one text; in earlier trees ``--text`` named a column."""
    command = [*COMMAND, "predict", "--help"]
    done = subprocess.run(
        command, cwd=folder, env=environment(tree, folder), capture_output=True, text=True, check=True
    )
    return "--say" if "--say " in done.stdout else "--text"


if __name__ == "__main__":
    print(measure(sys.argv[1]))
