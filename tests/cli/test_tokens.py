"""`likely tokens`: what becomes of a text."""

from __future__ import annotations

import re
from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_tokens(run: Run, model: Path) -> None:
    shown = run("tokens", "So GOOD!").out
    assert re.search(r"GOOD +good +lower-cased", shown)
    assert re.search(r"! +- +punctuation", shown)
    document = run("tokens", model, "good zzz", "--json").json
    assert document["unknown"] == ["zzz"]
    assert run("tokens", "a b", "--ngrams", "1,2", "--json").json["terms"] == ["a", "b", "a b"]


def test_counts_of_terms(run: Run) -> None:
    assert run("tokens", "so so good", "--counts", "--json").json == {"counts": {"so": 2, "good": 1}}
    assert [line.split() for line in run("tokens", "so so good", "--counts").out.splitlines()] == [
        ["term", "count"],
        ["so", "2"],
        ["good", "1"],
    ]


def test_misspelled_words_are_read_as_the_words_of_the_model(run: Run, model: Path) -> None:
    pieces = run("tokens", model, "borring", "--spelling", "--json").json["pieces"]
    assert [piece["term"] for piece in pieces] == ["boring"]
    assert run("tokens", model, "borring", "--json").json["unknown"] == ["borring"]
    assert "--spelling needs a model" in run("tokens", "borring", "--spelling", status=2).err
