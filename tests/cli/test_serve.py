"""`likely serve` as users call it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
from pathlib import Path

import httpx
import pytest

from .conftest import COMMAND, Run

JSON_DOCS = (Path(__file__).parents[2] / "docs" / "reference" / "json.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_tells_its_address_serves_and_ends(model: Path, number: int) -> None:
    process = subprocess.Popen(
        [COMMAND, "serve", model, "--store", model.with_suffix(".store"), "--port", "0", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        section = JSON_DOCS.split("\n## likely serve\n")[1].split("\n## ")[0]
        assert re.findall(r"^- `(\w+)`", section, re.MULTILINE) == list(told)
        answer = httpx.post(f"{told['address']}/predict", json={"text": "fun"}, trust_env=False)
        assert answer.json()["predictions"][0]["label"] == "pos"
        assert told["pid"] == process.pid
        process.send_signal(number)
        errors = process.communicate(timeout=30)[1]
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 0
    assert [json.loads(line)["event"] for line in errors.splitlines()] == ["draining", "ended"]


def test_an_address_that_others_reach_needs_a_token(run: Run, model: Path, tmp_path: Path) -> None:
    assert "needs a token" in run("serve", model, "--host", "0.0.0.0", status=2).err  # noqa: S104
    (tmp_path / "tokens").write_text("learn short\n")
    assert "at least 16 characters" in run("serve", model, "--token-file", "tokens", status=2).err
    (tmp_path / "tokens").write_text("everything a-token-that-is-long-enough\n")
    refused = run("serve", model, "--token-file", "tokens", status=2).err
    assert "line 1" in refused
    assert "long-enough" not in refused


def test_a_file_that_is_not_a_model_is_told(run: Run, reviews: Path) -> None:
    assert "reviews.csv" in run("serve", reviews, "--port", "0", status=2).err


def test_it_needs_a_model_or_a_store(run: Run) -> None:
    assert "Give a model, or --store to start with an empty one" in run("serve", status=2).err


def test_the_rate_limit_and_the_pool_are_checked_before_it_serves(run: Run, model: Path) -> None:
    assert "--rate-limit has no effect without --store" in run("serve", model, "--rate-limit", "3", status=2).err
    for number in ("nan", "inf"):
        told = run("serve", model, "--store", "a.store", "--rate-limit", number, status=2).err
        assert f"'--rate-limit': {number} is not a number" in told
    assert "'gone.csv' does not exist" in run("serve", model, "--pool", "gone.csv", status=2).err
