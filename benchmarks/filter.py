"""Filtering web text: `likely predict --where` against fastText on the same cores, files and training data.

The files are JSON Lines compressed with Zstandard (`benchmarks.web`), 1 GB before compression; FILTER_MB sets another
size. Both write the rows that match, compressed as the input was. fastText is its Python ``predict`` in two
processes; `likely` is one process, and its time is that of the whole command, with loading the model. Both have their
modules compiled, as an installation has them. It needs the
corpora in LIKELY_DATA; without them, nothing is claimed.
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

from likely import NaiveBayes, _native

from benchmarks import web
from benchmarks.measure import HERE, PEERS, THREADS, Claim, show

if TYPE_CHECKING:
    from collections.abc import Iterator

MEGABYTES = int(os.environ.get("FILTER_MB", "1000"))
FILES = 8
GOOD, ENGLISH = "p(good) >= 0.8", "p(en) >= 0.8"


def claims() -> Iterator[Claim]:
    if "LIKELY_DATA" not in os.environ:
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        size = write_pages(folder / "in")
        rows = web.training_rows()
        texts, labels = [text for text, _ in rows], [label for _, label in rows]
        NaiveBayes(ngrams=(1, 2), min_documents=2).fit(texts, labels).save(folder / "quality.likely")
        detail = f"{size / 1e6:,.0f} MB of JSON Lines, zst"
        yield from compare(folder, "quality", rows, GOOD, size, 10, detail)
        languages = [(row["text"], row["label"]) for row in web.rows("lingua_langid", "all")]
        random.Random(1).shuffle(languages)
        judged, learned = languages[::10], [row for at, row in enumerate(languages) if at % 10]
        model = NaiveBayes(task="language").fit([text for text, _ in learned], [label for _, label in learned])
        model.save(folder / "language.likely")
        yield from compare(folder, "language", learned, ENGLISH, size, 5, detail)
        right = sum(model.predict([text for text, _ in judged]) == [label for _, label in judged])
        (folder / "judged.json").write_text(json.dumps(judged))
        theirs = peer("accuracy", folder, "language")["accuracy"]
        detail = f"{right / len(judged):.4f} against {theirs:.4f} of fastText, {len(judged):,} held-out sentences"
        yield Claim("75 languages, accuracy, times fastText", right / len(judged) / theirs, 1, detail)


def write_pages(folder: Path) -> int:
    """Write the files; returns their size before compression."""
    folder.mkdir()
    size, parts = 0, [bytearray() for _ in range(FILES)]
    writers = [(_native.ZstdWriter(3), (folder / f"{at}.jsonl.zst").open("wb")) for at in range(FILES)]
    for at, page in enumerate(web.pages(MEGABYTES)):
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


def compare(
    folder: Path, name: str, rows: list[tuple[str, str]], where: str, size: int, bar: float, detail: str
) -> Iterator[Claim]:
    """The speed against fastText, which is trained here, and the peak memory."""
    lines = (f"__label__{label} {' '.join(text.split())}\n" for text, label in rows)
    (folder / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
    peer("train", folder, name)
    theirs = peer("filter", folder, name)
    peak = own_peak(folder, name, where) / 1e6  # measured first, because it compiles the modules
    seconds, cpu = run(folder, name, where)
    core = f"{size / 1e6 / cpu:.0f} against {size / 1e6 / theirs['cpu']:.1f} MB per core-second"
    told = f"{size / 1e6 / seconds:.0f} against {size / 1e6 / theirs['seconds']:.1f} MB/s, {core}; {detail}"
    yield Claim(f"filter with a model of {name}, times fastText", theirs["seconds"] / seconds, bar, told)
    yield Claim(f"peak memory with a model of {name}, MB", peak, 1000, detail, at_most=True)


def run(folder: Path, name: str, where: str) -> tuple[float, float]:
    """The seconds and the core-seconds of the whole command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    subprocess.run(command(folder, name, where), check=True, stdout=sys.stderr, env=as_installed(folder))
    seconds = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def command(folder: Path, name: str, where: str) -> list[str]:
    flags = ["--where", where, "--only-matching", "--threads", str(THREADS), "--overwrite"]
    model, pages, output = folder / f"{name}.likely", folder / "in" / "*.jsonl.zst", folder / f"{name}.out"
    return [sys.executable, "-m", "likely.cli", "predict", str(model), str(pages), *flags, "-o", f"{output}/"]


def as_installed(folder: Path) -> dict[str, str]:
    """The environment in which Python keeps its compiled modules, which installers compile."""
    others = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return others | {"PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def own_peak(folder: Path, name: str, where: str) -> int:
    """The peak memory of the command, in bytes."""
    script = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=sys.stderr); "
    script += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    call = [sys.executable, "-c", script, *command(folder, name, where)]
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
