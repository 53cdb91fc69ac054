"""On a full disk nothing acknowledged is lost, predictions go on, and learning resumes when there is room."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import likely
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import StoreFullError
from likely.server.keeper import Correction, Keeper

from .served import serving

if TYPE_CHECKING:
    import httpx


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 2 MB, on which another file takes 1 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        (folder / "other").write_bytes(bytes(1 << 20))
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_loses_nothing(small_disk: Path, tmp_path: Path) -> None:
    base = tmp_path / "base.likely"
    NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"]).save(base)
    keeper = Keeper.open(base, small_disk / "a.store")
    learned = fill(keeper, 0)
    assert len(learned) > 20
    for _ in range(3):
        assert keeper.model.predict(["good"])[0] == "+"
        with pytest.raises(StoreFullError, match="make room"):
            keeper.learn([Correction("one too many " * 400, "+")])
    assert keeper.status.seq == len(learned)
    keeper.close()
    check(base, small_disk, learned)
    keeper = Keeper.open(base, small_disk / "a.store")
    assert keeper.model.predict(["good"])[0] == "+"
    (small_disk / "other").unlink()
    learned += fill(keeper, len(learned))
    keeper.close()
    check(base, small_disk, learned)


def fill(keeper: Keeper, begin: int) -> list[str]:
    """Learn until the disk is full; returns the texts that were acknowledged."""
    learned: list[str] = []
    for at in range(begin, begin + 10_000):
        text = " ".join(f"word{at * number}" for number in range(200))
        try:
            keeper.learn([Correction(text, "+")])
        except StoreFullError:
            return learned
        learned.append(text)
    pytest.fail("the disk was never full")


def check(base: Path, disk: Path, learned: list[str]) -> None:
    """The store has exactly what was acknowledged."""
    with Keeper.open(base, disk / "a.store") as keeper:
        reference = likely.load(base).learn(learned, ["+"] * len(learned))
        assert to_bytes(keeper.model._snapshot()) == to_bytes(reference._snapshot())


def test_a_server_on_a_full_disk_predicts_and_learns_again_when_there_is_room(
    small_disk: Path, model_file: Path
) -> None:
    store = small_disk / "a.store"
    with serving(model_file, store) as server, server.client() as client:
        learned = fill_over_http(client, 0)
        (small_disk / "other").unlink()
        more = fill_over_http(client, len(learned))
        server.process.kill()
    assert min(len(learned), len(more)) > 20
    with Keeper.open(model_file, store) as keeper:
        texts = learned + more
        reference = likely.load(model_file).learn(texts, ["pos"] * len(texts))
        assert to_bytes(keeper.model._snapshot()) == to_bytes(reference._snapshot())


def fill_over_http(client: httpx.Client, begin: int) -> list[str]:
    """Learn until the disk is full, and predict; returns the texts that were acknowledged."""
    learned: list[str] = []
    for at in range(begin, begin + 10_000):
        text = " ".join(f"word{at * number}" for number in range(200))
        answer = client.post("/learn", json={"corrections": [{"text": text, "label": "pos"}]})
        assert client.post("/predict", json={"text": "dull"}).status_code == 200
        if answer.status_code != 200:
            assert (answer.status_code, "make room" in answer.json()["detail"]) == (507, True)
            return learned
        learned.append(text)
    pytest.fail("the disk was never full")


FAILING = """
import sys
from likely.errors import StoreError
from likely.server.keeper import Correction, Keeper
keeper = Keeper.open(sys.argv[1], sys.argv[2])
seen = []
for at in range(30):
    try:
        keeper.learn([Correction(f"text {at}", "+")])
    except StoreError as error:
        seen.append("read only" if "the disk has failed to write" in str(error) else "failed")
    else:
        seen.append("learned")
    assert keeper.model.predict(["good"])[0] == "+"
print(*seen, sep=",")
print(keeper.status.why_not)
"""
"""Learns although the disk fails from some moment on."""


def test_after_a_failed_sync_nothing_more_is_written(tmp_path: Path) -> None:
    base = tmp_path / "base.likely"
    NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"]).save(base)
    with Keeper.open(base, tmp_path / "a.store"):
        pass
    fail = ["strace", "-f", "-qq", "-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO:when=12"]
    program = [sys.executable, "-c", FAILING, str(base), str(tmp_path / "a.store")]
    try:
        done = subprocess.run([*fail, *program], capture_output=True, text=True, check=False, timeout=100)
    except FileNotFoundError:
        pytest.skip("strace is not installed")
    if "attach" in done.stderr or "ptrace" in done.stderr:
        pytest.skip("this system does not allow strace")
    seen, why = done.stdout.splitlines()
    steps = seen.split(",")
    learned = steps.index("failed")
    assert steps == ["learned"] * learned + ["failed"] + ["read only"] * (29 - learned)
    assert learned > 2
    assert "the disk has failed to write the store" in why
    with Keeper.open(base, tmp_path / "a.store") as keeper:
        assert learned <= keeper.status.seq <= learned + 1
        assert keeper.learn([Correction("more", "+")])[0].what == "learned"
