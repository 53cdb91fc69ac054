"""Golden records: what users see, written to a folder, compared between two folders, and timed between two trees.

    python tools/golden.py record DIR           record with the `likely` on PYTHONPATH (needs LIKELY_DATA)
    python tools/golden.py compare DIR1 DIR2    print the differences, grouped; exit 1 if there are any
    python tools/golden.py speed BEFORE AFTER   ratios of CPU time of two `python` folders, run alternately

What is recorded stands in `golden_table.py`.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import itertools
import json
import os
import re
import shlex
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from golden_table import COMMANDS, CORPORA, GRID, SERVED, TUNED, TUNED_ON

TIMES = re.compile(r'("(?:seconds|modified)": )[0-9.e-]+|[0-9.,]+( [kMG]B/s)')
LIKELY = [sys.executable, "-c", "import sys; from likely.cli import main; sys.argv[0] = 'likely'; sys.exit(main())"]


def digest(data: bytes | str) -> str:
    """The SHA-256 of the data."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def exact(value: Any) -> Any:
    """The value with every float as its shortest exact decimal, and keys as text: equal JSON means equal bits."""
    return json.loads(json.dumps(value, default=str, sort_keys=True))


def corpora() -> dict[str, list[tuple[str, str]]]:
    """Labelled texts by the name of their corpus."""
    import likely

    with (Path(likely.__file__).parent / "data" / "sample.csv").open(encoding="utf-8", newline="") as file:
        found = {"sample": [(row["text"], row["label"]) for row in csv.DictReader(file)]}
    for name, number in CORPORA.items():
        folder = Path(os.environ["LIKELY_DATA"], name)
        path = next(path for path in (folder / "all.jsonl.gz", folder / "train.jsonl.gz") if path.exists())
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [(row["text"], row["label"]) for row in map(json.loads, lines)]
        rows = rows[:: max(1, len(rows) // number)][:number]
        found[name] = rows
    return found


def filled(value: Any, classes: list[str]) -> Any:
    """The value with FIRST and LAST replaced by classes."""
    if isinstance(value, dict):
        return {filled(key, classes): filled(entry, classes) for key, entry in value.items()}
    if isinstance(value, str):
        return value.replace("FIRST", classes[0]).replace("LAST", classes[-1])
    return value


def record_model(options: dict[str, Any], rows: list[tuple[str, str]], folder: Path) -> dict[str, Any]:
    """What one model says: counts and scores apart from the bytes of its file."""
    from likely import NaiveBayes, load

    learned, judged = [row for at, row in enumerate(rows) if at % 3], rows[::3]
    texts, labels = map(list, zip(*judged, strict=True))
    model = NaiveBayes(**filled(options, sorted({label for _, label in rows})))
    model.fit(*map(list, zip(*learned, strict=True)))
    model.save(folder / "model.likely")
    found: dict[str, Any] = {"file": digest((folder / "model.likely").read_bytes())}
    model = load(folder / "model.likely")
    if not options.get("hash_bits"):
        table = model.counts_table()
        columns = [json.dumps(column.to_pylist()) for column in table.columns]
        found["counts"] = {
            "rows": table.num_rows,
            "classes": list(model.classes_),
            "digest": digest("".join(columns)),
        }
    asked = texts[:200]
    for name in ("predict_joint_log_proba", "predict_proba", "decision_function"):
        scores = getattr(model, name)(asked)
        found[name] = {
            "digest": digest(" ".join(map(float.hex, scores.ravel().tolist()))),
            "first": scores.ravel()[:4].tolist(),
        }
    found["predict"] = [str(label) for label in model.predict(asked)]
    found["explain"] = [exact(model.explain(text).to_dict()) for text in texts[:5]]
    found["explain"] = {"digest": digest(json.dumps(found["explain"])), "first": found["explain"][0]}
    found["evaluate"] = exact(model.evaluate(texts, labels).to_dict())
    if model.tuning_:
        found["tuning"] = exact(model.tuning_.to_dict())
    return found


def record_models(folder: Path) -> None:
    """One file per corpus, with the records of the whole grid."""
    for name, rows in corpora().items():
        grid = GRID | (TUNED if name in TUNED_ON else {})
        found: dict[str, Any] = {}
        for row, options in grid.items():
            try:
                found[row] = record_model(options, rows, folder)
            except Exception as error:  # an error is an answer too
                found[row] = {"error": f"{type(error).__name__}: {error}"}
        write(folder / "models" / f"{name}.json", found)


class PageText(HTMLParser):
    """The text of a page, without scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        """Enter an element."""
        self._hidden += tag in {"script", "style"}

    def handle_endtag(self, tag: str) -> None:
        """Leave it."""
        self._hidden -= tag in {"script", "style"}

    def handle_data(self, data: str) -> None:
        """Keep visible text."""
        if not self._hidden and data.strip():
            self.parts.append(" ".join(data.split()))


def lines(text: str) -> list[str]:
    """The lines of a text, without the figures that differ from run to run."""
    return TIMES.sub(r"\1_\2", text).splitlines()


def content(path: Path) -> Any:
    """What a written file says: the text of pages and tables, and only a digest of anything else."""
    data = path.read_bytes()
    if path.suffix == ".html":
        parser = PageText()
        parser.feed(data.decode())
        return {"digest": digest(data), "text": parser.parts}
    return lines(data.decode()) if path.suffix in {".csv", ".jsonl"} else {"digest": digest(data)}


def run(args: list[str], folder: Path) -> dict[str, Any]:
    """What a command prints and writes."""
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run([*LIKELY, *args], cwd=folder, env=environment, capture_output=True, text=True, check=False)
    files = sorted(
        path for path in folder.rglob("*") if path.is_file() and path.stat().st_mtime_ns != before.get(path)
    )
    return {
        "status": done.returncode,
        "out": lines(done.stdout),
        "err": lines(done.stderr),
        "files": {str(path.relative_to(folder)): content(path) for path in files},
    }


def record_commands(folder: Path) -> None:
    """Transcripts as text and as JSON, help pages, and what a server says."""
    rows = corpora()["sample"]
    for form in ("text", "json"):
        work = folder / f"work_{form}"
        work.mkdir()
        half, rest = ([row for at, row in enumerate(rows) if at // 2 % 2 == part] for part in (0, 1))
        cut = {"sample": rows, "half": half, "rest": rest, "few": rest[:10]}
        for name, part in cut.items():
            with (work / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([("text", "label"), *part])
        (work / "texts.txt").write_text("".join(f"{text}\n" for text, _ in rows[:30]), encoding="utf-8")
        flag = ["--json"] if form == "json" else []
        found = {name: run([*shlex.split(line), *flag], work) for name, line in COMMANDS.items()}
        write(folder / "commands" / f"{form}.json", found)
        if form == "text":
            write(folder / "server.json", record_server(work))
    front = run(["--help"], folder)["out"]
    names = [line.split()[0] for line in front[front.index("Commands:") + 1 :] if line[:3].strip()]
    write(folder / "help.json", {"likely": front, **{name: run([name, "--help"], folder)["out"] for name in names}})


def record_server(work: Path) -> dict[str, Any]:
    """The OpenAPI document, the page and a few answers of a server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    command = [*LIKELY, "serve", "m.likely", "--port", port]
    server = subprocess.Popen(command, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            try:
                document = fetch(port, "/openapi.json")
                break
            except OSError:
                time.sleep(0.05)
        answers = {name: fetch(port, path, body) for name, (path, body) in SERVED.items()}
        return {"openapi": document, "page": digest(str(fetch(port, "/"))), **answers}
    finally:
        server.terminate()
        server.wait()


def fetch(port: str, path: str, body: Any = None) -> Any:
    """The answer of the server, decoded if it is JSON."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
        text = answer.read().decode()
    return json.loads(text) if text.startswith(("{", "[")) else text


def write(path: Path, value: Any) -> None:
    """Write a record as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False, default=str) + "\n", encoding="utf-8")


def record(target: str) -> None:
    """Record everything; the folder may exist, and old records of the same name are replaced."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        record_models(folder)
        record_commands(folder)
        for path in folder.rglob("*.json"):
            if "work_" not in str(path.relative_to(folder)):
                write(Path(target, path.relative_to(folder)), json.loads(path.read_text(encoding="utf-8")))


def leaves(value: Any, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """Every value of a record by its place; a list of lines is one value."""
    if isinstance(value, dict) and value:
        return {key: leaf for name in value for key, leaf in leaves(value[name], (*path, name)).items()}
    return {path: value}


def read(path: Path) -> dict[tuple[str, ...], Any]:
    """The leaves of a record, or nothing if there is none."""
    return leaves(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}


def compare(first: str, second: str) -> bool:
    """Print what differs, grouped by file and kind; whether anything does."""
    names = sorted({str(path.relative_to(root)) for root in (first, second) for path in Path(root).rglob("*.json")})
    same = True
    for name in names:
        a, b = (read(Path(root, name)) for root in (first, second))
        differing = [place for place in sorted({*a, *b}) if a.get(place) != b.get(place)]
        for kind, places in itertools.groupby(
            sorted(differing, key=lambda place: place[1:]), lambda place: place[1:]
        ):
            same = False
            found = list(places)
            print(f"{name} | {'.'.join(kind)} differs in {len(found)}: {', '.join(place[0] for place in found)}")
            print(shown(a.get(found[0]), b.get(found[0])))
    print("equal" if same else "different")
    return not same


def shown(a: Any, b: Any) -> str:
    """The first difference of two values, on two lines."""
    if isinstance(a, list) and isinstance(b, list):
        a, b = next(((x, y) for x, y in itertools.zip_longest(a, b) if x != y), (a, b))
    return f"    - {str(a)[:160]}\n    + {str(b)[:160]}"


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record", target]:
            record(target)
        case ["compare", first, second]:
            sys.exit(compare(first, second))
        case ["speed", before, after, *tasks]:
            from golden_speed import speed

            speed(before, after, *tasks)
        case _:
            sys.exit(__doc__)
