"""Filtering web text: `likely predict --where` against fastText on the same cores, files and training data.

The files are JSON Lines compressed with Zstandard (`benchmarks.web`), 240 MB and 1 GB before compression; FILTER_MB
sets other sizes. Both write the rows that match, compressed as the input was. fastText is its Python ``predict`` in
two processes; `likely` is one process, and its time is that of the whole command, with loading the model. Both have
their modules compiled, as an installation has them. The model of quality is the default one, that of languages the
preset's. It needs the corpora in LIKELY_DATA; without them, nothing is claimed.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import likely
from likely import NaiveBayes, _native

from benchmarks import web
from benchmarks.measure import HERE, PEERS, THREADS, Claim, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Row = tuple[str, str]

SIZES = [int(size) for size in os.environ.get("FILTER_MB", "240,1000").split(",")]
FILES = 8
WHERE = {"quality": "p(good) >= 0.8", "language": "p(en) >= 0.8"}
BARS = {"quality": (5, 8), "language": (4, 5)}
"""How many times as fast as fastText, below 1 GB and from it on."""
JUDGED = 5_000
"""The number of held-out texts on which both are judged."""


def claims() -> Iterator[Claim]:
    if "LIKELY_DATA" not in os.environ:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        learned = web.labelled_rows()
        yield from judge(folder, "quality", likely.train, learned, web.labelled_rows(1)[:JUDGED])
        languages = [(row["text"], row["label"]) for row in web.rows("lingua_langid", "all")]
        random.Random(1).shuffle(languages)
        yield from judge(folder, "language", NaiveBayes(task="language").fit, languages[JUDGED:], languages[:JUDGED])
        for megabytes in SIZES:
            size = write_pages(folder / "in", megabytes)
            for task in WHERE:
                yield from compare(folder, task, size)


def judge(
    folder: Path, name: str, fit: Callable[..., NaiveBayes], learned: list[Row], judged: list[Row]
) -> Iterator[Claim]:
    """Train both, and compare their accuracy."""
    model = fit([text for text, _ in learned], [label for _, label in learned])
    model.save(folder / f"{name}.likely")
    lines = (f"__label__{label} {' '.join(text.split())}\n" for text, label in learned)
    (folder / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
    (folder / "judged.json").write_text(json.dumps(judged))
    peer("train", folder, name)
    right = sum(model.predict([text for text, _ in judged]) == [label for _, label in judged]) / len(judged)
    theirs = peer("accuracy", folder, name)["accuracy"]
    detail = f"{right:.4f} against {theirs:.4f} of fastText, {len(judged):,} held-out texts"
    yield Claim(f"model of {name}: accuracy, times fastText", right / theirs, 1, detail)


def write_pages(folder: Path, megabytes: int) -> int:
    """Write the files; returns their size before compression."""
    folder.mkdir(exist_ok=True)
    size, parts = 0, [bytearray() for _ in range(FILES)]
    writers = [(_native.ZstdWriter(3), (folder / f"{at}.jsonl.zst").open("wb")) for at in range(FILES)]
    for at, page in enumerate(web.pages(megabytes)):
        part = parts[at % FILES]
        part += page.encode()
        size += len(page.encode())
        if len(part) > 1 << 20:
            native, file = writers[at % FILES]
            file.write(native.feed(bytes(part)))
            part.clear()
    for part, (native, file) in zip(parts, writers):
        file.write(native.feed(bytes(part)) + native.finish())
        file.close()
    return size


def compare(folder: Path, name: str, size: int) -> Iterator[Claim]:
    """The speed against fastText, and the peak memory."""
    theirs = peer("filter", folder, name)
    peak = own_peak(folder, name) / 1e6  # measured first, because it compiles the modules
    seconds, cpu = run(folder, name)
    core = f"{size / 1e6 / cpu:.0f} against {size / 1e6 / theirs['cpu']:.1f} MB per core-second"
    detail = f"{size / 1e6:,.0f} MB of JSON Lines, zst"
    told = f"{size / 1e6 / seconds:.0f} against {size / 1e6 / theirs['seconds']:.1f} MB/s, {core}; {detail}"
    bar = BARS[name][size >= 1e9]
    yield Claim(f"filter with a model of {name}, times fastText", theirs["seconds"] / seconds, bar, told)
    yield Claim(f"peak memory with a model of {name}, MB", peak, 1000, detail, at_most=True)


def run(folder: Path, name: str) -> tuple[float, float]:
    """The seconds and the core-seconds of the whole command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    subprocess.run(command(folder, name), check=True, stdout=sys.stderr, env=as_installed(folder))
    seconds = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def command(folder: Path, name: str) -> list[str]:
    flags = ["--where", WHERE[name], "--only-matching", "--threads", str(THREADS), "--overwrite"]
    model, pages, output = folder / f"{name}.likely", folder / "in" / "*.jsonl.zst", folder / f"{name}.out"
    return [sys.executable, "-m", "likely.cli", "predict", str(model), str(pages), *flags, "-o", f"{output}/"]


def as_installed(folder: Path) -> dict[str, str]:
    """The environment in which Python keeps its compiled modules, which installers compile."""
    others = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return others | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def own_peak(folder: Path, name: str) -> int:
    """The peak memory of the command, in bytes."""
    script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=sys.stderr); "
    script += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    call = [sys.executable, "-c", script, *command(folder, name)]
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True, env=as_installed(folder))
    return int(done.stdout) * 1024


def peer(task: str, folder: Path, name: str) -> dict[str, float]:
    """What fastText needs for a task, in its own environment."""
    call = [str(PEERS), str(HERE / "filter_peer.py"), task, str(folder), name]
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


if __name__ == "__main__":
    show(claims())
