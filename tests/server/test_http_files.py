"""Files beside the model: test data with their report, and a pool of texts that wait for labels."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from likely import NaiveBayes

from .conftest import LABELS, TEXTS
from .served import Served, serving

PREDICT, LEARN = "a-token-that-predicts", "a-token-that-learns"
POOL = [f"text number {at}" for at in range(2_500)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("files")
    NaiveBayes().fit(TEXTS, LABELS).save(found / "reviews.likely")
    (found / "test.csv").write_text("text,label\ngood fun,pos\ndull,neg\nso dull,pos\n")
    (found / "pool.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in [*POOL, *POOL]))
    return found


@pytest.fixture
def beside(folder: Path, tmp_path: Path) -> Iterator[Served]:
    """A server with test data and a pool, with tokens."""
    with serving(
        folder / "reviews.likely",
        tmp_path / "a.store",
        test_data=[str(folder / "test.csv")],
        pool=[str(folder / "pool.jsonl")],
        environment={"LIKELY_LEARN_TOKEN": LEARN, "LIKELY_PREDICT_TOKEN": PREDICT},
    ) as server:
        yield server


def measured(client: httpx.Client) -> dict[str, Any]:
    """The evaluation, when it is there."""
    until = time.monotonic() + 60
    while (found := client.get("/evaluation").json())["state"] == "measuring":
        assert time.monotonic() < until
        time.sleep(0.02)
    return dict(found)


def test_the_figures_are_for_all_and_the_report_for_those_who_may_learn(beside: Served) -> None:
    with beside.client(PREDICT) as predicts, beside.client(LEARN) as learns, beside.client() as nobody:
        figures = measured(predicts)
        assert figures["state"] == "measured"
        assert figures["figures"]["accuracy"] == pytest.approx(2 / 3)
        assert figures["report"] is None
        assert predicts.post("/measure", json={}).status_code == 403
        page = nobody.get(measured(learns)["report"])
        assert page.status_code == 200
        assert "reviews on test.csv" in page.text
        assert ">dull</" in page.text
        assert "script-src 'sha256-" in page.headers["content-security-policy"]
        assert "sandbox allow-scripts allow-modals" in page.headers["content-security-policy"]
        assert nobody.get("/report/9999999999-0").status_code == 403


def test_it_is_measured_again_when_that_is_asked_for(beside: Served) -> None:
    with beside.client(LEARN) as client:
        first = measured(client)
        client.post("/learn", json={"corrections": [{"text": "so dull", "label": "pos"}]}).raise_for_status()
        assert (measured(client)["figures"], measured(client)["entry"]) == (first["figures"], 1)
        client.post("/measure", json={}).raise_for_status()
        assert measured(client)["figures"]["entry"] == 1


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
    assert shared.get("/evaluation").json()["state"] == "off"
    assert shared.post("/measure").status_code == 409
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


def test_one_class_may_not_outweigh_the_others(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "reviews.likely"
    path.write_bytes((folder / "reviews.likely").read_bytes())
    arguments = (str(path), "--store", str(tmp_path / "a.store"), "--balance", "1.5")
    with started(*arguments) as address, httpx.Client(base_url=address, trust_env=False) as client:
        learned = [_learn(client, f"fine {at}", "pos") for at in range(3)]
        assert [answer.status_code for answer in learned] == [200, 422, 422]
        detail = learned[1].json()["detail"]
        assert "class 'pos' has 3 documents and all others have 2" in detail
        assert "at most 1.5 times as many are allowed: correct texts of other classes" in detail
        assert client.get("/model").json()["documents"] == 5
        assert _learn(client, "dreary", "neg").status_code == 200
        assert _learn(client, "fine again", "pos").status_code == 200
