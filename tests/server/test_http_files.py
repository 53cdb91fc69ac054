"""Files beside the model: test data with their report, and a pool of texts that wait for labels."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from likely import NaiveBayes

from .conftest import LABELS, TEXTS
from .served import Served, serving

if TYPE_CHECKING:
    import httpx

PREDICT, LEARN = "a-token-that-predicts", "a-token-that-learns"
POOL = [f"text number {at}" for at in range(2_500)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("files")
    NaiveBayes().fit(TEXTS, LABELS).save(found / "reviews.likely")
    (found / "pool.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in [*POOL, *POOL]))
    return found


@pytest.fixture
def beside(folder: Path, tmp_path: Path) -> Iterator[Served]:
    """A server with a pool, with tokens."""
    with serving(
        folder / "reviews.likely",
        tmp_path / "a.store",
        pool=[str(folder / "pool.jsonl")],
        environment={"LIKELY_LEARN_TOKEN": LEARN, "LIKELY_PREDICT_TOKEN": PREDICT},
    ) as server:
        yield server


def test_a_pool_comes_in_parts_and_without_what_is_learned(beside: Served) -> None:
    with beside.client(LEARN) as client:
        corrections = [{"text": text, "label": "pos"} for text in POOL[5:15]]
        client.post("/learn", json={"corrections": corrections}).raise_for_status()
        found: list[str] = []
        start: int | None = 0
        while start is not None:
            part = client.get("/pool", params={"start": start, "limit": 700}).json()
            assert (part["name"], part["total"], part["is_cut"]) == ("pool.jsonl", len(POOL), False)
            assert len(part["texts"]) <= 700
            found += part["texts"]
            start = part["next"]
        assert found == [*POOL[:5], *POOL[15:]]
        assert client.get("/pool?start=2500").json()["texts"] == []
        assert client.get("/pool?limit=0").status_code == 422
    with beside.client(PREDICT) as client:
        assert client.get("/pool").status_code == 403


def test_without_files_there_is_nothing(shared: Served) -> None:
    assert shared.get("/pool").json() == {"name": None, "total": 0, "is_cut": False, "texts": [], "next": None}


def test_a_pool_that_cannot_be_read_is_told(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "wait.csv").write_text("text\nhello\n")
    with serving(folder / "reviews.likely", pool=[str(tmp_path / "wait.csv")], reading={"text": "gone"}) as server:
        answer = server.get("/pool")
    assert answer.status_code == 422
    assert "gone" in answer.json()["detail"]


def _learn(client: httpx.Client, text: str, label: str) -> httpx.Response:
    return client.post("/learn", json={"corrections": [{"text": text, "label": label}]})


@contextmanager
def started(*arguments: str) -> Iterator[str]:
    """The address of `likely serve` with these arguments."""
    command = [sys.executable, "-m", "likely.cli", "serve", *arguments, "--port", "0", "--json"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())["address"]
    finally:
        process.kill()
        process.communicate()
