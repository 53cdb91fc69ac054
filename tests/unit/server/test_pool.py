"""Texts that wait for labels: distinct, in their order, within limits, from any file that `likely` reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from likely import NaiveBayes
from likely.errors import SourceError
from likely.server import pool as module
from likely.server.keeper import Keeper
from likely.server.pool import Pool, first_distinct


def test_texts_are_read_once_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "wait.csv"
    path.write_text('id,text\n1,"two\nlines"\n2,one\n3,one\n4, \n')
    pool = Pool((str(path),))
    assert pool.name == "wait.csv"
    assert pool.texts(None).texts == ("two\nlines", "one")
    path.unlink()
    assert pool.texts(None).texts == ("two\nlines", "one")


def test_the_columns_are_those_of_the_model_or_those_that_are_told(tmp_path: Path) -> None:
    (tmp_path / "train.csv").write_text("said,kind,text\ngood,+,no\nbad,-,no\n")
    NaiveBayes().fit(["good", "bad"], ["+", "-"]).save(tmp_path / "a.likely")
    (tmp_path / "wait.jsonl").write_text(json.dumps({"said": "hello", "more": "a much longer text"}) + "\n")
    told = Pool((str(tmp_path / "wait.jsonl"),), {"text": "said", "label": "kind"})  # the label is not needed
    with Keeper.open(tmp_path / "a.likely", None) as keeper:
        assert told.texts(keeper).texts == ("hello",)
    import likely

    likely.train(tmp_path / "train.csv", text="said", label="kind").save(tmp_path / "b.likely")
    with Keeper.open(tmp_path / "b.likely", None) as keeper:
        assert Pool((str(tmp_path / "wait.jsonl"),)).texts(keeper).texts == ("hello",)


def test_a_file_that_is_gone_is_told_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"gone\.csv"):
        Pool((str(tmp_path / "gone.csv"),)).texts(None)


def test_there_are_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TEXTS", 3)
    monkeypatch.setattr(module, "MOST_CHARACTERS", 4)
    found = first_distinct(iter(["longer", "long", "a", "b", "b"]))
    assert (found.texts, found.is_cut) == (("long", "a", "b"), False)
    assert first_distinct(iter(["a", "b", "c", "d"])).is_cut
    monkeypatch.setattr(module, "MOST_TOGETHER", 6)
    found = first_distinct(iter(["long", "ab", "c"]))
    assert (found.texts, found.is_cut) == (("long", "ab"), True)
